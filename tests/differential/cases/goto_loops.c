/* Jumps into and out of loops, backwards and over declarations. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

int main(void)
{
    int x = nondet_int() & 7, n = 0, i = 0, j;
    if (x & 1)
        goto inside;
    for (i = 0; i < 3; i++) {
        n += 10;
inside:
        n++;
        for (j = 0; j < 2; j++) {
            if (n == 13)
                goto out;
            if (x == 6 && j)
                goto next;
            n += 2;
        }
next:
        ;
    }
    n += 1000;
out:
    printf("%d %d\n", n, i);
again:
    if (x-- > 4) {
        int fresh = x;
        n += fresh;
        goto again;
    }
    do {
        n++;
        if (n % 2)
            goto last;
    } while (n < 20);
    n = -n;
last:
    printf("%d %d\n", n, x);
    assert(n != 1038);
    assert(n > 0);
    return 0;
}
