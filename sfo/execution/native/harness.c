/*
 * The world of a program that runs natively on given inputs: inputs, assumptions, properties, ends.
 *
 * The process forks once for each line of the file SFO_VECTORS. A line is
 *     <seed> <count> <value>... <count> (<object> <ordinal> <offset> <bytes>)...
 * where the values are those of the calls that read inputs, in order, and the rest is memory that the program
 * reads without having written it: bytes in hexadecimal, lowest address first, for the object with this number
 * (see cfrontend/instrument.py) that is made as number <ordinal>. When the values are used up, seed 0 ends the
 * run as "missing"; any other seed goes on with random values. A floating value is a number or, bit by bit, x and
 * hexadecimal digits.
 *
 * A child runs the entry function. It writes its printed text to SFO_OUT/<n>.out, its coverage below SFO_OUT/<n>/
 * and, to SFO_OUT/<n>.end, three lines:
 *     <end> <line>
 *     <code address>...
 *     <value>...
 * <end> is pass, fail, ensures (a postcondition does not hold), assume, missing, unsupported, signal-<number>, memory (address sanitizer) or the check that the
 * undefined behaviour sanitizer makes; <line> is 0 where only the addresses are known, innermost first; the values are the inputs that
 * calls have read, each as its type shows it, floating ones as <bits>:<hexadecimal digits>. A child over a limit has the end
 * limit-time, limit-memory, limit-output or limit-stack. One that was lost, as it could not be started or somebody else has
 * killed it, has the end lost-start, lost-signal-<number> or lost-exit-<code>.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef MOST_VALUES
#define MOST_VALUES 100000
#endif
#define MOST_ADDRESSES 16
#ifndef MOST_OBJECTS
#define MOST_OBJECTS 65536
#endif
#ifndef MOST_READ
#define MOST_READ (64 * 1024)
#endif
#define FILE_LIMIT (16u << 20)
#define CANARY 0x6b5a49382716f500ULL
#define STACK_NEAR (1ul << 20)
#define NOT_PREPARED 113

extern void sfo_entry(void);
extern const char __executable_start, etext;

#ifdef SFO_COVERAGE
extern void __gcov_dump(void);
#define DUMP() __gcov_dump()
#else
#define DUMP() ((void)0)
#endif

/* Linked where inputs are looked for. */
extern int sfo_explored_input(int bits, int is_signed, int is_real, void *caller, unsigned long long *value)
    __attribute__((weak));
extern void sfo_filled(void *memory, unsigned long size, unsigned object, unsigned ordinal) __attribute__((weak));
extern void sfo_explored_end(const char *end, unsigned long where) __attribute__((weak));
extern void sfo_explore(const char *how) __attribute__((weak));

struct fill {
    unsigned object, ordinal, offset;
    const char *bytes;
};

#ifdef __x86_64__
#define PROGRAM_COUNTER REG_RIP
#define STACK_POINTER REG_RSP
#else
#define PROGRAM_COUNTER REG_EIP
#define STACK_POINTER REG_ESP
#endif

static char *values[MOST_VALUES];
static struct fill fills[MOST_VALUES];
static unsigned made[MOST_OBJECTS];
static int given, used, fill_count, finished;
static unsigned long long seed;
static unsigned long stack_begin;
static char end_path[4096];
static char read_text[MOST_READ];
static size_t read_length;

/* -- ends -------------------------------------------------------------------------------------------------- */

static void record(const char *end, int line, void *const *addresses, int count)
{
    FILE *file;
    int n;
    if (finished)
        return;
    finished = 1;
    fflush(stdout);
    if (sfo_explored_end) {
        sfo_explored_end(end, count ? (unsigned long)addresses[0] : 0);
        return;
    }
    file = fopen(end_path, "w");
    if (!file)
        return; /* the run is lost */
    fprintf(file, "%s %d\n", end, line);
    for (n = 0; n < count; n++)
        fprintf(file, "%lx ", (unsigned long)addresses[n]);
    fprintf(file, "\n%s\n", read_text);
    fclose(file);
}

static void leave(void)
{
    DUMP();
    syscall(SYS_exit_group, 0);
    __builtin_unreachable();
}

static void stop(const char *end, int line, void *address)
{
    record(end, line, &address, 1);
    leave();
}

/* Ends with the program's own addresses on the stack. */
static void stop_somewhere(const char *end, int line, void *first)
{
    void *stack[64], *own[MOST_ADDRESSES];
    int count = backtrace(stack, 64), kept = 0, n;
    if (first)
        own[kept++] = first;
    for (n = 0; n < count && kept < MOST_ADDRESSES; n++)
        if ((const char *)stack[n] >= &__executable_start && (const char *)stack[n] < &etext)
            own[kept++] = stack[n];
    record(end, line, own, kept);
    leave();
}

/* The constructors and destructors of the program, which must not run in the parent of the runs. */
typedef void (*uncalled)(void);
extern const uncalled __start_sfo_preconstructors[] __attribute__((weak)),
    __stop_sfo_preconstructors[] __attribute__((weak));
extern const uncalled __start_sfo_constructors[] __attribute__((weak)), __stop_sfo_constructors[] __attribute__((weak));
extern const uncalled __start_sfo_destructors[] __attribute__((weak)), __stop_sfo_destructors[] __attribute__((weak));

__attribute__((destructor)) static void ended(void)
{
    const uncalled *next = __stop_sfo_destructors;
    while (!finished && next != __start_sfo_destructors)
        (*--next)();
    record("pass", 0, NULL, 0);
}

void _exit(int status)
{
    (void)status;
    stop("pass", 0, NULL);
    __builtin_unreachable();
}

void _Exit(int status)
{
    _exit(status);
}

void quick_exit(int status)
{
    _exit(status);
}

void abort(void)
{
    stop("fail", 0, __builtin_return_address(0));
    __builtin_unreachable();
}

/* What abort is to a program that speaks SV-COMP. */
void sfo_assumed_abort(void)
{
    stop("assume", 0, __builtin_return_address(0));
    __builtin_unreachable();
}

/* The line that it is told may be one of another file, of which a preprocessor has made this one. */
void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    (void)text, (void)file, (void)line, (void)function;
    stop("fail", 0, __builtin_return_address(0));
    __builtin_unreachable();
}

#undef assert
__attribute__((weak)) void assert(int condition)
{
    if (!condition)
        stop("fail", 0, __builtin_return_address(0));
}

/* What a caller sees; explore.c compares it with what there is to see of another version. */
__attribute__((weak)) void sfo_saw(const void *value, unsigned long size, int is_pointer)
{
    (void)value, (void)size, (void)is_pointer;
}

__attribute__((weak)) void sfo_saw_bytes(const void *from_calloc)
{
    (void)from_calloc;
}

__attribute__((weak)) void sfo_state(const char *name)
{
    (void)name;
}

/* Where an object of a harness is that it declares; guards.c puts it before memory that cannot be read. */
__attribute__((weak)) void *sfo_guarded(void *declared, unsigned long size, unsigned long alignment)
{
    (void)size, (void)alignment;
    return declared;
}

/* The label that must not be reached. */
void sfo_reached(void)
{
    stop("fail", 0, __builtin_return_address(0));
}

void reach_error(void)
{
    stop("fail", 0, __builtin_return_address(0));
}

void __VERIFIER_error(void)
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

void __sfo_ensures(_Bool condition, const char *function, const char *clause)
{
    (void)function, (void)clause;
    if (!condition)
        stop("ensures", 0, __builtin_return_address(0));
}

void __sfo_called(const char *name, const char *left_out, ...)
{
    (void)name, (void)left_out;
}

void __VERIFIER_assume(int condition)
{
    if (!condition)
        stop("assume", 0, __builtin_return_address(0));
}

void __CPROVER_assume(_Bool condition)
{
    if (!condition)
        stop("assume", 0, __builtin_return_address(0));
}

/* Other tools' words for the same, and those that do nothing when a program runs. */
#define ASSUMES __attribute__((alias("__CPROVER_assume")))
#define ASSERTS __attribute__((weak, alias("__CPROVER_assert")))
void __ESBMC_assume(_Bool condition) ASSUMES;
void __ESBMC_assert(_Bool condition, const char *text) ASSERTS;
void __CPROVER_precondition(_Bool condition, const char *text) ASSERTS;
void __CPROVER_postcondition(_Bool condition, const char *text) ASSERTS;

static void idle(void)
{
}

#define IDLE(name) __attribute__((weak, alias("idle"))) void name(void)
IDLE(__CPROVER_input);
IDLE(__CPROVER_output);
IDLE(__CPROVER_printf);
IDLE(__CPROVER_cover);
IDLE(__CPROVER_atomic_begin);
IDLE(__CPROVER_atomic_end);
IDLE(__CPROVER_fence);
IDLE(__ESBMC_atomic_begin);
IDLE(__ESBMC_atomic_end);
IDLE(__ESBMC_cover);
IDLE(__ESBMC_unroll);
IDLE(__ESBMC_yield);
IDLE(__VERIFIER_atomic_begin);
IDLE(__VERIFIER_atomic_end);

void klee_assume(unsigned long condition)
{
    if (!condition)
        stop("assume", 0, __builtin_return_address(0));
}

void assume_abort_if_not(int condition)
{
    if (!condition)
        stop("assume", 0, __builtin_return_address(0));
}

/* Whether an address is where the stack would go on if it could be larger. */
static int is_beyond_stack(const void *address)
{
    struct rlimit most;
    unsigned long used = stack_begin - (unsigned long)address;
    if (getrlimit(RLIMIT_STACK, &most) || most.rlim_cur == RLIM_INFINITY || (unsigned long)address > stack_begin)
        return 0;
    return used + STACK_NEAR > most.rlim_cur && used < most.rlim_cur + STACK_NEAR;
}

static void signalled(int number, siginfo_t *info, void *context)
{
    char end[32];
    ucontext_t *where = context;
    char *place = (char *)where->uc_mcontext.gregs[PROGRAM_COUNTER];
    if (number == SIGXFSZ)
        signal(number, SIG_IGN); /* what is printed from now on is lost */
    if (number == SIGXFSZ)
        strcpy(end, "limit-output");
    else if (number == SIGSEGV && is_beyond_stack(info->si_addr))
        strcpy(end, "limit-stack");
    else
        snprintf(end, sizeof end, "signal-%d", number);
    /* A null pointer was called: where to return to is all that is known. */
    stop_somewhere(end, 0, place ? place + 1 : *(char **)where->uc_mcontext.gregs[STACK_POINTER]);
}

/* The entry function has returned; what its caller has for it lives until the end. */
void sfo_returned(void)
{
    exit(0);
}

/* -- sanitizers: what they find ends the run, with its line ----------------------------------------------- */

struct found_at {
    const char *file;
    unsigned line, column;
};

#define FINDS(handler, end) \
    void __ubsan_handle_##handler##_abort(struct found_at *where) \
    { \
        stop(end, (int)where->line, __builtin_return_address(0)); \
    }

FINDS(out_of_bounds, "bounds")
FINDS(type_mismatch_v1, "pointer")
FINDS(pointer_overflow, "pointer")
FINDS(divrem_overflow, "div0")
FINDS(add_overflow, "overflow")
FINDS(sub_overflow, "overflow")
FINDS(mul_overflow, "overflow")
FINDS(negate_overflow, "overflow")
FINDS(shift_out_of_bounds, "shift")
FINDS(vla_bound_not_positive, "bounds")
FINDS(load_invalid_value, "value")
FINDS(float_cast_overflow, "conversion")
FINDS(missing_return, "unreachable")
FINDS(nonnull_arg, "pointer")

void __ubsan_handle_nonnull_return_v1_abort(void *what, struct found_at *where)
{
    (void)what;
    stop("pointer", (int)where->line, __builtin_return_address(0));
}

FINDS(invalid_builtin, "div0")

/* From here nothing goes on in any case, so that there is no other name for a run that shall not. */
void __ubsan_handle_builtin_unreachable(struct found_at *where)
{
    stop("unreachable", (int)where->line, __builtin_return_address(0));
}

/* Signals are ours, and so is the end of a run. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0:handle_segv=0:handle_sigfpe=0:handle_sigbus=0:handle_abort=0"
           ":detect_stack_use_after_return=1"
           ":strict_memcmp=0:allocator_may_return_null=1";
}

void __asan_on_error(void)
{
    stop_somewhere("memory", 0, NULL);
}

/* -- inputs ------------------------------------------------------------------------------------------------ */

static unsigned long long next_random(void)
{
    unsigned long long z = (seed += 0x9e3779b97f4a7c15UL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* Mostly small numbers, sometimes the edges of the type, sometimes anything. */
static unsigned long long random_value(int bits, int is_signed)
{
    unsigned long long kind = next_random() % 16, value = next_random();
    if (kind < 7)
        return value % 8;
    if (kind < 10)
        return value % 120;
    if (kind < 12)
        return is_signed ? 0 - value % 40 : value % 1000;
    if (kind < 14) {
        unsigned long long top = 1ULL << (bits - 1);
        return (is_signed ? top : top << 1) - value % 3 + 1;
    }
    return value;
}

static unsigned long long integer(const char *text)
{
    return *text == '-' ? (unsigned long long)strtoll(text, NULL, 10) : strtoull(text, NULL, 10);
}

unsigned long long sfo_next(int bits, int is_signed, void *caller)
{
    unsigned long long value = 0;
    if (sfo_explored_input) {
        if (!sfo_explored_input(bits, is_signed, 0, caller, &value))
            stop("missing", 0, caller);
    } else if (used < given)
        value = integer(values[used]);
    else if (seed)
        value = random_value(bits, is_signed);
    else
        stop("missing", 0, caller);
    used++;
    if (bits == 1)
        value = value != 0;
    else if (bits < 64)
        value &= (1ULL << bits) - 1;
    if (is_signed && bits < 64 && value >> (bits - 1))
        value |= ~0ULL << bits;
    if (read_length < sizeof read_text - 32)
        read_length += (size_t)sprintf(read_text + read_length, is_signed ? " %lld" : " %llu", value);
    return value;
}

/* Mostly small integers, halves and tenths, sometimes infinities, NaNs or anything. */
static double random_real(void)
{
    unsigned long long kind = next_random() % 16, bits = next_random();
    double value = (double)(long long)(bits % 41) - 20;
    if (kind < 4)
        return value;
    if (kind < 7)
        return value / 2;
    if (kind < 10)
        return value / 10;
    if (kind < 12)
        return value * 1e10;
    if (kind == 12)
        return bits % 2 ? __builtin_inf() : -0.0;
    if (kind == 13)
        return bits % 2 ? -__builtin_inf() : __builtin_nan("");
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void real_of_text(const char *text, int bits, unsigned char *target)
{
    float single;
    double value;
    long double extended;
    size_t n, length = strcspn(text, " \n");
    if (*text == 'x') {
        for (n = 0; n < (size_t)bits / 8; n++) {
            char digits[3] = "0";
            if (2 * n + 1 < length)
                digits[0] = text[length - 1 - 2 * n];
            if (2 * n + 2 < length) {
                digits[1] = digits[0];
                digits[0] = text[length - 2 - 2 * n];
            }
            target[n] = (unsigned char)strtoul(digits, NULL, 16);
        }
    } else if (bits == 32) {
        single = strtof(text, NULL);
        memcpy(target, &single, sizeof single);
    } else if (bits == 64) {
        value = strtod(text, NULL);
        memcpy(target, &value, sizeof value);
    } else {
        extended = strtold(text, NULL);
        memcpy(target, &extended, 10);
    }
}

/* The next floating input, the bytes of its value. */
void sfo_next_real(int bits, void *target, void *caller)
{
    char text[64] = "0";
    unsigned char *bytes = target;
    int n;
    if (sfo_explored_input) {
        unsigned long long value = 0;
        double real;
        if (!sfo_explored_input(bits, 1, 1, caller, &value))
            stop("missing", 0, caller);
        memcpy(&real, &value, sizeof real);
        snprintf(text, sizeof text, "%a", real);
        real_of_text(text, bits, bytes);
    } else if (used < given)
        real_of_text(values[used], bits, bytes);
    else if (seed) {
        snprintf(text, sizeof text, "%a", random_real());
        real_of_text(text, bits, bytes);
    } else
        stop("missing", 0, caller);
    used++;
    if (read_length < sizeof read_text - 64) {
        read_length += (size_t)sprintf(read_text + read_length, " %d:", bits);
        for (n = bits / 8; n-- > 0;)
            read_length += (size_t)sprintf(read_text + read_length, "%02x", bytes[n]);
    }
}

#define BITS(type) ((type)2 == 1 ? 1 : 8 * (int)sizeof(type))
#define REAL_INPUT(type, name, bits) \
    __attribute__((weak)) type name(void) \
    { \
        type value; \
        sfo_next_real(bits, &value, __builtin_return_address(0)); \
        return value; \
    }
#define REAL_INPUTS(type, name, bits) \
    REAL_INPUT(type, __VERIFIER_nondet_##name, bits) REAL_INPUT(type, nondet_##name, bits)
#define SIGNED(type) ((type)-1 < (type)1)
#define INPUT(type, name) \
    __attribute__((weak)) type name(void) \
    { \
        return (type)sfo_next(BITS(type), SIGNED(type), __builtin_return_address(0)); \
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
INPUTS(size_t, size_t)
INPUTS(signed char, int8_t)
INPUTS(unsigned char, uint8_t)
INPUTS(short, int16_t)
INPUTS(unsigned short, uint16_t)
INPUTS(int, int32_t)
INPUTS(unsigned, uint32_t)
INPUTS(int64_t, int64_t)
INPUTS(uint64_t, uint64_t)
REAL_INPUTS(float, float, 32)
REAL_INPUTS(double, double, 64)

/* What the models of the library read for scanf, where the program needs them. */
__attribute__((weak)) int __sfo_scanned(int most);
__attribute__((weak)) int __sfo_scanned_in(int most, FILE *file);
__attribute__((weak)) int __sfo_is_text(FILE *file);
__attribute__((weak)) int __sfo_vfscanf(FILE *file, const char *format, va_list arguments);
__attribute__((weak)) void __sfo_scan_word(char *target, size_t most, const char *set, size_t end);
__attribute__((weak)) void __sfo_scan_characters(char *target, size_t count);

/* One conversion of a scanf format, behind its %; for a set, `letter` is its bracket and `set` what follows. */
struct conversion {
    int is_stored, bits;
    size_t width, set_length;
    char letter;
    const char *set;
};

/* The conversion at `c`; returns where it ends. */
static const char *conversion(const char *c, struct conversion *found)
{
    memset(found, 0, sizeof *found);
    found->is_stored = *c != '*';
    c += !found->is_stored;
    while (*c >= '0' && *c <= '9')
        found->width = 10 * found->width + (size_t)(*c++ - '0');
    found->bits = 32;
    for (; *c && strchr("hljztq", *c); c++)
        if (*c == 'h')
            found->bits /= 2;
        else
            found->bits = strchr("jq", *c) || (*c == 'l' && c[-1] == 'l') ? 64 : 8 * (int)sizeof(long);
    if (*c == 'L')
        found->bits = 80, c++;
    else if (*c && strchr("aAeEfFgG", *c) && c[-1] == 'l')
        found->bits = 64;
    found->letter = *c;
    if (*c == '[') {
        found->set = c + 1;
        for (c += c[1] == '^' ? 3 : 2; *c && *c != ']'; c++)
            ;
        found->set_length = (size_t)(c - found->set);
    }
    return *c ? c + 1 : c;
}

/* How many conversions of a format store something. */
static int stored_by(const char *format)
{
    int count = 0;
    struct conversion found;
    while (*format)
        if (*format++ == '%') {
            format = conversion(format, &found);
            count += found.is_stored && found.letter != '%';
        }
    return count;
}

/* Whether a format begins with a character or a word: what is read fits, or there is nothing, which is EOF and not 0. */
static int begins_with_any_text(const char *format)
{
    format += strspn(format, " \t\n\v\f\r");
    if (*format++ != '%')
        return 0;
    return *format == 'c' || format[strspn(format, "0123456789")] == 's';
}

/*
 * The first `most` conversions of a scanf format: numbers are inputs of their types, words inputs by character. Before
 * each one `stores`, unless it is null, says whether it does. Returns how many have stored something.
 */
static int scanned(const char *format, va_list arguments, int most, void *caller, int (*stores)(int, FILE *), FILE *file)
{
    struct conversion found;
    int done;
    for (done = 0; *format && done < most;) {
        unsigned long long value;
        void *target;
        if (*format++ != '%')
            continue;
        format = conversion(format, &found);
        if (!found.is_stored || found.letter == '%')
            continue;
        if (stores) {
            int stored = stores(1, file);
            if (stored != 1)
                return done ? done : stored;
        }
        target = va_arg(arguments, void *);
        done++;
        if ((found.letter == 's' || found.letter == '[') && __sfo_scan_word)
            __sfo_scan_word(target, found.width, found.set, found.set_length);
        else if (found.letter == 'c' && found.width > 1 && __sfo_scan_characters)
            __sfo_scan_characters(target, found.width);
        else if (found.letter && strchr("aAeEfFgG", found.letter))
            sfo_next_real(found.bits, target, caller);
        else if (!found.letter || !strchr("diuxXoc", found.letter))
            stop("unsupported", 0, caller);
        else {
            int bits = found.letter == 'c' ? 8 : found.bits;
            value = sfo_next(bits, strchr("dic", found.letter) != NULL, caller);
            memcpy(target, &value, (size_t)bits / 8);
        }
    }
    return done;
}

/* Beside a reference, which may read the same by other calls, each conversion is asked about by itself. */
#ifndef SFO_COUNTS_EACH
#define SFO_COUNTS_EACH 0
#endif

static int stored_by_all(int most, FILE *file)
{
    (void)file;
    return most;
}

#define SCAN(name, of_text, stores, ...)                                                    \
    int name(__VA_ARGS__ const char *format, ...)                                           \
    {                                                                                       \
        void *caller = __builtin_return_address(0);                                         \
        va_list arguments;                                                                  \
        int stored, most = stored_by(format);                                               \
        va_start(arguments, format);                                                        \
        if (of_text)                                                                        \
            stored = scan_characters(file, format, arguments);                              \
        else if (SFO_COUNTS_EACH && most > 1)                                               \
            stored = scanned(format, arguments, most, caller, stores, file);                \
        else {                                                                              \
            stored = stores(most, file);                                                    \
            if (!stored && begins_with_any_text(format))                                    \
                stop("assume", 0, caller);                                                  \
            scanned(format, arguments, stored, caller, NULL, NULL);                         \
        }                                                                                   \
        va_end(arguments);                                                                  \
        return stored;                                                                      \
    }

/* What scanf makes of a text. */
int __sfo_scan_text(const char *text, const char *format, va_list arguments, size_t *used, int *met_end)
{
    FILE *rest = fmemopen((void *)text, strlen(text), "r");
    int stored = rest ? vfscanf(rest, format, arguments) : EOF;
    *used = rest ? (size_t)ftell(rest) : 0;
    *met_end = !rest || feof(rest);
    if (rest)
        fclose(rest);
    return stored;
}

/* A file whose bytes, as libc formats them, a model of the library keeps. */
FILE *sfo_new_stream(void *made, ssize_t (*write)(void *made, const char *text, size_t bytes))
{
    cookie_io_functions_t how = {NULL, write, NULL, NULL};
    FILE *stream = fopencookie(made, "r+", how);
    setvbuf(stream, NULL, _IONBF, 0);
    return stream;
}

/* Where each character that is read is an input (SFO_TEXT), libc's scanf takes one after the other. */
#ifdef SFO_TEXT
struct input;
__attribute__((weak)) struct input *__sfo_input(FILE *file);
__attribute__((weak)) int __sfo_taken(struct input *from);
__attribute__((weak)) void __sfo_put_back(int character, struct input *to);

static ssize_t take(void *from, char *to, size_t bytes)
{
    int character = bytes ? __sfo_taken(from) : EOF;
    if (character != EOF)
        *to = (char)character;
    return character != EOF;
}

static int scan_characters(FILE *file, const char *format, va_list arguments)
{
    cookie_io_functions_t how = {take, NULL, NULL, NULL};
    FILE *stream = fopencookie(__sfo_input(file), "r", how);
    int stored, left;
    setvbuf(stream, NULL, _IONBF, 0);
    stored = vfscanf(stream, format, arguments);
    left = stream->_IO_read_ptr < stream->_IO_read_end ? getc(stream) : EOF;
    if (left != EOF)
        __sfo_put_back(left, __sfo_input(file));
    fclose(stream);
    return stored;
}
#define OF_TEXT_INPUT 1
#define OF_TEXT(file) 1
#else
#define OF_TEXT_INPUT 0
#define scan_characters __sfo_vfscanf
#define OF_TEXT(file) is_text(file)

/* Whether all that fscanf can find in a file is known, as text. */
static int is_text(FILE *file)
{
    (void)*(volatile char *)file;
    return file != stdin && __sfo_is_text && __sfo_is_text(file);
}
#endif

static int stored_in(int most, FILE *file)
{
    (void)*(volatile char *)file;
    return file == stdin && __sfo_scanned ? __sfo_scanned(most) : __sfo_scanned_in(most, file);
}

/* Where the program looks at the result, it is an input, too; such a call is renamed in the program's text. */
#define file stdin
SCAN(__wrap_scanf, OF_TEXT_INPUT, stored_by_all, )
SCAN(sfo_counted_scanf, OF_TEXT_INPUT, stored_in, )
#undef file
SCAN(__wrap_fscanf, OF_TEXT(file), stored_by_all, FILE *file, )
SCAN(sfo_counted_fscanf, OF_TEXT(file), stored_in, FILE *file, )

/* -- memory that nobody wrote ------------------------------------------------------------------------------ */

static int digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

enum { MALLOC, REALLOC, REALLOCARRAY, ALIGNED_ALLOC, MAKE_SYMBOLIC };

/* Larger objects are new pages, which are zero. */
#define MOST_CLEARED ((size_t)1 << 20)

/*
 * The next object with this number begins: its first bytes are given, everything else keeps what it has. Where other inputs
 * are tried it is zero, as it is for the interpreter then.
 */
void sfo_fill(void *memory, unsigned long size, int object)
{
    unsigned ordinal = made[object]++;
    int n;
    if (!memory)
        return;
    if (sfo_explored_input && size <= MOST_CLEARED && object != REALLOC && object != REALLOCARRAY)
        memset(memory, 0, size);
    if (sfo_filled)
        sfo_filled(memory, size, (unsigned)object, ordinal);
    for (n = 0; n < fill_count; n++) {
        const struct fill *f = &fills[n];
        unsigned long at = f->offset;
        const char *c;
        if (f->object != (unsigned)object || f->ordinal != ordinal)
            continue;
        for (c = f->bytes; c[0] && c[0] != ' ' && at < size; c += 2)
            ((unsigned char *)memory)[at++] = (unsigned char)(digit(c[0]) * 16 + digit(c[1]));
    }
}

/* No memory has so many bytes, and a program may count on that. */
#define HUGE_SIZE ((size_t)1 << (sizeof(size_t) == 8 ? 47 : 31))

void *__real_malloc(size_t);
void *__real_realloc(void *, size_t);
void *__real_reallocarray(void *, size_t, size_t);
void *__real_aligned_alloc(size_t, size_t);

/* Memory of one execution alone, where many take place in one process: `old` moved to a place of another size, or new. */
extern void *sfo_placed(void *old, size_t size, size_t alignment) __attribute__((weak));

/* Where there is no memory for what a program may have, that says nothing of the program. */
static void *obtained(void *memory, size_t size)
{
    if (!memory && size && size < HUGE_SIZE && errno == ENOMEM)
        stop("limit-memory", 0, __builtin_return_address(0));
    return memory;
}

void *__wrap_malloc(size_t size)
{
    void *memory = obtained(sfo_placed ? sfo_placed(NULL, size, 1) : __real_malloc(size), size);
    sfo_fill(memory, size, MALLOC);
    return memory;
}

void *__wrap_realloc(void *old, size_t size)
{
    void *memory = obtained(sfo_placed ? sfo_placed(old, size, 1) : __real_realloc(old, size), size);
    if (memory)
        sfo_fill(memory, size, REALLOC);
    return memory;
}

void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    int is_huge = __builtin_mul_overflow(count, size, &bytes);
    void *moved = sfo_placed ? is_huge ? NULL : sfo_placed(old, bytes, 1) : __real_reallocarray(old, count, size);
    void *memory = obtained(moved, is_huge ? HUGE_SIZE : bytes);
    if (memory)
        sfo_fill(memory, count * size, REALLOCARRAY);
    return memory;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    void *memory = obtained(sfo_placed ? sfo_placed(NULL, size, alignment) : __real_aligned_alloc(alignment, size), size);
    sfo_fill(memory, size, ALIGNED_ALLOC);
    return memory;
}

void klee_make_symbolic(void *memory, size_t size, const char *name)
{
    (void)name;
    sfo_fill(memory, size, MAKE_SYMBOLIC);
}

void __VERIFIER_nondet_memory(void *memory, size_t size)
{
    sfo_fill(memory, size, MAKE_SYMBOLIC);
}

/* What is an instruction in the models. */
__attribute__((weak)) void __sfo_copy(void *target, const void *source, size_t bytes)
{
    memmove(target, source, bytes);
}

__attribute__((weak)) void __sfo_no_overlap(int holds)
{
    (void)holds; /* Nobody asks: the sanitizer sees what the program's own calls do. */
}

__attribute__((weak)) void __sfo_fill(void *target, int byte, size_t bytes)
{
    memset(target, byte, bytes);
}

void __sfo_leave_bound(void)
{
}

__attribute__((weak)) void __sfo_refuse(const char *what)
{
    (void)what;
    stop("unsupported", 0, __builtin_return_address(0));
}

__attribute__((weak)) void __sfo_limit(const char *what)
{
    (void)what;
    stop("unsupported", 0, __builtin_return_address(0));
}

__attribute__((weak)) void __sfo_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

/* For library models that ask: what malloc gave, which may be more than was asked for. */
__attribute__((weak)) size_t __sfo_object_size(const void *object)
{
    return malloc_usable_size((void *)object);
}

/* -- one child for each vector ----------------------------------------------------------------------------- */

static unsigned long long number(char **rest)
{
    char *before = *rest;
    while (*before == ' ')
        before++;
    return *before == '-' ? (unsigned long long)strtoll(before, rest, 10) : strtoull(before, rest, 10);
}

static int read_vector(char *rest)
{
    int n;
    seed = number(&rest);
    given = (int)number(&rest);
    if (given > MOST_VALUES)
        return 0;
    for (n = 0; n < given; n++) {
        rest += strspn(rest, " ");
        values[n] = rest;
        rest += strcspn(rest, " ");
    }
    fill_count = (int)number(&rest);
    if (fill_count > MOST_VALUES)
        return 0;
    for (n = 0; n < fill_count; n++) {
        fills[n].object = (unsigned)number(&rest);
        fills[n].ordinal = (unsigned)number(&rest);
        fills[n].offset = (unsigned)number(&rest);
        fills[n].bytes = rest + 1;
        rest = strchr(rest + 1, ' ');
        if (!rest)
            return n + 1 == fill_count;
    }
    return 1;
}

/* From here on this process cannot start another one, nor become another program; limits do not hold root back. */
void sfo_stay_alone(void)
{
#define REFUSED(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN)
    static struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        REFUSED(SYS_fork),
        REFUSED(SYS_vfork),
        REFUSED(SYS_clone),
#ifdef SYS_clone3
        REFUSED(SYS_clone3),
#endif
        REFUSED(SYS_execve),
        REFUSED(SYS_execveat),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    static struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void call_all(const uncalled *first, const uncalled *end)
{
    while (first != end)
        (*first++)();
}

/* The run itself, in a process of its own. */
void sfo_run_program(void)
{
    static char stack[1 << 16];
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGXFSZ};
    struct sigaction action;
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    struct rlimit size = {FILE_LIMIT, FILE_LIMIT}, none = {0, 0};
    void *warm[1];
    size_t k;
    backtrace(warm, 1); /* it allocates the first time */
    setrlimit(RLIMIT_FSIZE, &size);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_NPROC, &none);
    sigaltstack(&alternative, NULL);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = signalled;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (k = 0; k < sizeof signals / sizeof *signals; k++)
        sigaction(signals[k], &action, NULL);
    call_all(__start_sfo_preconstructors, __stop_sfo_preconstructors);
    call_all(__start_sfo_constructors, __stop_sfo_constructors);
    sfo_entry();
    sfo_returned();
}

void sfo_stop_run(const char *end)
{
    stop(end, 0, NULL);
}

static void run(const char *out, int n, char *line)
{
    char path[4096];
    snprintf(end_path, sizeof end_path, "%s/%d.end", out, n);
    snprintf(path, sizeof path, "%s/%d.out", out, n);
    if (!read_vector(line) || !freopen(path, "w", stdout) || !freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stderr))
        syscall(SYS_exit_group, NOT_PREPARED);
    snprintf(path, sizeof path, "%s/%d", out, n);
    setenv("GCOV_PREFIX", path, 1);
    setenv("GCOV_PREFIX_STRIP", "99", 1);
    sfo_stay_alone();
    sfo_run_program();
}

static unsigned long resident_bytes(pid_t child)
{
    char path[64];
    unsigned long size = 0, resident = 0;
    FILE *file;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)child);
    file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%lu %lu", &size, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * (unsigned long)sysconf(_SC_PAGESIZE);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void note(const char *out, int n, const char *end, int number)
{
    char path[4096];
    FILE *file;
    snprintf(path, sizeof path, "%s/%d.end", out, n);
    file = fopen(path, "w");
    if (!file)
        return;
    fprintf(file, number < 0 ? "%s 0\n\n\n" : "%s%d 0\n\n\n", end, number);
    fclose(file);
}

/* What became of a child that has said nothing of its end. */
static void note_lost(const char *out, int n, int status)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%d.end", out, n);
    if (access(path, F_OK) == 0)
        return;
    if (WIFSIGNALED(status))
        note(out, n, "lost-signal-", WTERMSIG(status));
    else if (WEXITSTATUS(status) == NOT_PREPARED)
        note(out, n, "lost-start", -1);
    else
        note(out, n, "lost-exit-", WEXITSTATUS(status));
}

/* Waits for a child, and kills it over a limit. */
static void watch(pid_t child, const char *out, int n, double seconds, unsigned long bytes)
{
    double begin = now();
    struct timespec pause = {0, 200000};
    int status;
    if (child < 0) {
        note(out, n, "lost-start", -1);
        return;
    }
    while (waitpid(child, &status, WNOHANG) == 0) {
        const char *over = now() - begin > seconds ? "limit-time" : resident_bytes(child) > bytes ? "limit-memory" : NULL;
        if (over) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            note(out, n, over, -1);
            return;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 10000000)
            pause.tv_nsec += pause.tv_nsec / 4;
    }
    note_lost(out, n, status);
}

static double setting(const char *name, double otherwise)
{
    const char *text = getenv(name);
    return text ? strtod(text, NULL) : otherwise;
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text;
    long length;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    length = ftell(file);
    rewind(file);
    text = __real_malloc((size_t)length + 1);
    if (!text || fread(text, 1, (size_t)length, file) != (size_t)length)
        return NULL;
    text[length] = 0;
    fclose(file);
    return text;
}

/* A test by itself: the vector in a file, the line where it should end (0: anywhere) and the ends that are right. */
static int expect(const char *vector, int line, char *const *ends)
{
    char out[] = "/tmp/sfo-test-XXXXXX", path[64], end[64] = "nothing", *text = text_of(vector);
    int there = 0, good = 0;
    pid_t child;
    FILE *file;
    if (!text || !mkdtemp(out)) {
        fprintf(stderr, "%s: cannot be read, or there is no temporary directory\n", vector);
        return 2;
    }
    text[strcspn(text, "\n")] = 0;
    child = fork();
    if (child == 0)
        run(out, 0, text);
    watch(child, out, 0, 10, 2000000000);
    snprintf(path, sizeof path, "%s/0.end", out);
    file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%63s %d", end, &there) != 2)
            there = 0;
        fclose(file);
    }
    for (; *ends; ends++)
        good |= strcmp(*ends, end) == 0 && (!line || !there || line == there);
    printf("%s: %s", vector, end);
    if (there)
        printf(" at line %d", there);
    printf(", %s", good ? "as predicted" : "NOT as predicted");
    if (line && line != there)
        printf(" (line %d)", line);
    putchar('\n');
    unlink(path);
    snprintf(path, sizeof path, "%s/0.out", out);
    unlink(path);
    rmdir(out);
    return !good;
}

/* Takes away what launch.c allows up to here. */
static void lift(int resource)
{
    struct rlimit now;
    if (getrlimit(resource, &now))
        return;
    now.rlim_cur = now.rlim_max;
    setrlimit(resource, &now);
}

/*
 * The number by which functions see that their frame was overwritten is random, and stays in the memory that they leave. It is
 * the same everywhere from here on, so that who reads such memory reads the same. No function may return that was called before.
 */
static inline void use_known_canary(void)
{
#if defined(__x86_64__) && !defined(__ILP32__)
    __asm__ volatile("movq %0, %%fs:0x28" : : "r"(CANARY));
#elif defined(__i386__)
    __asm__ volatile("movl %0, %%gs:0x14" : : "r"((unsigned long)CANARY));
#endif
}

/* Instead of the program's main. */
int __wrap_main(int count, char **arguments)
{
    const char *out = getenv("SFO_OUT"), *vectors = getenv("SFO_VECTORS");
    double seconds = setting("SFO_SECONDS", 10), bytes = setting("SFO_BYTES", 2e9);
    char *text, *line;
    int n;
    stack_begin = (unsigned long)arguments;
    if (getenv("SFO_LIMITED")) {
        lift(RLIMIT_NPROC);
        lift(RLIMIT_CPU);
    } else
        (void)!unshare(CLONE_NEWUSER | CLONE_NEWNET); /* no network, where the system allows it */
    if (count > 3) {
        n = expect(arguments[1], atoi(arguments[2]), arguments + 3);
        fflush(stdout);
        syscall(SYS_exit_group, n);
    }
    if (sfo_explore && getenv("SFO_EXPLORE")) {
        use_known_canary();
        sfo_explore(getenv("SFO_EXPLORE"));
    }
    text = vectors && out ? text_of(vectors) : NULL;
    if (!text)
        syscall(SYS_exit_group, 3);
    for (n = 0, line = text; *line; n++) {
        char *end = strchr(line, '\n');
        pid_t child;
        *end = 0;
        child = fork();
        if (child == 0)
            run(out, n, line);
        watch(child, out, n, seconds, (unsigned long)bytes);
        line = end + 1;
    }
    syscall(SYS_exit_group, 0);
    return 0;
}
