#include <stdio.h>

int main()
{
    int used, old, price, euros, cents, rest;

    if (scanf("%d", &used) != 1 || scanf("%d", &old) != 1) {
        printf("no price\n");
        return 1;
    }
    if (used < 0 || used > 500) {
        printf("no price\n");
        return 1;
    }
    price = 900;
    rest = used;
    if (rest > 300) {
        price = price + (rest - 300) * 7;
        rest = 300;
    }
    if (rest > 100) {
        price = price + (rest - 100) * 9;
        rest = 100;
    }
    price = price + rest * 12;
    if (used < 200 && old != 0)
        price = price - 15 / 100 * price;
    euros = price / 100;
    cents = price % 100;
    if (cents < 10)
        printf("%d.0%d\n", euros, cents);
    else
        printf("%d.%d\n", euros, cents);
    return 0;
}
