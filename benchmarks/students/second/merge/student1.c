#include <stdio.h>

int a[20], b[20], c[20];
int n, m;

int main()
{
    int i, j, k, count;

    if (scanf("%d", &n) != 1 || n < 0 || n > 8) {
        printf("no lists\n");
        return 1;
    }
    for (i = 0; i < n; i++)
        if (scanf("%d", &a[i]) != 1) {
            printf("no lists\n");
            return 1;
        }
    if (scanf("%d", &m) != 1 || m < 0 || m > 8) {
        printf("no lists\n");
        return 1;
    }
    for (i = 0; i < m; i++)
        if (scanf("%d", &b[i]) != 1) {
            printf("no lists\n");
            return 1;
        }

    i = 0;
    j = 0;
    for (k = 0; k < n + m; k++) {
        if (j == m || (i < n && a[i] <= b[j])) {
            c[k] = a[i];
            i++;
        } else {
            c[k] = b[j];
            j++;
        }
    }

    for (k = 0; k < n + m; k++)
        printf("%d ", c[k]);
    printf("\n");

    count = n + m;
    for (k = 1; k < n + m; k++)
        if (c[k] == c[k - 1])
            count--;
    printf("different: %d\n", count);
    return 0;
}
