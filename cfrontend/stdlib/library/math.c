/* Functions of math.h that are called through pointers; where they are called by name, the front end computes them.
   Each calls itself by name. */
#include <math.h>

double acos(double x) { return acos(x); }
double acosh(double x) { return acosh(x); }
double asin(double x) { return asin(x); }
double asinh(double x) { return asinh(x); }
double atan(double x) { return atan(x); }
double atanh(double x) { return atanh(x); }
double cbrt(double x) { return cbrt(x); }
double ceil(double x) { return ceil(x); }
double cos(double x) { return cos(x); }
double cosh(double x) { return cosh(x); }
double erf(double x) { return erf(x); }
double erfc(double x) { return erfc(x); }
double exp(double x) { return exp(x); }
double exp10(double x) { return exp10(x); }
double exp2(double x) { return exp2(x); }
double expm1(double x) { return expm1(x); }
double fabs(double x) { return fabs(x); }
double floor(double x) { return floor(x); }
double lgamma(double x) { return lgamma(x); }
double log(double x) { return log(x); }
double log10(double x) { return log10(x); }
double log1p(double x) { return log1p(x); }
double log2(double x) { return log2(x); }
double logb(double x) { return logb(x); }
double nearbyint(double x) { return nearbyint(x); }
double rint(double x) { return rint(x); }
double round(double x) { return round(x); }
double roundeven(double x) { return roundeven(x); }
double sin(double x) { return sin(x); }
double sinh(double x) { return sinh(x); }
double sqrt(double x) { return sqrt(x); }
double tan(double x) { return tan(x); }
double tanh(double x) { return tanh(x); }
double tgamma(double x) { return tgamma(x); }
double trunc(double x) { return trunc(x); }
double atan2(double x, double y) { return atan2(x, y); }
double copysign(double x, double y) { return copysign(x, y); }
double fdim(double x, double y) { return fdim(x, y); }
double fmax(double x, double y) { return fmax(x, y); }
double fmin(double x, double y) { return fmin(x, y); }
double fmod(double x, double y) { return fmod(x, y); }
double hypot(double x, double y) { return hypot(x, y); }
double nextafter(double x, double y) { return nextafter(x, y); }
double pow(double x, double y) { return pow(x, y); }
double remainder(double x, double y) { return remainder(x, y); }

float acosf(float x) { return acosf(x); }
float acoshf(float x) { return acoshf(x); }
float asinf(float x) { return asinf(x); }
float asinhf(float x) { return asinhf(x); }
float atanf(float x) { return atanf(x); }
float atanhf(float x) { return atanhf(x); }
float cbrtf(float x) { return cbrtf(x); }
float ceilf(float x) { return ceilf(x); }
float cosf(float x) { return cosf(x); }
float coshf(float x) { return coshf(x); }
float erff(float x) { return erff(x); }
float erfcf(float x) { return erfcf(x); }
float expf(float x) { return expf(x); }
float exp10f(float x) { return exp10f(x); }
float exp2f(float x) { return exp2f(x); }
float expm1f(float x) { return expm1f(x); }
float fabsf(float x) { return fabsf(x); }
float floorf(float x) { return floorf(x); }
float lgammaf(float x) { return lgammaf(x); }
float logf(float x) { return logf(x); }
float log10f(float x) { return log10f(x); }
float log1pf(float x) { return log1pf(x); }
float log2f(float x) { return log2f(x); }
float logbf(float x) { return logbf(x); }
float nearbyintf(float x) { return nearbyintf(x); }
float rintf(float x) { return rintf(x); }
float roundf(float x) { return roundf(x); }
float roundevenf(float x) { return roundevenf(x); }
float sinf(float x) { return sinf(x); }
float sinhf(float x) { return sinhf(x); }
float sqrtf(float x) { return sqrtf(x); }
float tanf(float x) { return tanf(x); }
float tanhf(float x) { return tanhf(x); }
float tgammaf(float x) { return tgammaf(x); }
float truncf(float x) { return truncf(x); }
float atan2f(float x, float y) { return atan2f(x, y); }
float copysignf(float x, float y) { return copysignf(x, y); }
float fdimf(float x, float y) { return fdimf(x, y); }
float fmaxf(float x, float y) { return fmaxf(x, y); }
float fminf(float x, float y) { return fminf(x, y); }
float fmodf(float x, float y) { return fmodf(x, y); }
float hypotf(float x, float y) { return hypotf(x, y); }
float nextafterf(float x, float y) { return nextafterf(x, y); }
float powf(float x, float y) { return powf(x, y); }
float remainderf(float x, float y) { return remainderf(x, y); }
