/* What time it is. */
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>

static int is_later(struct timeval one, struct timeval two) {
    return two.tv_sec > one.tv_sec || (two.tv_sec == one.tv_sec && two.tv_usec >= one.tv_usec);
}

int main(void) {
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
