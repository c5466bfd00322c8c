#include <stdio.h>

int leap(int y)
{
    if (y % 400 == 0)
        return 1;
    if (y % 100 == 0)
        return 0;
    return y % 4 == 0;
}

int length(int m, int y)
{
    if (m == 2) {
        if (leap(y))
            return 29;
        else
            return 28;
    }
    if (m == 4 || m == 6 || m == 9 || m == 11)
        return 30;
    return 31;
}

int main()
{
    int d, m, y;
    int sum, rest, i;

    if (scanf("%d %d %d", &d, &m, &y) != 3) {
        printf("no date\n");
        return 1;
    }
    if (y <= 1582 || m <= 0 || m > 12 || d <= 0 || d > length(m, y)) {
        printf("no date\n");
        return 1;
    }
    sum = 0;
    for (i = 1; i < m; i++)
        sum = sum + length(i, y);
    sum = sum + d;

    rest = length(m, y) - d;
    for (i = m + 1; i <= 12; i++)
        rest = rest + length(i, y);
    printf("day %d, %d to come\n", sum, rest);
    return 0;
}
