#include <stdio.h>

int main()
{
    char name[2] = {'A', 'B'};
    int n, k, turn = 0;

    if (scanf("%d", &n) != 1 || n <= 0 || n > 30) {
        printf("no game\n");
        return 1;
    }
    while (n > 0) {
        if (scanf("%1d", &k) != 1)
            break;
        if (k == 0) {
            printf("%c gives up, %c wins\n", name[turn], name[1 - turn]);
            return 0;
        }
        if (k > 3 || k > n)
            printf("%c must not take %d\n", name[turn], k);
        else
        {
            n = n - k;
            printf("%c takes %d, %d left\n", name[turn], k, n);
            turn = 1 - turn;
        }
    }
    if (n > 0)
        printf("%c is next\n", name[turn]);
    else
        printf("%c wins\n", name[1 - turn]);
    return 0;
}
