/* sizeof of types, expressions, arrays, literals; nothing in it is evaluated. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct padded {
    char c;
    long l;
    short s;
};
union either {
    char c[5];
    int i;
};

int main(void)
{
    int x = nondet_int(), a[3][4];
    char *p = 0;
    printf("%zu %zu %zu %zu\n", sizeof(char), sizeof(long double *), sizeof x++, sizeof(x = 7));
    printf("%zu %zu %zu %zu\n", sizeof a, sizeof *a, sizeof a[1][1], sizeof &a);
    printf("%zu %zu %zu\n", sizeof(struct padded), sizeof(union either), sizeof ((struct padded *)0)->s);
    printf("%zu %zu %zu %zu\n", sizeof "four", sizeof 'c', sizeof 1L, sizeof *p);
    printf("%zu %zu %zu\n", sizeof(x > 3), sizeof(x ? 1 : 2L), sizeof(short[7]));
    printf("%d %d\n", x, (int)sizeof(int) * -1 < 0);
    printf("%d\n", -1 < (int)sizeof x);
    assert(x < sizeof x);
    return 0;
}
