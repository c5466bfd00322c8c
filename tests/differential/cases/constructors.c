/* Functions that run before main and after it, in the order of their definitions and backwards. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int nondet_int(void);

static int order[8], count, limit = 3;

static void note(int what) {
  order[count] = what;
  count++;
  printf("%d ", what);
}

__attribute__((constructor)) static void first(void) {
  note(1);
  if (nondet_int() > 5)
    limit = 2;
}

static void second(void) __attribute__((__constructor__));

static void __attribute__((destructor)) last(void) {
  note(7);
  assert(count != 6);
}

static int __attribute__((destructor, constructor)) both(void) {
  note(2);
  return count;
}

static void handler(void) { note(5); }

static void second(void) { note(limit); }

int main(void) {
  int n = nondet_int();
  note(4);
  if (n == 1)
    atexit(handler);
  if (n == 2)
    exit(3);
  if (n == 3)
    _Exit(0);
  assert(n != 4 || limit == 3);
  return n;
}
