#include <stdio.h>

/* Prints a number in a base, and returns how many digits it has. */
static int print_in_base(int number, int base)
{
    int digits = 0;
    if (number > base)
        digits = print_in_base(number / base, base);
    putchar("0123456789ABCDEF"[number % base]);
    return digits + 1;
}

/* Reads a number and a base from 2 to 16. */
int main(void)
{
    int number, base;
    if (scanf("%d%d", &number, &base) != 2 || number < 0 || base < 2 || base > 16) {
        printf("not possible\n");
        return 1;
    }
    int digits = print_in_base(number, base);
    printf("\n%d digits\n", digits);
    return 0;
}
