/* Side effects in the lengths of array parameters: inner lengths of all parameters first, then the outer ones. */
#include <stdio.h>

static int calls;

static int next(int n) { calls++; return n + 1; }

static int outer(int n, int a[n++], int b[n *= 2]) { return n; }

static int outer_and_inner(int n, int a[n++], int b[2][n *= 2]) { return n; }

static int inner(int n, int a[2][n++], int b[2][n *= 2]) { return n; }

static int of_one(int n, int a[n++][n *= 2][n -= 1]) { return n; }

static int called(int n, int a[next(n)], const char text[static next(2)]) { return n + (int)sizeof text; }

int main(void)
{
    int x[99];
    printf("%d\n", outer(3, x, x));
    printf("%d\n", outer_and_inner(3, x, (void *)x));
    printf("%d\n", inner(3, (void *)x, (void *)x));
    printf("%d\n", of_one(3, (void *)x));
    printf("%d\n", called(3, x, "abc"));
    printf("%d\n", calls);
    return 0;
}
