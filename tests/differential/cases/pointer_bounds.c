/* Invalid pointers and indices end the run. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int a[4] = { 1, 2, 3, 4 };
static int b[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };

int main(void)
{
    int i = nondet_int() & 7;
    int *p = a + 1;
    printf("%d\n", i);
    if (i < 6)
        p = &a[i & 3];
    printf("%d\n", *p);
    printf("%d\n", b[i >> 2][i & 1]);
    if (i == 7)
        p = 0;
    if (i > 2)
        printf("%d\n", a[i - 3]);
    printf("%d\n", *p + 1);
    a[i] = 1;
    return 0;
}
