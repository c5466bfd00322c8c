/* Locks of a program with one thread. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int count;

#define SAY(value) printf("%d ", (value))

static void start(void) { count += 100; }

static int next(void) {
  pthread_once(&once, start);
  int failed = pthread_mutex_lock(&plain);
  int result = count++;
  failed |= pthread_cond_signal(&changed) | pthread_mutex_unlock(&plain);
  return failed ? -1 : result;
}

static void kinds(void) {
  static const int all[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_DEFAULT};
  for (int n = 0; n < 4; n++) {
    pthread_mutexattr_t how;
    pthread_mutex_t *lock = malloc(sizeof *lock);
    int kind = -1, is_plain = all[n] == PTHREAD_MUTEX_NORMAL || all[n] == PTHREAD_MUTEX_DEFAULT;
    pthread_mutexattr_init(&how);
    SAY(pthread_mutexattr_settype(&how, 77) == EINVAL);
    SAY(pthread_mutexattr_settype(&how, all[n]));
    pthread_mutexattr_gettype(&how, &kind);
    SAY(kind == all[n]);
    SAY(pthread_mutex_init(lock, &how));
    SAY(pthread_mutexattr_destroy(&how));
    SAY(is_plain ? 0 : pthread_mutex_unlock(lock));
    SAY(pthread_mutex_lock(lock));
    SAY(pthread_mutex_trylock(lock));
    SAY(is_plain ? 0 : pthread_mutex_lock(lock));
    SAY(pthread_mutex_destroy(lock) == EBUSY);
    for (int held = 0; held < 20 && !is_plain && pthread_mutex_unlock(lock) == 0; held++)
      SAY(held);
    if (is_plain)
      SAY(pthread_mutex_unlock(lock));
    printf("%d\n", pthread_mutex_destroy(lock));
    free(lock);
  }
}

int main(void) {
  SAY(next());
  SAY(next());
  printf("%d\n", count);
  kinds();
  printf("%d %d\n", pthread_cond_broadcast(&changed), pthread_equal(3, 3) != 0);
  return 0;
}
