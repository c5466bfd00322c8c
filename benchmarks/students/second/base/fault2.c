#include <stdio.h>

int main()
{
    int n, b, r, i, len;
    char digits[40];

    if (scanf("%d %d", &n, &b) != 2 || n < 0) {
        printf("not possible\n");
        return 1;
    }
    if (b < 2 || b > 16) {
        printf("not possible\n");
        return 1;
    }

    len = 0;
    while (n > 0) {
        r = n % b;
        if (r < 10)
            digits[len] = '0' + r;
        else
            digits[len] = 'A' + r - 10;
        len++;
        n = n / b;
    }

    for (i = len - 1; i >= 0; i--)
        printf("%c", digits[i]);
    printf("\n");
    printf("%d digits\n", len);
    return 0;
}
