/* Bit-fields wider than int are computed in a type of their own width. */
#include <stdio.h>
#include <assert.h>

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);

struct wide { unsigned long u : 40; long s : 35; unsigned long v : 63; long long w : 48; };
struct __attribute__((packed)) tight { unsigned char c : 3; unsigned long u : 61; long s : 33; int last : 7; };

int main(void)
{
    struct wide x = {0};
    struct tight t = {0}, *p = &t;
    int n = __VERIFIER_nondet_int();
    long l = __VERIFIER_nondet_long();
    x.u = l;
    x.s = l ^ n;
    x.v = -n;
    x.w = l - n;
    printf("%lu %ld %lu %lld\n", (unsigned long)x.u, (long)x.s, (unsigned long)x.v, (long long)x.w);
    printf("%lu %lu\n", (unsigned long)(x.u + 1), (unsigned long)(x.u - 5));
    printf("%lu %lu %lu\n", (unsigned long)(x.u * n), (unsigned long)~x.u, (unsigned long)-x.u);
    printf("%lu %ld\n", (unsigned long)(x.u << 7), (long)(x.s << 3));
    printf("%lu %ld\n", (unsigned long)(x.u >> 3), (long)(x.s >> 3));
    printf("%ld %ld %lu\n", (long)(x.s + x.s), (long)(x.u + x.s), (unsigned long)(x.v + x.u));
    printf("%d %d %d %d\n", x.u > n, x.s < n, x.u - 1 > 0, x.s == x.w);
    printf("%lu %ld\n", (unsigned long)(n ? x.u : 3), (long)(x.s + l));
    x.u += 0xffffffffffUL;
    x.s -= n;
    x.v *= 3;
    x.w <<= 5;
    x.u /= (unsigned)n | 1;
    printf("%lu %ld %lu %lld\n", (unsigned long)x.u, (long)x.s, (unsigned long)x.v, (long long)x.w);
    x.u++;
    printf("%lu %lu\n", (unsigned long)x.u++, (unsigned long)--x.u);
    p->u = l;
    p->s = n;
    p->c = n;
    p->last = p->c + p->s;
    printf("%d %lu %ld %d %zu\n", t.c, (unsigned long)t.u, (long)t.s, t.last, sizeof t);
    for (unsigned i = 0; i < sizeof t; i++)
        printf("%02x", ((unsigned char *)p)[i]);
    if (x.u + 1)
        printf(" more\n");
    assert(x.s != 4);
    return 0;
}
