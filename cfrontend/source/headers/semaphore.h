#ifndef SFO_SEMAPHORE_H
#define SFO_SEMAPHORE_H
#include <sfo_features.h>
#include <sys/types.h>
typedef union {
#ifdef __LP64__
  char room[32];
#else
  char room[16];
#endif
  long align;
} sem_t;
#define SEM_FAILED ((sem_t *)0)
int sem_init(sem_t *semaphore, int is_shared, unsigned int value);
int sem_destroy(sem_t *semaphore);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);
#endif
