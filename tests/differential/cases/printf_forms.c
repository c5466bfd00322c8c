/* The conversions of printf that are modelled. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int nondet_int(void);
long nondet_long(void);

int main(void)
{
    int x = nondet_int();
    long l = nondet_long();
    printf("%d|%i|%u|%x|%X|%o|%c|\n", x, x, x, x, x, x, 'a' + (x & 15));
    printf("%5d|%-5d|%05d|%+d|% d|%.4d|%8.3d|%-8.3d|\n", x, x, x, x, x, x, x, x);
    printf("%#x|%#o|%08x|%#10x|\n", x, x, x, x);
    printf("%ld|%lu|%lx|%lld|%llu|%zu|\n", l, l, l, (long long)l, (unsigned long long)l, (unsigned long)l);
    printf("%hd|%hu|%hhd|%hhu|%hhx|\n", x, x, x, x, x);
    printf("%s|%5s|%-5s|%.1s|%c|%%|\n", "ab", "ab", "ab", "ab", 'z');
    printf("no newline");
    printf("%s", "");
    printf("%d of\0 %d\n", x, x + 1);
    printf("\0nothing");
    puts(" a\0b");
    int *place = x > 3 ? 0 : (int *)sizeof x;
    printf("%p|%8p|%-8p|%p|\n", (void *)0, (void *)0, (void *)0, (void *)place);
    puts("");
    char text[20];
    int n = printf("%d%, of 100%\n", x);
    printf("%d\n", n);
    n = sprintf(text, "%d%y%)", x & 7);
    printf("%d %s\n", n + (int)strlen(text), text);
    assert(x != 1);
    return 0;
}
