/* Copies of unions keep every byte that some member has, whichever member is the largest. */
#include <stdio.h>
int nondet_int(void);

union bits {
    unsigned long a : 3;
    long b;
};
union parts {
    struct {
        char c;
        int i;
    } s;
    long l;
    short h[3];
};
struct holder {
    char first;
    union parts p;
    union bits b[2];
};

static union parts twice(union parts p)
{
    p.l *= 2;
    return p;
}

int main(void)
{
    union bits b, c;
    union parts p, q;
    struct holder h = {1}, g;
    b.b = 0x123456789abcdef0L + nondet_int();
    c = b;
    p.l = c.b ^ nondet_int();
    q = twice(p);
    h.p = q;
    h.b[1] = c;
    h.b[0].b = 7;
    g = h;
    printf("%lx %lx %lx %x %d %lx\n", c.b, q.l, g.p.l, g.p.h[2], g.p.s.i, g.b[1].b);
    printf("%d %ld\n", (int)b.a, g.b[0].b);
    return 0;
}
