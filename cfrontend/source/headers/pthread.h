#ifndef SFO_PTHREAD_H
#define SFO_PTHREAD_H
#include <sfo_features.h>
#include <stddef.h>
#include <time.h>
typedef unsigned long pthread_t;
typedef int pthread_once_t;
typedef union {
  char room[56];
  long align;
} pthread_attr_t;
typedef union {
  int word[10];
  char room[40];
  long align;
} pthread_mutex_t;
typedef union {
  int align;
  char room[4];
} pthread_mutexattr_t;
typedef union {
  int word[12];
  char room[48];
  long long align;
} pthread_cond_t;
typedef union {
  char room[4];
  int align;
} pthread_condattr_t;
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_ADAPTIVE_NP 3
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_INITIALIZER { { 0 } }
#define PTHREAD_COND_INITIALIZER { { 0 } }
#define PTHREAD_ONCE_INIT 0
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int pthread_join(pthread_t thread, void **result);
int pthread_detach(pthread_t thread);
_Noreturn void pthread_exit(void *result);
pthread_t pthread_self(void);
int pthread_equal(pthread_t left, pthread_t right);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_mutexattr_init(pthread_mutexattr_t *attributes);
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes);
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *kind);
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_once(pthread_once_t *once, void (*routine)(void));
#endif
