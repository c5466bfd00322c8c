/*
 * Tries edits on given inputs, two at a time: linked to a program that holds all edits, and to harness.c.
 *
 * SFO_RUNS is a file of lines "<passes> <shown> <sum> <text> <count> <value>... <count> (<object> <ordinal> <offset> <size> <value>)...":
 * whether the run passes without an edit, 2 where nobody knows; whether that is so because of what it prints and of its exit
 * status, as beside a reference (then it has to show the same with an edit if it passes, and something else if it fails,
 * unless it reads other inputs), or 2 where it has to print a text with this checksum, white space at the ends of lines left
 * out, or 4 where rows of it count as one blank, and those at both ends as none; how many of the values stand before the end of a text, all of them where there is none; the values of the calls that read inputs as words of 64 bits (floating
 * ones the bits of a double); and memory that is read though nobody wrote it, as in a line for harness.c. SFO_PAIRS holds the
 * numbers of two edits for each question, 0 for none, and a constant for the hole in them, as 32 bits each; SFO_ANSWERS has
 * a byte for each question, 0 at first. It becomes 1 where none of the runs fails with these edits, 2 where one does, and 3
 * where one takes many more units, or blocks of code, than without an edit (where no units are seen, and in the clone of an
 * edit, gcc calls here at each block, -fsanitize-coverage=trace-pc) or, in code that was not so compiled, too long. It is 4 where none fails, but of the passing ones none evaluates the same units as
 * without an edit, or of the failing ones none reads as much; and 5 where those that fail have read zeros behind the end of
 * their inputs, or a number where a character stood, which says nothing of what a text has there. SFO_PLACES has 32 bits for each question: which run, from 0, was the
 * last one; with 1 and 4 how many passing runs evaluate the same units as before. SFO_JOBS processes answer the questions in order.
 *
 * With SFO_ENDS nothing is asked. It has two words for each run, 0 at first: how it ends without an edit (1 where it passes, 2
 * where it fails, 3 where it takes too many blocks of code, 4 where it breaks an assumption, 5 where it reads zeros behind the
 * end of its inputs), and a checksum of the units that it evaluates and of where it ends. All of them together have so many
 * blocks; those behind these are left out.
 *
 * With SFO_REACH it has two words for each question, and nothing else is answered: on how many edges from one unit, with what
 * its condition yields, to the next the runs go with these edits, and on how many ways; 0 and 0 where one fails.
 *
 * With SFO_FINAL nothing is asked either. It has a `struct final` for each run: how it ends without an edit, and what a caller
 * sees then. Another version of the program reads these from SFO_REFERENCE: its runs of which `shown` is 3 have to leave
 * the same with an edit, where they do so without one if they pass, and do not if they fail.
 *
 * All runs of a process take place in it: what the program writes is put back before each of them, and its ends, signals
 * and endless loops lead back here. Each run has a heap of its own, and a stack of zeros: what an edit makes it read there
 * is nothing of the runs before. A process that is lost may be spoilt by an earlier edit: another one goes on, and is asked
 * the same again first. What loses it alone fails.
 * Where one cannot be started, or is killed from outside, there are no further answers, and the exit code says so.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define MOST_JOBS 64
#define MOST_BEYOND 64
#define MOST_UNITS 2048
#define MOST_EDGES 8192
#define MOST_WAYS 512
#define STATES 1024
#define QUESTIONS_OF_A_PROCESS 4096
#define MOST_SECONDS 1
#define MOST_BLOCKS 400000
#define LEAST_BLOCKS 50000
#define TIMES_AS_MANY 20
#define BLOCKS_OF_ALL 40000000
#define HEAP ((size_t)1 << 29)
#define STACK ((size_t)1 << 23)
#define STACK_PART ((size_t)1 << 12)
#define BEHIND_STACK 5 /* parts of zeros */
#define MOST_KEPT ((size_t)1 << 20)
#define BEHIND_HEAP ((size_t)1 << 12)
#define MOST_SHOWN ((size_t)1 << 16)
#define LEAST_ALIGNMENT 16
#define LOST 3

/* A run whose outcome without an edit nobody has asked for. */
#define FURTHER 2

/* Of `is_shown`: a given text has to be printed. */
#define EXPECTED 2

/* Of `is_shown`: a caller has to see what it sees of the reference. */
#define FINAL 3

/* As EXPECTED, and of white space no more counts than where it is. */
#define EXPECTED_WORDS 4

/* Kinds of inputs that the models of the library ask for; those of numbers are larger. */
#define OF_WORD 1
#define OF_TEXT 2

#define FIRST_SUM 1469598103934665603ULL
#define PRIME 1099511628211ULL
#define LEAST_ADDRESS 0x500000000000ULL
#define END_OF_ADDRESSES 0x800000000000ULL

enum answer { GOOD = 1, FAILS, LATE, STRAYS, BEYOND };

/* What is left of a run; a checksum for each variable, by its name. */
struct final {
    unsigned long long end, shows, states[STATES];
};

enum end { PASSED = 1, FAILED, TOO_LONG, ASSUMED, READ_BEYOND };

/* What harness.c has for this. */
extern void sfo_run_program(void);
extern unsigned long long sfo_next(int bits, int is_signed, void *caller);
extern void sfo_final_state(void) __attribute__((weak));
extern void sfo_stay_alone(void);
extern void __real_free(void *);
extern void *__real_calloc(size_t, size_t);
extern size_t __real_malloc_usable_size(void *);

/* Where the program's variables begin and end, those of harness.c among them. */
extern char __data_start[], _end[];

/* What main returned, where main is called. */
extern int sfo_status __attribute__((weak));

/* What chooses an edit. */
int __sfo_variant, __sfo_hole, __sfo_other;

typedef unsigned long long word;

struct cell {
    unsigned object, ordinal, offset, size;
    word value;
};

/*
 * `reads`, `blocks` and `covers` are what it does without an edit. Where `is_shown`, `shows` is a checksum of what it prints
 * and of its exit status, or of what it has to print, and `kinds` has the kind of each input that it reads.
 */
struct one_run {
    unsigned passes, is_shown, text, count, cell_count, reads;
    long blocks;
    struct cell *cells;
    word *values, shows;
    unsigned char *covers, *kinds;
};

/* What is not put back before a run. */
struct state {
    sigjmp_buf back;
    const struct one_run *run;
    unsigned used;
    long blocks_left, blocks_of_all;
    unsigned char *heap;
    size_t used_of_heap;
    unsigned char *stack;
    ucontext_t here, there;
    unsigned job, left, question, place;
    struct {
        unsigned kept, passing, as_long, failing, reached, covering, beyond;
    } sums;
    unsigned char library;
    int is_running, is_unedited, is_complete, reads_others, status;
    unsigned long ended_at;
    enum answer answer;
    unsigned char text[MOST_SHOWN];
    unsigned char covers[MOST_UNITS];
    unsigned from;
    unsigned char edges[MOST_EDGES];
    word ways[MOST_WAYS];
    word states[STATES], *variable;
};

static struct state *state;
static unsigned *next, *is_unedited_known;
static struct one_run *runs;
static unsigned run_count, question_count, jobs;
static int (*questions)[3];
static unsigned char *answers;
static unsigned *places;
static word (*ends)[2], (*reach)[2];
static struct final *finals;
static const struct final *reference;
static char *variables;
static int printed_to = -1;

/* The number of the first assertion that counts like a unit: those that failing runs violate. */
static unsigned first_assertion = MOST_UNITS;

/* Memory of this process, or shared with those that it starts. */
static void *pages(size_t size, int kind)
{
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED)
        syscall(SYS_exit_group, 1);
    return made;
}

/* -- one run ------------------------------------------------------------------------------------------------- */

__attribute__((noreturn)) static void go_back(enum answer answer)
{
    state->answer = answer;
    siglongjmp(state->back, 1);
}

static int is_of_heap(const void *memory)
{
    return (word)memory - (word)state->heap < HEAP;
}

int sfo_explored_input(int bits, int is_signed, int is_real, void *caller, word *value)
{
    unsigned char of_number = (unsigned char)((bits / 8 + 1) << 3 | is_real << 1 | is_signed);
    unsigned char kind = state->library ? state->library : of_number;
    state->library = 0;
    (void)caller;
    if (state->run->is_shown && state->used < state->run->count) {
        if (state->is_unedited)
            state->run->kinds[state->used] = kind;
        /* What the unedited run does not come to are characters of a text. */
        state->reads_others |= state->run->kinds[state->used] && state->run->kinds[state->used] != kind;
    }
    *value = state->used < state->run->count ? state->run->values[state->used] : 0;
    return state->used++ < state->run->count + MOST_BEYOND;
}

/* What the models of the library ask for: characters of words, and how many conversions of scanf succeed. */
int sfo_library_int(void)
{
    state->library = OF_WORD;
    return (int)sfo_next(32, 1, __builtin_return_address(0));
}

/* A character of the standard input, or its end. */
int sfo_library_character(void)
{
    state->library = OF_TEXT;
    return (int)sfo_next(32, 1, __builtin_return_address(0));
}

size_t __wrap_malloc_usable_size(void *memory)
{
    size_t size;
    if (!is_of_heap(memory))
        return __real_malloc_usable_size(memory);
    memcpy(&size, (char *)memory - sizeof size, sizeof size);
    return size;
}

/* Memory of one run: the next one begins with none, whatever this one does to it. Before a block stands its size. */
void *sfo_placed(void *old, size_t size, size_t alignment)
{
    size_t place = state->used_of_heap + LEAST_ALIGNMENT, had;
    if (alignment < LEAST_ALIGNMENT || alignment & (alignment - 1))
        alignment = LEAST_ALIGNMENT;
    place = (place + alignment - 1) & ~(alignment - 1);
    if (size > HEAP || place > HEAP - size) {
        errno = ENOMEM;
        return NULL;
    }
    state->used_of_heap = (place + size + LEAST_ALIGNMENT - 1) & ~(size_t)(LEAST_ALIGNMENT - 1);
    memcpy(state->heap + place - sizeof size, &size, sizeof size);
    if (old) {
        had = __wrap_malloc_usable_size(old);
        memmove(state->heap + place, old, had < size ? had : size);
    }
    return state->heap + place;
}

/* An edit may have written where the block is; of a large one that is unlikely. */
void *__wrap_calloc(size_t count, size_t size)
{
    size_t bytes;
    void *made = __builtin_mul_overflow(count, size, &bytes) ? NULL : sfo_placed(NULL, bytes, 1);
    if (!made)
        return __real_calloc(count, size);
    return bytes > MOST_KEPT ? made : memset(made, 0, bytes);
}

/* What the library has allocated is given back to it. */
void __wrap_free(void *memory)
{
    if (memory && !is_of_heap(memory))
        __real_free(memory);
}

void sfo_filled(void *memory, unsigned long size, unsigned object, unsigned ordinal)
{
    const struct cell *cell;
    if (!state || !state->is_running)
        return;
    for (cell = state->run->cells; cell < state->run->cells + state->run->cell_count; cell++)
        if (cell->object == object && cell->ordinal == ordinal && cell->offset + cell->size <= size)
            memcpy((char *)memory + cell->offset, &cell->value, cell->size);
}

__attribute__((optimize("O2"))) static inline void count_block(void)
{
    if (state && state->is_running && --state->blocks_left < 0)
        go_back(LATE);
}

/* The program calls these where a unit begins, and with what a condition yields. */
__attribute__((optimize("O2"))) void sfo_at(unsigned unit)
{
    if (unit < MOST_UNITS)
        state->covers[unit] = 1;
    if (reach) {
        state->edges[(31 * state->from + unit) % MOST_EDGES] = 1;
        state->from = 2 * unit;
    }
    count_block();
}

int sfo_test(unsigned unit, int outcome)
{
    if (reach)
        state->from = 2 * unit + (outcome != 0);
    return outcome;
}

/* What is seen from now on is the state of a variable. */
void sfo_state(const char *name)
{
    word hash = FIRST_SUM;
    while (*name)
        hash = (hash ^ (unsigned char)*name++) * PRIME;
    state->variable = &state->states[(hash ^ hash >> 32) % STATES];
    *state->variable ^= hash;
}

/* An address is not the same in another process. */
static void observe(word value)
{
    word seen = value >= LEAST_ADDRESS && value < END_OF_ADDRESSES ? 1 : value;
    *state->variable = (*state->variable ^ seen) * PRIME;
}

/* A value that a caller sees; of a pointer, whether it is null; of 16 bytes, those that a long double has. */
void sfo_saw(const void *value, unsigned long size, int is_pointer)
{
    word bits = 0;
    memcpy(&bits, value, size < sizeof bits ? size : sizeof bits);
    observe(is_pointer ? bits != 0 : bits);
    if (size > sizeof bits) {
        bits = 0;
        memcpy(&bits, (const char *)value + sizeof bits, 2);
        observe(bits);
    }
}

/* All bytes of an object that calloc has made. */
void sfo_saw_bytes(const void *from_calloc)
{
    size_t n, size = from_calloc ? __wrap_malloc_usable_size((void *)from_calloc) : 0;
    for (n = 0; n < size; n++)
        observe(((const unsigned char *)from_calloc)[n]);
}

/* A run is at its end: what a caller sees is looked at while its variables are there. */
static void complete(int status)
{
    state->is_complete = 1;
    state->status = status;
    if (sfo_final_state && (finals || state->run->is_shown == FINAL))
        sfo_final_state();
}

/* An assumption that does not hold says nothing against an edit. */
void sfo_explored_end(const char *end, unsigned long where)
{
    if (!state || !state->is_running)
        return;
    state->ended_at = where;
    if (strcmp(end, "pass") == 0) {
        complete(0);
        go_back(GOOD);
    }
    state->is_complete = 0;
    go_back(strcmp(end, "assume") == 0 ? GOOD : FAILS);
}

/* Handlers of atexit() and destructors would be called once, in the first of all runs. */
void exit(int status)
{
    if (state && state->is_running) {
        complete(status);
        go_back(GOOD);
    }
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

__attribute__((optimize("O2"))) void __sanitizer_cov_trace_pc(void)
{
    count_block();
}

static void late(int number)
{
    (void)number;
    if (state->is_running)
        go_back(LATE);
}

/* Where somebody asks what the program prints, that goes to a file of this process. */
static void print_to_file(void)
{
    unsigned n;
    int errors;
    for (n = 0; n < run_count && !runs[n].is_shown; n++)
        ;
    if (n == run_count && !finals)
        return;
    printed_to = memfd_create("printed", 0);
    /* Examples are about the standard output alone, and so is what is compared of a function. */
    errors = finals || runs[n].is_shown >= EXPECTED ? open("/dev/null", O_WRONLY) : printed_to;
    if (printed_to < 0 || errors < 0 || dup2(printed_to, 1) < 0 || dup2(errors, 2) < 0)
        syscall(SYS_exit_group, 1);
    __fsetlocking(stdout, FSETLOCKING_BYCALLER); /* a run may leave it anywhere */
}

static void begin_to_print(void)
{
    __fpurge(stdout);
    if (lseek(printed_to, 0, SEEK_CUR) > 0 && (ftruncate(printed_to, 0) || lseek(printed_to, 0, SEEK_SET)))
        syscall(SYS_exit_group, 1);
}

static word checksum(word sum, long length)
{
    long n;
    for (n = 0; n < length; n++)
        sum = (sum ^ state->text[n]) * PRIME;
    return sum;
}

/* A checksum of what the last run printed, and of its exit status. */
static word shown(void)
{
    word sum = FIRST_SUM ^ (unsigned char)(state->status | (&sfo_status ? sfo_status : 0));
    fflush(stdout);
    return checksum(sum, pread(printed_to, state->text, sizeof state->text, 0));
}

static int is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* A checksum of what the last run printed, with one blank for each row of white space, and none at both ends. */
static word printed_words(void)
{
    unsigned char *text = state->text;
    long n, length, kept = 0;
    fflush(stdout);
    length = pread(printed_to, text, sizeof state->text, 0);
    for (n = 0; n < length; n++)
        if (!is_blank(text[n]) && text[n] != '\n')
            text[kept++] = text[n];
        else if (kept > 0 && text[kept - 1] != ' ')
            text[kept++] = ' ';
    if (kept > 0 && text[kept - 1] == ' ')
        kept--;
    return checksum(FIRST_SUM, kept);
}

/* A checksum of what the last run printed, without white space at the ends of lines and of the text. */
static word printed(void)
{
    unsigned char *text = state->text;
    long n, length, kept = 0, line = 0;
    fflush(stdout);
    length = pread(printed_to, text, sizeof state->text, 0);
    for (n = 0; n < length; n++) {
        if (text[n] == '\n')
            while (kept > line && is_blank(text[kept - 1]))
                kept--;
        text[kept++] = text[n];
        if (text[kept - 1] == '\n')
            line = kept;
    }
    while (kept > 0 && (is_blank(text[kept - 1]) || text[kept - 1] == '\n'))
        kept--;
    return checksum(FIRST_SUM, kept);
}

/* A heap between pages that nobody can write: what leaves it downwards or far upwards ends there. */
static unsigned char *new_heap(void)
{
    unsigned char *whole = pages(HEAP + 3 * BEHIND_HEAP, MAP_PRIVATE | MAP_NORESERVE);
    mprotect(whole, BEHIND_HEAP, PROT_NONE);
    mprotect(whole + HEAP + 2 * BEHIND_HEAP, BEHIND_HEAP, PROT_NONE);
    return whole + BEHIND_HEAP;
}

/* Zero in all that the last run may have written of the heap: an edit that leaves its block reads and writes there. */
static void empty_heap(void)
{
    static const unsigned char zeros[BEHIND_HEAP];
    size_t written = state->used_of_heap + BEHIND_HEAP;
    if (state->used_of_heap == 0)
        return;
    while (written < HEAP && memcmp(state->heap + written, zeros, BEHIND_HEAP))
        written += BEHIND_HEAP;
    if (written > MOST_KEPT)
        madvise(state->heap, written, MADV_DONTNEED);
    else
        memset(state->heap, 0, written);
    state->used_of_heap = 0;
}

/* A stack between pages that nobody can write, as large everywhere. Above what lies on it there is a part of zeros. */
static unsigned char *new_stack(void)
{
    unsigned char *whole = pages(STACK + 2 * BEHIND_HEAP, MAP_PRIVATE | MAP_NORESERVE);
    mprotect(whole, BEHIND_HEAP, PROT_NONE);
    mprotect(whole + BEHIND_HEAP + STACK, BEHIND_HEAP, PROT_NONE);
    return whole + BEHIND_HEAP;
}

/* Zero in all that the last run has left on its stack, down to where there are parts of zeros alone. */
static void clear_stack(void)
{
    static const unsigned char zeros[STACK_PART];
    unsigned char *part = state->stack + STACK;
    unsigned clear = 0;
    while (part > state->stack && clear < BEHIND_STACK) {
        part -= STACK_PART;
        clear++;
        if (memcmp(part, zeros, STACK_PART)) {
            memset(part, 0, STACK_PART);
            clear = 0;
        }
    }
}

/* A run, on its own stack; it ends by going back. */
static void run_on_its_stack(void)
{
    clear_stack();
    state->there.uc_stack.ss_sp = state->stack;
    state->there.uc_stack.ss_size = STACK - STACK_PART;
    state->there.uc_link = &state->here;
    makecontext(&state->there, sfo_run_program, 0);
    swapcontext(&state->here, &state->there);
}

static enum answer answer_of(const int edits[3], const struct one_run *run, long most_blocks)
{
    static const struct itimerval none, most = {{0, 0}, {MOST_SECONDS, 0}};
    memcpy(__data_start, variables, (size_t)(_end - __data_start));
    empty_heap();
    __sfo_variant = edits[0];
    __sfo_other = edits[1];
    __sfo_hole = edits[2];
    state->run = run;
    state->used = 0;
    state->is_complete = state->reads_others = state->status = 0;
    state->ended_at = 0;
    state->from = 0;
    state->blocks_left = most_blocks;
    if (printed_to >= 0)
        begin_to_print();
    if (sfo_final_state)
        memset(state->states, 0, sizeof state->states);
    memset(state->covers, 0, sizeof state->covers);
    if (sigsetjmp(state->back, 0) == 0) {
        state->is_running = 1;
        setitimer(ITIMER_VIRTUAL, &most, NULL);
        run_on_its_stack();
    }
    state->is_running = 0;
    setitimer(ITIMER_VIRTUAL, &none, NULL);
    return state->answer;
}

/* -- all questions ------------------------------------------------------------------------------------------- */

/* Whether the last run left another state of a variable that the reference has, too, or printed something else. */
static int leaves_another_state(void)
{
    const struct final *other = &reference[state->place];
    unsigned n;
    for (n = 0; n < STATES; n++)
        if (state->states[n] && other->states[n] && state->states[n] != other->states[n])
            return 1;
    return shown() != other->shows;
}

/* Whether what the reference leaves says of edits whether they are right, by what the last run did without one. */
static unsigned is_final(const struct one_run *run)
{
    if (reference[state->place].end != PASSED)
        return 0;
    if (state->answer != GOOD)
        return run->passes ? 0 : FINAL;
    if (!state->is_complete || state->used > run->count)
        return 0;
    return leaves_another_state() == !run->passes ? FINAL : 0;
}

/* What the program does as it is. */
static void run_unedited(void)
{
    static const int none[3];
    state->is_unedited = 1;
    for (state->place = 0; state->place < run_count; state->place++) {
        struct one_run *run;
        answer_of(none, &runs[state->place], MOST_BLOCKS);
        run = &runs[state->place];
        run->reads = run->text < run->count && run->text < state->used ? run->text : state->used;
        run->blocks = MOST_BLOCKS - state->blocks_left;
        memcpy(run->covers, state->covers, MOST_UNITS);
        if (run->is_shown == EXPECTED || run->is_shown == EXPECTED_WORDS)
            continue;
        if (run->is_shown == FINAL) {
            run->is_shown = is_final(run);
            continue;
        }
        run->is_shown = run->is_shown && state->answer == GOOD && state->is_complete && state->used <= run->count;
        if (run->is_shown)
            run->shows = shown();
    }
    state->is_unedited = 0;
    *is_unedited_known = 1;
}

static enum end end_of(const struct one_run *run)
{
    if (state->answer == LATE)
        return TOO_LONG;
    if (state->used > run->count)
        return READ_BEYOND;
    return state->answer == FAILS ? FAILED : state->is_complete ? PASSED : ASSUMED;
}

/* A checksum of the units that the last run has evaluated and of where it ended. */
static word way_of_run(void)
{
    word way = FIRST_SUM ^ state->ended_at;
    unsigned unit;
    for (unit = 0; unit < MOST_UNITS; unit++)
        way = (way ^ state->covers[unit]) * PRIME;
    return way;
}

/* How the program ends as it is, and on which way. */
static void tell_ends(void)
{
    static const int none[3];
    state->blocks_of_all = BLOCKS_OF_ALL;
    for (state->place = 0; state->place < run_count && state->blocks_of_all > 0; state->place++) {
        answer_of(none, &runs[state->place], MOST_BLOCKS);
        state->blocks_of_all -= MOST_BLOCKS - state->blocks_left;
        ends[state->place][0] = end_of(&runs[state->place]);
        ends[state->place][1] = way_of_run();
    }
    syscall(SYS_exit_group, 0);
}

/* What a caller sees of the program as it is. */
static void tell_finals(void)
{
    static const int none[3];
    state->blocks_of_all = BLOCKS_OF_ALL;
    for (state->place = 0; state->place < run_count && state->blocks_of_all > 0; state->place++) {
        answer_of(none, &runs[state->place], MOST_BLOCKS);
        state->blocks_of_all -= MOST_BLOCKS - state->blocks_left;
        memcpy(finals[state->place].states, state->states, sizeof state->states);
        finals[state->place].shows = shown();
        finals[state->place].end = end_of(&runs[state->place]);
    }
    syscall(SYS_exit_group, 0);
}

/* Whether a run that violates nothing shows what it must not, or something else than it must. */
static int shows_wrong(const struct one_run *run)
{
    if (!run->is_shown || !state->is_complete || state->reads_others || state->used > run->count)
        return 0;
    if (run->is_shown == EXPECTED)
        return printed() != run->shows;
    if (run->is_shown == EXPECTED_WORDS)
        return printed_words() != run->shows;
    if (run->is_shown == FINAL)
        return leaves_another_state();
    return run->passes ? shown() != run->shows : shown() == run->shows;
}

/* Whether a run has come to what failing runs violate; any may have where that is not seen. */
static int comes_to_assertion(void)
{
    return first_assertion == MOST_UNITS
           || memchr(state->covers + first_assertion, 1, MOST_UNITS - first_assertion) != NULL;
}

/* Whether a run evaluates all units that it evaluates without an edit. */
static int covers_as_much(const struct one_run *run)
{
    unsigned unit;
    for (unit = 0; unit < first_assertion; unit++)
        if (run->covers[unit] && !state->covers[unit])
            return 0;
    return 1;
}

/* What has to last from run to run is in `state`, where an edit that writes anywhere near on the stack does not reach it. */
static enum answer answer_to_question(void)
{
    memset(&state->sums, 0, sizeof state->sums);
    for (state->place = 0; state->place < run_count; state->place++) {
        const struct one_run *run = &runs[state->place];
        places[state->question] = state->place;
        long blocks = LEAST_BLOCKS + TIMES_AS_MANY * run->blocks;
        enum answer answer = answer_of(questions[state->question], run, blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
        run = &runs[state->place];
        /* Where it reads others, what it is given is not what stands there in a text. */
        if ((answer == FAILS && state->used > run->count) || (answer != GOOD && state->reads_others)) {
            state->sums.beyond += run->passes != FURTHER;
            continue;
        }
        if (answer != GOOD)
            return answer;
        if (run->passes == FURTHER)
            continue;
        if (shows_wrong(run))
            return FAILS;
        state->sums.passing += run->passes;
        state->sums.failing += !run->passes;
        state->sums.kept += run->passes && !memcmp(state->covers, run->covers, first_assertion);
        state->sums.as_long += !run->passes && state->used >= run->reads;
        state->sums.reached += !run->passes && comes_to_assertion();
        state->sums.covering += !run->passes && covers_as_much(run);
    }
    if (state->sums.beyond)
        return BEYOND;
    places[state->question] = state->sums.passing ? state->sums.kept : state->sums.covering;
    if (state->sums.passing && !state->sums.kept)
        return STRAYS;
    return state->sums.failing && !(state->sums.as_long && state->sums.reached) ? STRAYS : GOOD;
}

/* How far the runs come with these edits. */
static void tell_reach(void)
{
    unsigned n;
    word way, edges = 0, count = 0;
    memset(state->edges, 0, sizeof state->edges);
    for (state->place = 0; state->place < run_count; state->place++) {
        const struct one_run *run = &runs[state->place];
        long blocks = LEAST_BLOCKS + TIMES_AS_MANY * run->blocks;
        enum answer answer = answer_of(questions[state->question], run, blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
        if (answer != GOOD && questions[state->question][0] && state->used <= runs[state->place].count)
            return;
        way = way_of_run();
        for (n = 0; n < count && state->ways[n] != way; n++)
            ;
        if (n == count && count < MOST_WAYS)
            state->ways[count++] = way;
    }
    for (n = 0; n < MOST_EDGES; n++)
        edges += state->edges[n];
    reach[state->question][0] = edges;
    reach[state->question][1] = count;
}

/* Every so many questions, from where the last process of this job has ended. */
static void answer(unsigned job)
{
    struct sigaction action;
    struct rlimit memory = {2 * HEAP, 2 * HEAP};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    print_to_file();
    state = pages(sizeof *state, MAP_PRIVATE);
    state->heap = new_heap();
    state->stack = new_stack();
    getcontext(&state->there);
    state->job = job;
    state->left = QUESTIONS_OF_A_PROCESS;
    setrlimit(RLIMIT_AS, &memory);
    sfo_stay_alone();
    memset(&action, 0, sizeof action);
    action.sa_handler = late;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaction(SIGVTALRM, &action, NULL);
    variables = pages((size_t)(_end - __data_start), MAP_PRIVATE);
    memcpy(variables, __data_start, (size_t)(_end - __data_start));
    mprotect(variables, (size_t)(_end - __data_start), PROT_READ);
    if (ends)
        tell_ends();
    if (finals)
        tell_finals();
    if (!*is_unedited_known)
        run_unedited();
    while (next[state->job] < question_count && state->left--) {
        unsigned char found = GOOD;
        state->question = next[state->job];
        next[state->job] += jobs;
        if (reach)
            tell_reach();
        else
            found = (unsigned char)answer_to_question();
        answers[state->question] = found;
    }
    syscall(SYS_exit_group, 0);
}

/* The process that goes on with a job; 0 where there are no more questions. */
static pid_t start(unsigned job)
{
    pid_t process;
    if (next[job] >= question_count)
        return 0;
    if (ends || finals)
        next[job] = question_count;
    process = fork();
    if (process == 0)
        answer(job);
    return process;
}

/*
 * Whether a process ended before its first question, or was killed by somebody else; the edit has no part in that. What it
 * was asked behind others when it was lost, the next one is asked first; what it was asked first fails.
 */
static int is_nobodys_answer(unsigned job, unsigned begun, int status)
{
    unsigned last = next[job] - jobs;
    if (next[job] == begun)
        return 1;
    if (answers[last])
        return 0;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return 1;
    if (last > begun)
        next[job] = last;
    else
        answers[last] = FAILS;
    return 0;
}

/* -- begin --------------------------------------------------------------------------------------------------- */

/* A file: its name to be read, the number of its descriptor to be written. */
static void *mapped(const char *variable, int protection, size_t *size)
{
    struct stat about;
    int file = protection & PROT_WRITE ? atoi(getenv(variable)) : open(getenv(variable), O_RDONLY);
    void *found;
    if (file < 0 || fstat(file, &about))
        syscall(SYS_exit_group, 1);
    found = mmap(NULL, (size_t)about.st_size, protection, MAP_SHARED, file, 0);
    if (found == MAP_FAILED)
        syscall(SYS_exit_group, 1);
    *size = (size_t)about.st_size;
    return found;
}

/* A file of so many bytes at least; NULL where there is none. */
static void *mapped_if_given(const char *variable, int protection, size_t least)
{
    size_t size;
    void *found;
    if (!getenv(variable))
        return NULL;
    found = mapped(variable, protection, &size);
    if (size < least)
        syscall(SYS_exit_group, 1);
    return found;
}

static void read_runs(void)
{
    FILE *file = fopen(getenv("SFO_RUNS"), "r");
    unsigned passes, is_shown, text, count, n;
    word sum;
    struct cell *cells;
    while (file && fscanf(file, "%u %u %llu %u %u", &passes, &is_shown, &sum, &text, &count) == 5) {
        runs = realloc(runs, (run_count + 1) * sizeof *runs);
        runs[run_count].passes = passes;
        runs[run_count].is_shown = is_shown;
        runs[run_count].shows = sum;
        runs[run_count].text = text;
        runs[run_count].count = count;
        runs[run_count].values = __real_calloc(count + 1, sizeof(word));
        for (n = 0; n < count; n++)
            if (fscanf(file, "%llu", &runs[run_count].values[n]) != 1)
                syscall(SYS_exit_group, 1);
        if (fscanf(file, "%u", &count) != 1)
            syscall(SYS_exit_group, 1);
        runs[run_count].cell_count = count;
        runs[run_count].cells = cells = __real_calloc(count + 1, sizeof *cells);
        for (n = 0; n < count; n++, cells++)
            if (fscanf(file, "%u %u %u %u %llu", &cells->object, &cells->ordinal, &cells->offset, &cells->size, &cells->value) != 5
                || cells->size > sizeof cells->value)
                syscall(SYS_exit_group, 1);
        run_count++;
    }
    if (file)
        fclose(file);
}

/* Runs where all processes see them, and where no edit reaches what they read. */
static void share_runs(void)
{
    struct one_run *shared = pages((run_count + 1) * sizeof *shared, MAP_SHARED);
    unsigned char *covers = pages(run_count * MOST_UNITS + 1, MAP_SHARED);
    size_t size = 1, n;
    word *values;
    unsigned char *kinds;
    for (n = 0; n < run_count; n++)
        size += runs[n].count;
    values = pages(size * sizeof *values, MAP_PRIVATE);
    kinds = pages(size, MAP_SHARED);
    for (n = 0, size = 0; n < run_count; n++) {
        shared[n] = runs[n];
        shared[n].covers = covers + n * MOST_UNITS;
        shared[n].values = memcpy(values + size, runs[n].values, runs[n].count * sizeof *values);
        shared[n].kinds = kinds + size;
        size += runs[n].count;
    }
    mprotect(values, (size + 1) * sizeof *values, PROT_READ);
    runs = shared;
}

void sfo_explore(const char *how)
{
    pid_t processes[MOST_JOBS], ended;
    size_t size;
    unsigned job, running, begun[MOST_JOBS];
    int status, is_lost = 0;
    void *warm[1];
    int nowhere = open("/dev/null", O_WRONLY);
    (void)how;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    next = pages(MOST_JOBS * sizeof *next, MAP_SHARED);
    is_unedited_known = pages(sizeof *is_unedited_known, MAP_SHARED);
    read_runs();
    share_runs();
    questions = mapped("SFO_PAIRS", PROT_READ, &size);
    question_count = (unsigned)(size / sizeof *questions);
    answers = mapped("SFO_ANSWERS", PROT_READ | PROT_WRITE, &size);
    places = mapped("SFO_PLACES", PROT_READ | PROT_WRITE, &size);
    size /= sizeof *places;
    ends = mapped_if_given("SFO_ENDS", PROT_READ | PROT_WRITE, run_count * sizeof *ends);
    reach = mapped_if_given("SFO_REACH", PROT_READ | PROT_WRITE, question_count * sizeof *reach);
    finals = mapped_if_given("SFO_FINAL", PROT_READ | PROT_WRITE, run_count * sizeof *finals);
    reference = mapped_if_given("SFO_REFERENCE", PROT_READ, run_count * sizeof *reference);
    jobs = (unsigned)atoi(getenv("SFO_JOBS"));
    if (getenv("SFO_ASSERTIONS"))
        first_assertion = (unsigned)atoi(getenv("SFO_ASSERTIONS"));
    if (jobs < 1 || jobs > MOST_JOBS || size < question_count || dup2(nowhere, 1) < 0 || dup2(nowhere, 2) < 0)
        syscall(SYS_exit_group, 1);
    backtrace(warm, 1); /* it loads a library the first time */
    for (job = 0; job < jobs; job++) {
        next[job] = begun[job] = job;
        processes[job] = start(job);
        is_lost |= processes[job] < 0;
    }
    for (;;) {
        for (job = 0, running = 0; job < jobs; job++)
            running += processes[job] > 0;
        if (!running)
            break;
        ended = waitpid(-1, &status, 0);
        for (job = 0; job < jobs; job++)
            if (processes[job] == ended) {
                is_lost |= is_nobodys_answer(job, begun[job], status);
                begun[job] = next[job];
                processes[job] = is_lost ? 0 : start(job);
                is_lost |= processes[job] < 0;
            }
    }
    syscall(SYS_exit_group, is_lost ? LOST : 0);
}
