#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Reads words up to a dot and prints the initial letters, each with a dot, and how many words are longer than three. */
static int is_long(const char *word)
{
    return strlen(word) > 3;
}

int main(void)
{
    char word[8];
    char initials[9] = "";
    int at = 0;
    int longer = 0;
    int words = 0;
    while (words < 4 && scanf("%7s", word) == 1) {
        if (word[0] == '.')
            break;
        words++;
        if (isalpha((unsigned char)word[0])) {
            initials[at++] = (char)toupper((unsigned char)word[0]);
            initials[at++] = '.';
        }
        if (is_long(word))
            longer++;
    }
    initials[at] = '\0';
    printf("%s\n", initials);
    printf("%d of %d words are long\n", longer, words);
    return 0;
}
