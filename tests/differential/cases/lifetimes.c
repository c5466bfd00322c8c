/* Variables of blocks and activations: a new one each time, pointers to outer ones stay good. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int *outer;

static int dig(int n, int *above)
{
    int mine = n * 2;
    if (above)
        *above += mine;
    if (n == 0)
        return *outer;
    int below = dig(n - 1, &mine);
    return below * 10 + mine;
}

static int fill(int *to, int n)
{
    for (int i = 0; i < n; i++) {
        int fresh[2] = { i, n };
        int *p = fresh;
        p[1] += *p;
        p++;
        *p += 3;
        to[i] = fresh[0] * 10 + fresh[1];
    }
    return to[n - 1];
}

int main(void)
{
    int x = nondet_int() & 3, base = 5, a[4] = { 0 };
    outer = &base;
    printf("%d\n", dig(x, &base));
    printf("%d %d\n", base, fill(a, x + 1));
    for (int i = 0; i < 3; i++) {
        int local = i;
        int *p = &local;
        if (i == x)
            goto out;
        {
            int local = 100;
            *p += local;
            p = &local;
            *p += 1;
            printf("%d ", local);
        }
        printf("%d ", local);
    }
out:
    printf("\n%d %d %d\n", a[0], a[1], *outer);
    {
        int *q = &x;
        for (int x = 0; x < 2; x++)
            *q += 10;
    }
    printf("%d\n", x);
    assert(x != 22);
    return 0;
}
