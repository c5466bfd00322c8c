// Comparisons, truth, conversion to _Bool and NaNs.
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>

double __VERIFIER_nondet_double(void);
float __VERIFIER_nondet_float(void);

static int order(double a, double b)
{
    if (a < b)
        return -1;
    if (a > b)
        return 1;
    if (a == b)
        return 0;
    return 2;
}

int main(void)
{
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
    float f = __VERIFIER_nondet_float();
    bool truth = f;
    long double l = f;
    int count = 0;
    printf("%d %d %d\n", order(a, b), order(f, b), order(a, a));
    printf("%d%d%d%d%d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b);
    printf("%d%d%d%d%d%d\n", l < b, l <= b, l > b, l >= b, l == b, l != b);
    printf("%d %d %d %d\n", truth, !a, a && f, b || 0.0);
    if (f)
        count += 1;
    if (!(a != a))
        count += 2;
    while (b > 0.5 && count < 40) {
        b /= 2;
        count += 4;
    }
    for (f = 0; f < 1; f += 0.25f)
        count += 100;
    do
        count++;
    while (a && count < 300);
    printf("%d %g\n", count, a ? b : f);
    assert(order(a, b) != 1 || count % 2 || a > 15);
    return 0;
}
