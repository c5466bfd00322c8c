/* A guard before a division or an index protects it. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int a[3] = { 1, 2, 3 };

int main(void)
{
    int i = nondet_int(), d = nondet_int() & 3;
    if (i >= 0 && i < 3 && a[i] > 1)
        printf("in\n");
    printf("%d\n", d ? 100 / d : -1);
    if (!d || 100 % d == 1)
        printf("remainder\n");
    printf("%d\n", (d && 10 / d > 3) + (d > 1 || a[d] == 2));
    for (int k = 0; k < 5 && (k < 3 ? a[k] : 0); k++)
        printf("%d ", a[k]);
    printf("\n");
    assert(i != 2 || 6 / d != 3);
    return 0;
}
