/* Every floating-point operation that cfrontend.terms.floats models, on arrays of operands given as bits.

   A record is three operands of 16 bytes; a result is 16 bytes. Compiled by the tests without optimisation. */
#include <fenv.h>
#include <math.h>
#include <string.h>

typedef float F;
typedef double D;
typedef long double L;

#define BATCH(NAME, T, R, EXPRESSION)                                                                        \
  void NAME(const unsigned char *in, unsigned char *out, long count) {                                       \
    for (long i = 0; i < count; i++) {                                                                       \
      T a, b, c;                                                                                             \
      long n;                                                                                                \
      R r;                                                                                                   \
      memcpy(&a, in + 48 * i, sizeof a);                                                                     \
      memcpy(&b, in + 48 * i + 16, sizeof b);                                                                \
      memcpy(&c, in + 48 * i + 32, sizeof c);                                                                \
      memcpy(&n, in + 48 * i + 16, sizeof n);                                                                \
      memset(&r, 0, sizeof r);                                                                               \
      r = EXPRESSION;                                                                                        \
      memcpy(out + 16 * i, &r, sizeof r > 10 ? 10 : sizeof r);                                               \
    }                                                                                                        \
  }

#define INTEGER(NAME, T, I)                                                                                  \
  BATCH(T##_to_##NAME, T, I, (I)a)                                                                           \
  void NAME##_to_##T(const unsigned char *in, unsigned char *out, long count) {                              \
    for (long i = 0; i < count; i++) {                                                                       \
      I n;                                                                                                   \
      T r;                                                                                                   \
      memcpy(&n, in + 48 * i, sizeof n);                                                                     \
      r = (T)n;                                                                                              \
      memcpy(out + 16 * i, &r, sizeof r > 10 ? 10 : sizeof r);                                               \
    }                                                                                                        \
  }

#define FORMAT(T, S)                                                                                         \
  BATCH(T##_add, T, T, a + b)                                                                                \
  BATCH(T##_subtract, T, T, a - b)                                                                           \
  BATCH(T##_multiply, T, T, a *b)                                                                            \
  BATCH(T##_divide, T, T, a / b)                                                                             \
  BATCH(T##_negate, T, T, -a)                                                                                \
  BATCH(T##_square_root, T, T, sqrt##S(a))                                                                   \
  BATCH(T##_fused, T, T, fma##S(a, b, c))                                                                    \
  BATCH(T##_truncated_remainder, T, T, fmod##S(a, b))                                                        \
  BATCH(T##_nearest_remainder, T, T, remainder##S(a, b))                                                     \
  BATCH(T##_equal, T, int, a == b)                                                                           \
  BATCH(T##_less, T, int, a < b)                                                                             \
  BATCH(T##_less_equal, T, int, a <= b)                                                                      \
  BATCH(T##_greater, T, int, a > b)                                                                          \
  BATCH(T##_not_equal, T, int, a != b)                                                                       \
  BATCH(T##_to_F, T, F, (F)a)                                                                                \
  BATCH(T##_to_D, T, D, (D)a)                                                                                \
  BATCH(T##_to_L, T, L, (L)a)                                                                                \
  BATCH(T##_floor, T, T, floor##S(a))                                                                        \
  BATCH(T##_ceil, T, T, ceil##S(a))                                                                          \
  BATCH(T##_trunc, T, T, trunc##S(a))                                                                        \
  BATCH(T##_round, T, T, round##S(a))                                                                        \
  BATCH(T##_rint, T, T, rint##S(a))                                                                          \
  BATCH(T##_lround, T, long, lround##S(a))                                                                   \
  BATCH(T##_lrint, T, long, lrint##S(a))                                                                     \
  BATCH(T##_scale, T, T, ldexp##S(a, (int)n))                                                                \
  BATCH(T##_next, T, T, nextafter##S(a, b))                                                                  \
  BATCH(T##_fmin, T, T, fmin##S(a, b))                                                                       \
  BATCH(T##_fmax, T, T, fmax##S(a, b))                                                                       \
  BATCH(T##_fdim, T, T, fdim##S(a, b))                                                                       \
  BATCH(T##_copysign, T, T, copysign##S(a, b))                                                               \
  BATCH(T##_fabs, T, T, fabs##S(a))                                                                          \
  BATCH(T##_logb, T, T, logb##S(a))                                                                          \
  BATCH(T##_ilogb, T, int, ilogb##S(a))                                                                      \
  BATCH(T##_frexp, T, T, ({ int e; frexp##S(a, &e); }))                                                      \
  BATCH(T##_frexp_exponent, T, int, ({ int e; frexp##S(a, &e); e; }))                                        \
  BATCH(T##_modf, T, T, ({ T w; modf##S(a, &w); }))                                                          \
  BATCH(T##_isnan, T, int, isnan(a) != 0)                                                                    \
  BATCH(T##_isinf, T, int, isinf(a) != 0)                                                                    \
  BATCH(T##_isfinite, T, int, isfinite(a) != 0)                                                              \
  BATCH(T##_isnormal, T, int, isnormal(a) != 0)                                                              \
  BATCH(T##_signbit, T, int, signbit(a) != 0)                                                                \
  BATCH(T##_to_bool, T, _Bool, (_Bool)a)                                                                     \
  INTEGER(int8, T, signed char)                                                                              \
  INTEGER(uint8, T, unsigned char)                                                                           \
  INTEGER(int16, T, short)                                                                                   \
  INTEGER(uint16, T, unsigned short)                                                                         \
  INTEGER(int32, T, int)                                                                                     \
  INTEGER(uint32, T, unsigned)                                                                               \
  INTEGER(int64, T, long)                                                                                    \
  INTEGER(uint64, T, unsigned long)

FORMAT(F, f)
FORMAT(D, )
FORMAT(L, l)
