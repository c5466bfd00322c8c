/* Semaphores of a program with one thread, which does not wait for itself. */
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <stdio.h>

static int value_of(sem_t *semaphore) {
  int value = -1;
  return sem_getvalue(semaphore, &value) == 0 ? value : -1;
}

int main(void) {
  sem_t one, other;
  printf("%d %d\n", sem_init(&one, 0, 2), sem_init(&other, 0, INT_MAX));
  printf("%d %d\n", sem_wait(&one), value_of(&one));
  printf("%d %d\n", sem_trywait(&one), value_of(&one));
  errno = 0;
  printf("%d ", sem_trywait(&one));
  printf("%d\n", errno == EAGAIN);
  printf("%d %d\n", sem_post(&one), value_of(&one));
  printf("%d ", sem_post(&other));
  printf("%d\n", errno == EOVERFLOW);
  printf("%d ", sem_init(&other, 0, INT_MAX + 1u));
  printf("%d\n", errno == EINVAL);
  printf("%d %d\n", sem_destroy(&one), sem_destroy(&other));
  return 0;
}
