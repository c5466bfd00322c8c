/* What GNU C adds and real code uses: statement expressions, typeof, ranges, ?: without a middle, builtins. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

struct packed_like {
    char c;
    int i __attribute__((aligned(8)));
};

static inline __attribute__((always_inline)) int twice(int x) { return 2 * x; }

int main(void)
{
    int x = nondet_int(), n = 0;
    __extension__ unsigned u = x;
    int m = MAX(twice(x & 15), 9), r[] = { [0 ... 2] = 4, 5 };
    printf("%d %d\n", m, MAX(n++, -1) + n);
    printf("%d %d\n", x ?: 77, (x & 4) ?: n);
    if (__builtin_expect(x > 3, 0))
        n += ({ int y = x & 63; while (y > 6) y >>= 1; y; });
    switch (x) {
    case -5 ... -1:
        n = 100;
        break;
    case 0 ... 3:
        n += 50;
    }
    printf("%d %zu %zu\n", n, sizeof(struct packed_like), __alignof__(struct packed_like));
    printf("%d %u\n", r[2] + r[3], u >> 30);
    _Static_assert(sizeof(int) == 4, "int");
    printf("%d\n", _Generic(x, int: 1, long: 2, default: 3));
    assert(n != 103);
    return 0;
}
