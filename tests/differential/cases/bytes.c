/* The bytes of objects through char pointers and casts. */
#include <assert.h>
#include <stdio.h>

long nondet_long(void);

struct mixed {
    char c;
    int i;
    short s[2];
};

int main(void)
{
    long l = nondet_long();
    struct mixed m = { 1, (int)l, { 3, 4 } };
    unsigned char *p = (unsigned char *)&l, *q = (unsigned char *)&m;
    int sum = 0;
    for (unsigned i = 0; i < sizeof l; i++)
        sum += p[i];
    printf("%d %d %d\n", sum, p[0], p[7]);
    q[4] = 9;
    q[8] ^= 1;
    printf("%d %d %d\n", m.i, m.s[0], m.c);
    *(short *)(q + 10) = -2;
    ((int *)p)[1] = 5;
    printf("%d %ld\n", m.s[1], l);
    printf("%d %d\n", *(int *)p == (int)l, (int)((char *)&m.i - (char *)&m));
    p[l & 3]++;
    printf("%ld\n", l);
    assert(m.i != 265);
    return 0;
}
