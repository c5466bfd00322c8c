/* Functions of math.h with two results or types of arguments; the surroundings of floating point that stay as they are. */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  volatile double x = 17.5, y = -5, one = 1;
  int quotient;
  double rest = remquo(x, y, &quotient);
  printf("%a %d\n", rest, quotient);
  rest = remquof(7.9f, 1, &quotient);
  printf("%a %d\n", rest, quotient);
  printf("%a %a %a\n", nexttoward(one, 0.0L), nexttoward(one, 2.0L), nexttoward(one, 1.0L));
  printf("%a %a\n", nexttoward(one, 1.0L + 0x1p-60L), (double)nexttowardf((float)one, -1.0L));
  printf("%La\n", nexttowardl(one, 2.0L));
  printf("%a %a %a\n", drem(x, y), significand(x), significand(0.0));
  printf("%d %d\n", fegetround() == FE_TONEAREST, fesetround(FE_TONEAREST));
  fenv_t kept;
  printf("%d %d\n", fegetenv(&kept), feholdexcept(&kept));
  printf("%d %d\n", fesetenv(&kept), feupdateenv(&kept));
  printf("%d %d\n", feclearexcept(FE_ALL_EXCEPT), feraiseexcept(FE_INEXACT));
  return 0;
}
