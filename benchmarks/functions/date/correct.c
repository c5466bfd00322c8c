/* Dates of the Gregorian calendar. */
#include <stdbool.h>

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Whether there is such a day.
 * @requires 1583 <= year && year <= 9999
 * @ensures !__sfo_result || 1 <= month && month <= 12 && 1 <= day && day <= 31
 * @ensures month < 1 || month > 12 || day < 1 || day > 28 || __sfo_result
 * @ensures month != 2 || day != 29 || __sfo_result == (year % 4 == 0 && (year % 100 || year % 400 == 0))
 * @ensures day != 31 || month < 1 || month > 12 || __sfo_result == (month < 8 ? month % 2 == 1 : month % 2 == 0)
 * @ensures day != 30 || month < 1 || month > 12 || __sfo_result == (month != 2)
 */
bool is_date(int year, int month, int day)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int last;
    if (month < 1 || month > 12)
        return false;
    last = days[month - 1];
    if (month == 2 && is_leap(year))
        last++;
    return day >= 1 && day <= last;
}
