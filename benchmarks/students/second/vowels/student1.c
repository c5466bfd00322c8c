#include <stdio.h>

int letter(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

int main()
{
    char line[82];
    char vowels[] = "aeiouAEIOU";
    int i, j, len, count = 0, max = 0;

    if (fgets(line, 82, stdin) == NULL)
        line[0] = '\0';

    printf("lengths:");
    i = 0;
    while (line[i] != '\0') {
        if (!letter(line[i])) {
            i++;
            continue;
        }
        len = 0;
        while (letter(line[i])) {
            len++;
            for (j = 0; j < 10; j++)
                if (line[i] == vowels[j])
                    count++;
            i++;
        }
        printf(" %d", len);
        if (len > max)
            max = len;
    }
    printf("\n");
    printf("vowels: %d\n", count);
    printf("longest: %d\n", max);
    return 0;
}
