/*
 * The world of a program under a differential test: inputs, assumptions, properties, ends.
 *
 * Before main starts, the process forks once for each line of the file SFO_VECTORS. A line is
 *     <seed> <value> <value> ...
 * and the child runs main on these values; when they are used up, seed 0 ends the run as "missing", any other
 * seed goes on with random values. The child writes its printed text to SFO_OUT/<n>.out, its coverage below
 * SFO_OUT/<n>/ and, to SFO_OUT/<n>.end, one line
 *     <end> <line> <address> <value> <value> ...
 * where <end> is pass, fail, assume, missing or signal-<number>, <line> is 0 where only the address is known,
 * and the values are the inputs that were read, each as its type shows it.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define MOST_VALUES 100000

#ifdef SFO_COVERAGE
extern void __gcov_dump(void);
#define DUMP() __gcov_dump()
#else
#define DUMP() ((void)0)
#endif

static unsigned long values[MOST_VALUES];
static int given, used, finished;
static unsigned long seed;
static char end_path[4096];
static char read_text[64 * 1024];
static size_t read_length;

/* -- ends -------------------------------------------------------------------------------------------------- */

static void record(const char *end, int line, unsigned long address)
{
    FILE *file;
    if (finished)
        return;
    finished = 1;
    fflush(stdout);
    file = fopen(end_path, "w");
    fprintf(file, "%s %d %lx%s\n", end, line, address, read_text);
    fclose(file);
}

static void stop(const char *end, int line, void *address)
{
    record(end, line, (unsigned long)address);
    DUMP();
    syscall(SYS_exit_group, 0);
    __builtin_unreachable();
}

__attribute__((destructor)) static void ended(void)
{
    record("pass", 0, 0);
}

void _exit(int status)
{
    (void)status;
    stop("pass", 0, NULL);
}

void _Exit(int status)
{
    _exit(status);
}

void abort(void)
{
    stop("fail", 0, __builtin_return_address(0));
    __builtin_unreachable();
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    (void)text, (void)file, (void)function;
    stop("fail", (int)line, __builtin_return_address(0));
    __builtin_unreachable();
}

__attribute__((weak)) void reach_error(void)
{
    stop("fail", 0, __builtin_return_address(0));
}

__attribute__((weak)) void __VERIFIER_error(void)
{
    stop("fail", 0, __builtin_return_address(0));
}

__attribute__((weak)) void __VERIFIER_assert(int condition)
{
    if (!condition)
        stop("fail", 0, __builtin_return_address(0));
}

__attribute__((weak)) void __CPROVER_assert(_Bool condition, const char *text)
{
    (void)text;
    if (!condition)
        stop("fail", 0, __builtin_return_address(0));
}

__attribute__((weak)) void __VERIFIER_assume(int condition)
{
    if (!condition)
        stop("assume", 0, __builtin_return_address(0));
}

__attribute__((weak)) void __CPROVER_assume(_Bool condition)
{
    if (!condition)
        stop("assume", 0, __builtin_return_address(0));
}

__attribute__((weak)) void klee_assume(unsigned long condition)
{
    if (!condition)
        stop("assume", 0, __builtin_return_address(0));
}

static void signalled(int number, siginfo_t *info, void *context)
{
    char end[32];
    ucontext_t *where = context;
    (void)info;
    snprintf(end, sizeof end, "signal-%d", number);
    stop(end, 0, (char *)where->uc_mcontext.gregs[REG_RIP] + 1);
}

/* -- inputs ------------------------------------------------------------------------------------------------ */

static unsigned long next_random(void)
{
    unsigned long z = (seed += 0x9e3779b97f4a7c15UL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
    return z ^ (z >> 31);
}

/* Mostly small numbers, sometimes the edges of the type, sometimes anything. */
static unsigned long random_value(int bits, int is_signed)
{
    unsigned long kind = next_random() % 16, value = next_random();
    if (kind < 7)
        return value % 8;
    if (kind < 10)
        return value % 120;
    if (kind < 12)
        return is_signed ? 0 - value % 40 : value % 1000;
    if (kind < 14) {
        unsigned long top = 1UL << (bits - 1);
        return (is_signed ? top : top << 1) - value % 3 + 1;
    }
    return value;
}

static unsigned long next_value(int bits, int is_signed, void *caller)
{
    unsigned long value;
    if (used < given)
        value = values[used];
    else if (seed)
        value = random_value(bits, is_signed);
    else
        stop("missing", 0, caller);
    used++;
    if (bits == 1)
        value = value != 0;
    else if (bits < 64)
        value &= (1UL << bits) - 1;
    if (is_signed && bits < 64 && value >> (bits - 1))
        value |= ~0UL << bits;
    if (read_length < sizeof read_text - 32)
        read_length += (size_t)sprintf(read_text + read_length, is_signed ? " %ld" : " %lu", value);
    return value;
}

#define BITS(type) ((type)2 == 1 ? 1 : 8 * (int)sizeof(type))
#define SIGNED(type) ((type)-1 < (type)1)
#define INPUT(type, name) \
    __attribute__((weak)) type name(void) \
    { \
        return (type)next_value(BITS(type), SIGNED(type), __builtin_return_address(0)); \
    }
#define INPUTS(type, name) INPUT(type, __VERIFIER_nondet_##name) INPUT(type, nondet_##name)

INPUTS(_Bool, bool)
INPUTS(_Bool, _Bool)
INPUTS(char, char)
INPUTS(signed char, schar)
INPUTS(unsigned char, uchar)
INPUTS(short, short)
INPUTS(unsigned short, ushort)
INPUTS(int, int)
INPUTS(unsigned, uint)
INPUTS(unsigned, unsigned)
INPUTS(long, long)
INPUTS(unsigned long, ulong)
INPUTS(long long, longlong)
INPUTS(unsigned long long, ulonglong)
INPUTS(unsigned long, size_t)
INPUTS(signed char, int8_t)
INPUTS(unsigned char, uint8_t)
INPUTS(short, int16_t)
INPUTS(unsigned short, uint16_t)
INPUTS(int, int32_t)
INPUTS(unsigned, uint32_t)
INPUTS(long, int64_t)
INPUTS(unsigned long, uint64_t)
/* The first read of an uninitialised local, in a copy of the program made for it. */
INPUT(int, sfo_uninitialised_int)

/* -- one child for each vector ----------------------------------------------------------------------------- */

static int begin_vector(const char *out, int number, char *line)
{
    char path[4096], *rest = line;
    struct sigaction action;
    static char stack[1 << 16];
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    struct rlimit limit = {.rlim_cur = 10, .rlim_max = 12};
    int status;
    pid_t child = fork();
    if (child) {
        waitpid(child, &status, 0);
        return 0;
    }
    seed = strtoul(rest, &rest, 10);
    while (given < MOST_VALUES) {
        char *before = rest;
        unsigned long value;
        while (*before == ' ')
            before++;
        value = *before == '-' ? (unsigned long)strtol(before, &rest, 10) : strtoul(before, &rest, 10);
        if (rest == before)
            break;
        values[given++] = value;
    }
    snprintf(end_path, sizeof end_path, "%s/%d.end", out, number);
    snprintf(path, sizeof path, "%s/%d.out", out, number);
    if (!freopen(path, "w", stdout))
        syscall(SYS_exit_group, 3);
    snprintf(path, sizeof path, "%s/%d", out, number);
    setenv("GCOV_PREFIX", path, 1);
    setenv("GCOV_PREFIX_STRIP", "99", 1);
    setrlimit(RLIMIT_CPU, &limit);
    sigaltstack(&alternative, NULL);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = signalled;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
    sigaction(SIGXCPU, &action, NULL);
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    static char text[1 << 22];
    const char *out = getenv("SFO_OUT");
    FILE *file = fopen(getenv("SFO_VECTORS"), "r");
    char *line = text;
    int number;
    if (!file)
        syscall(SYS_exit_group, 3);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file); /* before the first child: closing a shared file would move it for all */
    for (number = 0; *line; number++) {
        char *end = strchr(line, '\n');
        *end = 0;
        if (begin_vector(out, number, line))
            return;
        line = end + 1;
    }
    syscall(SYS_exit_group, 0);
}
