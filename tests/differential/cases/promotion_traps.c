/* Small operands become int before anything is computed. */
#include <assert.h>
#include <stdio.h>

unsigned char nondet_uchar(void);
short nondet_short(void);

int main(void)
{
    unsigned char a = nondet_uchar(), b = nondet_uchar();
    short s = nondet_short();
    printf("%d %d %d %d\n", a + b, a - b, ~a, -a);
    printf("%d %d %d\n", (unsigned char)(a + b), (unsigned char)~a, a << 4);
    printf("%d %d\n", ~a == (unsigned char)~a, (a ^ 0xff) == (unsigned char)~a);
    printf("%d %d %d\n", s * s, (short)(s * s), s >> 1);
    printf("%zu %zu %zu\n", sizeof(a + b), sizeof(+a), sizeof(a));
    a += b;
    b -= 1;
    s <<= 3;
    printf("%d %d %d\n", a, b, s);
    assert(a + b < 500);
    return 0;
}
