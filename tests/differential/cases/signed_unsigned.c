/* Comparisons and arithmetic of mixed signedness. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);
unsigned nondet_uint(void);
long nondet_long(void);

int main(void)
{
    int i = nondet_int();
    unsigned u = nondet_uint();
    long l = nondet_long();
    printf("%d %d %d\n", i < u, -1 < 1u, i == u);
    printf("%d %d %d\n", l < u, i < l, l == (unsigned long)i);
    printf("%u %ld %lu\n", i + u, l + u, l + 1ul);
    printf("%d %u\n", i / 3, i / 3u);
    printf("%d %u\n", i % 7, i % 7u);
    printf("%d %u %ld\n", i >> 2, i >> 2 | 0u, (long)u - i);
    printf("%d\n", (i > 0 ? i : u) > 0);
    if (i < 0 && i > u)
        printf("negative and above\n");
    assert(i <= u || i < 0);
    assert(l + 1 > l);
    return 0;
}
