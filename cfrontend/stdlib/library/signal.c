/* Signals: models of <signal.h>, to be executed symbolically. None comes from outside. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

extern void __sfo_refuse(const char *what);
extern void __sfo_apart(const void *target, size_t written, const void *source, size_t read);

#ifdef SFO_NATIVE
extern int *__errno_location(void);
#undef errno
#define errno (*__errno_location())
#endif

#define SIGNALS 65
#define BITS (8 * (int)sizeof(unsigned long))

static struct sigaction actions[SIGNALS];

static int is_signal(int number) {
  if (number >= 1 && number < SIGNALS)
    return 1;
  errno = EINVAL;
  return 0;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
  if (!is_signal(number))
    return -1;
  if (action != 0 && (number == SIGKILL || number == SIGSTOP)) {
    errno = EINVAL;
    return -1;
  }
  __sfo_apart(before, before == 0 ? 0 : sizeof *before, action, action == 0 ? 0 : sizeof *action);
  struct sigaction old = actions[number];
  if (action != 0)
    actions[number] = *action;
  if (before != 0)
    *before = old;
  return 0;
}

/* A handler stays when it has been called, as in BSD. */
sighandler_t signal(int number, sighandler_t handler) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  struct sigaction before;
  return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

int sigemptyset(sigset_t *set) {
  for (int n = 0; n < SIGNALS / BITS; n++)
    set->__val[n] = 0;
  return 0;
}

int sigfillset(sigset_t *set) {
  for (int n = 0; n < SIGNALS / BITS; n++)
    set->__val[n] = ~0ul;
  return 0;
}

int sigaddset(sigset_t *set, int number) {
  if (!is_signal(number))
    return -1;
  set->__val[(number - 1) / BITS] |= 1ul << (number - 1) % BITS;
  return 0;
}

int sigdelset(sigset_t *set, int number) {
  if (!is_signal(number))
    return -1;
  set->__val[(number - 1) / BITS] &= ~(1ul << (number - 1) % BITS);
  return 0;
}

int sigismember(const sigset_t *set, int number) {
  return is_signal(number) ? (int)(set->__val[(number - 1) / BITS] >> (number - 1) % BITS & 1) : -1;
}

/* What is blocked, and what waits for that to end, each of one word: signals have numbers up to 64. */
static unsigned long blocked[SIGNALS / BITS];
static unsigned long waiting[SIGNALS / BITS];

/* How each signal was sent last: from the thread itself (0), or by kill. */
static int is_by_kill[SIGNALS];

static int is_in(const unsigned long *set, int number) {
  return (int)(set[(number - 1) / BITS] >> (number - 1) % BITS & 1);
}

static void take(int number) {
  struct sigaction action = actions[number];
  static char context[1024];
  if (action.sa_handler == SIG_IGN)
    return;
  if (action.sa_handler == SIG_DFL) {
    if (number == SIGABRT)
      abort();
    if (number != SIGCHLD && number != SIGCONT && number != SIGURG && number != SIGWINCH)
      __sfo_refuse("raising a signal without a handler is not supported yet");
    return;
  }
  if (action.sa_flags & (int)SA_RESETHAND)
    actions[number].sa_handler = SIG_DFL;
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t information = {.si_signo = number, .si_code = is_by_kill[number] ? SI_USER : SI_TKILL};
    action.sa_sigaction(number, &information, context);
  } else
    action.sa_handler(number);
}

static void send(int number, int by_kill) {
  is_by_kill[number] = by_kill;
  if (number == SIGKILL || number == SIGSTOP || !is_in(blocked, number))
    take(number);
  else if (actions[number].sa_handler != SIG_IGN)
    waiting[(number - 1) / BITS] |= 1ul << (number - 1) % BITS;
}

int raise(int number) {
  if (!is_signal(number))
    return -1;
  send(number, 0);
  return 0;
}

/* A signal to the process itself comes before the call returns, as there is one thread. */
int kill(pid_t process, int number) {
  if (process != getpid())
    __sfo_refuse("sending a signal to another process is not supported yet");
  if (number == 0)
    return 0;
  if (!is_signal(number))
    return -1;
  send(number, 1);
  return 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
  if (set != 0 && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
    return EINVAL;
  __sfo_apart(before, before == 0 ? 0 : sizeof *before, set, set == 0 ? 0 : sizeof *set);
  unsigned long wanted[SIGNALS / BITS];
  for (int n = 0; n < SIGNALS / BITS; n++) {
    unsigned long word = set == 0 ? blocked[n] : set->__val[n];
    wanted[n] = set == 0 || how == SIG_SETMASK ? word : how == SIG_BLOCK ? blocked[n] | word : blocked[n] & ~word;
  }
  for (int n = 0; n < 16 && before != 0; n++)
    before->__val[n] = n < SIGNALS / BITS ? blocked[n] : 0;
  for (int n = 0; n < SIGNALS / BITS; n++)
    blocked[n] = wanted[n];
  for (int number = 1; number < SIGNALS; number++)
    if (is_in(waiting, number) && !is_in(blocked, number)) {
      waiting[(number - 1) / BITS] &= ~(1ul << (number - 1) % BITS);
      take(number);
    }
  return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *before) {
  int error = pthread_sigmask(how, set, before);
  if (error == 0)
    return 0;
  errno = error;
  return -1;
}

int sigpending(sigset_t *set) {
  for (int n = 0; n < SIGNALS / BITS; n++)
    set->__val[n] = waiting[n];
  return 0;
}
