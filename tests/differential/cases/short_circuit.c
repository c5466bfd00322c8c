/* && || and ?: evaluate only what they need. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int calls;

static int say(int value)
{
    calls++;
    printf("<%d>", value);
    return value;
}

int main(void)
{
    int x = nondet_int(), n = 0;
    int a = x > 0 && say(x & 1) || say(x & 2);
    int b = (x & 4 || n++) && (x & 8 || ++n);
    int c = x < 10 ? n++ : say(7), d = (say(0), say(x & 1)) ? 5 : 6;
    printf("\n%d %d %d %d %d %d\n", a, b, c, d, n, calls);
    if (x == 3 || (n = 50) && x > 100)
        printf("first\n");
    while (n > 40 && (n -= 7, n != 36) && say(n) > 30)
        ;
    printf("\n%d %d\n", n, !(x && n));
    n = x && (x = 0) ? 1 : x ? 2 : 3;
    printf("%d %d\n", x, n);
    assert(calls < 5 && n);
    return 0;
}
