/* Scalars in the lowest place of a vector; with what else there is, the machine's header is read. */
#ifndef SFO_EMMINTRIN_H
#define SFO_EMMINTRIN_H
#include <xmmintrin.h>
typedef struct { double d[2]; } __m128d;
static inline __m128d _mm_set_sd(double x) { __m128d v = {{x, 0}}; return v; }
static inline __m128d _mm_load_sd(const double *p) { return _mm_set_sd(*p); }
static inline void _mm_store_sd(double *p, __m128d v) { *p = v.d[0]; }
static inline double _mm_cvtsd_f64(__m128d v) { return v.d[0]; }
static inline int _mm_cvtsd_si32(__m128d v) { return sfo_rounded(v.d[0]); }
static inline int _mm_cvttsd_si32(__m128d v) { return sfo_truncated(v.d[0]); }
#endif
