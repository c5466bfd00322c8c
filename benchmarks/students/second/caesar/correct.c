#include <ctype.h>
#include <stdio.h>

/* Reads a key and then a line; prints the line with each letter moved on by the key in the alphabet. */
static int shifted(int c, int key)
{
    if (islower(c))
        return (c - 'a' + key) % 26 + 'a';
    if (isupper(c))
        return (c - 'A' + key) % 26 + 'A';
    return c;
}

int main(void)
{
    int key;
    int c;
    if (scanf("%d", &key) != 1)
        return 1;
    key %= 26;
    if (key < 0)
        key += 26;
    getchar();
    while ((c = getchar()) != '\n' && c != EOF)
        putchar(shifted(c, key));
    putchar('\n');
    return 0;
}
