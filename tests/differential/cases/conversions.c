/* Assignments, casts and arguments convert. */
#include <assert.h>
#include <stdio.h>

long nondet_long(void);

static int narrow(short s) { return s; }
static unsigned char wrap(int i) { return i; }
static long widen(unsigned u) { return u; }
static long widen_signed(int i) { return i; }

int main(void)
{
    long l = nondet_long();
    int i = l;
    short s = l;
    unsigned u = l;
    unsigned short us = i;
    signed char c = us;
    unsigned long ul = i;
    printf("%d %d %u %d %d %lu\n", i, s, u, us, c, ul);
    printf("%d %d %ld %ld\n", narrow(l), wrap(l), widen(i), widen_signed(u));
    printf("%ld %ld %ld\n", (long)s, (long)us, (long)u);
    printf("%lu %lu\n", (unsigned long)s, (unsigned long)us);
    printf("%d %d\n", (char)(short)l, (int)(unsigned char)(int)l);
    printf("%lld %llu\n", (long long)i, (unsigned long long)i);
    assert(narrow(l) == l || l > 32767 || l < -32768);
    assert(i >= 0 || ul > u);
    assert((long)(int)l == l);
    return 0;
}
