/* _Bool holds the truth of what is assigned. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);
_Bool nondet_bool(void);

struct flags {
    _Bool ready, full;
    char gap;
};

int main(void)
{
    int i = nondet_int();
    _Bool b = nondet_bool(), c = i, d = i & 256;
    struct flags f = { i > 3, (_Bool)(i * 2) };
    int *p = &i;
    _Bool e = p;
    printf("%d %d %d %d\n", b, c, d, e);
    printf("%d %d %d\n", f.ready, f.full, f.gap);
    printf("%d %d %d\n", b + c, -b, ~c);
    b++;
    c--;
    d += 2;
    printf("%d %d %d\n", b, c, d);
    c--;
    d ^= 1;
    d *= 5;
    printf("%d %d %d\n", c, d, (_Bool)0x100);
    f.ready = f.full <<= 3;
    printf("%d %d %zu\n", f.ready, !f.ready, sizeof(b));
    assert(c != f.ready || i);
    return 0;
}
