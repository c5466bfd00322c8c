/* String literals, character arrays, and pointers into them. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

unsigned char nondet_uchar(void);

static char buffer[8] = "seed";
static const char *words[] = { "zero", "one", "two" "three", "\x41\102C\t|" };
static char exact[3] = "abc";

static int length(const char *s)
{
    const char *p = s;
    while (*p)
        p++;
    return p - s;
}

int main(void)
{
    unsigned char n = nondet_uchar();
    const char *w = words[n & 3];
    char local[] = "xyz", *p = buffer;
    printf("%s %d %c\n", w, length(w), w[1]);
    while (*w && p < buffer + 7)
        *p++ = *w++;
    *p = 0;
    printf("[%s] [%8s] [%-6s] [%.2s]\n", buffer, buffer, local, words[1]);
    local[n % 3] = 'A' + n % 26;
    printf("%s %zu %zu %zu %c\n", local, sizeof local, sizeof exact, sizeof "a\0b", exact[2]);
    printf("%c %d\n", "hello"[n % 5], "hello" "x"[5]);
    puts(local + 1);
    putchar('0' + n % 10);
    putchar('\n');
    int (*compare)(const char *, const char *) = strcmp;
    printf("%d %d %d %d\n", strcmp("pear", "apple"), strcmp("a", "" "c"), strcmp("a\0b", "a\0q"), strcmp("", "\377"));
    printf("%d %d %d\n", strcmp(words[1], "two") < 0, (strcmp)("a", "c"), compare("a", "c") < 0);
    assert(length(buffer) != 3 || local[0] == 'x');
    return 0;
}
