/* Functions of <math.h> with two results or with arguments of two types: models, to be executed symbolically, that are
   made of functions that the front end computes. */
#include <float.h>
#include <math.h>

double nexttoward(double x, long double y) {
  return nextafter(x, x < y ? HUGE_VAL : x > y ? -HUGE_VAL : (double)y);
}

float nexttowardf(float x, long double y) {
  return nextafterf(x, x < y ? HUGE_VALF : x > y ? -HUGE_VALF : (float)y);
}

long double nexttowardl(long double x, long double y) { return nextafterl(x, y); }

/* The remainder, and the quotient as glibc gives it: the last three bits of its magnitude before rounding. */
double remquo(double x, double y, int *quotient) {
  double rest = fabs(x), by = fabs(y);
  if (!isfinite(x) || isnan(y) || y == 0)
    return remainder(x, y);
  int n = 0;
  if (by <= DBL_MAX / 8)
    rest = fmod(rest, 8 * by);
  if (by <= DBL_MAX / 4 && rest >= 4 * by) {
    rest -= 4 * by;
    n = 4;
  }
  if (by <= DBL_MAX / 2 && rest >= 2 * by) {
    rest -= 2 * by;
    n += 2;
  }
  int is_halved = by >= 2 * DBL_MIN;
  if (is_halved ? rest > by / 2 : rest + rest > by) {
    rest -= by;
    n++;
    if (is_halved ? rest >= by / 2 : rest + rest >= by) {
      rest -= by;
      n++;
    }
  }
  *quotient = signbit(x) != signbit(y) ? -n : n;
  return signbit(x) ? -rest : rest;
}

float remquof(float x, float y, int *quotient) { return (float)remquo(x, y, quotient); }

void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}

void sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

double drem(double x, double y) { return remainder(x, y); }
float dremf(float x, float y) { return remainderf(x, y); }
long double dreml(long double x, long double y) { return remainderl(x, y); }

/* The magnitude in [1, 2) that a number has without its exponent. */
double significand(double x) { return x == 0 || !isfinite(x) ? x : scalbn(x, -ilogb(x)); }
float significandf(float x) { return x == 0 || !isfinite(x) ? x : scalbnf(x, -ilogbf(x)); }
long double significandl(long double x) { return x == 0 || !isfinite(x) ? x : scalbnl(x, -ilogbl(x)); }
