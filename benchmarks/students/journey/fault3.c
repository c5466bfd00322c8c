#include <stdio.h>
#include <stdbool.h>

struct clock {
    int hour;
    int minute;
};

static bool read_clock(struct clock *clock)
{
    if (scanf("%d", &clock->hour) != 1)
        return false;
    if (scanf("%d", &clock->minute) != 1)
        return false;
    return clock->hour >= 0 && clock->hour <= 23 && clock->minute >= 0 && clock->minute <= 59;
}

static int between(struct clock a, struct clock b)
{
    return b.hour * 60 + b.minute - a.hour * 60 + a.minute;
}

int main(void)
{
    struct clock departure, arrival;
    int kilometres = 0;

    if (!read_clock(&departure) || !read_clock(&arrival) || scanf("%d", &kilometres) != 1) {
        puts("no journey");
        return 1;
    }
    if (kilometres < 1 || 999 < kilometres) {
        puts("no journey");
        return 1;
    }

    int length = between(departure, arrival);
    bool over_night = length < 0;
    while (length < 0)
        length += 1440;

    printf("%d:%d%d hours", length / 60, length % 60 / 10, length % 60 % 10);
    if (over_night)
        printf(", over night");
    putchar('\n');
    if (length == 0)
        return 0;
    int speed = kilometres * 600 / length;
    printf("%d.%d km/h\n", speed / 10, speed % 10);
    return 0;
}
