#include <stdio.h>

#define MOST 10

/* Reads how many numbers there are, and the numbers; prints the largest, and the largest of those that are smaller. */
int main(void)
{
    int list[MOST];
    int n;
    if (scanf("%d", &n) != 1 || n < 1 || n > MOST)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &list[i]) != 1)
            return 1;
    }
    int largest = list[0];
    for (int i = 1; i < n; i++) {
        if (list[i] > largest)
            largest = list[i];
    }
    int second = 0;
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (list[i] != largest && (!found || list[i] > second))
            second = list[i];
            found = 1;
    }
    printf("largest %d\n", largest);
    if (found)
        printf("second %d\n", second);
    else
        printf("no second\n");
    return 0;
}
