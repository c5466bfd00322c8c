/* Direct and mutual recursion, with arrays and structures in each activation. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);
unsigned char nondet_uchar(void);

struct state {
    int depth, log[4];
};

static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

static struct state dive(struct state s, int *least)
{
    int here[2] = { s.depth, s.depth * 2 };
    if (s.depth == 0)
        return s;
    s.depth--;
    s.log[s.depth] = here[s.depth & 1];
    if (here[1] < *least)
        *least = here[1];
    struct state inner = dive(s, least);
    inner.log[here[0] - 1] += here[0];
    return inner;
}

static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }

static int fib(int n)
{
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}

int main(void)
{
    int n = nondet_int() & 3, least = 100;
    unsigned a = nondet_uchar() & 15, b = nondet_uchar() & 15;
    struct state s = { n, { 7, 7, 7, 7 } }, r = dive(s, &least);
    printf("%d %d\n", even(n), odd(n));
    printf("%d %d %d %d %d %d\n", r.depth, r.log[0], r.log[1], r.log[2], s.log[0], least);
    printf("%u %d\n", gcd(a, b), fib(n + 1));
    assert(gcd(a, b) != 4);
    return 0;
}
