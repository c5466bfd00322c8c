/* Functions of <tgmath.h>: which one a macro names is seen by the size of its value, and by what it rounds to. */
#include <stdio.h>
#include <tgmath.h>

#define SHOW(call) printf("%d %.20Lg\n", (int)sizeof(call), (long double)(call))

static double twice(double (*f)(double), double x) { return 2 * f(x); }

int main(void) {
  float f = 2.0f;
  double d = 2.0;
  long double l = 2.0L;
  int n = 2;
  unsigned char c = 4;
  SHOW(sqrt(f));
  SHOW(sqrt(d));
  SHOW(sqrt(l));
  SHOW(sqrt(n));
  SHOW(sqrt(c));
  SHOW(fabs(-f));
  SHOW(floor(l / 3));
  SHOW(pow(d, n));
  SHOW(pow(f, 3.0f));
  SHOW(fmax(f, n));
  SHOW(fmax(f, f));
  SHOW(fmin(l, f));
  SHOW(fma(f, f, f));
  SHOW(fma(f, d, f));
  SHOW(copysign(f, -l));
  SHOW(ldexp(f, 3));
  SHOW(lround(f + 0.5f));
  SHOW(hypot(3, 4));
  SHOW(trunc((float)n / 3));
  int exponent;
  SHOW(frexp(f, &exponent));
  printf("%d %g\n", exponent, twice(sqrt, 2.0));
  return 0;
}
