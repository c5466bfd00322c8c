#include <stdio.h>

#define KINDS 4

static const int value[KINDS] = {50, 20, 10, 5};

/* Reads prices until one is zero; for each prints the coins that pay it, then what all cost together. */
int main(void)
{
    int price;
    int total = 0;
    int purchases = 0;
    while (scanf("%d", &price) == 1 && price != 0) {
        if (price < 0 || price > 100 || price % 5 != 0) {
            printf("cannot pay %d\n", price);
            continue;
        }
        int left = price;
        int coins = 0;
        for (int k = 0; k < KINDS; k++) {
            int number = left / value[k];
            if (number > 0)
                printf("%d x %d\n", number, value[k]);
            coins += number;
            left -= value[k];
        }
        printf("%d coins\n", coins);
        total += price;
        purchases++;
    }
    if (purchases > 1)
        printf("%d purchases, ", purchases);
    printf("total %d\n", total);
    return 0;
}
