#include <stdio.h>

void lines(int t[3][3], int n, int m)
{
    int i, j, sum;
    for (i = 0; i < n; i++) {
        sum = 0;
        for (j = 0; j < m; j++)
            sum = sum + t[i][j];
        printf("row %d: %d\n", i + 1, sum);
    }
    i = 0;
    j = 0;
    sum = 0;
    while (j < m) {
        sum = sum + t[i][j];
        i++;
        if (i == n) {
            printf("column %d: %d\n", j + 1, sum);
            i = 0;
            j++;
        }
    }
}

int main()
{
    int t[3][3];
    int n, m, i, j, max, mi, mj;

    scanf("%d", &n);
    scanf("%d", &m);
    if (n >= 1 && n <= 3 && m >= 1 && m <= 3) {
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++)
                scanf("%d", &t[i][j]);
        lines(t, n, m);
        max = t[0][0];
        mi = 1;
        mj = 1;
        for (i = 0; i < n; i++) {
            for (j = 0; j < m; j++) {
                if (t[i][j] > max) {
                    max = t[i][j];
                    mi = i + 1;
                    mj = j + 1;
                }
            }
        }
        printf("largest: row %d, column %d\n", mi, mj);
        return 0;
    }
    printf("wrong size\n");
    return 1;
}
