// Functions that have a value of constants only, of integers that depend on inputs.
#include <assert.h>
#include <math.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int() % 1000, k = __VERIFIER_nondet_int();
    int sum = 0, digits = 0;
    float f;
    if (n < 0 || k < -30 || k > 30)
        return 1;
    for (int rest = n; rest > 0; rest /= 10)
        digits++;
    for (int rest = n; rest > 0; rest /= 10)
        sum += pow(rest % 10, digits);
    f = k;
    printf("%d %g %.9g %.3g\n", sum, pow(2, k), sin(k) + exp((unsigned char)k % 4), log10(f));
    assert(sum != n || n < 10);
    assert(fmod(k, n % 3 + 1) == k % (n % 3 + 1));
    return (int)pow(n % 5, k % 3);
}
