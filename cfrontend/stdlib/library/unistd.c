/* The system: models of <unistd.h>, <time.h>, <sys/time.h>, <sys/times.h> and <sys/resource.h>, to be executed
   symbolically.

   What depends on the outside is an input; time never goes back. */
#include <errno.h>
#include <stddef.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
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

#define UNCHANGED -1

/* Takes another identity; whether somebody else than the superuser may do so, but for the two that he has, is an input. */
static int take_identity(int *real, int *acting, int new_real, int new_acting) {
  int before = any_number(real, 0);
  int acting_before = any_number(acting, 0);
  int is_known = (new_real == UNCHANGED || new_real == before || new_real == acting_before)
    && (new_acting == UNCHANGED || new_acting == before || new_acting == acting_before);
  if (geteuid() != 0 && !is_known) {
    int answer = __VERIFIER_nondet_int();
    __VERIFIER_assume(answer == 0 || answer == -1);
    if (answer != 0) {
      errno = EPERM;
      return -1;
    }
  }
  if (new_real < UNCHANGED || new_acting < UNCHANGED)
    __sfo_limit("numbers of users and groups beyond INT_MAX are not supported yet");
  if (new_real != UNCHANGED)
    *real = new_real;
  if (new_acting != UNCHANGED)
    *acting = new_acting;
  return 0;
}

/* For the superuser, whatever he has been before. */
static int take_for_ever(int *real, int *acting, int wanted) {
  if (wanted == UNCHANGED) {
    errno = EINVAL;
    return -1;
  }
  return take_identity(real, acting, geteuid() == 0 ? wanted : UNCHANGED, wanted);
}

static int act_as(int *real, int *acting, int wanted) {
  if (wanted == UNCHANGED) {
    errno = EINVAL;
    return -1;
  }
  return take_identity(real, acting, UNCHANGED, wanted);
}

int setuid(uid_t wanted) { return take_for_ever(&user, &acting_user, (int)wanted); }
int setgid(gid_t wanted) { return take_for_ever(&group, &acting_group, (int)wanted); }
int seteuid(uid_t wanted) { return act_as(&user, &acting_user, (int)wanted); }
int setegid(gid_t wanted) { return act_as(&group, &acting_group, (int)wanted); }
int setreuid(uid_t real, uid_t acting) { return take_identity(&user, &acting_user, (int)real, (int)acting); }
int setregid(gid_t real, gid_t acting) { return take_identity(&group, &acting_group, (int)real, (int)acting); }

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

/* No alarm comes; time stands still until the next. */
static unsigned int alarm_after;
unsigned int alarm(unsigned int seconds) {
  unsigned int before = alarm_after;
  alarm_after = seconds;
  return before;
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

/* What a new file may not be; at first as an input says. */
static int permissions_left_out = -1;
mode_t umask(mode_t mask) {
  if (permissions_left_out < 0) {
    permissions_left_out = __VERIFIER_nondet_int();
    __VERIFIER_assume(permissions_left_out >= 0 && permissions_left_out <= 0777);
  }
  mode_t before = (mode_t)permissions_left_out;
  permissions_left_out = (int)(mask & 0777);
  return before;
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

/* How long the process has run in all, and for how long it and its children had the processor. */
clock_t times(struct tms *result) {
  static long last, own, system, of_children, system_of_children;
  if (result != NULL) {
    result->tms_utime = later(&own);
    result->tms_stime = later(&system);
    result->tms_cutime = later(&of_children);
    result->tms_cstime = later(&system_of_children);
  }
  return later(&last);
}

/* What the process has used, and its children; nothing of that becomes less. */
struct used {
  struct timespec own;
  struct timespec system;
  long memory;
  long minor_faults;
  long major_faults;
  long blocks_read;
  long blocks_written;
  long waits;
  long turns;
};

static struct timeval next_time(struct timespec *last) {
  struct timespec now = next_moment(last, 1000000);
  struct timeval result = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec};
  return result;
}

int getrusage(int who, struct rusage *result) {
  static struct used by_process, by_children;
  if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != THREAD) {
    errno = EINVAL;
    return -1;
  }
  struct used *used = who == RUSAGE_CHILDREN ? &by_children : &by_process;
  struct rusage made = {
    .ru_utime = next_time(&used->own),
    .ru_stime = next_time(&used->system),
    .ru_maxrss = later(&used->memory),
    .ru_minflt = later(&used->minor_faults),
    .ru_majflt = later(&used->major_faults),
    .ru_inblock = later(&used->blocks_read),
    .ru_oublock = later(&used->blocks_written),
    .ru_nvcsw = later(&used->waits),
    .ru_nivcsw = later(&used->turns),
  };
  *result = made;
  return 0;
}
