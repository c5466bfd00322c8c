/* Calls that gcc computes where a constant has to stand. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nondet_int(void);

#define LOG2(n) (31 - __builtin_clz(n))
_Static_assert(__builtin_ctz(40) == 3 && __builtin_clzl(1) == 63 && __builtin_clzll(-1) == 0, "zeros");
_Static_assert(__builtin_popcount(-1) == 32 && __builtin_popcountll(-1) == 64 && __builtin_parity(7) == 1, "ones");
_Static_assert(__builtin_ffs(0) == 0 && __builtin_ffs(-2) == 2 && __builtin_ffsll(1L << 40) == 41, "first");
_Static_assert(__builtin_clrsb(-1) == 31 && __builtin_clrsb(5) == 28 && __builtin_clrsbl(-5) == 60, "sign");
_Static_assert(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap64(1) == 1UL << 56, "bytes");
enum { SHIFT = LOG2(64), LIKELY = __builtin_expect(3, 1) };
struct packed { unsigned field : __builtin_popcount(7); };
static int buckets[LOG2(256)];
static unsigned net = __builtin_bswap32(0x7f000001);
static double pi = __builtin_acos(-1.0), root = __builtin_sqrt(2.0), eight = __builtin_pow(2, 3), half = __builtin_fabs(-0.5);
static int length = __builtin_strlen("abc") + 1, same = __builtin_strcmp("a", "a"), three = __builtin_abs(-3);
extern char unknown[];

int main(void)
{
    int x = nondet_int();
    char text[__builtin_strlen("four") + 1];
    struct packed p = { x };
    switch (x) {
    case 1 << __builtin_ctz(8): printf("eight\n"); break;
    case SHIFT: printf("six\n"); break;
    }
    printf("%d %d %zu %zu\n", SHIFT, LIKELY, sizeof buckets, sizeof text);
    printf("%x %d %d %d %d\n", net, length, same, three, p.field);
    printf("%.17g %.17g %g %g\n", pi, root, eight, half);
    printf("%d\n", __builtin_object_size(unknown, 0) == (size_t)-1);
    assert(x != 7 || p.field != 7);
    return 0;
}
