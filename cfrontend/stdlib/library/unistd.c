/* The system: models of <unistd.h>, <time.h> and <sys/time.h>, to be executed symbolically.

   What depends on the outside is an input; time never goes back. */
#include <errno.h>
#include <stddef.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int condition);
extern void __sfo_refuse(const char *what);
extern void __sfo_limit(const char *what);

#ifdef SFO_NATIVE
extern int *__errno_location(void);
#undef errno
#define errno (*__errno_location())
#endif

/* -- descriptors -- */

int isatty(int descriptor) {
  (void)descriptor;
  int answer = __VERIFIER_nondet_int();
  __VERIFIER_assume(answer == 0 || answer == 1);
  return answer;
}

/* A number that is asked for once: what is kept is less than the least until then. */
static int any_number(int *kept, int least) {
  if (*kept < least) {
    *kept = __VERIFIER_nondet_int();
    __VERIFIER_assume(*kept >= least);
  }
  return *kept;
}

static int process;
static int parent;
pid_t getpid(void) { return any_number(&process, 1); }
pid_t getppid(void) { return any_number(&parent, 1); }

/* The only thread. */
pthread_t pthread_self(void) {
  static int thread;
  return (pthread_t)any_number(&thread, 1);
}

/* Users and groups: that which a process has, and in whose name it acts. */
static int user = -1;
static int acting_user = -1;
static int group = -1;
static int acting_group = -1;
uid_t getuid(void) { return (uid_t)any_number(&user, 0); }
uid_t geteuid(void) { return (uid_t)any_number(&acting_user, 0); }
gid_t getgid(void) { return (gid_t)any_number(&group, 0); }
gid_t getegid(void) { return (gid_t)any_number(&acting_group, 0); }

/* -- waiting takes no time -- */

unsigned int sleep(unsigned int seconds) {
  (void)seconds;
  return 0;
}

int usleep(useconds_t microseconds) {
  (void)microseconds;
  return 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *rest) {
  long seconds = wanted->tv_sec;
  (void)seconds;
  (void)rest;
  return 0;
}

int sched_yield(void) { return 0; }

/* -- the machine -- */

#define PAGE 4096
#define PAGE_SIZE_ASKED 30 /* _SC_PAGESIZE */
#define CLOCK_TICKS_ASKED 2 /* _SC_CLK_TCK */

int getpagesize(void) { return PAGE; }

long sysconf(int name) {
  if (name == CLOCK_TICKS_ASKED)
    return 100;
  if (name != PAGE_SIZE_ASKED)
    __sfo_refuse("sysconf of anything but the page size and the clock ticks is not supported yet");
  return PAGE;
}

/* -- the locale -- */

struct lconv *localeconv(void) {
  static struct lconv plain = {
    .decimal_point = ".",
    .thousands_sep = "",
    .grouping = "",
    .int_curr_symbol = "",
    .currency_symbol = "",
    .mon_decimal_point = "",
    .mon_thousands_sep = "",
    .mon_grouping = "",
    .positive_sign = "",
    .negative_sign = "",
    .int_frac_digits = 127,
    .frac_digits = 127,
    .p_cs_precedes = 127,
    .p_sep_by_space = 127,
    .n_cs_precedes = 127,
    .n_sep_by_space = 127,
    .p_sign_posn = 127,
    .n_sign_posn = 127,
    .int_p_cs_precedes = 127,
    .int_p_sep_by_space = 127,
    .int_n_cs_precedes = 127,
    .int_n_sep_by_space = 127,
    .int_p_sign_posn = 127,
    .int_n_sign_posn = 127,
  };
  return &plain;
}

/* There is one, whatever the environment says. */
char *setlocale(int category, const char *locale) {
  if (category < 0 || category > 12)
    return NULL;
  if (locale != NULL && locale[0] != 0 && strcmp(locale, "C") != 0 && strcmp(locale, "POSIX") != 0)
    return NULL;
  return "C";
}

/* -- time -- */

#define THREAD 1 /* RUSAGE_THREAD */

double difftime(time_t end, time_t start) { return (double)end - (double)start; }

static long later(long *last) {
  long now = __VERIFIER_nondet_long();
  __VERIFIER_assume(now >= *last);
  *last = now;
  return now;
}

time_t time(time_t *result) {
  static long last;
  long now = later(&last);
  if (result != NULL)
    *result = now;
  return now;
}

clock_t clock(void) {
  static long last;
  return later(&last);
}

static long below_second(long parts) {
  long part = __VERIFIER_nondet_long();
  __VERIFIER_assume(part >= 0 && part < parts);
  return part;
}

/* The next moment of those that `last` tells. */
static struct timespec next_moment(struct timespec *last, long parts) {
  long before = last->tv_sec;
  long now = later(&last->tv_sec);
  long part = below_second(parts);
  __VERIFIER_assume(now > before || part >= last->tv_nsec);
  last->tv_nsec = part;
  return *last;
}

int clock_gettime(clockid_t which, struct timespec *result) {
  static struct timespec last;
  (void)which;
  *result = next_moment(&last, 1000000000);
  return 0;
}

int timespec_get(struct timespec *result, int base) {
  static struct timespec last;
  if (base != TIME_UTC)
    return 0;
  *result = next_moment(&last, 1000000000);
  return base;
}

int gettimeofday(struct timeval *result, void *zone) {
  static struct timespec last;
  (void)zone;
  struct timespec now = next_moment(&last, 1000000);
  result->tv_sec = now.tv_sec;
  result->tv_usec = now.tv_nsec;
  return 0;
}

