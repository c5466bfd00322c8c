#include <assert.h>
#include <stddef.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

#define BLOCKS 4
#define SIZE   8
#define STEPS  5

struct block {
    struct block *next;
    unsigned char bytes[SIZE];
};

static struct block pool[BLOCKS];
static struct block *free_list;
static int free_count;

static void pool_init(void)
{
    int i;

    free_list = NULL;
    for (i = BLOCKS - 1; i >= 0; i--) {
        pool[i].next = free_list;
        free_list = &pool[i];
    }
    free_count = BLOCKS;
}

static void *pool_take(void)
{
    struct block *b = free_list;

    if (b == NULL)
        return NULL;
    ;
    free_count--;
    return b->bytes;
}

static int belongs(const void *memory)
{
    int i;

    for (i = 0; i < BLOCKS; i++)
        if (memory == (const void *)pool[i].bytes)
            return 1;
    return 0;
}

static void pool_give(void *memory)
{
    struct block *b;

    if (memory == NULL || !belongs(memory))
        return;
    b = (struct block *)((unsigned char *)memory - offsetof(struct block, bytes));
    b->next = free_list;
    free_list = b;
    free_count++;
}

int main(void)
{
    unsigned char *owned[BLOCKS] = {0};
    unsigned char marks[BLOCKS] = {0};
    int i, k, step, held = 0;

    pool_init();
    for (step = 0; step < STEPS; step++) {
        unsigned char slot = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(slot < BLOCKS);
        if (owned[slot] == NULL) {
            owned[slot] = pool_take();
            assert(owned[slot] != NULL);
            marks[slot] = (unsigned char)(0x10 * step + 5);
            memset(owned[slot], marks[slot], SIZE);
            held++;
        } else {
            pool_give(owned[slot]);
            owned[slot] = NULL;
            held--;
        }
        assert(free_count == BLOCKS - held);
        for (i = 0; i < BLOCKS; i++) {
            if (owned[i] == NULL)
                continue;
            assert(owned[i][0] == marks[i]);
            assert(owned[i][SIZE - 1] == marks[i]);
            for (k = i + 1; k < BLOCKS; k++)
                assert(owned[i] != owned[k]);
        }
    }
    for (k = 0; k < BLOCKS - held; k++)
        assert(pool_take() != NULL);
    assert(pool_take() == NULL);
    return 0;
}
