#ifndef SFO_SYS_RESOURCE_H
#define SFO_SYS_RESOURCE_H
#include <sfo_features.h>
#include <sys/time.h>
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)
#ifdef _GNU_SOURCE
#define RUSAGE_THREAD 1
#endif
struct rusage {
  struct timeval ru_utime;
  struct timeval ru_stime;
  long ru_maxrss;
  long ru_ixrss;
  long ru_idrss;
  long ru_isrss;
  long ru_minflt;
  long ru_majflt;
  long ru_nswap;
  long ru_inblock;
  long ru_oublock;
  long ru_msgsnd;
  long ru_msgrcv;
  long ru_nsignals;
  long ru_nvcsw;
  long ru_nivcsw;
};
int getrusage(int who, struct rusage *result);
#endif
