/* Shifts of negative numbers, of narrow types, and by distances of any type. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);
long nondet_long(void);
unsigned char nondet_uchar(void);

int main(void)
{
    int i = nondet_int();
    long l = nondet_long();
    unsigned char n = nondet_uchar();
    short s = i;
    printf("%d %d %d\n", i << 1, i >> 1, i >> 31);
    printf("%ld %ld %ld\n", l << 40, l >> 40, l >> 63);
    printf("%d %u %ld\n", i << (n & 31), (unsigned)i >> (n & 31), l >> (n & 63));
    printf("%d %d\n", s << 8, s >> 3);
    printf("%d %d\n", -1 << 4, -17 >> 2);
    printf("%d %lu\n", 1 << 31, 1ul << 63);
    printf("%d\n", i << (long)(n & 15));
    s >>= 2;
    i <<= n & 7;
    printf("%d %d\n", s, i);
    assert(i >> 28 != 3);
    return 0;
}
