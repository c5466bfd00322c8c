// The functions of math.h whose values are exact or rounded once.
#include <assert.h>
#include <math.h>
#include <stdio.h>

double __VERIFIER_nondet_double(void);
float __VERIFIER_nondet_float(void);
int __VERIFIER_nondet_int(void);

static const double limit = INFINITY;

int main(void)
{
    double d = __VERIFIER_nondet_double(), whole;
    float f = __VERIFIER_nondet_float();
    int n = __VERIFIER_nondet_int() % 100, power;
    long double l = f;
    printf("%g %g %g %g\n", floor(d), ceil(d), trunc(d), round(d));
    printf("%g %g %Lg\n", rintf(f), nearbyint(d), roundl(l * 0.3L));
    if (fabs(d) < 1e15)
        printf("%ld %ld %lld\n", lround(d), lrint(d), llroundl(l / 7));
    printf("%.17g %.9g\n", sqrt(fabs(d)), sqrtf(f));
    printf("%g %g %g\n", fmin(d, f), fmax(d, n), fdim(d, 2.5));
    printf("%g %g\n", copysign(d, -0.0), copysignf(f, 1));
    printf("%d%d%d%d %d\n", isnan(d) != 0, isfinite(f) != 0, isnormal(f) != 0, signbit(d) != 0, isinf(d));
    printf("%d%d%d%d\n", isless(d, f), isgreaterequal(d, n), islessgreater(d, l), isunordered(d, f));
    printf("%d %d %d\n", fpclassify(d), fpclassify(f), fpclassify(l * 0));
    printf("%d %d %d\n", __fpclassify(d), __fpclassifyf(f), __fpclassifyl(l * 0));
    printf("%d %d\n", __fpclassifyf(0x1p-130f), __fpclassify(0x1p-130f));
    printf("%g %g\n", ldexp(d, n), scalbnf(f, -n));
    printf("%g", frexp(d, &power));
    if (isfinite(d))
        printf(" %d", power);
    printf(" %g", modf(d, &whole));
    printf(" %g\n", whole);
    printf("%.17g %.9g\n", nextafter(1.5, 0), nextafterf(0, -1));
    printf("%.17g\n", fma(10, 0.1, -1));
    printf("%g %d\n", logb(d), ilogbf(f));
    printf("%g %g %g\n", fmod(d, 2.5), remainder(7.5, 2), pow(2, 10));
    printf("%.17g %.17g %.17g\n", sin(1), exp(0.5), log(10));
    assert(d != 4 || sqrt(d) != 2);
    return 0;
}
