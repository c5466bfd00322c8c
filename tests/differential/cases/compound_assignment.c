/* op= converts to the common type and back; the place is evaluated once. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int at;

static int *place(int *a)
{
    at++;
    return a + at;
}

int main(void)
{
    int x = nondet_int(), a[6] = { 1, 2, 3, 4, 5, 6 };
    unsigned char c = 200;
    short s = -5;
    unsigned u = 7;
    long l = x;
    c += x;
    s *= x;
    u -= x;
    l <<= 3;
    printf("%d %d %u %ld\n", c, s, u, l);
    c >>= 1;
    s /= 3;
    u %= 5;
    l |= c;
    printf("%d %d %u %ld\n", c, s, u, l);
    s = -7;
    s /= 2u;
    c ^= 0xf0f;
    printf("%d %d\n", s, c);
    *place(a) += 10;
    *place(a) <<= *place(a);
    (*place(a))++;
    a[at] -= at;
    printf("%d %d %d %d %d %d\n", at, a[1], a[2], a[3], a[4], a[5]);
    x = u += c *= 2;
    printf("%d %u %d\n", x, u, c);
    assert(x != 20);
    return 0;
}
