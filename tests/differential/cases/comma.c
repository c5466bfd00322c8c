/* The comma operator, in for, conditions and arguments. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int two(int a, int b) { return a * 10 + b; }

int main(void)
{
    int x = nondet_int() & 7, i, j;
    for (i = 0, j = x; i < j; i++, j--)
        printf("%d%d ", i, j);
    printf("\n%d\n", two((i++, i), (j = 4, j + x)));
    while (x++, x < 9)
        if (j--, x & 1)
            continue;
    i = (1, 2, 3);
    i += (x = 5, x) + 1;
    printf("%d %d %d\n", i, j, x);
    assert(i == 9);
    assert(j != 2);
    return i, 0;
}
