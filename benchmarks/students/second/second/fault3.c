#include <stdio.h>

int numbers[10];
int n;

/* largest first */
void sort(void)
{
    int i, j, tmp;
    for (i = 0; i < n - 1; i++) {
        for (j = 0; j < n - 2 - i; j++) {
            if (numbers[j] < numbers[j + 1]) {
                tmp = numbers[j];
                numbers[j] = numbers[j + 1];
                numbers[j + 1] = tmp;
            }
        }
    }
}

int main()
{
    int i;
    if (scanf("%d", &n) != 1)
        return 1;
    if (n < 1 || n > 10)
        return 1;
    for (i = 0; i < n; i++)
        if (scanf("%d", &numbers[i]) != 1)
            return 1;

    sort();
    printf("largest %d\n", numbers[0]);
    i = 1;
    while (i < n && numbers[i] == numbers[0])
        i++;
    if (i < n)
        printf("second %d\n", numbers[i]);
    else
        printf("no second\n");
    return 0;
}
