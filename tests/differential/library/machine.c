/* What the machine and the locale are like. */
#define _GNU_SOURCE
#include <limits.h>
#include <locale.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  struct lconv *plain = localeconv();
  printf("%s[%s]%d\n", plain->decimal_point, plain->thousands_sep, plain->int_n_sign_posn == CHAR_MAX);
  printf("%d %ld %ld %d\n", getpagesize(), sysconf(_SC_PAGESIZE), sysconf(_SC_CLK_TCK), sched_yield());
  return 0;
}
