/* Pointers to variables, elements and fields: stored, compared, moved. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct pair {
    int a, b;
};

static void swap(int *p, int *q)
{
    int t = *p;
    *p = *q;
    *q = t;
}

static void point(int **pp, int *to) { *pp = to; }

int main(void)
{
    int x = nondet_int(), y = nondet_int(), a[5] = { 5, 4, 3, 2, 1 };
    struct pair s = { 10, 20 };
    int *p = x > 0 ? &x : &y, *q = &a[x & 3], **pp = &p;
    swap(p, q);
    printf("%d %d %d %d %d\n", x, y, a[0], a[1], a[2]);
    point(pp, x == y ? &s.a : &s.b);
    ++*p;
    (*pp)[0] += 5;
    printf("%d %d\n", s.a, s.b);
    p = a;
    p += 2;
    printf("%d %d %d %d\n", *p, p[-1], *(p + 1), 1[p]);
    printf("%d %d %d\n", p == &a[2], q < p, q >= a);
    printf("%ld %ld\n", (long)(&a[4] - p), (long)(q - p));
    printf("%d ", *p++);
    printf("%d ", *++p);
    printf("%d ", (*p)++);
    printf("%d %d\n", --*p, *--p);
    q = 0;
    printf("%d %d\n", !q, q == 0 || *q);
    assert(s.b != 26 || x == 3);
    assert(a[1] == 4);
    return 0;
}
