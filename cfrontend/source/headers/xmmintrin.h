/* Scalars in the lowest place of a vector; with what else there is, the machine's header is read. */
#ifndef SFO_XMMINTRIN_H
#define SFO_XMMINTRIN_H
#include <limits.h>
typedef struct { float f[4]; } __m128;
static inline __m128 _mm_set_ss(float x) { __m128 v = {{x, 0, 0, 0}}; return v; }
static inline __m128 _mm_load_ss(const float *p) { return _mm_set_ss(*p); }
static inline void _mm_store_ss(float *p, __m128 v) { *p = v.f[0]; }
static inline float _mm_cvtss_f32(__m128 v) { return v.f[0]; }
/* What does not fit is the smallest number. */
static inline int sfo_rounded(double x)
{
    extern long long llrint(double);
    long long n = x > -0x1p40 && x < 0x1p40 ? llrint(x) : INT_MIN;
    return n >= INT_MIN && n <= INT_MAX ? (int)n : INT_MIN;
}
static inline int sfo_truncated(double x) { return x > -0x1p31 - 1 && x < 0x1p31 ? (int)x : INT_MIN; }
static inline int _mm_cvtss_si32(__m128 v) { return sfo_rounded(v.f[0]); }
static inline int _mm_cvttss_si32(__m128 v) { return sfo_truncated(v.f[0]); }
#endif
