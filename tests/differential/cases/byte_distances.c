/* Indices of bytes that are no constants: distances of pointers, and computed words, beside pointers that are chosen. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int nondet_int(void);
unsigned long nondet_ulong(void);

int main(void)
{
    char a[16] = "0123456", b[16] = "hijklmnopqrstuv", c[16] = "abcdefg";
    char *one = nondet_int() > 0 ? b + 9 : b + 10, *other = nondet_int() > 1 ? b + 8 : b + 7;
    char *p = nondet_int() ? a : c;
    unsigned long n = nondet_ulong() % 7;
    char *q = n > 3 ? p + 1 : a + 2;
    printf("%c %c\n", p[one - other], p[n]);
    p[n] = '-';
    q[n + 1 - (unsigned long)(one - other) % 2] = '+';
    char *found = strchr(p, '-');
    assert(found);
    a[found - p] = '*';
    (nondet_int() > 2 ? a : c)[found - p + 1] = '#';
    printf("%.7s %.7s %.7s\n", a, b, c);
    return 0;
}
