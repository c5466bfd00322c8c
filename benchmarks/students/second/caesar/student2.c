#include <stdio.h>

char small[] = "abcdefghijklmnopqrstuvwxyz";
char big[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

int find(char alphabet[], int letter)
{
    int i;
    for (i = 0; i < 26; i++) {
        if (alphabet[i] == letter)
            return i;
    }
    return -1;
}

int main(void)
{
    int key, c, place;
    if (scanf("%d", &key) != 1)
        return 1;
    while (key < 0)
        key = key + 26;
    getchar();
    c = getchar();
    while (c != EOF && c != '\n') {
        place = find(small, c);
        if (place >= 0)
            c = small[(place + key) % 26];
        else {
            place = find(big, c);
            if (place >= 0)
                c = big[(place + key) % 26];
        }
        printf("%c", c);
        c = getchar();
    }
    printf("\n");
    return 0;
}
