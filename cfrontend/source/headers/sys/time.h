#ifndef SFO_SYS_TIME_H
#define SFO_SYS_TIME_H
#include <sys/types.h>
#define __timeval_defined 1
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
int gettimeofday(struct timeval *result, void *zone);
#endif
