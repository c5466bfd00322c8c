/* __int128: constants, arithmetic, conversions, division, shifts, comparisons, members and printing by halves. */
#include <stdio.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);

typedef unsigned __int128 u128;
typedef __int128_t s128;

struct wide { char tag; s128 value; __uint128_t mask : 100; };
union halves { u128 whole; unsigned long half[2]; };

static void show(const char *name, u128 value)
{
    printf("%s %016lx%016lx\n", name, (unsigned long)(value >> 64), (unsigned long)value);
}

static s128 power(s128 base, unsigned exponent)
{
    s128 result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    s128 x = a, y = (s128)b << 70;
    u128 u = (u128)a * 0x100000001UL, v = ~(u128)b;
    struct wide w = {1, x - y, 5};
    union halves h;
    show("x", x);
    show("y", y);
    show("sum", x + y);
    show("product", x * (y | 12345));
    show("minus", -x);
    show("shifted", (x + y) >> 65);
    show("unsigned shifted", u >> 7);
    show("left", u << (b & 63));
    if (b != 0) {
        show("quotient", y / b);
        show("remainder", (y + 77) % b);
        show("unsigned quotient", v / (unsigned)b);
        show("unsigned remainder", v % (u128)((unsigned long)b + 3UL | 1));
    }
    show("power", power(0x123456789abcdef, a & 7));
    w.value++;
    w.mask -= 9;
    show("member", w.value);
    show("mask", (u128)w.mask);
    h.whole = u ^ (u128)x << 64;
    printf("%lu %lu %zu %zu %zu\n", h.half[0], h.half[1], sizeof w, sizeof(s128), _Alignof(struct wide));
    printf("%d %d %d %d\n", x < y, u > v, x == (s128)(int)x, (x & 1) == 1);
    printf("%d %ld %u %d\n", (int)y, (long)(y >> 70), (unsigned)u, !!y);
    printf("%d\n", (int)((x < 0 ? -x : x) >> 100) + (_Bool)y);
    __VERIFIER_assert(x + y != ((s128)7 << 70) + 3);
    return 0;
}
