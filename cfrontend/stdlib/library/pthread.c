/* Locks where there is one thread: models of <pthread.h> and <semaphore.h>, to be executed symbolically. pthread_create is refused, so
   nobody else ever holds a lock or waits for one. Words of a mutex are those of glibc's, which initialises them. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

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

/* -- locks for readers and writers: how many readers there are, -1 for a writer -- */

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
  (void)attributes;
  make_zero((int *)lock, sizeof *lock / sizeof(int));
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  int held = *(const int *)lock;
  (void)held;
  return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  int *readers = (int *)lock;
  if (*readers < 0)
    return EBUSY;
  *readers += 1;
  return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  int *readers = (int *)lock;
  if (*readers != 0)
    return EBUSY;
  *readers = -1;
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  return pthread_rwlock_tryrdlock(lock) == 0 ? 0 : EDEADLK;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  const int *readers = (const int *)lock;
  if (*readers < 0)
    return EDEADLK;
  if (pthread_rwlock_trywrlock(lock) != 0)
    __sfo_refuse("waiting for ever, for a lock that the only thread reads under, is not supported yet");
  return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  int *readers = (int *)lock;
  if (*readers == 0)
    __sfo_refuse("unlocking a lock that is not locked is not supported yet");
  *readers = *readers < 0 ? 0 : *readers - 1;
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

/* -- what a thread keeps under a key -- */

#define KEYS 32

static const void *kept[KEYS];
static int is_key[KEYS];

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) {
  (void)destroy;
  for (unsigned n = 0; n < KEYS; n++)
    if (!is_key[n]) {
      is_key[n] = 1;
      kept[n] = 0;
      *key = n;
      return 0;
    }
  __sfo_refuse("more than 32 keys of threads at a time are not supported yet");
  return EAGAIN;
}

int pthread_key_delete(pthread_key_t key) {
  if (key >= KEYS || !is_key[key])
    return EINVAL;
  is_key[key] = 0;
  return 0;
}

void *pthread_getspecific(pthread_key_t key) { return key < KEYS && is_key[key] ? (void *)kept[key] : 0; }

int pthread_setspecific(pthread_key_t key, const void *value) {
  if (key >= KEYS || !is_key[key])
    return EINVAL;
  kept[key] = value;
  return 0;
}

/* -- semaphores, whose first word is the value -- */

#define LARGEST_VALUE 2147483647

int sem_init(sem_t *semaphore, int is_shared, unsigned int value) {
  unsigned *word = (unsigned *)semaphore;
  (void)is_shared;
  if (value > LARGEST_VALUE) {
    errno = EINVAL;
    return -1;
  }
  make_zero((int *)word, sizeof *semaphore / sizeof *word);
  word[0] = value;
  return 0;
}

int sem_destroy(sem_t *semaphore) {
  unsigned value = *(unsigned *)semaphore;
  (void)value;
  return 0;
}

int sem_trywait(sem_t *semaphore) {
  unsigned *word = (unsigned *)semaphore;
  if (word[0] == 0) {
    errno = EAGAIN;
    return -1;
  }
  word[0]--;
  return 0;
}

int sem_wait(sem_t *semaphore) {
  unsigned *word = (unsigned *)semaphore;
  if (word[0] == 0)
    __sfo_refuse("waiting for ever, for a semaphore that only the waiting thread could raise, is not supported yet");
  word[0]--;
  return 0;
}

int sem_post(sem_t *semaphore) {
  unsigned *word = (unsigned *)semaphore;
  if (word[0] == LARGEST_VALUE) {
    errno = EOVERFLOW;
    return -1;
  }
  word[0]++;
  return 0;
}

int sem_getvalue(sem_t *semaphore, int *value) {
  *value = (int)*(unsigned *)semaphore;
  return 0;
}
