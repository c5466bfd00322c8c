#ifndef SFO_TIME_H
#define SFO_TIME_H
#include <sfo_features.h>
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1
/* Headers of the system may have come first; they guard these structures so. */
#ifndef _STRUCT_TIMESPEC
#define _STRUCT_TIMESPEC 1
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
#endif
#ifndef __struct_tm_defined
#define __struct_tm_defined 1
struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
#endif
time_t time(time_t *result);
clock_t clock(void);
double difftime(time_t end, time_t start);
time_t mktime(struct tm *time);
time_t timegm(struct tm *time);
void tzset(void);
struct tm *gmtime(const time_t *time);
struct tm *localtime(const time_t *time);
struct tm *gmtime_r(const time_t *time, struct tm *result);
struct tm *localtime_r(const time_t *time, struct tm *result);
char *asctime(const struct tm *time);
char *ctime(const time_t *time);
char *asctime_r(const struct tm *time, char *target);
char *ctime_r(const time_t *time, char *target);
size_t strftime(char *target, size_t bytes, const char *format, const struct tm *time);
int clock_gettime(clockid_t clock, struct timespec *result);
int timespec_get(struct timespec *result, int base);
int nanosleep(const struct timespec *wanted, struct timespec *rest);
#endif
