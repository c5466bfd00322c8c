#include <stdio.h>
#include <string.h>
#include <ctype.h>

void squeeze(char s[])
{
    int i, j = 0;
    for (i = 0; s[i] != '\0' && s[i] != '\n'; i++) {
        if (s[i] != ' ' || (j > 0 && s[j - 1] != ' ')) {
            s[j] = s[i];
            j++;
        }
    }
    if (j > 0 && s[j - 1] == ' ')
        j--;
    s[j] = '\0';
}

void capitals(char s[])
{
    int i;
    int len = strlen(s);
    for (i = 0; i < len; i++) {
        if (i == 0 || s[i - 1] == ' ')
            s[i] = toupper(s[i]);
        else
            s[i] = tolower(s[i]);
    }
}

int main()
{
    char text[100];
    if (fgets(text, 100, stdin) == NULL)
        strcpy(text, "");
    squeeze(text);
    capitals(text);
    puts(text);
    return 0;
}
