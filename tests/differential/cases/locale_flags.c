/* Flags of glibc that ask the locale for digits and groups: in the locale "C" they change nothing, and %I64d has the width 64. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    long long wide = ((long long)x << 32) + 7;
    char text[80];
    long long read = -1;
    int number = 0, count;
    printf("%I64d|%I64u|%-I64x|%Id|%I5d|%'d|%0'8d|\n", wide, wide, wide, x, x, x, x);
    count = sprintf(text, "%I12d|%'u", x, x);
    printf("%d %s\n", count, text);
    count = sscanf("12345 77 8", "%I64d%*I64d%'d", &read, &number);
    printf("%d %lld %d\n", count, read, number);
    assert(x != 1);
    return 0;
}
