#include <ctype.h>
#include <stdio.h>

/* Reads a line; prints it with single spaces between the words, each with a capital and small letters after it. */
int main(void)
{
    char line[81] = "";
    int inside = 0;
    int words = 0;
    if (fgets(line, sizeof line, stdin) == NULL)
        line[0] = '\0';
    for (const char *p = line; *p != '\0' && *p != '\n'; p++) {
        if (*p == ' ') {
            inside = 0;
            continue;
        }
        if (inside = 0) {
            if (words > 0)
                putchar(' ');
            words++;
            inside = 1;
            putchar(toupper((unsigned char)*p));
        } else {
            putchar(tolower((unsigned char)*p));
        }
    }
    putchar('\n');
    return 0;
}
