/* continue in do goes to the condition; break leaves one loop only. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

int main(void)
{
    int x = nondet_int() & 7, n = 0, i = 0;
    do {
        i++;
        if (i == 2)
            continue;
        if (i == x)
            break;
        n += i;
    } while (i < 5 && n < 8);
    printf("%d %d\n", i, n);
    do
        n++;
    while (n & 3);
    do {
        if (x)
            continue;
        n = 100;
    } while (0);
    while (x--) {
        if (x == 3)
            continue;
        for (;;) {
            if (n++ > 20)
                break;
            if (n & 1)
                continue;
            n += 5;
        }
    }
    printf("%d %d\n", x, n);
    assert(n != 27);
    return 0;
}
