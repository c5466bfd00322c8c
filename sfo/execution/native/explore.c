/*
 * Looks for inputs on which a program fails: linked to it and to harness.c, with gcc's calls at every block and at every
 * comparison (-fsanitize-coverage=trace-pc,trace-cmp) in the program and in the models of the library.
 *
 * Every run is a process forked from this one. Inputs that led to new blocks are kept and changed for the next runs: some
 * are drawn again, left out, repeated, taken from others, or made what they were compared with. With SFO_OTHER, the same of
 * another version, each run is repeated there; one that ends or prints otherwise fails, and one whose assertions compare
 * other values or have other results where they are only looked at. So does one function that calls others which nobody
 * defines otherwise, or that leaves another state for its caller.
 *
 *
 * SFO_WORDS is a file of numbers and words that the program speaks of: lines "n <number>" and "w <character> ...".
 * It works on orders, lines "<work>" on its standard input, and counts: a run is one piece of work, and so are so many
 * blocks of one. To the standard output goes a line for each run worth knowing,
 *     fail|pass <blocks> <value>...
 * with the values as harness.c records them, and "done" when an order is carried out. Nothing here depends on the clock,
 * on how many orders there are, or on where the program lies in memory: the same work finds the same. The process ends
 * with its orders, or when its parent is gone.
 */
#define _GNU_SOURCE
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define EDGES (1u << 16)
#define STATES 1024
#define MOST_INPUTS 1024
#define MOST_PAIRS 128
#define MOST_KEPT 2048
#define MOST_SOURCES 4096
#define MOST_POOLED 32
#define MOST_WORDS 512
#define MOST_FAILING 200
#define MOST_BLOCKS 300000
#define BLOCKS_OF_WORK 100000
#define WORK_OF_LOST 1000
#define ROUNDS 24
#define FIRST_PICKS 32
#define SHORTENINGS 300
#define LONG_TEXTS 8
#define MOST_LETTERS 32
#define MOST_TEXT_PAIRS 16
#define SPOTS 16
#define PROBED 8
#define LEAST_PROBED 16
#define PROBING_PART 2
#define MOST_BECOMING 64
#define RECENT 16
#define MOST_SPELT 64
#define SPELT_PART 2
#define FIRST_SPELT 1000
#define MOST_LINE 24
#define SMALL 1000
#define OUTPUT_SEEN (1 << 16)
#define SHARED_FILE 200
#define ORDERS 201
#define ANSWERS 202
#define WORK 203
#define LEAST_ADDRESS 0x500000000000ULL
#define END_OF_ADDRESSES 0x800000000000ULL

/* What harness.c has for this. */
extern void sfo_run_program(void);
extern void sfo_final_state(void) __attribute__((weak));
extern void sfo_stay_alone(void);
extern void sfo_stop_run(const char *end);
extern unsigned long long sfo_next(int bits, int is_signed, void *caller);

/* What the linker knows. */
extern const char __executable_start;

typedef unsigned long long word;

/* An input, `is_text` where it is a character of a text or its end; it `matters` unless a change of it changed nothing. */
struct input {
    word value;
    void *source;
    short bits;
    char is_signed, is_real, is_character, is_text, matters;
};

struct pair {
    word one, other;
};

/* Beginnings of two texts that were compared and are not the same. */
struct text_pair {
    unsigned char lengths[2], letters[2][MOST_LETTERS];
};

/*
 * One run, in memory that its process shares with this one; `reads_text` where this one or one before has. Of what was
 * planned `taken` inputs are behind it. Its `way` is a sum of all blocks and of all that was compared. `spoken` are the
 * characters that it has compared something with.
 */
struct seen {
    unsigned used, taken, blocks, is_over;
    char end[32];
    word where, way, printed, observed, states[STATES], *state;
    char reads_text, spoken[256];
    struct input inputs[MOST_INPUTS];
    struct pair pairs[MOST_PAIRS];
    unsigned text_pairs;
    struct text_pair texts[MOST_TEXT_PAIRS];
    unsigned char edges[EDGES], near[EDGES];
};

/*
 * Inputs worth changing; `is_solid` where they led to new blocks, and not only nearer to them. Which of them matter is known
 * where it `is_probed`.
 */
struct kept {
    unsigned used, picked, is_solid, is_probed, text_pairs;
    word way;
    struct input *inputs;
    struct pair pairs[MOST_PAIRS];
    struct text_pair texts[MOST_TEXT_PAIRS];
};

/*
 * Where inputs are read, with some values that were good there. Good ones are from `least` to `most`; those from `above`
 * on and down from `below` broke an assumption, where these are known. It `recurs` where some run `seen_in` reads there
 * again: of all others, as those of a harness, each is an input of its own.
 */
struct source {
    void *place;
    unsigned pooled, seen_in;
    char has_good, has_below, has_above, recurs;
    long long least, most, below, above;
    word pool[MOST_POOLED];
};

/* The value that the run has read at a source. */
struct last {
    word value;
    char is_there;
};

struct text {
    unsigned length;
    const char *characters;
};

static struct seen *runs, *seen;
static unsigned last_block;
static struct input planned[MOST_INPUTS];
static unsigned planned_count;
static unsigned least_text;
static unsigned char spelt[MOST_SPELT]; /* the characters that the run shall read, if there are any */
static unsigned spelt_count, spelt_taken;
static unsigned char atoms[256], signs[256]; /* letters and digits, and others, that some run has compared with */
static unsigned atom_count, sign_count;
static struct kept kept[MOST_KEPT];
static unsigned kept_count, solid[MOST_KEPT], solid_count;
static int has_harness; /* inputs that are read once are many */
static struct source sources[MOST_SOURCES];
static struct last last_read[MOST_SOURCES];
static unsigned run_count, probing_runs;
static word numbers[MOST_WORDS];
static struct text words[MOST_WORDS];
static unsigned number_count, word_count;
static unsigned char met[2][EDGES], failed[2][EDGES], most[2][EDGES], nearest[EDGES], bucket[256], ways[1u << 17];
static int printed_to, is_other, orders, answers, has_other, is_library, is_text;
static unsigned said_failing;
static FILE *said_to;
static word chance = 1;
static unsigned long work_done;

static word drawn(void)
{
    word z = (chance += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static unsigned below(unsigned end)
{
    return (unsigned)(drawn() % end);
}

/* A place of the program, the same wherever it was loaded. */
static word place_of(const void *address)
{
    return (word)((const char *)address - &__executable_start);
}

static word mixed(word sum, word value)
{
    return (sum ^ value) * 0x9e3779b97f4a7c15ULL ^ sum >> 29;
}

/* -- what gcc calls ------------------------------------------------------------------------------------------ */

void __sanitizer_cov_trace_pc(void)
{
    unsigned block, edge;
    if (!seen)
        return;
    block = (unsigned)((place_of(__builtin_return_address(0)) * 0x9e3779b97f4a7c15ULL) >> 48);
    edge = (block ^ last_block) % EDGES;
    if (seen->edges[edge] != 255)
        seen->edges[edge]++;
    last_block = block >> 1;
    seen->way = mixed(seen->way, block);
    if (++seen->blocks > MOST_BLOCKS)
        sfo_stop_run("limit-steps");
}

/* Whether a value is where something lies in memory, which is not the same in another process. */
static int is_address(word value)
{
    return value >= LEAST_ADDRESS && value < END_OF_ADDRESSES;
}

static void observe(word value)
{
    word *where = seen->state ? seen->state : &seen->observed;
    *where = (*where ^ (is_address(value) ? 1 : value)) * 1099511628211ULL;
}

/* A value that a caller sees; of a pointer, whether it is null; of 16 bytes, those that a long double has. */
void sfo_saw(const void *value, unsigned long size, int is_pointer)
{
    word bits = 0;
    if (!seen)
        return;
    memcpy(&bits, value, size < sizeof bits ? size : sizeof bits);
    observe(is_pointer ? bits != 0 : bits);
    if (size > sizeof bits) {
        bits = 0;
        memcpy(&bits, (const char *)value + sizeof bits, 2);
        observe(bits);
    }
}

/* All bytes of an object that calloc has made, which are zero behind those that were asked for. */
void sfo_saw_bytes(const void *from_calloc)
{
    unsigned long n, size = from_calloc ? malloc_usable_size((void *)from_calloc) : 0;
    for (n = 0; seen && n < size; n++)
        observe(((const unsigned char *)from_calloc)[n]);
}

/* What is seen from now on is the state of a variable. */
void sfo_state(const char *name)
{
    word hash = 1469598103934665603ULL;
    if (!seen)
        return;
    while (*name)
        hash = (hash ^ (unsigned char)*name++) * 1099511628211ULL;
    seen->state = &seen->states[(hash ^ hash >> 32) % STATES];
    *seen->state ^= hash;
}

/* Values that were compared, and how near they were to each other. */
static void compared(word one, word other, void *where)
{
    struct pair *place;
    word far = one > other ? one - other : other - one;
    unsigned level;
    if (!seen || is_address(one) || is_address(other))
        return;
    seen->way = mixed(mixed(seen->way, one), other);
    if (one == other)
        return;
    if (far > -far)
        far = -far;
    if (far < 8)
        level = (unsigned)far;
    else {
        unsigned log = 63 - (unsigned)__builtin_clzll(far);
        level = 4 * log + (unsigned)(far >> (log - 2) & 3);
    }
    seen->near[((place_of(where) + ((word)level << 32)) * 0x9e3779b97f4a7c15ULL) >> 48] = 1;
    place = &seen->pairs[(one * 31 + other * 0x9e3779b97f4a7c15ULL) >> 57];
    place->one = one;
    place->other = other;
}

/* A constant that something was compared with. */
static void spoke_of(word constant)
{
    if (seen && constant < sizeof seen->spoken)
        seen->spoken[constant] = 1;
}

#define COMPARES(bytes, type, wide) \
    void __sanitizer_cov_trace_cmp##bytes(type one, type other) \
    { \
        word a = (word)(wide)one, b = (word)(wide)other; \
        compared(a, b, __builtin_return_address(0)); \
    } \
    void __sanitizer_cov_trace_const_cmp##bytes(type constant, type value) \
    { \
        spoke_of((word)(wide)constant); \
        compared((word)(wide)constant, (word)(wide)value, __builtin_return_address(0)); \
    }
COMPARES(1, unsigned char, signed char)
COMPARES(2, unsigned short, short)
COMPARES(4, unsigned, int)
COMPARES(8, word, word)

void __sanitizer_cov_trace_cmpf(float one, float other)
{
    (void)one, (void)other;
}

void __sanitizer_cov_trace_cmpd(double one, double other)
{
    (void)one, (void)other;
}

void __sanitizer_cov_trace_switch(word value, const word *cases)
{
    word n, count = cases[0] < 64 ? cases[0] : 64;
    for (n = 0; n < count; n++) {
        spoke_of(cases[2 + n]);
        compared(value, cases[2 + n], (char *)__builtin_return_address(0) + n);
    }
}

/* The beginning of a text, with the zero that ends it: the number of its letters. */
static unsigned char beginning_of_text(unsigned char *letters, const unsigned char *text, size_t most, int ends)
{
    size_t n;
    for (n = 0; n < most && n < MOST_LETTERS; n++) {
        letters[n] = text[n];
        if (ends && !text[n])
            return (unsigned char)(n + 1);
    }
    return (unsigned char)n;
}

static void remember_texts(const unsigned char *one, const unsigned char *other, size_t most, int ends)
{
    struct text_pair *to;
    if (!seen)
        return;
    to = &seen->texts[seen->text_pairs++ % MOST_TEXT_PAIRS];
    to->lengths[0] = beginning_of_text(to->letters[0], one, most, ends);
    to->lengths[1] = beginning_of_text(to->letters[1], other, most, ends);
}

/*
 * Texts are compared character by character, each with a place of its own, and those that differ are remembered. These
 * stand in for the library's functions, which nobody watches; a program may have its own.
 */
static int compared_texts(const void *one, const void *other, size_t most, int ends, int folds, char *where)
{
    const unsigned char *a = one, *b = other;
    size_t n;
    for (n = 0; n < most; n++) {
        int x = folds && a[n] >= 'A' && a[n] <= 'Z' ? a[n] | 32 : a[n];
        int y = folds && b[n] >= 'A' && b[n] <= 'Z' ? b[n] | 32 : b[n];
        if (x != y) {
            compared((word)x, (word)y, where + n);
            remember_texts(a, b, most, ends);
            return x - y;
        }
        if (ends && !x)
            return 0;
    }
    return 0;
}

#define COMPARES_TEXTS(name, types, most, ends, folds) \
    __attribute__((weak)) int name types \
    { \
        return compared_texts(one, other, most, ends, folds, __builtin_return_address(0)); \
    }
COMPARES_TEXTS(memcmp, (const void *one, const void *other, size_t most), most, 0, 0)
COMPARES_TEXTS(strcmp, (const char *one, const char *other), (size_t)-1, 1, 0)
COMPARES_TEXTS(strncmp, (const char *one, const char *other, size_t most), most, 1, 0)
COMPARES_TEXTS(strcasecmp, (const char *one, const char *other), (size_t)-1, 1, 1)
COMPARES_TEXTS(strncasecmp, (const char *one, const char *other, size_t most), most, 1, 1)

/* -- what the harness calls ---------------------------------------------------------------------------------- */

/* Whether a value is one of those that broke an assumption, or beyond them. */
static int is_bad(const struct source *source, const struct input *input)
{
    long long value = (long long)input->value;
    return !input->is_real
           && ((source->has_below && value <= source->below) || (source->has_above && value >= source->above));
}

static void learn_good(struct source *source, long long value)
{
    source->least = source->has_good && source->least < value ? source->least : value;
    source->most = source->has_good && source->most > value ? source->most : value;
    source->has_good = 1;
    source->has_below &= source->below < value;
    source->has_above &= source->above > value;
}

static void learn_bad(struct source *source, long long value)
{
    if (!source->has_good)
        return;
    if (value > source->most && (!source->has_above || value < source->above)) {
        source->above = value;
        source->has_above = 1;
    }
    if (value < source->least && (!source->has_below || value > source->below)) {
        source->below = value;
        source->has_below = 1;
    }
}

static struct source *source_at(void *place)
{
    unsigned n = (unsigned)((place_of(place) * 0x9e3779b97f4a7c15ULL) >> 52), tries;
    for (tries = 0; tries < MOST_SOURCES - 1 && sources[n].place && sources[n].place != place; tries++)
        n = (n + 1) % MOST_SOURCES;
    sources[n].place = place;
    return &sources[n];
}

static void fit(struct input *input)
{
    if (input->is_real)
        return;
    if (input->bits == 1)
        input->value = input->value & 1;
    else if (input->bits < 64)
        input->value &= (1ULL << input->bits) - 1;
    if (input->is_signed && input->bits < 64 && input->value >> (input->bits - 1))
        input->value |= ~0ULL << input->bits;
}

static word bits_of(double value)
{
    word bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int is_atom(unsigned character)
{
    return (character | 32) - 'a' < 26 || character - '0' < 10;
}

/* A letter or a digit. */
static unsigned char any_atom(void)
{
    unsigned kind = below(8);
    if (kind < 3 && atom_count)
        return atoms[below(atom_count)];
    if (kind < 7)
        return (unsigned char)('0' + below(kind < 6 ? 4 : 10));
    return (unsigned char)('a' + below(below(2) ? 3 : 26));
}

/* What may stand between these. */
static unsigned char any_sign(void)
{
    unsigned kind = below(8);
    if (kind < 5 && sign_count)
        return signs[below(sign_count)];
    return kind < 7 ? (below(3) ? ' ' : '\n') : "+-*/=,.;:()_"[below(12)];
}

static word any_value(const struct input *input, const struct source *source)
{
    static const unsigned small[] = {4, 10, 100};
    static const double reals[] = {0, 1, -1, 0.5, 2, 3.5, 10, -7.25, 100, 1e-3, 1e6};
    static const double extremes[] = {__builtin_nan(""), __builtin_inf(), -__builtin_inf(), 1e300, -1e300};
    const struct last *last = &last_read[source - sources];
    unsigned kind = below(100);
    if (last->is_there && below(4) == 0)
        return last->value;
    if (kind < 30 && source->pooled)
        return source->pool[below(source->pooled)];
    if (input->is_real && kind < 34)
        return bits_of(extremes[below(sizeof extremes / sizeof *extremes)]);
    if (input->is_real)
        return kind < 60 ? bits_of(below(200) / 4.0 - 10) : bits_of(reals[below(sizeof reals / sizeof *reals)]);
    if (kind < 34 && number_count)
        return numbers[below(number_count)] + below(3) - 1;
    if (input->is_text && kind < 94)
        return kind < 38 ? ~0ULL : kind < 70 ? any_atom() : any_sign();
    if (input->is_character && kind < 42)
        return any_atom();
    if (kind < 50 && kept_count) {
        const struct pair *pair = &kept[below(kept_count)].pairs[below(MOST_PAIRS)];
        return (below(2) ? pair->one : pair->other) + (below(3) ? 0 : below(3) - 1);
    }
    if (input->is_character && kind < 70 && word_count) {
        const struct text *text = &words[below(word_count)];
        return (unsigned char)text->characters[below(text->length)];
    }
    if (kind < 95)
        return (word)below(small[below(3)] + 2) - 2;
    return drawn() >> below(64);
}

static void draw(struct input *input)
{
    const struct source *source = source_at(input->source);
    unsigned tries;
    for (tries = 0; tries < 32; tries++) {
        input->value = any_value(input, source);
        fit(input);
        if (!is_bad(source, input))
            return;
    }
}

/*
 * The next planned input, NULL where there is none. One that is read once is the one that was read there, wherever it
 * stands: what others have before it, as a pointer that is null or not, moves it.
 */
static const struct input *next_planned(void *caller)
{
    unsigned n = seen->taken;
    if (n < planned_count && planned[n].source != caller && !source_at(caller)->recurs)
        while (n < planned_count && planned[n].source != caller)
            n++;
    if (n >= planned_count)
        return NULL;
    seen->taken = n + 1;
    return &planned[n];
}

/* The next input; 0 where there shall be none. */
int sfo_explored_input(int bits, int is_signed, int is_real, void *caller, word *value)
{
    struct input *input;
    const struct input *wanted = NULL;
    struct last *last;
    if (!seen || seen->used >= MOST_INPUTS)
        return 0;
    input = &seen->inputs[seen->used];
    input->source = caller;
    input->bits = (short)bits;
    input->is_signed = (char)is_signed;
    input->is_real = (char)is_real;
    input->is_character = is_library || (bits == 8 && is_signed);
    input->is_text = (char)is_text;
    input->matters = 1;
    if (is_other) {
        input->value = seen->used < runs[0].used ? runs[0].inputs[seen->used].value : 0;
        fit(input);
    } else if (spelt_count && is_text) {
        input->value = spelt_taken < spelt_count ? spelt[spelt_taken++] : ~0ULL;
    } else if ((wanted = next_planned(caller)) && wanted->is_real == is_real) {
        input->value = wanted->value;
        input->matters = wanted->matters;
        fit(input);
        if (below(32) && is_bad(source_at(caller), input))
            draw(input);
    } else
        draw(input);
    if (is_text && !is_other && input->value == ~0ULL && seen->used < least_text)
        input->value = below(256);
    seen->used++;
    last = &last_read[source_at(caller) - sources];
    last->is_there = 1;
    last->value = input->value;
    *value = input->value;
    return 1;
}

/* What the models of the library ask for: characters of words and other strings, and how many there are. */
int sfo_library_int(void)
{
    int value;
    is_library = 1;
    value = (int)sfo_next(32, 1, __builtin_return_address(0));
    is_library = 0;
    return value;
}

/* A character of the standard input, or its end. */
int sfo_library_character(void)
{
    int value;
    if (seen)
        seen->reads_text = 1;
    is_library = is_text = 1;
    value = (int)sfo_next(32, 1, __builtin_return_address(0));
    is_library = is_text = 0;
    return value;
}

/* How a run ended, its output complete. */
void sfo_explored_end(const char *end, unsigned long where)
{
    static unsigned char text[OUTPUT_SEEN];
    long n, length;
    if (!seen)
        return;
    snprintf(seen->end, sizeof seen->end, "%s", end);
    if (sfo_final_state && strcmp(end, "pass") == 0)
        sfo_final_state();
    seen->where = where;
    seen->printed = 1469598103934665603ULL;
    length = has_other || is_other ? pread(printed_to, text, sizeof text, 0) : 0;
    for (n = 0; n < length; n++)
        seen->printed = (seen->printed ^ text[n]) * 1099511628211ULL;
}

/* -- runs ---------------------------------------------------------------------------------------------------- */

/* Whether a run came to the end of its time. */
static int was_too_long(int status)
{
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
}

/* A run in a process of its own; what it did is in `to`. */
static void run_into(struct seen *to)
{
    pid_t child;
    int status;
    to->used = to->taken = to->blocks = 0;
    to->where = to->way = to->printed = to->observed = 0;
    memset(to->spoken, 0, sizeof to->spoken);
    to->state = NULL;
    memset(to->states, 0, sizeof to->states);
    strcpy(to->end, "lost");
    memset(to->edges, 0, sizeof to->edges);
    memset(to->near, 0, sizeof to->near);
    memset(to->pairs, 0, sizeof to->pairs);
    to->text_pairs = 0;
    if (has_other || is_other) {
        (void)!ftruncate(printed_to, 0);
        lseek(printed_to, 0, SEEK_SET);
    }
    drawn();
    child = fork();
    if (child == 0) {
        /* Processor time, so that a busy machine changes nothing; what sleeps has longer. */
        struct itimerval busy = {{0, 0}, {2, 0}}, asleep = {{0, 0}, {20, 0}};
        struct rlimit memory = {1u << 30, 1u << 30};
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setrlimit(RLIMIT_AS, &memory);
        setitimer(ITIMER_PROF, &busy, NULL);
        setitimer(ITIMER_REAL, &asleep, NULL);
        seen = to;
        close(WORK);
        sfo_stay_alone();
        sfo_run_program();
    }
    while (child > 0 && waitpid(child, &status, 0) < 0)
        ;
    if (child < 0)
        usleep(10000);
    work_done += child > 0 && was_too_long(status) ? WORK_OF_LOST : 1 + to->blocks / BLOCKS_OF_WORK;
}

static int is_end(const struct seen *run, const char *end)
{
    return strcmp(run->end, end) == 0;
}

static int says_nothing(const struct seen *run)
{
    return is_end(run, "assume") || is_end(run, "missing") || is_end(run, "lost") || is_end(run, "unsupported")
           || is_end(run, "unreachable") || strncmp(run->end, "limit-", 6) == 0;
}

enum outcome { NEITHER, PASS, FAIL };

/* Whether a run took a way that none has taken before; sometimes that is said of others, too. */
static int is_elsewhere(const struct seen *run)
{
    const word *edges = (const word *)run->edges;
    word way = 0;
    unsigned n, place, bit;
    for (n = 0; n < EDGES / 8; n++)
        if (edges[n])
            way = (way ^ edges[n] ^ n) * 0x9e3779b97f4a7c15ULL;
    place = (unsigned)(way >> 44) / 8;
    bit = 1u << ((way >> 44) & 7);
    if (ways[place] & bit)
        return below(4) == 0;
    ways[place] |= (unsigned char)bit;
    return 1;
}

/* Whether the two versions leave different states of a variable that both have. */
static int leaves_another_state(void)
{
    unsigned n;
    for (n = 0; n < STATES; n++)
        if (runs[0].states[n] && runs[1].states[n] && runs[0].states[n] != runs[1].states[n])
            return 1;
    return 0;
}

/* A run of the program, and of the other version of it. */
static enum outcome run(void)
{
    char order = 1;
    run_into(&runs[0]);
    if (says_nothing(&runs[0]))
        return NEITHER;
    if (!has_other)
        return is_end(&runs[0], "pass") ? PASS : FAIL;
    if (is_end(&runs[0], "pass") && !is_elsewhere(&runs[0])) {
        memset(runs[1].edges, 0, sizeof runs[1].edges);
        return NEITHER;
    }
    if (write(orders, &order, 1) != 1 || read(answers, &order, 1) != 1)
        exit(0);
    if (!is_end(&runs[1], "pass"))
        return NEITHER;
    if (!is_end(&runs[0], "pass") || runs[0].observed != runs[1].observed || leaves_another_state())
        return FAIL;
    return runs[0].printed == runs[1].printed ? PASS : FAIL;
}

/*
 * Whether a run has edges that `known` has not, or runs through some more often: several times, or, of all runs, once
 * more than any other, up to some rounds. From now on it has.
 */
static int is_new(unsigned char known[2][EDGES])
{
    unsigned which, n, found = 0;
    for (which = 0; which < (has_other ? 2u : 1u); which++) {
        const word *edges = (const word *)runs[which].edges;
        for (n = 0; n < EDGES / 8; n++)
            if (edges[n]) {
                unsigned k;
                for (k = 8 * n; k < 8 * n + 8; k++) {
                    unsigned char count = runs[which].edges[k], level = bucket[count];
                    found |= level & ~known[which][k];
                    known[which][k] |= level;
                    if (known == met && count > most[which][k] && count <= ROUNDS) {
                        most[which][k] = count;
                        found = 1;
                    }
                }
            }
    }
    return found != 0;
}

/* Whether a run has brought two compared values as near to each other as none before; from now on it has. */
static int is_nearer(void)
{
    word *known = (word *)nearest, found = 0;
    const word *near = (const word *)runs[0].near;
    unsigned n;
    for (n = 0; n < EDGES / 8; n++) {
        found |= near[n] & ~known[n];
        known[n] |= near[n];
    }
    return found != 0;
}

/* The characters of texts that a run has compared something with are drawn more often from now on. */
static void learn_characters(const struct seen *run)
{
    static unsigned char known[256];
    unsigned n;
    for (n = 0; n < 127; n++)
        if (run->spoken[n] && !known[n] && (n >= ' ' || n == '\t' || n == '\n')) {
            known[n] = 1;
            if (is_atom(n))
                atoms[atom_count++] = (unsigned char)n;
            else
                signs[sign_count++] = (unsigned char)n;
        }
}

static void learn(void)
{
    const struct seen *run = &runs[0];
    unsigned n, end = run->used, breaks = is_end(run, "assume");
    run_count++;
    learn_characters(run);
    for (n = 0; n < end; n++) {
        struct source *source = source_at(run->inputs[n].source);
        source->recurs |= source->seen_in == run_count;
        source->seen_in = run_count;
        if (!run->inputs[n].is_real)
            (breaks && n + 1 == end ? learn_bad : learn_good)(source, (long long)run->inputs[n].value);
    }
}

static void keep(unsigned is_solid)
{
    const struct seen *run = &runs[0];
    struct kept *place = &kept[kept_count < MOST_KEPT ? kept_count++ : below(MOST_KEPT)];
    unsigned n, k;
    free(place->inputs);
    place->used = run->used;
    place->way = run->way;
    place->picked = place->is_probed = 0;
    place->is_solid = is_solid;
    if (is_solid)
        solid[solid_count < MOST_KEPT ? solid_count++ : below(MOST_KEPT)] = (unsigned)(place - kept);
    place->inputs = malloc((run->used + 1) * sizeof *place->inputs);
    if (!place->inputs)
        exit(0);
    memcpy(place->inputs, run->inputs, run->used * sizeof *place->inputs);
    memcpy(place->pairs, run->pairs, sizeof place->pairs);
    memcpy(place->texts, run->texts, sizeof place->texts);
    place->text_pairs = run->text_pairs < MOST_TEXT_PAIRS ? run->text_pairs : MOST_TEXT_PAIRS;
    for (n = 0; n + is_end(run, "assume") < run->used; n++) {
        struct source *source = source_at(run->inputs[n].source);
        for (k = 0; k < source->pooled && source->pool[k] != run->inputs[n].value; k++)
            ;
        if (k == source->pooled)
            source->pool[k < MOST_POOLED ? source->pooled++ : below(MOST_POOLED)] = run->inputs[n].value;
    }
}

static void say(const char *what)
{
    const struct seen *longer = has_other && runs[1].used > runs[0].used ? &runs[1] : &runs[0];
    unsigned n, most = has_other && runs[1].blocks > runs[0].blocks ? runs[1].blocks : runs[0].blocks;
    int k;
    fprintf(said_to, "%s %u", what, most);
    for (n = 0; n < longer->used; n++) {
        const struct input *input = &longer->inputs[n];
        if (input->is_real) {
            unsigned char bytes[16] = {0};
            double value;
            float single;
            long double extended;
            memcpy(&value, &input->value, sizeof value);
            single = (float)value;
            extended = value;
            memcpy(bytes, input->bits == 32 ? (void *)&single : input->bits == 64 ? (void *)&value : (void *)&extended,
                   (size_t)input->bits / 8);
            fprintf(said_to, " %d:", input->bits);
            for (k = input->bits / 8; k-- > 0;)
                fprintf(said_to, "%02x", bytes[k]);
        } else
            fprintf(said_to, input->is_signed ? " %lld" : " %llu", input->value);
    }
    fprintf(said_to, "\n");
    fflush(said_to);
}

/* -- what is run next ---------------------------------------------------------------------------------------- */

static void plan(const struct input *inputs, unsigned count)
{
    spelt_count = 0;
    planned_count = count < MOST_INPUTS ? count : MOST_INPUTS;
    memcpy(planned, inputs, planned_count * sizeof *planned);
}

static struct kept *picked(void)
{
    struct kept *one = &kept[below(kept_count)], *other = &kept[below(kept_count)];
    if (has_harness && solid_count && below(2)) {
        unsigned recent = solid_count < RECENT ? solid_count : RECENT;
        one = &kept[solid[below(2) ? solid_count - 1 - below(recent) : below(solid_count)]];
        one->picked++;
        return one;
    }
    if (below(3) == 0)
        other = &kept[kept_count - 1 - below(kept_count < 16 ? kept_count : 16)];
    if (one->is_solid == other->is_solid ? other->picked < one->picked : other->is_solid || below(4) == 0)
        one = other;
    one->picked++;
    return one;
}

/* Whether to leave a planned input as it is. */
static int is_idle(const struct input *input)
{
    return !input->matters && below(8);
}

/* A planned input to change. */
static unsigned spot(void)
{
    unsigned at = below(planned_count), tries;
    for (tries = 0; tries < SPOTS && is_idle(&planned[at]); tries++)
        at = below(planned_count);
    return at;
}

/* An input becomes what it was compared with, or nearly that; or one moves as far as two values were from each other. */
static void compare(const struct kept *from)
{
    unsigned start = below(MOST_PAIRS), k, n, first, moves = below(3) == 0;
    for (k = 0; k < MOST_PAIRS; k++) {
        const struct pair *pair = &from->pairs[(start + k) % MOST_PAIRS];
        if (pair->one == pair->other)
            continue;
        if (moves) {
            struct input *input = &planned[spot()];
            word way = pair->other - pair->one;
            if (!input->is_real)
                input->value += (below(2) ? way : 0 - way) + (below(3) ? 0 : below(3) - 1);
            return;
        }
        first = below(planned_count);
        for (n = 0; n < planned_count; n++) {
            struct input *input = &planned[(first + n) % planned_count];
            word mask = input->bits < 64 ? (1ULL << input->bits) - 1 : ~0ULL;
            int is_one = ((input->value ^ pair->one) & mask) == 0;
            if (input->is_real || (!is_one && (input->value ^ pair->other) & mask) || is_idle(input))
                continue;
            input->value = (is_one ? pair->other : pair->one) + (below(3) ? 0 : below(3) - 1);
            return;
        }
    }
}

/* `count` planned inputs from `at` on make room for `others`. */
static void replace(unsigned at, unsigned count, const struct input *others, unsigned other_count)
{
    unsigned behind = planned_count - at - count;
    if (at + other_count + behind > MOST_INPUTS)
        return;
    memmove(planned + at + other_count, planned + at + count, behind * sizeof *planned);
    memcpy(planned + at, others, other_count * sizeof *planned);
    planned_count = at + other_count + behind;
}

static int are_letters(const struct input *inputs, const unsigned char *letters, unsigned count)
{
    unsigned n;
    for (n = 0; n < count; n++)
        if (inputs[n].is_real || (inputs[n].value & 0xff) != letters[n])
            return 0;
    return 1;
}

/* Inputs that are one of two texts which were compared become the other one. */
static void become_text(const struct kept *from)
{
    const struct text_pair *pair = &from->texts[below(from->text_pairs)];
    unsigned which = below(2), first, n, k, ended, old = pair->lengths[which], new = pair->lengths[!which];
    struct input letters[MOST_LETTERS];
    for (ended = 0; ended < 2; ended++) {
        if (ended && old && !pair->letters[which][old - 1])
            old--; /* a zero that was no input */
        first = below(planned_count);
        for (n = 0; old && old <= planned_count && n < planned_count; n++) {
            unsigned at = (first + n) % planned_count, room = planned_count - at;
            if (room < old || !are_letters(planned + at, pair->letters[which], old))
                continue;
            new -= ended && new && !pair->letters[!which][new - 1];
            for (k = 0; k < new; k++) {
                letters[k] = planned[at];
                letters[k].value = pair->letters[!which][k];
            }
            replace(at, new > old && new <= room && below(2) ? new : old, letters, new);
            return;
        }
    }
}

/* The place of the first input from a source; `count` where there is none. */
static unsigned first_from(const void *source, const struct input *inputs, unsigned count)
{
    unsigned n = 0;
    while (n < count && inputs[n].source != source)
        n++;
    return n;
}

/* The whole text of another run stands before that of this one: its lines, commands or tables are read, too. */
static void put_text_before(const void *source, const struct kept *from)
{
    unsigned first = first_from(source, from->inputs, from->used), end = first;
    while (end < from->used && from->inputs[end].source == source && from->inputs[end].value != ~0ULL)
        end++;
    replace(first_from(source, planned, planned_count), 0, from->inputs + first, end - first);
}

/* Some inputs of another run, from where the same is read, for some of these, or before them. */
static void take_from_another(void)
{
    static struct input others[MOST_INPUTS];
    const struct kept *from = &kept[below(kept_count)];
    unsigned at = spot(), first, tries, count, room;
    int recurs = source_at(planned[at].source)->recurs;
    if (!from->used)
        return;
    if (planned[at].is_text && below(3) == 0) {
        put_text_before(planned[at].source, from);
        return;
    }
    first = below(from->used);
    for (tries = 0; tries < (recurs ? 16 : from->used) && from->inputs[first].source != planned[at].source; tries++)
        first = recurs ? below(from->used) : (first + 1) % from->used;
    room = from->used - first;
    count = 1 + below(room < 32 ? room : 32);
    memcpy(others, from->inputs + first, count * sizeof *others);
    room = planned_count - at < count ? planned_count - at : count;
    replace(at, below(2) ? room : 0, others, count);
}

/* What was read there the last time is read again, and so are some that follow, as sensors that do not move. */
static void hold(unsigned at)
{
    unsigned before = at, n, end = below(2) ? planned_count : at + 1 + below(planned_count - at);
    while (before-- > 0 && planned[before].source != planned[at].source)
        ;
    if (before + 1 == 0)
        return;
    for (n = at; n < end; n++)
        if (planned[n].source == planned[n - (at - before)].source)
            planned[n].value = planned[n - (at - before)].value;
}

/* Some inputs are read twice. */
static void repeat(unsigned at)
{
    static struct input others[16];
    unsigned room = planned_count - at, count = 1 + below(room < 16 ? room : 16);
    memcpy(others, planned + at, count * sizeof *others);
    replace(at, 0, others, count);
}

static void spell(unsigned character)
{
    if (spelt_count < MOST_SPELT)
        spelt[spelt_count++] = (unsigned char)character;
}

static void spell_letters(const char *letters, unsigned count)
{
    while (count--)
        spell((unsigned char)*letters++);
}

static void spell_decimal(long long value)
{
    char number[24];
    snprintf(number, sizeof number, "%lld", value);
    spell_letters(number, (unsigned)strlen(number));
}

/* A name, a number or a word of the program; sometimes one from before. */
static void spell_atom(void)
{
    unsigned kind = below(16), first, n;
    if (kind < 3 && spelt_count) {
        for (n = first = below(spelt_count); n < spelt_count && is_atom(spelt[n]); n++)
            ;
        spell_letters((const char *)spelt + first, n - first);
    } else if (kind == 3 && word_count) {
        const struct text *text = &words[below(word_count)];
        spell_letters(text->characters, text->length);
    } else if (kind == 4 && number_count)
        spell_decimal((long long)numbers[below(number_count)]);
    else
        do
            spell(any_atom());
        while (below(5) == 0);
}

/* A small number, as a table has it, or one that the program speaks of. */
static void spell_number(void)
{
    long long known = number_count && below(3) == 0 ? (long long)numbers[below(number_count)] : SMALL;
    if (known > -SMALL && known < SMALL) {
        spell_decimal(known);
        return;
    }
    if (below(6) == 0)
        spell(below(2) ? '-' : (unsigned)'1' + below(9));
    spell((unsigned)'0' + below(below(2) ? 4 : 10));
}

/* A line of a few small numbers is put before the line of a character, or in its place, or behind all. */
static void change_line(unsigned at)
{
    struct input letters[MOST_LINE];
    unsigned numbers_left = 1 + below(3), end = at, n;
    while (at > 0 && planned[at - 1].is_text && planned[at - 1].value != '\n')
        at--;
    while (end < planned_count && planned[end].is_text && planned[end].value != '\n' && planned[end].value != ~0ULL)
        end++;
    spelt_count = 0;
    do {
        spell_number();
        spell(--numbers_left ? ' ' : '\n');
    } while (numbers_left && spelt_count < MOST_LINE);
    for (n = 0; n < spelt_count && n < MOST_LINE; n++) {
        letters[n] = planned[at];
        letters[n].value = spelt[n];
    }
    replace(at, below(3) || end == planned_count || planned[end].value != '\n' ? 0 : end + 1 - at, letters, n);
    spelt_count = 0;
}

static void change(const struct kept *from)
{
    unsigned at = spot(), room = planned_count - at, n, way = below(13);
    struct input *input = &planned[at];
    if (way == 12 && !input->is_text)
        way = 11;
    if (((way >= 6 && way <= 8) || way == 10) && !source_at(input->source)->recurs)
        way = 0; /* there is none to leave out, to hold or to repeat */
    switch (way) {
    case 0:
    case 1:
        draw(input);
        break;
    case 2:
        if (!input->is_real)
            input->value += below(2) ? 1 + below(4) : -1 - (word)below(4);
        break;
    case 3:
        if (!input->is_real)
            input->value ^= 1ULL << below((unsigned)input->bits);
        break;
    case 4:
    case 5:
        if (from->text_pairs && below(2))
            become_text(from);
        else
            compare(from);
        break;
    case 6:
        replace(at, 1 + below(room < 16 ? room : 16), NULL, 0);
        break;
    case 7:
    case 8:
        hold(at);
        break;
    case 9:
        take_from_another();
        break;
    case 10:
        repeat(at);
        break;
    case 12:
        change_line(at);
        break;
    default:
        if (input->is_character && word_count && below(2)) {
            const struct text *text = &words[below(word_count)];
            struct input letters[64];
            for (n = 0; n < text->length; n++) {
                letters[n] = *input;
                letters[n].value = (unsigned char)text->characters[n];
            }
            replace(at, below(2) ? (room < n ? room : n) : 0, letters, n);
        } else
            planned_count = at;
    }
}

static void note(enum outcome outcome);

/* Run with other values for some of `inputs`; whether that changes the way, which would be `way` else. */
static int is_other_way(const struct input *inputs, unsigned count, const unsigned *places, unsigned place_count, word way)
{
    enum outcome outcome;
    unsigned n;
    int changed;
    plan(inputs, count);
    for (n = 0; n < place_count; n++) {
        struct input *input = &planned[places[n]];
        draw(input);
        if (input->value == inputs[places[n]].value) {
            input->value ^= 1;
            fit(input);
        }
    }
    outcome = run();
    changed = runs[0].way != way;
    note(outcome);
    return changed;
}

/* Each input of some that matters becomes what it was compared with, one at a time. */
static void become_compared(const struct input *inputs, unsigned count, const struct pair *pairs)
{
    unsigned n, k, runs_left = MOST_BECOMING;
    for (k = 0; k < MOST_PAIRS; k++)
        for (n = 0; pairs[k].one != pairs[k].other && n < count && runs_left; n++) {
            struct input was = inputs[n];
            if (was.is_real || !was.matters || (was.value != pairs[k].one && was.value != pairs[k].other))
                continue;
            plan(inputs, count);
            planned[n].value = was.value == pairs[k].one ? pairs[k].other : pairs[k].one;
            fit(&planned[n]);
            note(run());
            runs_left--;
        }
}

/*
 * Find the inputs that matter, where many are read once: some are changed together, and each of them alone where that
 * changed the way. Then these become what they were compared with.
 */
static void probe(struct kept *from)
{
    static struct input inputs[MOST_INPUTS];
    static struct pair pairs[MOST_PAIRS];
    static unsigned places[MOST_INPUTS];
    unsigned used = from->used, count = 0, n, k;
    word way = from->way;
    unsigned begin = run_count;
    from->is_probed = 1;
    for (n = 0; n < used; n++) {
        const struct input *input = &from->inputs[n];
        if (!input->is_real && input->bits > 1 && !source_at(input->source)->recurs)
            places[count++] = n;
    }
    if (count < LEAST_PROBED)
        return;
    has_harness = 1;
    memcpy(inputs, from->inputs, used * sizeof *inputs);
    memcpy(pairs, from->pairs, sizeof pairs);
    if (is_other_way(inputs, used, places, 0, way))
        return; /* it is not the same twice */
    for (n = 0; n < count; n += PROBED) {
        unsigned some = count - n < PROBED ? count - n : PROBED;
        int matter = is_other_way(inputs, used, places + n, some, way);
        for (k = n; k < n + some; k++)
            inputs[places[k]].matters = (char)(matter && is_other_way(inputs, used, places + k, 1, way));
    }
    if (from->used == used && from->way == way)
        memcpy(from->inputs, inputs, used * sizeof *inputs);
    become_compared(inputs, used, pairs);
    probing_runs += run_count - begin;
}

/* The last inputs that led to new blocks and are not probed, where there were runs enough for that; else NULL. */
static struct kept *to_probe(void)
{
    unsigned n;
    for (n = solid_count; n-- > 0 && probing_runs * PROBING_PART <= run_count;)
        if (kept[solid[n]].is_solid && !kept[solid[n]].is_probed)
            return &kept[solid[n]];
    return NULL;
}

/*
 * A short text to read: names and numbers, and between them mostly one of the other characters that the program compares
 * with, or lines of small numbers.
 */
static void spell_text(void)
{
    unsigned left = 1 + below(below(3) ? 4 : 12), is_table = below(3) == 0;
    spelt_count = 0;
    while (left--) {
        if (is_table && below(12))
            spell_number();
        else if (below(6))
            spell_atom();
        if (left && (is_table || below(8)))
            spell(!is_table ? any_sign() : below(3) ? ' ' : '\n');
    }
    if (below(8))
        spell('\n');
}

static void plan_next(void)
{
    struct kept *from;
    unsigned changes;
    planned_count = spelt_count = least_text = 0;
    if (runs[0].reads_text && (run_count < FIRST_SPELT || below(SPELT_PART) == 0)) {
        spell_text();
        return;
    }
    least_text = !runs[0].reads_text || below(LONG_TEXTS) ? 0 : 1u << below(11);
    if (!kept_count || below(20) == 0)
        return;
    from = to_probe();
    if (from)
        probe(from);
    else
        from = picked();
    plan(from->inputs, from->used);
    if (planned_count && from->text_pairs && from->picked < FIRST_PICKS && below(2)) {
        become_text(from);
        return;
    }
    if (planned_count && from->is_solid && from->picked < FIRST_PICKS && below(2)) {
        compare(from);
        return;
    }
    for (changes = 1 + below(below(3) ? 2 : 6); changes && planned_count; changes--)
        change(from);
}

/* The plan of the last run, with another value for the last input that it read. */
static void redraw_last(void)
{
    unsigned used = runs[0].used, behind = planned_count - runs[0].taken;
    if (used + behind > MOST_INPUTS)
        behind = MOST_INPUTS - used;
    memmove(planned + used, planned + runs[0].taken, behind * sizeof *planned);
    memcpy(planned, runs[0].inputs, used * sizeof *planned);
    planned_count = used + behind;
    spelt_count = 0;
    draw(&planned[used - 1]);
}

/* The simpler a character is to read and to type, the smaller. */
static unsigned oddity(unsigned character)
{
    if (character - '0' < 10)
        return (unsigned)"2013456789"[character - '0'] - '0';
    if (is_atom(character))
        return (character & 32 ? 10 : 40) + (character | 32) - 'a';
    return character == ' ' || character == '\n' ? 70 : character > ' ' && character < 127 ? 71 : 72 + (character & 0xff);
}

/* Make a value one that is easier to read; whether there is one. */
static int simplify(struct input *input)
{
    word was = input->value;
    long long number = (long long)was;
    unsigned tries;
    if (input->is_real || !was)
        return 0;
    if (!input->is_character) {
        static const int small[] = {0, 1, 2, 3};
        input->value = below(3) ? (word)(input->is_signed ? number / 2 : (long long)(was / 2)) : (word)small[below(4)];
        return input->value != was && (!input->is_signed || number < 0 || (long long)input->value < number);
    }
    for (tries = 0; tries < 8; tries++) {
        input->value = below(2) ? any_atom() : any_sign();
        if (oddity((unsigned)input->value) < oddity((unsigned)was))
            return was != ~0ULL;
    }
    return 0;
}

/* A text of which the last line has no end gets one, as somebody who types it would give it. */
static void end_line(void)
{
    unsigned last = planned_count;
    struct input end;
    if (last < 2 || !planned[last - 1].is_text || planned[last - 1].value != ~0ULL
        || planned[last - 2].value == '\n' || planned[last - 2].source != planned[last - 1].source)
        return;
    end = planned[last - 2];
    end.value = '\n';
    replace(last - 1, 0, &end, 1);
}

/* The failing run that was the last, with fewer and simpler inputs, as far as it ends as it did. */
static void shorten(void)
{
    static struct input shortest[MOST_INPUTS];
    word where = runs[0].where;
    unsigned count = runs[0].used, tries;
    char end[sizeof runs[0].end];
    strcpy(end, runs[0].end);
    memcpy(shortest, runs[0].inputs, count * sizeof *shortest);
    for (tries = 0; tries < SHORTENINGS && count; tries++) {
        unsigned at = below(count);
        plan(shortest, count);
        if (tries % 3)
            replace(at, 1 + below(tries % 3 == 1 ? 1 : (count - at + 1) / 2), NULL, 0);
        else if (!simplify(&planned[at]))
            continue;
        if (run() == FAIL && is_end(&runs[0], end) && runs[0].where == where && runs[0].used <= count) {
            count = runs[0].used;
            memcpy(shortest, runs[0].inputs, count * sizeof *shortest);
        }
    }
    plan(shortest, count);
    end_line();
    if (run() == FAIL) {
        say("fail");
        return;
    }
    plan(shortest, count);
    if (run() == FAIL)
        say("fail");
}

static void note(enum outcome outcome)
{
    unsigned is_solid = is_new(met), is_worth = is_solid | is_nearer();
    learn();
    if (outcome == FAIL && said_failing < MOST_FAILING && is_new(failed)) {
        said_failing++;
        keep(1);
        say("fail");
        shorten();
    } else if (is_worth) {
        keep(is_solid);
        if (outcome == PASS)
            say("pass");
    }
}

static void step(void)
{
    note(run());
}

/* -- begin --------------------------------------------------------------------------------------------------- */

static void read_words(const char *path)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[4096], *c, *next;
    while (file && fgets(line, sizeof line, file)) {
        if (line[0] == 'n' && number_count < MOST_WORDS)
            numbers[number_count++] = line[2] == '-' ? (word)strtoll(line + 2, NULL, 10) : strtoull(line + 2, NULL, 10);
        else if (line[0] == 'w' && word_count < MOST_WORDS) {
            char text[64];
            unsigned length = 0;
            for (c = line + 1; length < sizeof text; c = next) {
                long character = strtol(c, &next, 10);
                if (next == c)
                    break;
                text[length++] = (char)character;
            }
            words[word_count].length = length;
            words[word_count].characters = memcpy(malloc(sizeof text), text, sizeof text);
            word_count += length != 0;
        }
    }
    if (file)
        fclose(file);
}

/* Orders come from where the program does not read. */
static FILE *orders_of_work(void)
{
    int nothing = open("/dev/null", O_RDONLY);
    FILE *file;
    if (dup2(0, WORK) < 0 || nothing < 0 || dup2(nothing, 0) < 0)
        exit(1);
    close(nothing);
    fcntl(WORK, F_SETFD, FD_CLOEXEC);
    file = fdopen(WORK, "r");
    if (!file)
        exit(1);
    return file;
}

/* Work until an order is carried out; what one has done too much, the next has less to do. */
static void carry_out(unsigned long ordered)
{
    unsigned n;
    while (work_done < ordered) {
        plan_next();
        step();
        /* Where an input breaks an assumption, others may not. */
        for (n = 0; n < 8 && is_end(&runs[0], "assume") && runs[0].used; n++) {
            redraw_last();
            step();
        }
    }
    fprintf(said_to, "done\n");
    fflush(said_to);
}

/* From here on what the program prints goes to a file of this process. */
static void silence(void)
{
    printed_to = has_other || is_other ? memfd_create("printed", 0) : open("/dev/null", O_WRONLY);
    if (printed_to < 0 || dup2(printed_to, 1) < 0)
        exit(1);
}

/* The other version waits for orders: to run on the inputs of the last run. */
static void follow(void)
{
    char order;
    void *warm[1];
    is_other = 1;
    runs = mmap(NULL, 2 * sizeof *runs, PROT_READ | PROT_WRITE, MAP_SHARED, SHARED_FILE, 0);
    if (runs == MAP_FAILED)
        exit(1);
    backtrace(warm, 1);
    silence();
    while (read(ORDERS, &order, 1) == 1) {
        run_into(&runs[1]);
        if (write(ANSWERS, &order, 1) != 1)
            break;
    }
    exit(0);
}

static void limit_softly(int resource, struct rlimit *wanted)
{
    struct rlimit now;
    if (getrlimit(resource, &now))
        return;
    wanted->rlim_max = now.rlim_max;
    setrlimit(resource, wanted);
}

static void start_other(const char *path, int shared)
{
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        exit(1);
    if (fork() == 0) {
        struct rlimit none = {0, RLIM_INFINITY}, brief = {2, RLIM_INFINITY};
        dup2(shared, SHARED_FILE);
        dup2(to[0], ORDERS);
        dup2(from[1], ANSWERS);
        close(to[1]);
        close(from[0]);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setenv("SFO_EXPLORE", "follow", 1);
        limit_softly(RLIMIT_NPROC, &none); /* as launch.c does, up to its main function */
        limit_softly(RLIMIT_CPU, &brief);
        execl(path, path, (char *)NULL);
        _exit(1);
    }
    close(to[0]);
    close(from[1]);
    orders = to[1];
    answers = from[0];
    has_other = 1;
}

void sfo_explore(const char *how)
{
    unsigned n;
    unsigned long ordered = 0;
    int shared;
    void *warm[1];
    char order[32];
    FILE *work;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (strcmp(how, "follow") == 0)
        follow();
    work = orders_of_work();
    shared = memfd_create("runs", 0);
    if (shared < 0 || ftruncate(shared, 2 * sizeof *runs))
        exit(1);
    runs = mmap(NULL, 2 * sizeof *runs, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (runs == MAP_FAILED)
        exit(1);
    if (getenv("SFO_OTHER"))
        start_other(getenv("SFO_OTHER"), shared);
    read_words(getenv("SFO_WORDS"));
    for (n = 1; n < 256; n++)
        bucket[n] = n < 4 ? (unsigned char)(1 << (n - 1)) : n < 8 ? 8 : n < 16 ? 16 : n < 32 ? 32 : n < 128 ? 64 : 128;
    backtrace(warm, 1); /* it loads a library the first time */
    said_to = fdopen(dup(1), "w");
    if (!said_to)
        exit(1);
    silence();
    while (fgets(order, sizeof order, work))
        carry_out(ordered += strtoul(order, NULL, 10));
    exit(0);
}
