#ifndef SFO_SIGNAL_H
#define SFO_SIGNAL_H
#include <sfo_features.h>
typedef int sig_atomic_t;
typedef void (*sighandler_t)(int number);
typedef struct {
  unsigned long __val[16];
} sigset_t;
union sigval {
  int sival_int;
  void *sival_ptr;
};
typedef struct {
  int si_signo;
  int si_errno;
  int si_code;
  union {
    struct {
      int si_pid;
      unsigned int si_uid;
      union sigval si_value;
    };
    void *si_addr;
    int __pad[28];
  } __attribute__((aligned(8)));
} siginfo_t;
struct sigaction {
  union {
    sighandler_t sa_handler;
    void (*sa_sigaction)(int number, siginfo_t *information, void *context);
  };
  sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SIG_DFL ((sighandler_t)0)
#define SIG_IGN ((sighandler_t)1)
#define SIG_ERR ((sighandler_t)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTKFLT 16
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGPOLL 29
#define SIGIO SIGPOLL
#define SIGPWR 30
#define SIGSYS 31
#define SIGIOT SIGABRT
#define SIGCLD SIGCHLD
#define NSIG 65
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SI_USER 0
#define SI_TKILL (-6)
sighandler_t signal(int number, sighandler_t handler);
int sigaction(int number, const struct sigaction *action, struct sigaction *before);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int sigismember(const sigset_t *set, int number);
int sigprocmask(int how, const sigset_t *set, sigset_t *before);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before);
int sigpending(sigset_t *set);
int sigsuspend(const sigset_t *set);
int raise(int number);
int kill(int process, int number);
#endif
