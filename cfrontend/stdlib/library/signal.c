/* Signals: models of <signal.h>, to be executed symbolically. None comes from outside. */
#include <errno.h>
#include <signal.h>

extern void __sfo_refuse(const char *what);

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

int raise(int number) {
  if (!is_signal(number))
    return -1;
  struct sigaction action = actions[number];
  if (action.sa_handler == SIG_IGN)
    return 0;
  if (action.sa_handler == SIG_DFL)
    __sfo_refuse("raising a signal without a handler is not supported yet");
  else if (action.sa_flags & SA_SIGINFO)
    __sfo_refuse("raising a signal whose handler wants information is not supported yet");
  else {
    if (action.sa_flags & (int)SA_RESETHAND)
      actions[number].sa_handler = SIG_DFL;
    action.sa_handler(number);
  }
  return 0;
}
