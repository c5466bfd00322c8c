#include <stdio.h>

#define DAY (24 * 60)

static int is_time(int hour, int minute)
{
    return hour >= 0 && hour < 24 && minute >= 0 && minute < 60;
}

/* Reads departure and arrival, each in hours and minutes, and kilometres; prints how long it took, and how fast. */
int main(void)
{
    int from_hour, from_minute, to_hour, to_minute, km;
    if (scanf("%d %d %d %d %d", &from_hour, &from_minute, &to_hour, &to_minute, &km) != 5
        || !is_time(from_hour, from_minute) || !is_time(to_hour, to_minute) || km < 1 || km > 999) {
        printf("no journey\n");
        return 1;
    }
    int start = from_hour * 60 + from_minute;
    int end = to_hour * 60 + to_minute;
    int took = (end - start + DAY) % DAY;
    printf("%d:%02d hours%s\n", took / 60, took % 60, end < start ? ", over night" : "");
    if (took > 0) {
        int tenths = km * 600 / took;
        printf("%d.%d km/h\n", tenths / 10, tenths % 10);
    }
    return 0;
}
