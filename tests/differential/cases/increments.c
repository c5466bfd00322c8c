/* ++ and -- on every kind of place, before and after. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);
unsigned char nondet_uchar(void);

struct pair {
    char small;
    int *p;
};

int main(void)
{
    int a[4] = { 1, 2, 3, 4 }, i = nondet_int() & 1;
    unsigned char c = nondet_uchar();
    struct pair s = { 127, a };
    a[i++]++;
    a[i]--;
    printf("%d %d %d %d\n", i, a[0], a[1], a[2]);
    printf("%d ", c++);
    printf("%d ", ++c);
    printf("%d ", c--);
    printf("%d\n", --c);
    s.small++;
    ++*s.p;
    printf("%d ", s.small);
    printf("%d ", *s.p++);
    *++s.p += 5;
    printf("%d %d\n", *s.p, a[2]);
    int k = 5;
    k += 6;
    --i;
    a[i] = i;
    while (k-- > 8)
        printf("%d ", k);
    printf("%d %d\n", k, a[0]);
    assert(c != 255);
    return 0;
}
