#include <stdio.h>
#include <limits.h>

int main()
{
    int n, i, x;
    int max1 = INT_MIN;
    int max2 = INT_MIN;

    if (scanf("%d", &n) != 1 || n <= 0 || n > 10)
        return 1;

    for (i = 1; i <= n; i++)
    {
        if (scanf("%d", &x) != 1)
            return 1;
        if (x > max1)
        {
            max1 = x;
            max2 = max1;
        }
        else if (x < max1 && x > max2)
            max2 = x;
    }

    printf("largest %d\n", max1);
    if (max2 == INT_MIN)
        printf("no second\n");
    else
        printf("second %d\n", max2);
    return 0;
}
