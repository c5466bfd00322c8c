/* Writes the counts of gcov where a signal ends the program: linked with what a test command builds. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>
#include <stddef.h>
#include <string.h>

extern void __gcov_dump(void);

enum { SFO_SIGNALS = 11, SFO_STACK = 1 << 16 };

static const int sfo_signals[SFO_SIGNALS] = {
    SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGTRAP, SIGSYS, SIGTERM, SIGALRM, SIGXCPU, SIGHUP
};
static struct sigaction sfo_before[SFO_SIGNALS];
static char sfo_stack[SFO_STACK];

static void sfo_flush(int number)
{
    int n;
    __gcov_dump();
    for (n = 0; n < SFO_SIGNALS; n++)
        if (sfo_signals[n] == number)
            sigaction(number, &sfo_before[n], NULL);
    raise(number);
}

__attribute__((constructor)) static void sfo_begin(void)
{
    int n;
    stack_t stack, old;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = sfo_stack;
    stack.ss_size = sizeof sfo_stack;
    if (sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE))
        sigaltstack(&stack, NULL);
    for (n = 0; n < SFO_SIGNALS; n++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        if (sigaction(sfo_signals[n], NULL, &sfo_before[n]) != 0 || sfo_before[n].sa_handler == SIG_IGN)
            continue;
        action.sa_handler = sfo_flush;
        action.sa_flags = SA_ONSTACK;
        sigaction(sfo_signals[n], &action, NULL);
    }
}
