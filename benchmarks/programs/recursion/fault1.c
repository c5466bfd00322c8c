#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static int gcd(int a, int b)
{
    if (b <= 1)
        return a;
    return gcd(b, a % b);
}

static long power(long base, int exponent)
{
    long half;
    if (exponent == 0)
        return 1;
    half = power(base, exponent / 2);
    if (exponent % 2 == 0)
        return half * half;
    return half * half * base;
}

static int digit_sum(unsigned n)
{
    if (n < 10)
        return (int)n;
    return (int)(n % 10) + digit_sum(n / 10);
}

static int is_odd(int n);

static int is_even(int n)
{
    if (n == 0)
        return 1;
    return is_odd(n - 1);
}

static int is_odd(int n)
{
    if (n == 0)
        return 0;
    return is_even(n - 1);
}

/* called with m = 1 only, or 0 from inside */
static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int e = __VERIFIER_nondet_int();
    unsigned n = __VERIFIER_nondet_uint();
    int k = __VERIFIER_nondet_int();
    int g, i;
    long p, q = 1;

    __VERIFIER_assume(a >= 1 && a <= 20);
    __VERIFIER_assume(b >= 1 && b <= 20);
    __VERIFIER_assume(e >= 0 && e <= 5);
    __VERIFIER_assume(n < 1000);
    __VERIFIER_assume(k >= 0 && k <= 3);

    g = gcd(a, b);
    printf("%d\n", g);
    assert(g >= 1 && g <= a && g <= b);
    assert(a % g == 0 && b % g == 0);

    p = power(3, e);
    for (i = 0; i < e; i++)
        q *= 3;
    printf("%ld\n", p);
    assert(p == q);

    printf("%d\n", digit_sum(n));
    assert(digit_sum(n) % 9 == (int)(n % 9));
    assert(digit_sum(n) <= 27);

    assert(is_even(k) == (k % 2 == 0));
    assert(ackermann(1, k) == k + 2);
    return 0;
}
