// Arithmetic of float, double and long double with the conversions between them and the integers.
#include <assert.h>
#include <stdio.h>

double __VERIFIER_nondet_double(void);
float __VERIFIER_nondet_float(void);
int __VERIFIER_nondet_int(void);

static float single(float a, float b)
{
    return a * b + 1.0f;
}

static double mixed(int n, float f, double d)
{
    return n + f * d;
}

int main(void)
{
    double d = __VERIFIER_nondet_double();
    float f = __VERIFIER_nondet_float();
    int n = __VERIFIER_nondet_int();
    long double l = d;
    double sum = d + 0.1, product = d * 3, quotient = d / 7, difference = 1 - d;
    float low = (float)d / 3, up = f * 0.1f;
    printf("%f %e %g %.17g\n", sum, product, quotient, difference);
    printf("%g %.9g %g\n", low, up, single(f, (float)n));
    printf("%.15g\n", mixed(n, f, d));
    l = l / 3 + f;
    printf("%Lg %.3Lf\n", l, l / 1e10L);
    l *= n;
    d += n;
    f -= 0.5;
    printf("%.10g %.10g %.20Lg\n", d, f, l);
    d++;
    --f;
    printf("%g %g %g\n", d, f, -d);
    if (d > -1000 && d < 1000)
        printf("%d %u %ld %d\n", (int)d, (unsigned)(d + 1000), (long)(d * 1e6), (signed char)(d / 10));
    printf("%g %g %g %Lg\n", (double)n, (float)n, (double)(unsigned)n, (long double)((unsigned long)n << 20));
    assert(sum != 2.1 || quotient > 1);
    return 0;
}
