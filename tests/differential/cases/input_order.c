/* Inputs are read in the order in which they are evaluated. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);
unsigned char nondet_uchar(void);
_Bool nondet_bool(void);

static int three(int a, int b, int c) { return a * 10000 + b * 100 + c; }

int main(void)
{
    int a[3], x = nondet_uchar() - nondet_uchar();
    for (int i = 0; i < 3; i++)
        a[i] = nondet_uchar();
    printf("%d %d %d %d\n", x, a[0], a[1], a[2]);
    printf("%d\n", three(nondet_uchar(), nondet_uchar(), nondet_uchar()));
    if (nondet_bool() && nondet_uchar() > 3 || nondet_bool())
        x = nondet_int();
    printf("%d %d\n", nondet_uchar(), x);
    a[nondet_bool()] += nondet_uchar();
    printf("%d %d\n", a[0], a[1]);
    x = nondet_bool() ? nondet_int() : x;
    assert(x != a[1]);
    return 0;
}
