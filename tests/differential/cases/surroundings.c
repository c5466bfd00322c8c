/* What time it is, and how much of it the process has used. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

static int is_later(struct timeval one, struct timeval two) {
    return two.tv_sec > one.tv_sec || (two.tv_sec == one.tv_sec && two.tv_usec >= one.tv_usec);
}

static void used(void) {
    struct rusage before, after;
    struct tms start, end;
    clock_t from = times(&start), to = times(&end);
    assert(from <= to && start.tms_utime <= end.tms_utime && start.tms_cstime <= end.tms_cstime && times(NULL) >= to);
    assert(getrusage(RUSAGE_SELF, &before) == 0 && getrusage(RUSAGE_SELF, &after) == 0);
    assert(is_later(before.ru_utime, after.ru_utime) && is_later(before.ru_stime, after.ru_stime));
    assert(before.ru_maxrss <= after.ru_maxrss && after.ru_nswap == 0 && after.ru_nivcsw >= 0);
    assert(getrusage(77, &before) == -1 && errno == EINVAL);
}

int main(void) {
    used();
    struct timespec now, then;
    struct timeval today, later;
    assert(timespec_get(&now, TIME_UTC) == TIME_UTC && timespec_get(&then, TIME_UTC) && timespec_get(&then, 99) == 0);
    assert(then.tv_sec > now.tv_sec || then.tv_nsec >= now.tv_nsec);
    gettimeofday(&today, NULL);
    gettimeofday(&later, NULL);
    assert(is_later(today, later));
    assert(pthread_self() == pthread_self());
    return 0;
}
