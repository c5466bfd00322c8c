/* Complex arithmetic as gcc's own library computes it, and <complex.h>: models, to be executed symbolically. */
#include <complex.h>
#include <float.h>
#include <math.h>

/* Products and quotients. Where both parts are NaNs, infinities among the operands are recovered (C11 Annex G). */

float _Complex __mulsc3(float a, float b, float c, float d) {
  float ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc;
  if (isnan(x) && isnan(y)) {
    int recalculates = 0;
    if (isinf(a) || isinf(b)) {
      a = copysignf(isinf(a) ? 1 : 0, a);
      b = copysignf(isinf(b) ? 1 : 0, b);
      if (isnan(c))
        c = copysignf(0, c);
      if (isnan(d))
        d = copysignf(0, d);
      recalculates = 1;
    }
    if (isinf(c) || isinf(d)) {
      c = copysignf(isinf(c) ? 1 : 0, c);
      d = copysignf(isinf(d) ? 1 : 0, d);
      if (isnan(a))
        a = copysignf(0, a);
      if (isnan(b))
        b = copysignf(0, b);
      recalculates = 1;
    }
    if (!recalculates && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {
      if (isnan(a))
        a = copysignf(0, a);
      if (isnan(b))
        b = copysignf(0, b);
      if (isnan(c))
        c = copysignf(0, c);
      if (isnan(d))
        d = copysignf(0, d);
      recalculates = 1;
    }
    if (recalculates) {
      x = HUGE_VALF * (a * c - b * d);
      y = HUGE_VALF * (a * d + b * c);
    }
  }
  return __builtin_complex(x, y);
}

double _Complex __muldc3(double a, double b, double c, double d) {
  double ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc;
  if (isnan(x) && isnan(y)) {
    int recalculates = 0;
    if (isinf(a) || isinf(b)) {
      a = copysign(isinf(a) ? 1 : 0, a);
      b = copysign(isinf(b) ? 1 : 0, b);
      if (isnan(c))
        c = copysign(0, c);
      if (isnan(d))
        d = copysign(0, d);
      recalculates = 1;
    }
    if (isinf(c) || isinf(d)) {
      c = copysign(isinf(c) ? 1 : 0, c);
      d = copysign(isinf(d) ? 1 : 0, d);
      if (isnan(a))
        a = copysign(0, a);
      if (isnan(b))
        b = copysign(0, b);
      recalculates = 1;
    }
    if (!recalculates && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {
      if (isnan(a))
        a = copysign(0, a);
      if (isnan(b))
        b = copysign(0, b);
      if (isnan(c))
        c = copysign(0, c);
      if (isnan(d))
        d = copysign(0, d);
      recalculates = 1;
    }
    if (recalculates) {
      x = HUGE_VAL * (a * c - b * d);
      y = HUGE_VAL * (a * d + b * c);
    }
  }
  return __builtin_complex(x, y);
}

long double _Complex __mulxc3(long double a, long double b, long double c, long double d) {
  long double ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc;
  if (isnan(x) && isnan(y)) {
    int recalculates = 0;
    if (isinf(a) || isinf(b)) {
      a = copysignl(isinf(a) ? 1 : 0, a);
      b = copysignl(isinf(b) ? 1 : 0, b);
      if (isnan(c))
        c = copysignl(0, c);
      if (isnan(d))
        d = copysignl(0, d);
      recalculates = 1;
    }
    if (isinf(c) || isinf(d)) {
      c = copysignl(isinf(c) ? 1 : 0, c);
      d = copysignl(isinf(d) ? 1 : 0, d);
      if (isnan(a))
        a = copysignl(0, a);
      if (isnan(b))
        b = copysignl(0, b);
      recalculates = 1;
    }
    if (!recalculates && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {
      if (isnan(a))
        a = copysignl(0, a);
      if (isnan(b))
        b = copysignl(0, b);
      if (isnan(c))
        c = copysignl(0, c);
      if (isnan(d))
        d = copysignl(0, d);
      recalculates = 1;
    }
    if (recalculates) {
      x = HUGE_VALL * (a * c - b * d);
      y = HUGE_VALL * (a * d + b * c);
    }
  }
  return __builtin_complex(x, y);
}

static float _Complex __sfo_recovered_quotientf(float a, float b, float c, float d, float x, float y) {
  if (isnan(x) && isnan(y)) {
    if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) {
      x = copysignf(HUGE_VALF, c) * a;
      y = copysignf(HUGE_VALF, c) * b;
    } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
      a = copysignf(isinf(a) ? 1 : 0, a);
      b = copysignf(isinf(b) ? 1 : 0, b);
      x = HUGE_VALF * (a * c + b * d);
      y = HUGE_VALF * (b * c - a * d);
    } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {
      c = copysignf(isinf(c) ? 1 : 0, c);
      d = copysignf(isinf(d) ? 1 : 0, d);
      x = 0 * (a * c + b * d);
      y = 0 * (b * c - a * d);
    }
  }
  return __builtin_complex(x, y);
}

static double _Complex __sfo_recovered_quotient(double a, double b, double c, double d, double x, double y) {
  if (isnan(x) && isnan(y)) {
    if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) {
      x = copysign(HUGE_VAL, c) * a;
      y = copysign(HUGE_VAL, c) * b;
    } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
      a = copysign(isinf(a) ? 1 : 0, a);
      b = copysign(isinf(b) ? 1 : 0, b);
      x = HUGE_VAL * (a * c + b * d);
      y = HUGE_VAL * (b * c - a * d);
    } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {
      c = copysign(isinf(c) ? 1 : 0, c);
      d = copysign(isinf(d) ? 1 : 0, d);
      x = 0 * (a * c + b * d);
      y = 0 * (b * c - a * d);
    }
  }
  return __builtin_complex(x, y);
}

static long double _Complex __sfo_recovered_quotientl(long double a, long double b, long double c, long double d,
                                                       long double x, long double y) {
  if (isnan(x) && isnan(y)) {
    if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) {
      x = copysignl(HUGE_VALL, c) * a;
      y = copysignl(HUGE_VALL, c) * b;
    } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
      a = copysignl(isinf(a) ? 1 : 0, a);
      b = copysignl(isinf(b) ? 1 : 0, b);
      x = HUGE_VALL * (a * c + b * d);
      y = HUGE_VALL * (b * c - a * d);
    } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {
      c = copysignl(isinf(c) ? 1 : 0, c);
      d = copysignl(isinf(d) ? 1 : 0, d);
      x = 0 * (a * c + b * d);
      y = 0 * (b * c - a * d);
    }
  }
  return __builtin_complex(x, y);
}

float _Complex __divsc3(float a, float b, float c, float d) {
  double aa = a, bb = b, cc = c, dd = d, denominator = cc * cc + dd * dd;
  float x = (float)((aa * cc + bb * dd) / denominator), y = (float)((bb * cc - aa * dd) / denominator);
  return __sfo_recovered_quotientf(a, b, c, d, x, y);
}

double _Complex __divdc3(double a, double b, double c, double d) {
  const double big = DBL_MAX / 2, small = DBL_EPSILON, scale = 1 / DBL_EPSILON;
  const int is_swapped = fabs(c) < fabs(d);
  const double by = fabs(is_swapped ? d : c);
  double x, y;
  if (by >= big) {
    a /= 2;
    b /= 2;
    c /= 2;
    d /= 2;
  }
  const double now = fabs(is_swapped ? d : c), most = big * small;
  if (now < small ||
      (now < most && ((fabs(a) < DBL_MIN && fabs(b) < most) || (fabs(b) < DBL_MIN && fabs(a) < most)))) {
    a *= scale;
    b *= scale;
    c *= scale;
    d *= scale;
  }
  if (is_swapped) {
    const double ratio = c / d, denominator = c * ratio + d;
    if (fabs(ratio) > DBL_MIN) {
      x = (a * ratio + b) / denominator;
      y = (b * ratio - a) / denominator;
    } else {
      x = (c * (a / d) + b) / denominator;
      y = (c * (b / d) - a) / denominator;
    }
  } else {
    const double ratio = d / c, denominator = d * ratio + c;
    if (fabs(ratio) > DBL_MIN) {
      x = (b * ratio + a) / denominator;
      y = (b - a * ratio) / denominator;
    } else {
      x = (d * (b / c) + a) / denominator;
      y = (b - d * (a / c)) / denominator;
    }
  }
  return __sfo_recovered_quotient(a, b, c, d, x, y);
}

long double _Complex __divxc3(long double a, long double b, long double c, long double d) {
  const long double big = LDBL_MAX / 2, small = LDBL_EPSILON, scale = 1 / LDBL_EPSILON;
  const int is_swapped = fabsl(c) < fabsl(d);
  const long double by = fabsl(is_swapped ? d : c);
  long double x, y;
  if (by >= big) {
    a /= 2;
    b /= 2;
    c /= 2;
    d /= 2;
  }
  const long double now = fabsl(is_swapped ? d : c), most = big * small;
  if (now < small ||
      (now < most && ((fabsl(a) < LDBL_MIN && fabsl(b) < most) || (fabsl(b) < LDBL_MIN && fabsl(a) < most)))) {
    a *= scale;
    b *= scale;
    c *= scale;
    d *= scale;
  }
  if (is_swapped) {
    const long double ratio = c / d, denominator = c * ratio + d;
    if (fabsl(ratio) > LDBL_MIN) {
      x = (a * ratio + b) / denominator;
      y = (b * ratio - a) / denominator;
    } else {
      x = (c * (a / d) + b) / denominator;
      y = (c * (b / d) - a) / denominator;
    }
  } else {
    const long double ratio = d / c, denominator = d * ratio + c;
    if (fabsl(ratio) > LDBL_MIN) {
      x = (b * ratio + a) / denominator;
      y = (b - a * ratio) / denominator;
    } else {
      x = (d * (b / c) + a) / denominator;
      y = (b - d * (a / c)) / denominator;
    }
  }
  return __sfo_recovered_quotientl(a, b, c, d, x, y);
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
