#include <assert.h>
#include <stdio.h>

extern short __VERIFIER_nondet_short(void);
extern void __VERIFIER_assume(int);

typedef struct {
    short day;
    short month;
    short year;
} date_t;

static const short month_length[13] = {
    0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
};

static int is_leap(int year)
{
    if (year % 400 == 0)
        return 1;
    return year % 4 == 0;
}

static int length_of(int month, int year)
{
    int len = month_length[month];
    if (month == 2 && is_leap(year))
        len++;
    return len;
}

static int is_valid(const date_t *d)
{
    if (d->year < 1890 || d->year > 2110)
        return 0;
    if (d->month < 1 || d->month > 12)
        return 0;
    return d->day >= 1 && d->day <= length_of(d->month, d->year);
}

static date_t next_day(date_t d)
{
    d.day++;
    if (d.day > length_of(d.month, d.year)) {
        d.day = 1;
        d.month++;
        if (d.month > 12) {
            d.month = 1;
            d.year++;
        }
    }
    return d;
}

static int day_of_year(const date_t *d)
{
    int m;
    int n = d->day;
    for (m = 1; m < d->month; m++)
        n += length_of(m, d->year);
    return n;
}

/* 0 is Sunday */
static int weekday(const date_t *d)
{
    static const char shift[12] = { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 };
    int y = d->year;
    if (d->month < 3)
        y--;
    return (y + y / 4 - y / 100 + y / 400 + shift[d->month - 1] + d->day) % 7;
}

int main(void)
{
    date_t today, tomorrow;
    int n, k;

    today.day = __VERIFIER_nondet_short();
    __VERIFIER_assume(today.day >= -1 && today.day <= 40);
    today.month = __VERIFIER_nondet_short();
    __VERIFIER_assume(today.month >= -1 && today.month <= 20);
    today.year = __VERIFIER_nondet_short();
    __VERIFIER_assume(today.year > 1895 && today.year < 2105);

    if (!is_valid(&today)) {
        assert(today.day < 1 || today.day > 28 || today.month < 1 || today.month > 12);
        printf("%d\n", -1);
        return 0;
    }
    assert(today.day <= 31 && today.month >= 1 && today.month <= 12);

    tomorrow = next_day(today);
    n = day_of_year(&today);
    k = day_of_year(&tomorrow);
    printf("%d\n", n);
    printf("%d\n", weekday(&tomorrow));

    assert(is_valid(&tomorrow));
    assert(n >= 1 && n <= 366);
    assert(weekday(&tomorrow) == (weekday(&today) + 1) % 7);
    if (tomorrow.year == today.year) {
        assert(k == n + 1);
    } else {
        assert(k == 1);
        assert(n >= 365);
        assert(today.day == 31 && today.month == 12);
    }
    return 0;
}
