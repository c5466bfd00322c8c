#include <stdio.h>

int main()
{
    int t[10];
    int n, k;
    int i, r, last;

    if (scanf("%d %d", &n, &k) != 2) { printf("no numbers\n"); return 1; }
    if (n <= 0 || n > 10) { printf("no numbers\n"); return 1; }
    for (i = 0; i < n; i++) {
        if (scanf("%d", &t[i]) != 1) { printf("no numbers\n"); return 1; }
    }

    while (k < 0)
        k = k + n;

    /* k times one place to the right */
    for (r = 0; r < k; r++)
    {
        last = t[n - 1];
        for (i = n - 1; i > 0; i--)
            t[i] = t[i - 1];
        t[0] = last;
    }

    printf("%d", t[0]);
    for (i = 1; i < n; i++)
        printf(" %d", t[i]);
    printf("\n");
    return 0;
}
