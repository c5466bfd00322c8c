/* Signals that are blocked wait; handlers that want information; signals that nobody minds. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t seen;

static void handler(int number) { seen = 10 * seen + (number == SIGUSR1 ? 1 : 2); }

static void informed(int number, siginfo_t *information, void *context) {
  printf("%d %d %d\n", number == information->si_signo, information->si_code, context != NULL);
}

int main(void) {
  sigset_t set, before, waiting;
  struct sigaction action;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  signal(SIGUSR1, handler);
  signal(SIGUSR2, handler);
  printf("%d\n", sigprocmask(SIG_BLOCK, &set, &before));
  raise(SIGUSR2);
  raise(SIGUSR1);
  raise(SIGUSR1);
  sigpending(&waiting);
  printf("%d %d %d\n", seen, sigismember(&waiting, SIGUSR1), sigismember(&waiting, SIGTERM));
  sigdelset(&set, SIGUSR2);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  printf("%d\n", seen);
  sigprocmask(SIG_SETMASK, &before, NULL);
  printf("%d\n", seen);
  printf("%d\n", sigprocmask(7, &set, NULL));
  memset(&action, 0, sizeof action);
  action.sa_sigaction = informed;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTERM, &action, NULL);
  raise(SIGTERM);
  raise(SIGCHLD);
  raise(SIGWINCH);
  return 0;
}
