/* Locks where there is one thread: models of <pthread.h>, to be executed symbolically. pthread_create is refused, so
   nobody else ever holds a lock or waits for one. Words of a mutex are those of glibc's, which initialises them. */
#include <errno.h>
#include <pthread.h>

extern void __sfo_refuse(const char *what);

#define LOCKED 0
#define TIMES 1
#define KIND 4

static void make_zero(int *word, unsigned long words) {
  for (unsigned long n = 0; n < words; n++)
    word[n] = 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  int *word = (int *)mutex;
  int kind = attributes == 0 ? PTHREAD_MUTEX_NORMAL : *(const int *)attributes;
  make_zero(word, sizeof *mutex / sizeof *word);
  word[KIND] = kind;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  int *word = (int *)mutex;
  if (word[LOCKED] != 0)
    return EBUSY;
  word[KIND] = -1;
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  int *word = (int *)mutex;
  if (word[KIND] < 0 || word[KIND] > PTHREAD_MUTEX_ADAPTIVE_NP)
    return EINVAL;
  if (word[LOCKED] != 0 && word[KIND] != PTHREAD_MUTEX_RECURSIVE)
    return EBUSY;
  word[LOCKED] = 1;
  word[TIMES]++;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  const int *word = (const int *)mutex;
  int result = pthread_mutex_trylock(mutex);
  if (result == EBUSY && word[KIND] == PTHREAD_MUTEX_ERRORCHECK)
    return EDEADLK;
  if (result == EBUSY)
    __sfo_refuse("waiting for ever, for a mutex that the only thread has locked, is not supported yet");
  return result;
}

/* Who unlocks what is not locked is told so by these two kinds only. */
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  int *word = (int *)mutex;
  if (word[KIND] < 0 || word[KIND] > PTHREAD_MUTEX_ADAPTIVE_NP)
    return EINVAL;
  if (word[LOCKED] == 0) {
    if (word[KIND] == PTHREAD_MUTEX_RECURSIVE || word[KIND] == PTHREAD_MUTEX_ERRORCHECK)
      return EPERM;
    __sfo_refuse("unlocking a mutex that is not locked is not supported yet");
  }
  word[TIMES]--;
  if (word[TIMES] == 0)
    word[LOCKED] = 0;
  return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  *(int *)attributes = PTHREAD_MUTEX_NORMAL;
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  *(int *)attributes = -1;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind) {
  if (kind < PTHREAD_MUTEX_NORMAL || kind > PTHREAD_MUTEX_ADAPTIVE_NP)
    return EINVAL;
  *(int *)attributes = kind;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *kind) {
  *kind = *(const int *)attributes;
  return 0;
}

/* -- conditions, on which nobody waits -- */

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  (void)attributes;
  make_zero((int *)condition, sizeof *condition / sizeof(int));
  return 0;
}

static int nobody_waits(const pthread_cond_t *condition) {
  int first = *(const int *)condition;
  (void)first;
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition) { return nobody_waits(condition); }
int pthread_cond_signal(pthread_cond_t *condition) { return nobody_waits(condition); }
int pthread_cond_broadcast(pthread_cond_t *condition) { return nobody_waits(condition); }

int pthread_once(pthread_once_t *once, void (*routine)(void)) {
  if (*once != 2) {
    *once = 1;
    routine();
    *once = 2;
  }
  return 0;
}

int pthread_equal(pthread_t left, pthread_t right) { return left == right; }
