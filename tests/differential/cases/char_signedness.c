/* Plain char is signed on x86-64. */
#include <assert.h>
#include <stdio.h>

char nondet_char(void);
unsigned char nondet_uchar(void);
signed char nondet_schar(void);

int main(void)
{
    char c = nondet_char();
    unsigned char u = nondet_uchar();
    signed char s = nondet_schar();
    char from_u = u;
    unsigned char from_c = c;
    printf("%d %d %d %d %d\n", c, u, s, from_u, from_c);
    printf("%d %d %d\n", c == u, c == from_u, from_c == u);
    printf("%d %d %d\n", '\xff', '\377' < 0, (unsigned char)'\x80');
    printf("%d %d %d\n", c >> 1, u >> 1, (c & 0xff) >> 1);
    printf("%c%c %d\n", 'a' + (u & 15), '0' + (s & 7), "\xfe"[0]);
    switch (c) {
    case -128:
        printf("least\n");
        break;
    case 'a':
        printf("a\n");
        /* fall through */
    case '\xff':
        printf("a or -1\n");
        break;
    default:
        printf("other\n");
    }
    assert(c < 100);
    return 0;
}
