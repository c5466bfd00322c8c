/* Complex arithmetic as gcc's own library computes it, and <complex.h>: models, to be executed symbolically. */
#include <complex.h>
#include <float.h>
#include <math.h>

/* Products and quotients: bodies of functions of a type, with the ends of the names of functions and macros for it.
   Where both parts are NaNs, infinities among the operands are recovered (C11 Annex G). */

#define PRODUCT(REAL, f, F) \
  REAL ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc; \
  if (isnan(x) && isnan(y)) { \
    int recalculates = 0; \
    if (isinf(a) || isinf(b)) { \
      a = copysign##f(isinf(a) ? 1 : 0, a); \
      b = copysign##f(isinf(b) ? 1 : 0, b); \
      if (isnan(c)) \
        c = copysign##f(0, c); \
      if (isnan(d)) \
        d = copysign##f(0, d); \
      recalculates = 1; \
    } \
    if (isinf(c) || isinf(d)) { \
      c = copysign##f(isinf(c) ? 1 : 0, c); \
      d = copysign##f(isinf(d) ? 1 : 0, d); \
      if (isnan(a)) \
        a = copysign##f(0, a); \
      if (isnan(b)) \
        b = copysign##f(0, b); \
      recalculates = 1; \
    } \
    if (!recalculates && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) { \
      if (isnan(a)) \
        a = copysign##f(0, a); \
      if (isnan(b)) \
        b = copysign##f(0, b); \
      if (isnan(c)) \
        c = copysign##f(0, c); \
      if (isnan(d)) \
        d = copysign##f(0, d); \
      recalculates = 1; \
    } \
    if (recalculates) { \
      x = HUGE_VAL##F * (a * c - b * d); \
      y = HUGE_VAL##F * (a * d + b * c); \
    } \
  } \
  return __builtin_complex(x, y);

#define RECOVERED_QUOTIENT(f, F) \
  if (isnan(x) && isnan(y)) { \
    if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) { \
      x = copysign##f(HUGE_VAL##F, c) * a; \
      y = copysign##f(HUGE_VAL##F, c) * b; \
    } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) { \
      a = copysign##f(isinf(a) ? 1 : 0, a); \
      b = copysign##f(isinf(b) ? 1 : 0, b); \
      x = HUGE_VAL##F * (a * c + b * d); \
      y = HUGE_VAL##F * (b * c - a * d); \
    } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) { \
      c = copysign##f(isinf(c) ? 1 : 0, c); \
      d = copysign##f(isinf(d) ? 1 : 0, d); \
      x = 0 * (a * c + b * d); \
      y = 0 * (b * c - a * d); \
    } \
  } \
  return __builtin_complex(x, y);

#define QUOTIENT(REAL, f, F, PRECISION) \
  const REAL big = PRECISION##_MAX / 2, small = PRECISION##_EPSILON, scale = 1 / PRECISION##_EPSILON; \
  const int is_swapped = fabs##f(c) < fabs##f(d); \
  const REAL by = fabs##f(is_swapped ? d : c); \
  REAL x, y; \
  if (by >= big) { \
    a /= 2; \
    b /= 2; \
    c /= 2; \
    d /= 2; \
  } \
  const REAL now = fabs##f(is_swapped ? d : c), most = big * small; \
  if (now < small || \
      (now < most && ((fabs##f(a) < PRECISION##_MIN && fabs##f(b) < most) || \
                      (fabs##f(b) < PRECISION##_MIN && fabs##f(a) < most)))) { \
    a *= scale; \
    b *= scale; \
    c *= scale; \
    d *= scale; \
  } \
  if (is_swapped) { \
    const REAL ratio = c / d, denominator = c * ratio + d; \
    if (fabs##f(ratio) > PRECISION##_MIN) { \
      x = (a * ratio + b) / denominator; \
      y = (b * ratio - a) / denominator; \
    } else { \
      x = (c * (a / d) + b) / denominator; \
      y = (c * (b / d) - a) / denominator; \
    } \
  } else { \
    const REAL ratio = d / c, denominator = d * ratio + c; \
    if (fabs##f(ratio) > PRECISION##_MIN) { \
      x = (b * ratio + a) / denominator; \
      y = (b - a * ratio) / denominator; \
    } else { \
      x = (d * (b / c) + a) / denominator; \
      y = (b - d * (a / c)) / denominator; \
    } \
  } \
  RECOVERED_QUOTIENT(f, F)

float _Complex __mulsc3(float a, float b, float c, float d) { PRODUCT(float, f, F) }
double _Complex __muldc3(double a, double b, double c, double d) { PRODUCT(double, , ) }
long double _Complex __mulxc3(long double a, long double b, long double c, long double d) { PRODUCT(long double, l, L) }

float _Complex __divsc3(float a, float b, float c, float d) {
  double aa = a, bb = b, cc = c, dd = d, denominator = cc * cc + dd * dd;
  float x = (float)((aa * cc + bb * dd) / denominator), y = (float)((bb * cc - aa * dd) / denominator);
  RECOVERED_QUOTIENT(f, F)
}

double _Complex __divdc3(double a, double b, double c, double d) { QUOTIENT(double, , , DBL) }
long double _Complex __divxc3(long double a, long double b, long double c, long double d) {
  QUOTIENT(long double, l, L, LDBL)
}

float crealf(float _Complex z) { return __real__ z; }
float cimagf(float _Complex z) { return __imag__ z; }
float _Complex conjf(float _Complex z) { return ~z; }
float cabsf(float _Complex z) { return hypotf(__real__ z, __imag__ z); }
float cargf(float _Complex z) { return atan2f(__imag__ z, __real__ z); }
float _Complex cprojf(float _Complex z) {
  if (!isinf(__real__ z) && !isinf(__imag__ z))
    return z;
  return __builtin_complex(HUGE_VALF, copysignf(0, __imag__ z));
}

double creal(double _Complex z) { return __real__ z; }
double cimag(double _Complex z) { return __imag__ z; }
double _Complex conj(double _Complex z) { return ~z; }
double cabs(double _Complex z) { return hypot(__real__ z, __imag__ z); }
double carg(double _Complex z) { return atan2(__imag__ z, __real__ z); }
double _Complex cproj(double _Complex z) {
  if (!isinf(__real__ z) && !isinf(__imag__ z))
    return z;
  return __builtin_complex(HUGE_VAL, copysign(0, __imag__ z));
}

long double creall(long double _Complex z) { return __real__ z; }
long double cimagl(long double _Complex z) { return __imag__ z; }
long double _Complex conjl(long double _Complex z) { return ~z; }
long double cabsl(long double _Complex z) { return hypotl(__real__ z, __imag__ z); }
long double cargl(long double _Complex z) { return atan2l(__imag__ z, __real__ z); }
long double _Complex cprojl(long double _Complex z) {
  if (!isinf(__real__ z) && !isinf(__imag__ z))
    return z;
  return __builtin_complex(HUGE_VALL, copysignl(0, __imag__ z));
}
