#include <stdio.h>

void show(int cents)
{
    if (cents % 100 < 10)
        printf("%d.0%d\n", cents / 100, cents % 100);
    else
        printf("%d.%d\n", cents / 100, cents % 100);
}

int main()
{
    int e, p, y, i, balance;
    int sum = 0;

    if (scanf("%d %d %d", &e, &p, &y) != 3) {
        printf("not offered\n");
        return 1;
    }
    if (e <= 0 || e > 10000 || p < 0 || p >= 10 || y <= 0 || y > 8) {
        printf("not offered\n");
        return 1;
    }
    balance = e * 100;
    i = 1;
    while (i <= y) {
        int hundredths = balance * p;
        short interest = hundredths / 100;
        if (hundredths % 100 >= 50)
            interest++;
        balance = balance + interest;
        sum = sum + interest;
        printf("year %d: ", i);
        show(balance);
        i++;
    }
    printf("interest: ");
    show(sum);
    return 0;
}
