/* Quotients are cut towards zero; the divisor can be zero. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);
unsigned char nondet_uchar(void);

int main(void)
{
    int a = nondet_int();
    int b = (signed char)nondet_uchar();
    unsigned u = a;
    printf("%d %d %d %d\n", a / 7, a % 7, a / -7, a % -7);
    printf("%u %u\n", u / 10, u % 10);
    printf("%ld %ld\n", (long)a / 1000, (long)a % 1000);
    printf("%d\n", a / (b | 1) * (b | 1) + a % (b | 1) == a);
    printf("%d\n", 1000 / b);
    printf("%d\n", 1000 % (b - 3));
    a /= b + 1 ? b + 1 : 5;
    printf("%d\n", a);
    return 0;
}
