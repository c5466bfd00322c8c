/* Signals that a process sends to itself come before the call returns. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t count, code = 9;

static void counted(int number) { count += number; }

static void told(int number, siginfo_t *information, void *context)
{
    count += number == SIGUSR2 && context != 0;
    code = information->si_code;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = told, .sa_flags = SA_SIGINFO};
    sigset_t set;
    signal(SIGUSR1, counted);
    assert(kill(getpid(), 0) == 0);
    assert(kill(getpid(), SIGUSR1) == 0 && count == SIGUSR1);
    assert(kill(getpid(), 99) == -1 && errno == EINVAL);
    count = 0;
    sigaction(SIGUSR2, &action, NULL);
    kill(getpid(), SIGUSR2);
    printf("%d %d ", count, code == SI_USER);
    raise(SIGUSR2);
    printf("%d %d ", count, code == SI_TKILL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGUSR1);
    printf("%d ", count);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("%d\n", count);
    return 0;
}
