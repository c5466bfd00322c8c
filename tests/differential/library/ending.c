/* The ways out of a program: handlers run from the last to the first, after main and by exit. */
#include <stdio.h>
#include <stdlib.h>

static int count;

static void last(void) { printf("last %d\n", count); }
static void first(void) { printf("first %d\n", ++count); }

static void leave(int status) {
  atexit(first);
  exit(status);
}

int main(void) {
  atexit(last);
  atexit(first);
  void *block = NULL;
  printf("%d\n", posix_memalign(&block, 64, 100));
  printf("%d\n", posix_memalign(&block, 3, 100) != 0);
  free(block);
  if (abs(-3) == 3)
    leave(0);
  printf("not here\n");
  return 1;
}
