#include <stdio.h>

int before[13] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

int main()
{
    int day, month, year, leap = 0, number, max;

    if (scanf("%d%d%d", &day, &month, &year) != 3)
        month = 0;
    if (month < 1 || month > 12 || year < 1583)
    {
        printf("no date\n");
        return 1;
    }

    if (year % 4 == 0)
        leap = 1;
    if (year % 100 == 0 && year % 400 != 0)
        leap = 0;

    max = before[month] - before[month - 1];
    if (month == 2)
        max = max + leap;
    if (day < 1 || day > max)
    {
        printf("no date\n");
        return 1;
    }

    number = before[month - 1] + day;
    if (month >= 2)
        number = number + leap;
    printf("day %d, ", number);
    printf("%d to come\n", 365 + leap - number);
    return 0;
}
