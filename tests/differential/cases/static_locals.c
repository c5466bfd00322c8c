/* Static locals keep their value, one for each function and block. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int counter(int step)
{
    static int total = 3;
    static int calls;
    calls++;
    total += step;
    {
        static int total = 100;
        total -= step;
        if (calls == 3)
            printf("inner %d\n", total);
    }
    return total * 10 + calls;
}

static int *slot(void)
{
    static int kept[2] = { 1, 2 };
    return kept;
}

static int deep(int n)
{
    static int most;
    if (n > most)
        most = n;
    return n > 0 ? deep(n - 1) : most;
}

int main(void)
{
    int x = nondet_int();
    printf("%d ", counter(x));
    printf("%d ", counter(1));
    printf("%d\n", counter(-x));
    slot()[1] += x;
    printf("%d %d\n", slot()[0], *(slot() + 1));
    printf("%d ", deep(x & 3));
    printf("%d\n", deep(1));
    assert(slot()[1] != 7);
    assert(deep(0) < 3);
    return 0;
}
