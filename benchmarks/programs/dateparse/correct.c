#include <assert.h>
#include <ctype.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define LENGTH 10

struct date {
    int year;
    int month;
    int day;
};

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int month, int year)
{
    switch (month) {
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    case 2:
        return is_leap(year) ? 29 : 28;
    default:
        return 31;
    }
}

/* The number in `digits` characters, or -1. */
static int number_at(const char *text, int digits)
{
    int value = 0;
    int i;

    for (i = 0; i < digits; i++) {
        if (!isdigit((unsigned char)text[i]))
            return -1;
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

static int parse(const char *text, struct date *out)
{
    if (strlen(text) != LENGTH)
        return 0;
    if (text[4] != '-' || text[7] != '-')
        return 0;
    out->year = number_at(text, 4);
    out->month = number_at(text + 5, 2);
    out->day = number_at(text + 8, 2);
    if (out->year < 1583 || out->month < 1 || out->month > 12)
        return 0;
    return out->day >= 1 && out->day <= days_in(out->month, out->year);
}

static void put_number(char *text, int value, int digits)
{
    while (digits > 0) {
        digits--;
        text[digits] = (char)('0' + value % 10);
        value /= 10;
    }
}

static void print(const struct date *d, char *text)
{
    put_number(text, d->year, 4);
    text[4] = '-';
    put_number(text + 5, d->month, 2);
    text[7] = '-';
    put_number(text + 8, d->day, 2);
    text[LENGTH] = '\0';
}

static void next_day(struct date *d)
{
    d->day++;
    if (d->day > days_in(d->month, d->year)) {
        d->day = 1;
        d->month++;
    }
    if (d->month > 12) {
        d->month = 1;
        d->year++;
    }
}

int main(void)
{
    char text[LENGTH + 1];
    char again[LENGTH + 1] = "xxxxxxxxxxx";
    struct date d, next;
    int i;

    for (i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    text[LENGTH] = '\0';
    if (!parse(text, &d))
        return 1;
    assert(d.month >= 1 && d.month <= 12);
    assert(d.day >= 1 && d.day <= 31);
    if (d.month == 2)
        assert(d.day <= 28 || (d.day == 29 && d.year % 4 == 0));
    print(&d, again);
    assert(strcmp(text, again) == 0);

    next = d;
    next_day(&next);
    if (next.day == 1) {
        assert(d.day >= 28);
        assert(next.month == d.month % 12 + 1);
        assert(next.year == d.year + (d.month == 12));
    } else {
        assert(next.day == d.day + 1);
        assert(next.month == d.month && next.year == d.year);
    }
    if (next.year < 10000) {
        print(&next, again);
        assert(parse(again, &d));
    }
    return 0;
}
