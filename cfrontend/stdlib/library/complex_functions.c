/* Functions of <complex.h> with the formulas of glibc: models, to be executed symbolically, that are made of functions
   of <math.h>, which the libm of this machine computes. */
#include <complex.h>
#include <float.h>
#include <math.h>

float _Complex cexpf(float _Complex z) {
  const int most = (int)((FLT_MAX_EXP - 1) * 0.693147180559945309417232121458176568f);
  float x = __real__ z, y = __imag__ z;
  if (isnan(x))
    return __builtin_complex(x, y == 0 ? y : NAN);
  if (!isfinite(y)) {
    if (isinf(x) && signbit(x))
      return __builtin_complex((float)0, copysignf(0, y));
    return __builtin_complex(isinf(x) ? HUGE_VALF : NAN, y - y);
  }
  float sine = y, cosine = 1;
  if (fabsf(y) > FLT_MIN) {
    sine = sinf(y);
    cosine = cosf(y);
  }
  if (isinf(x)) {
    const float value = signbit(x) ? 0 : HUGE_VALF;
    return y == 0 ? __builtin_complex(value, y) : __builtin_complex(copysignf(value, cosine), copysignf(value, sine));
  }
  for (int n = 0; n < 2 && x > most; n++) {
    const float factor = expf(most);
    x -= most;
    sine *= factor;
    cosine *= factor;
  }
  const float size = x > most ? FLT_MAX : expf(x);
  return __builtin_complex(size * cosine, size * sine);
}

float _Complex csqrtf(float _Complex z) {
  float x = __real__ z, y = __imag__ z;
  if (isinf(y))
    return __builtin_complex(HUGE_VALF, y);
  if (isinf(x) && signbit(x))
    return __builtin_complex(isnan(y) ? NAN : 0, copysignf(HUGE_VALF, y));
  if (isinf(x))
    return __builtin_complex(x, isnan(y) ? NAN : copysignf(0, y));
  if (isnan(x) || isnan(y))
    return __builtin_complex(NAN, NAN);
  if (y == 0 && x < 0)
    return __builtin_complex((float)0, copysignf(sqrtf(-x), y));
  if (y == 0)
    return __builtin_complex(fabsf(sqrtf(x)), copysignf(0, y));
  if (x == 0) {
    const float root = fabsf(y) >= 2 * FLT_MIN ? sqrtf(0.5f * fabsf(y)) : 0.5f * sqrtf(2 * fabsf(y));
    return __builtin_complex(root, copysignf(root, y));
  }
  int scale = 0;
  if (fabsf(x) > FLT_MAX / 4) {
    scale = 1;
    x = scalbnf(x, -2);
    y = scalbnf(y, -2);
  } else if (fabsf(y) > FLT_MAX / 4) {
    scale = 1;
    x = fabsf(x) >= 4 * FLT_MIN ? scalbnf(x, -2) : 0;
    y = scalbnf(y, -2);
  } else if (fabsf(x) < 2 * FLT_MIN && fabsf(y) < 2 * FLT_MIN) {
    scale = -((FLT_MANT_DIG + 1) / 2);
    x = scalbnf(x, -2 * scale);
    y = scalbnf(y, -2 * scale);
  }
  const float size = hypotf(x, y), large = sqrtf(0.5f * (size + fabsf(x)));
  float real = large, imaginary = large;
  const int is_scaled = scale == 1 && fabsf(y) < 2;
  const float small = is_scaled ? y / large : 0.5f * (y / large);
  if (x > 0) {
    real = scalbnf(large, scale);
    imaginary = is_scaled ? small : scalbnf(small, scale);
  } else {
    real = is_scaled ? fabsf(small) : scalbnf(fabsf(small), scale);
    imaginary = scalbnf(large, scale);
  }
  return __builtin_complex(real, copysignf(imaginary, y));
}

static float __sfo_square_less_onef(float x, float y) {
  const double wide = x, high = y;
  return (float)(wide * wide + high * high - 1);
}

float _Complex clogf(float _Complex z) {
  const float x = __real__ z, y = __imag__ z;
  if (x == 0 && y == 0)
    return __builtin_complex(-1 / fabsf(x), copysignf(signbit(x) ? 3.14159265358979323846264338327950288f : 0, y));
  if (isnan(x) || isnan(y))
    return __builtin_complex(isinf(x) || isinf(y) ? HUGE_VALF : NAN, NAN);
  float large = fmaxf(fabsf(x), fabsf(y)), small = fminf(fabsf(x), fabsf(y)), real;
  int scale = 0;
  if (large > FLT_MAX / 2) {
    scale = -1;
    large = scalbnf(large, scale);
    small = small >= FLT_MIN * 2 ? scalbnf(small, scale) : 0;
  } else if (large < FLT_MIN && small < FLT_MIN) {
    scale = FLT_MANT_DIG;
    large = scalbnf(large, scale);
    small = scalbnf(small, scale);
  }
  if (large == 1 && scale == 0) {
    real = log1pf(small * small) / 2;
  } else if (large > 1 && large < 2 && small < 1 && scale == 0) {
    float square = (large - 1) * (large + 1);
    if (small >= FLT_EPSILON)
      square += small * small;
    real = log1pf(square) / 2;
  } else if (large < 1 && large >= 0.5f && small < FLT_EPSILON / 2 && scale == 0) {
    real = log1pf((large - 1) * (large + 1)) / 2;
  } else if (large < 1 && large >= 0.5f && scale == 0 && large * large + small * small >= 0.5f) {
    real = log1pf(__sfo_square_less_onef(large, small)) / 2;
  } else {
    real = logf(hypotf(large, small)) - scale * 0.693147180559945309417232121458176568f;
  }
  return __builtin_complex(real, atan2f(y, x));
}

float _Complex cpowf(float _Complex x, float _Complex y) {
  const float _Complex l = clogf(x);
  return cexpf(__mulsc3(__real__ y, __imag__ y, __real__ l, __imag__ l));
}

double _Complex cexp(double _Complex z) {
  const int most = (int)((DBL_MAX_EXP - 1) * 0.693147180559945309417232121458176568);
  double x = __real__ z, y = __imag__ z;
  if (isnan(x))
    return __builtin_complex(x, y == 0 ? y : (double)NAN);
  if (!isfinite(y)) {
    if (isinf(x) && signbit(x))
      return __builtin_complex((double)0, copysign(0, y));
    return __builtin_complex(isinf(x) ? HUGE_VAL : (double)NAN, y - y);
  }
  double sine = y, cosine = 1;
  if (fabs(y) > DBL_MIN) {
    sine = sin(y);
    cosine = cos(y);
  }
  if (isinf(x)) {
    const double value = signbit(x) ? 0 : HUGE_VAL;
    return y == 0 ? __builtin_complex(value, y) : __builtin_complex(copysign(value, cosine), copysign(value, sine));
  }
  for (int n = 0; n < 2 && x > most; n++) {
    const double factor = exp(most);
    x -= most;
    sine *= factor;
    cosine *= factor;
  }
  const double size = x > most ? DBL_MAX : exp(x);
  return __builtin_complex(size * cosine, size * sine);
}

double _Complex csqrt(double _Complex z) {
  double x = __real__ z, y = __imag__ z;
  if (isinf(y))
    return __builtin_complex(HUGE_VAL, y);
  if (isinf(x) && signbit(x))
    return __builtin_complex(isnan(y) ? (double)NAN : 0, copysign(HUGE_VAL, y));
  if (isinf(x))
    return __builtin_complex(x, isnan(y) ? (double)NAN : copysign(0, y));
  if (isnan(x) || isnan(y))
    return __builtin_complex((double)NAN, (double)NAN);
  if (y == 0 && x < 0)
    return __builtin_complex((double)0, copysign(sqrt(-x), y));
  if (y == 0)
    return __builtin_complex(fabs(sqrt(x)), copysign(0, y));
  if (x == 0) {
    const double root = fabs(y) >= 2 * DBL_MIN ? sqrt(0.5 * fabs(y)) : 0.5 * sqrt(2 * fabs(y));
    return __builtin_complex(root, copysign(root, y));
  }
  int scale = 0;
  if (fabs(x) > DBL_MAX / 4) {
    scale = 1;
    x = scalbn(x, -2);
    y = scalbn(y, -2);
  } else if (fabs(y) > DBL_MAX / 4) {
    scale = 1;
    x = fabs(x) >= 4 * DBL_MIN ? scalbn(x, -2) : 0;
    y = scalbn(y, -2);
  } else if (fabs(x) < 2 * DBL_MIN && fabs(y) < 2 * DBL_MIN) {
    scale = -((DBL_MANT_DIG + 1) / 2);
    x = scalbn(x, -2 * scale);
    y = scalbn(y, -2 * scale);
  }
  const double size = hypot(x, y), large = sqrt(0.5 * (size + fabs(x)));
  double real = large, imaginary = large;
  const int is_scaled = scale == 1 && fabs(y) < 2;
  const double small = is_scaled ? y / large : 0.5 * (y / large);
  if (x > 0) {
    real = scalbn(large, scale);
    imaginary = is_scaled ? small : scalbn(small, scale);
  } else {
    real = is_scaled ? fabs(small) : scalbn(fabs(small), scale);
    imaginary = scalbn(large, scale);
  }
  return __builtin_complex(real, copysign(imaginary, y));
}

/* x * x + y * y - 1, rounded nearly once: the exact products and 1 are added from the least to the greatest. */
static double __sfo_square_less_one(double x, double y) {
  double v[5] = {fma(x, x, -(x * x)), x * x, fma(y, y, -(y * y)), y * y, -1};
  for (int n = 0; n < 5; n++) {
    if (n > 0) {
      const double sum = v[n] + v[n - 1];
      v[n - 1] = (v[n] - sum) + v[n - 1];
      v[n] = sum;
    }
    for (int k = n + 1; k < 5; k++)
      for (int m = k; m > n && fabs(v[m]) < fabs(v[m - 1]); m--) {
        const double moved = v[m];
        v[m] = v[m - 1];
        v[m - 1] = moved;
      }
  }
  return v[4] + v[3] + v[2] + v[1] + v[0];
}

double _Complex clog(double _Complex z) {
  const double x = __real__ z, y = __imag__ z;
  if (x == 0 && y == 0)
    return __builtin_complex(-1 / fabs(x), copysign(signbit(x) ? 3.14159265358979323846264338327950288 : 0, y));
  if (isnan(x) || isnan(y))
    return __builtin_complex(isinf(x) || isinf(y) ? HUGE_VAL : (double)NAN, (double)NAN);
  double large = fmax(fabs(x), fabs(y)), small = fmin(fabs(x), fabs(y)), real;
  int scale = 0;
  if (large > DBL_MAX / 2) {
    scale = -1;
    large = scalbn(large, scale);
    small = small >= DBL_MIN * 2 ? scalbn(small, scale) : 0;
  } else if (large < DBL_MIN && small < DBL_MIN) {
    scale = DBL_MANT_DIG;
    large = scalbn(large, scale);
    small = scalbn(small, scale);
  }
  if (large == 1 && scale == 0) {
    real = log1p(small * small) / 2;
  } else if (large > 1 && large < 2 && small < 1 && scale == 0) {
    double square = (large - 1) * (large + 1);
    if (small >= DBL_EPSILON)
      square += small * small;
    real = log1p(square) / 2;
  } else if (large < 1 && large >= 0.5 && small < DBL_EPSILON / 2 && scale == 0) {
    real = log1p((large - 1) * (large + 1)) / 2;
  } else if (large < 1 && large >= 0.5 && scale == 0 && large * large + small * small >= 0.5) {
    real = log1p(__sfo_square_less_one(large, small)) / 2;
  } else {
    real = log(hypot(large, small)) - scale * 0.693147180559945309417232121458176568;
  }
  return __builtin_complex(real, atan2(y, x));
}

double _Complex cpow(double _Complex x, double _Complex y) {
  const double _Complex l = clog(x);
  return cexp(__muldc3(__real__ y, __imag__ y, __real__ l, __imag__ l));
}

/* A direction times the half of exp(x), for large x: what the hyperbolic functions are there. */
static float _Complex __sfo_half_expf(float x, float real, float imaginary) {
  const int most = (int)((FLT_MAX_EXP - 1) * 0.693147180559945309417232121458176568f);
  const float factor = expf(most);
  x -= most;
  real *= factor / 2;
  imaginary *= factor / 2;
  if (x > most) {
    x -= most;
    real *= factor;
    imaginary *= factor;
  }
  const float size = x > most ? FLT_MAX : expf(x);
  return __builtin_complex(size * real, size * imaginary);
}

float _Complex csinhf(float _Complex z) {
  const int most = (int)((FLT_MAX_EXP - 1) * 0.693147180559945309417232121458176568f);
  const int negative = signbit(__real__ z) != 0;
  const float x = fabsf(__real__ z), y = __imag__ z, sign = negative ? -1 : 1;
  if (isnan(x))
    return __builtin_complex(NAN, y == 0 ? y : NAN);
  if (!isfinite(y) && isinf(x))
    return __builtin_complex(HUGE_VALF, y - y);
  if (!isfinite(y))
    return __builtin_complex(x == 0 ? copysignf(0, sign) : NAN, x == 0 ? y - y : NAN);
  if (isinf(x) && y == 0)
    return __builtin_complex(sign * HUGE_VALF, y);
  float sine = y, cosine = 1;
  if (fabsf(y) > FLT_MIN) {
    sine = sinf(y);
    cosine = cosf(y);
  }
  if (isinf(x))
    return __builtin_complex(sign * copysignf(HUGE_VALF, cosine), copysignf(HUGE_VALF, sine));
  cosine *= sign;
  if (x > most)
    return __sfo_half_expf(x, cosine, sine);
  return __builtin_complex(sinhf(x) * cosine, coshf(x) * sine);
}

float _Complex ccoshf(float _Complex z) {
  const int most = (int)((FLT_MAX_EXP - 1) * 0.693147180559945309417232121458176568f);
  const float x = __real__ z, y = __imag__ z;
  if (isnan(x))
    return __builtin_complex(NAN, y == 0 ? y : NAN);
  if (!isfinite(y) && isinf(x))
    return __builtin_complex(HUGE_VALF, y - y);
  if (!isfinite(y))
    return __builtin_complex(y - y, x == 0 ? 0 : NAN);
  if (isinf(x) && y == 0)
    return __builtin_complex(HUGE_VALF, y * copysignf(1, x));
  float sine = y, cosine = 1;
  if (fabsf(y) > FLT_MIN) {
    sine = sinf(y);
    cosine = cosf(y);
  }
  if (isinf(x))
    return __builtin_complex(copysignf(HUGE_VALF, cosine), copysignf(HUGE_VALF, sine) * copysignf(1, x));
  if (fabsf(x) > most)
    return __sfo_half_expf(fabsf(x), cosine, signbit(x) ? -sine : sine);
  return __builtin_complex(coshf(x) * cosine, sinhf(x) * sine);
}

float _Complex csinf(float _Complex z) {
  const float _Complex turned = csinhf(__builtin_complex(__imag__ z, __real__ z));
  return __builtin_complex(__imag__ turned, __real__ turned);
}

float _Complex ccosf(float _Complex z) { return ccoshf(__builtin_complex(-__imag__ z, __real__ z)); }

static double _Complex __sfo_half_exp(double x, double real, double imaginary) {
  const int most = (int)((DBL_MAX_EXP - 1) * 0.693147180559945309417232121458176568);
  const double factor = exp(most);
  x -= most;
  real *= factor / 2;
  imaginary *= factor / 2;
  if (x > most) {
    x -= most;
    real *= factor;
    imaginary *= factor;
  }
  const double size = x > most ? DBL_MAX : exp(x);
  return __builtin_complex(size * real, size * imaginary);
}

double _Complex csinh(double _Complex z) {
  const int most = (int)((DBL_MAX_EXP - 1) * 0.693147180559945309417232121458176568);
  const int negative = signbit(__real__ z) != 0;
  const double x = fabs(__real__ z), y = __imag__ z, sign = negative ? -1 : 1;
  if (isnan(x))
    return __builtin_complex((double)NAN, y == 0 ? y : (double)NAN);
  if (!isfinite(y) && isinf(x))
    return __builtin_complex(HUGE_VAL, y - y);
  if (!isfinite(y))
    return __builtin_complex(x == 0 ? copysign(0, sign) : (double)NAN, x == 0 ? y - y : (double)NAN);
  if (isinf(x) && y == 0)
    return __builtin_complex(sign * HUGE_VAL, y);
  double sine = y, cosine = 1;
  if (fabs(y) > DBL_MIN) {
    sine = sin(y);
    cosine = cos(y);
  }
  if (isinf(x))
    return __builtin_complex(sign * copysign(HUGE_VAL, cosine), copysign(HUGE_VAL, sine));
  cosine *= sign;
  if (x > most)
    return __sfo_half_exp(x, cosine, sine);
  return __builtin_complex(sinh(x) * cosine, cosh(x) * sine);
}

double _Complex ccosh(double _Complex z) {
  const int most = (int)((DBL_MAX_EXP - 1) * 0.693147180559945309417232121458176568);
  const double x = __real__ z, y = __imag__ z;
  if (isnan(x))
    return __builtin_complex((double)NAN, y == 0 ? y : (double)NAN);
  if (!isfinite(y) && isinf(x))
    return __builtin_complex(HUGE_VAL, y - y);
  if (!isfinite(y))
    return __builtin_complex(y - y, x == 0 ? 0 : (double)NAN);
  if (isinf(x) && y == 0)
    return __builtin_complex(HUGE_VAL, y * copysign(1, x));
  double sine = y, cosine = 1;
  if (fabs(y) > DBL_MIN) {
    sine = sin(y);
    cosine = cos(y);
  }
  if (isinf(x))
    return __builtin_complex(copysign(HUGE_VAL, cosine), copysign(HUGE_VAL, sine) * copysign(1, x));
  if (fabs(x) > most)
    return __sfo_half_exp(fabs(x), cosine, signbit(x) ? -sine : sine);
  return __builtin_complex(cosh(x) * cosine, sinh(x) * sine);
}

double _Complex csin(double _Complex z) {
  const double _Complex turned = csinh(__builtin_complex(__imag__ z, __real__ z));
  return __builtin_complex(__imag__ turned, __real__ turned);
}

double _Complex ccos(double _Complex z) { return ccosh(__builtin_complex(-__imag__ z, __real__ z)); }
