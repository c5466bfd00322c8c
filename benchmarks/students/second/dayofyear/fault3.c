#include <stdio.h>

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int month, int year)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 || is_leap(year) ? 29 : days[month - 1];
}

/* Reads day, month and year; prints which day of the year this is, and how many come after it. */
int main(void)
{
    int day, month, year;
    if (scanf("%d%d%d", &day, &month, &year) != 3 || year < 1583 || month < 1 || month > 12 || day < 1
        || day > days_in(month, year)) {
        printf("no date\n");
        return 1;
    }
    int number = day;
    for (int m = 1; m < month; m++)
        number += days_in(m, year);
    printf("day %d, %d to come\n", number, (is_leap(year) ? 366 : 365) - number);
    return 0;
}
