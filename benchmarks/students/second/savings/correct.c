#include <stdio.h>

/* Reads how many euros are saved, at how many percent and for how many years; prints the balance after each year with
   the interest rounded to cents, and all of the interest. */
int main(void)
{
    int euros, percent, years;
    if (scanf("%d%d%d", &euros, &percent, &years) != 3 || euros < 1 || euros > 10000 || percent < 0 || percent > 9
        || years < 1 || years > 8) {
        printf("not offered\n");
        return 1;
    }
    int start = 100 * euros;
    int cents = start;
    for (int year = 1; year <= years; year++) {
        cents += (cents * percent + 50) / 100;
        printf("year %d: %d.%02d\n", year, cents / 100, cents % 100);
    }
    int interest = cents - start;
    printf("interest: %d.%02d\n", interest / 100, interest % 100);
    return 0;
}
