/* Signed arithmetic wraps; the smallest int has no positive counterpart. */
#include <assert.h>
#include <limits.h>
#include <stdio.h>

int nondet_int(void);
long nondet_long(void);

int main(void)
{
    int i = nondet_int();
    long l = nondet_long();
    printf("%d %d %d\n", i + 1, i - 1, i * i);
    printf("%d %d\n", -i, i < 0 ? -i : i);
    printf("%ld %ld %ld\n", l + LONG_MAX, -l, l * 3);
    printf("%d %d\n", INT_MAX + i, INT_MIN - i);
    printf("%d %d\n", i + 1 > i, -INT_MIN == INT_MIN);
    printf("%ld %d\n", (long)i * i, (int)((long)i * i));
    i++;
    l--;
    printf("%d %ld\n", i, l);
    assert(i != INT_MIN);
    return 0;
}
