/* Functions that are declared not to return violate reach where they do, at a return and at their end. */
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>

int nondet_int(void);

static __attribute__((__noreturn__)) void leave(int x);
static int left;

noreturn void die(int x)
{
    if (x > 50)
        exit(1);
    if (x == 7)
        return;
    printf("%d ", x);
}

static void leave(int x)
{
    while (x > 0)
        if (x-- == 3)
            exit(3);
    left = 1;
}

_Noreturn static int count(int x)
{
    for (int n = 0;; n++)
        if (n * n > x)
            exit(n);
}

[[noreturn]] static void give(int x)
{
    if (x < 4)
        return (void)(left = x);
    exit(left);
}

int main(void)
{
    int x = nondet_int();
    printf("%d\n", x & 3);
    if (x < 0)
        die(-(x + 1));
    else if ((x & 3) == 1)
        leave(x & 7);
    else if ((x & 3) == 2)
        count(x & 15);
    else if ((x & 3) == 3)
        give(x & 7);
    return left;
}
