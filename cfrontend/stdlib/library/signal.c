/* Signals: models of <signal.h>, to be executed symbolically. None comes from outside. */
#include <errno.h>
#include <signal.h>

extern void __sfo_refuse(const char *what);

#define SIGNALS 65

static sighandler_t handlers[SIGNALS];

/* A handler stays when it has been called, as in BSD. */
sighandler_t signal(int number, sighandler_t handler) {
  if (number < 1 || number >= SIGNALS || number == SIGKILL || number == SIGSTOP) {
    errno = EINVAL;
    return SIG_ERR;
  }
  sighandler_t before = handlers[number];
  handlers[number] = handler;
  return before;
}

int raise(int number) {
  if (number < 1 || number >= SIGNALS) {
    errno = EINVAL;
    return -1;
  }
  if (handlers[number] == SIG_DFL)
    __sfo_refuse("raising a signal without a handler is not supported yet");
  else if (handlers[number] != SIG_IGN)
    handlers[number](number);
  return 0;
}
