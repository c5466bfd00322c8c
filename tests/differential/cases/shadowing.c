/* Inner names hide outer ones, also in for, in parameters and in their own initialiser. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

int x = 50;

static int hide(int x)
{
    {
        int x = 5;
        x++;
        for (int x = 0; x < 2; x++) {
            int x = 9;
            printf("%d ", x);
        }
        printf("%d ", x);
    }
    return x + 1;
}

int main(void)
{
    int y = nondet_int();
    printf("%d %d\n", x, hide(y));
    int x = y + 1;
    {
        extern int x;
        x += 3;
        printf("%d ", x);
    }
    printf("%d\n", x);
    for (int y = 0, x = 3; y < x; y++, x--)
        printf("%d%d ", y, x);
    if (x > 10) {
        struct x { int x; } x = { 4 };
        printf("%d ", x.x);
    }
    typedef int z;
    {
        z z = x;
        printf("%d %d\n", y, z);
    }
    assert(x != 8);
    return 0;
}
