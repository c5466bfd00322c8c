/* Signals by sigaction: what was there before, sets of signals, a handler that is called once. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

int nondet_int(void);

static volatile sig_atomic_t seen, count;

static void handler(int number)
{
    seen = number;
    count++;
}

int main(void)
{
    int x = nondet_int();
    struct sigaction action = { .sa_handler = handler, .sa_flags = x > 2 ? SA_RESETHAND : 0 }, before;
    sigset_t *set = &action.sa_mask;
    printf("%d %d %d\n", sigemptyset(set), sigaddset(set, SIGUSR2), sigaddset(set, x > 0 ? x : 7));
    printf("%d %d %d\n", sigismember(set, SIGUSR2), sigismember(set, 1), sigdelset(set, SIGUSR2));
    printf("%d %d\n", sigismember(set, SIGUSR2), sigfillset(&before.sa_mask) + sigismember(&before.sa_mask, 64));
    if (x == 5)
        printf("%d\n", sigaddset(set, 65) + (errno == EINVAL));
    assert(sigaction(SIGUSR1, &action, NULL) == 0);
    raise(SIGUSR1);
    int again = sigaction(SIGUSR1, NULL, &before);
    printf("%d %d %d\n", again, before.sa_handler == handler, before.sa_handler == SIG_DFL);
    if (before.sa_handler != SIG_DFL)
        raise(SIGUSR1);
    assert(count == 2 || x > 2);
    printf("%d %d\n", seen, count);
    printf("%d\n", signal(SIGUSR1, SIG_IGN) == handler);
    raise(SIGUSR1);
    printf("%d %d\n", sigaction(SIGKILL, &action, NULL), errno);
    printf("%s\n", strerror(110));
    printf("%s\n", strerror(x == 1 ? 500 : -3));
    printf("%s\n", strerror(41));
    return count;
}
