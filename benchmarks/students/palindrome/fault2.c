#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Reads a word and says whether it is the same backwards, whatever the case; then prints it backwards. */
static int is_palindrome(const char *word, int length)
{
    int left = 0;
    int right = length - 1;
    while (left < right) {
        if (word[left] != tolower(word[right]))
            return 0;
        left++;
        right--;
    }
    return 1;
}

static void reverse(char *word, int length)
{
    for (int i = 0; i < length / 2; i++) {
        char kept = word[i];
        word[i] = word[length - 1 - i];
        word[length - 1 - i] = kept;
    }
}

int main(void)
{
    char word[8];
    if (scanf("%7s", word) != 1)
        return 1;
    int length = (int)strlen(word);
    if (is_palindrome(word, length))
        printf("yes\n");
    else
        printf("no\n");
    reverse(word, length);
    printf("%s\n", word);
    return 0;
}
