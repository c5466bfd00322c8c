#include <ctype.h>
#include <stdio.h>

/* Reads a line; prints how long each word is, how many vowels there are, and how long the longest word is. */
static int is_vowel(int c)
{
    c = tolower(c);
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

int main(void)
{
    int vowels = 0;
    int length = 0;
    int longest = 0;
    int c;
    printf("lengths:");
    do {
        c = getchar();
        if (isalpha(c)) {
            length++;
            if (is_vowel(c))
                vowels++;
        } else if (length > 0) {
            printf(" %d", length);
            if (length > longest)
                longest = length;
        }
    } while (c != EOF && c != '\n');
    printf("\nvowels: %d\nlongest: %d\n", vowels, longest);
    return 0;
}
