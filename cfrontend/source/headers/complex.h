#ifndef SFO_COMPLEX_H
#define SFO_COMPLEX_H
#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#undef I
#define I _Complex_I
#if __STDC_VERSION__ >= 201112L
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))
#define CMPLXL(x, y) __builtin_complex((long double)(x), (long double)(y))
#endif
/* Each function in three types. */
#define SFO_COMPLEX_FUNCTIONS(REAL, f) \
    REAL creal##f(REAL _Complex z); \
    REAL cimag##f(REAL _Complex z); \
    REAL cabs##f(REAL _Complex z); \
    REAL carg##f(REAL _Complex z); \
    REAL _Complex conj##f(REAL _Complex z); \
    REAL _Complex cproj##f(REAL _Complex z); \
    REAL _Complex cexp##f(REAL _Complex z); \
    REAL _Complex clog##f(REAL _Complex z); \
    REAL _Complex csqrt##f(REAL _Complex z); \
    REAL _Complex csin##f(REAL _Complex z); \
    REAL _Complex ccos##f(REAL _Complex z); \
    REAL _Complex ctan##f(REAL _Complex z); \
    REAL _Complex csinh##f(REAL _Complex z); \
    REAL _Complex ccosh##f(REAL _Complex z); \
    REAL _Complex ctanh##f(REAL _Complex z); \
    REAL _Complex casin##f(REAL _Complex z); \
    REAL _Complex cacos##f(REAL _Complex z); \
    REAL _Complex catan##f(REAL _Complex z); \
    REAL _Complex casinh##f(REAL _Complex z); \
    REAL _Complex cacosh##f(REAL _Complex z); \
    REAL _Complex catanh##f(REAL _Complex z); \
    REAL _Complex cpow##f(REAL _Complex x, REAL _Complex y);
SFO_COMPLEX_FUNCTIONS(double, )
SFO_COMPLEX_FUNCTIONS(float, f)
SFO_COMPLEX_FUNCTIONS(long double, l)
#undef SFO_COMPLEX_FUNCTIONS
#endif
