/* Strings without a zero at their end, printed by a precision: what stands behind it is not read. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

int nondet_int(void);

struct record {
    char name[4];
    int value;
};

int main(void)
{
    int x = nondet_int();
    char text[20];
    struct record record;
    memcpy(text, "hello", 5);
    memcpy(record.name, "name", 4);
    printf("%.3s|%5.2s|%-6.1s|\n", text, text, text);
    printf("%.4s|%.*s|\n", record.name, (int)sizeof record.name, record.name);
    printf("%.*s|\n", x > 0 && x < 5 ? x : 2, text);
    printf("%.*s|%*.*s|\n", x < 0 ? x : 1, "all", 4, x & 3, record.name);
    const char *pair = "key=value";
    printf("%.*s\n", (int)(strchr(pair, '=') - pair), pair);
    assert(x < 7);
    return 0;
}
