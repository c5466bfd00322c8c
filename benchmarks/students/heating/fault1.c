#include <stdio.h>

static int charged(int units, int from, int to)
{
    if (units <= from)
        return 0;
    return (units < to ? units : to) - from;
}

static int discounted(int price, int percent)
{
    return price - price * percent / 100;
}

/* Reads consumption and whether the customer is old; prints the price in cents. */
int main(void)
{
    int units, old;
    if (scanf("%d %d", &units, &old) != 2 || units < 0 || units > 500) {
        printf("no price\n");
        return 1;
    }
    int price = 900;
    price += 12 * charged(units, 0, 100);
    price += 9 * charged(units, 100, 300);
    price += 7 * charged(units, 300, 500);
    if (old && units < 200)
        price = discounted(price, 15);
    printf("%d.%d\n", price / 100, price % 100);
    return 0;
}
