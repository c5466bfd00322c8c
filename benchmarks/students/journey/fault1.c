#include <stdio.h>

int main()
{
    int h1, m1, h2, m2, d;
    int hours, minutes, total, speed;
    int n;
    int night = 0;

    n = scanf("%d%d%d%d%d", &h1, &m1, &h2, &m2, &d);
    if (n < 5 || h1 < 0 || h1 > 23 || m1 < 0 || m1 > 59 || h2 < 0 || h2 > 23 || m2 < 0 || m2 > 59) {
        printf("no journey\n");
        return 1;
    }
    if (d <= 0 || d >= 1000) {
        printf("no journey\n");
        return 1;
    }

    hours = h2 - h1;
    minutes = m2 - m1;
    if (minutes < 0) {
        minutes = minutes + 60;
    }
    if (hours < 0) {
        hours = hours + 24;
        night = 1;
    }

    printf("%d:", hours);
    if (minutes < 10)
        printf("0");
    printf("%d hours", minutes);
    if (night == 1)
        printf(", over night");
    printf("\n");

    total = hours * 60 + minutes;
    if (total != 0) {
        speed = d * 60 * 10 / total;
        printf("%d.%d km/h\n", speed / 10, speed % 10);
    }
    return 0;
}
