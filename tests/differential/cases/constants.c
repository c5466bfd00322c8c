/* The types of constants decide what is computed. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    printf("%d %d %d\n", 2147483647 + 1 < 0, 0x7fffffff + 1 < 0, 2147483648 > 0);
    printf("%d %d %d\n", -2147483648 < 0, 0x80000000 > 0, -0x80000000 > 0);
    printf("%zu %zu %zu %zu\n", sizeof 2147483647, sizeof 2147483648, sizeof 0xffffffff, sizeof 4294967296);
    printf("%zu %zu %zu\n", sizeof 1u, sizeof 1ul, sizeof 0x1ffffffff);
    printf("%d %d %d %d\n", 017, 0x1F, 0b101, 'ab');
    printf("%d %d %d\n", '\0', '\\', '\x7f');
    printf("%ld %lu\n", x + 2147483648, x + 0xffffffffffffffff);
    printf("%d %d\n", x < 0x80000000, x > -1 + 0u);
    printf("%d %d\n", x == 4294967295, x == 0xffffffff);
    assert(x + 1u > 0);
    assert(x - 2147483648 < 0);
    return 0;
}
