#include <stdio.h>

#define MOST 8

/* Reads a list: how many numbers, and the numbers; returns how many, or -1. */
static int read_list(int list[])
{
    int n;
    if (scanf("%d", &n) != 1 || n < 0 || n > MOST)
        return -1;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &list[i]) != 1)
            return -1;
    }
    return n;
}

/* Merges two sorted lists; prints all of their numbers in order, and how many different ones these are. */
int main(void)
{
    int a[MOST], b[MOST], all[2 * MOST];
    int n = read_list(a);
    int m = n < 0 ? -1 : read_list(b);
    if (m < 0) {
        printf("no lists\n");
        return 1;
    }
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) {
        if (a[i] <= b[j])
            all[k++] = a[i++];
        else
            all[k++] = b[j++];
    }
    while (i < n)
        all[k++] = a[i++];
    int different = 0;
    for (i = 0; i < k; i++) {
        if (i == 0 || all[i] != all[i - 1])
            different++;
        printf("%d ", all[i]);
    }
    printf("\ndifferent: %d\n", different);
    return 0;
}
