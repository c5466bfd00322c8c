// Functions of math.h that are called through pointers.
#include <assert.h>
#include <math.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);

static double sum(double (*function)(double), int count, double step)
{
    double total = 0;
    for (int n = 0; n < count; n++)
        total += function(n * step);
    return total;
}

static const struct {
    const char *name;
    double (*of)(double);
} table[] = {{"sin", sin}, {"sqrt", sqrt}, {"floor", floor}};

static double power(double (*two)(double, double), float (*one)(float), double x)
{
    return two(x, 3) + one(2.25f);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 6)
        return 1;
    for (int k = 0; k < 3; k++)
        printf("%s %g\n", table[k].name, sum(table[k].of, 4, 0.75));
    printf("%g\n", power(pow, sqrtf, 1.5));
    assert(table[1].of(n) < 2.5 || n > 6);
    return (int)table[2].of(n / 2.0);
}
