/* One execution of a program on the bytes of a test, for libFuzzer and AFL++ (LLVMFuzzerTestOneInput, many executions in
 * one process) and for gcov (-DMEASURED: main executes each file that it is given, in a process of its own).
 *
 * The program is compiled with -Dmain=main_of_program -Dexit=ended_by_program -Dabort=outside_of_program. A call that
 * asks for an input takes as many bytes as its type has, and ends the execution where there are no more; what reads the
 * standard input reads the bytes. An execution that breaks an assumption is none of the program: gcov does not see it.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REGULAR, ENDED, OUTSIDE };

int main_of_program(void);

static const unsigned char *following;
static size_t left;
static jmp_buf end;

void ended_by_program(int status)
{
    (void)status;
    longjmp(end, ENDED);
}

void outside_of_program(void)
{
    longjmp(end, OUTSIDE);
}

void __VERIFIER_assume(int condition)
{
    if (!condition)
        outside_of_program();
}

void __CPROVER_assume(_Bool condition)
{
    if (!condition)
        outside_of_program();
}

__attribute__((weak)) void reach_error(void)
{
    abort();
}

void __CPROVER_assert(_Bool condition, const char *text)
{
    (void)text;
    if (!condition)
        abort();
}

static void take(void *value, size_t size)
{
    if (left < size)
        longjmp(end, ENDED);
    memcpy(value, following, size);
    following += size;
    left -= size;
}

#define ASKED(type, name)                                                                                              \
    type __VERIFIER_nondet_##name(void)                                                                                \
    {                                                                                                                  \
        type value;                                                                                                    \
        take(&value, sizeof value);                                                                                    \
        return value;                                                                                                  \
    }                                                                                                                  \
    type nondet_##name(void)                                                                                           \
    {                                                                                                                  \
        return __VERIFIER_nondet_##name();                                                                             \
    }

ASKED(char, char)
ASKED(signed char, schar)
ASKED(unsigned char, uchar)
ASKED(short, short)
ASKED(unsigned short, ushort)
ASKED(int, int)
ASKED(unsigned int, uint)
ASKED(long, long)
ASKED(unsigned long, ulong)

_Bool __VERIFIER_nondet_bool(void)
{
    return __VERIFIER_nondet_uchar() & 1;
}

_Bool nondet_bool(void)
{
    return __VERIFIER_nondet_bool();
}

static int execute(const unsigned char *bytes, size_t size)
{
    FILE *before = stdin;
    int how;

    following = bytes;
    left = size;
    stdin = size > 0 ? fmemopen((void *)bytes, size, "r") : fopen("/dev/null", "r");
    how = setjmp(end);
    if (how == REGULAR)
        main_of_program();
    fclose(stdin);
    stdin = before;
    return how;
}

#ifndef MEASURED
/* The variables of the program, whose sections have these names: each execution begins with what they hold at first. */
extern unsigned char __start_program_data[] __attribute__((weak)), __stop_program_data[] __attribute__((weak));
extern unsigned char __start_program_bss[] __attribute__((weak)), __stop_program_bss[] __attribute__((weak));

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static unsigned char *first;
    size_t data = (size_t)(__stop_program_data - __start_program_data);

    if (first == NULL && data > 0) {
        first = malloc(data);
        memcpy(first, __start_program_data, data);
    }
    if (data > 0)
        memcpy(__start_program_data, first, data);
    if (__stop_program_bss != __start_program_bss)
        memset(__start_program_bss, 0, (size_t)(__stop_program_bss - __start_program_bss));
    execute(bytes, size);
    return 0;
}
#else
static unsigned char test[1 << 20];

extern void __gcov_dump(void);

static void counted(int signal)
{
    __gcov_dump();
    _exit(128 + signal);
}

int main(int count, char **names)
{
    for (int n = 1; n < count; n++) {
        pid_t child = fork();
        if (child == 0) {
            FILE *file = fopen(names[n], "rb");
            size_t size = fread(test, 1, sizeof test, file);
            fclose(file);
            signal(SIGABRT, counted);
            signal(SIGSEGV, counted);
            signal(SIGALRM, counted);
            alarm(10);
            if (execute(test, size) == OUTSIDE)
                _exit(0);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
    _exit(0);
}
#endif
