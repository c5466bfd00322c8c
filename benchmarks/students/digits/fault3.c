#include <stdio.h>

/* Reads a line and prints a bar of stars for each digit in it, and the digit that is most frequent. */
int main(void)
{
    int count[10] = {0};
    int other = 0;
    int c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (c > '0' && c <= '9')
            count[c - '0']++;
        else if (c != ' ')
            other++;
    }
    int most = 0;
    for (int d = 1; d < 10; d++)
        if (count[d] > count[most])
            most = d;
    for (int d = 0; d < 10; d++) {
        if (count[d] == 0)
            continue;
        putchar('0' + d);
        putchar(' ');
        for (int n = 0; n < count[d]; n++)
            putchar('*');
        putchar('\n');
    }
    if (count[most] > 0)
        printf("most frequent: %d\n", most);
    if (other > 0)
        printf("not digits: %d\n", other);
    return 0;
}
