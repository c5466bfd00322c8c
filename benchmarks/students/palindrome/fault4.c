#include <stdio.h>
#include <string.h>
#include <ctype.h>

int main()
{
    char s[8], small[8], back[8];
    int i, n;

    if (scanf("%7s", s) < 1)
        return 1;
    n = strlen(s);
    for (i = 0; i < n; i++)
        small[i] = tolower(s[i]);
    small[n] = 0;
    for (i = 0; i < n; i++)
        back[i] = small[n - i - 1];
    back[n] = 0;
    if (strcmp(small, back))
        puts("yes");
    else
        puts("no");
    for (i = n - 1; i >= 0; i--)
        putchar(s[i]);
    putchar('\n');
    return 0;
}
