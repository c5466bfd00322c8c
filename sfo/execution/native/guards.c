/*
 * Objects of one function alone, each directly before memory that nobody can read: an access behind one ends the run by a
 * signal. Linked beside explore.c where a harness makes what surrounds the function (cfrontend/environment/harness.py).
 *
 * An object ends where its pages do, as near as its alignment allows: that of its type, or, where it comes from malloc and
 * its kin, the largest power of two that divides its size. What is freed can be read no more. Large objects, and all behind
 * the first thousands of a run, are the library's as ever.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE ((size_t)4096)
#define ROOM ((size_t)64 << 20)
#define MOST_SIZE ((size_t)1 << 20)
#define MOST_GUARDED 2048
#define MOST_NAMED 4096
#define LEAST_WIDTH 16

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t);
void __real_free(void *);
size_t __real_malloc_usable_size(void *);

/* An object that the harness declares, and where it is instead. */
struct named {
    const void *declared;
    void *place;
};

/* A block: its first byte, how many there are, and the pages that they lie in. */
struct block {
    char *first, *pages;
    size_t size, page_bytes;
    char is_freed;
};

static struct named named[MOST_NAMED];
static struct block blocks[MOST_GUARDED];
static unsigned block_count;
static char *room, *next;

/* As many bytes at the end of pages of their own, all zero; NULL where they are not guarded. */
static void *guarded(size_t size, size_t alignment)
{
    size_t padded = (size + alignment - 1) & ~(alignment - 1), bytes = (padded + PAGE - 1) & ~(PAGE - 1);
    struct block *block = &blocks[block_count];
    if (size > MOST_SIZE || alignment > PAGE || block_count == MOST_GUARDED)
        return NULL;
    if (!room) {
        room = mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        next = room;
    }
    if (room == MAP_FAILED || (size_t)(room + ROOM - next) < bytes + PAGE)
        return NULL;
    if (bytes && mprotect(next, bytes, PROT_READ | PROT_WRITE))
        return NULL;
    block->pages = next;
    block->first = next + bytes - padded;
    block->size = size;
    block->page_bytes = bytes;
    block_count++;
    next += bytes + PAGE;
    return block->first;
}

static int is_in_room(const void *memory)
{
    return room && (const char *)memory >= room && (const char *)memory < next;
}

/* The block that begins there; NULL where there is none. They lie in the order in which they were made. */
static struct block *block_at(const void *memory)
{
    unsigned low = 0, high = block_count;
    if (!is_in_room(memory))
        return NULL;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (blocks[middle].first < (const char *)memory)
            low = middle + 1;
        else
            high = middle;
    }
    return low < block_count && blocks[low].first == memory ? &blocks[low] : NULL;
}

static size_t alignment_of_size(size_t size)
{
    size_t power = size & (~size + 1);
    return size && power < LEAST_WIDTH ? power : LEAST_WIDTH;
}

/* Where an object is that the harness declares: the harness names it by this. */
void *sfo_guarded(void *declared, size_t size, size_t alignment)
{
    unsigned n = (unsigned)(((uintptr_t)declared >> 1) * 0x9e3779b97f4a7c15ULL >> 52) % MOST_NAMED, tries;
    for (tries = 0; tries < MOST_NAMED && named[n].declared && named[n].declared != declared; tries++)
        n = (n + 1) % MOST_NAMED;
    if (tries == MOST_NAMED)
        return declared;
    if (!named[n].declared) {
        void *place = guarded(size, alignment);
        named[n].declared = declared;
        named[n].place = place ? place : declared;
    }
    return named[n].place;
}

void __wrap_free(void *memory)
{
    struct block *block = block_at(memory);
    if (block ? block->is_freed : is_in_room(memory))
        abort();
    if (!block) {
        __real_free(memory);
        return;
    }
    block->is_freed = 1;
    if (block->page_bytes)
        mprotect(block->pages, block->page_bytes, PROT_NONE);
}

/* What harness.c has malloc and its kin give; realloc to nothing frees, as the library's does. */
void *sfo_placed(void *old, size_t size, size_t alignment)
{
    struct block *block = old ? block_at(old) : NULL;
    size_t natural = alignment_of_size(size);
    void *made;
    if (old && !block)
        return __real_realloc(old, size);
    if (block && !size) {
        __wrap_free(old);
        return NULL;
    }
    made = guarded(size, alignment > natural ? alignment : natural);
    if (!made)
        made = alignment > LEAST_WIDTH ? __real_aligned_alloc(alignment, size) : __real_malloc(size);
    if (made && block) {
        memcpy(made, old, block->size < size ? block->size : size);
        __wrap_free(old);
    }
    return made;
}

void *__wrap_calloc(size_t count, size_t size)
{
    size_t bytes;
    void *made = __builtin_mul_overflow(count, size, &bytes) ? NULL : guarded(bytes, alignment_of_size(bytes));
    return made ? made : __real_calloc(count, size);
}

size_t __wrap_malloc_usable_size(void *memory)
{
    const struct block *block = block_at(memory);
    return block ? block->size : __real_malloc_usable_size(memory);
}
