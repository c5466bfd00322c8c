#include <stdio.h>

void print_points(int p)
{
    if (p == 0)
        printf("love");
    else if (p == 1)
        printf("15");
    else if (p == 2)
        printf("30");
    else
        printf("40");
}

int main()
{
    int a = 0, b = 0;
    int games_a = 0, games_b = 0;
    int c = getchar();

    while (c != '\n' && c != EOF) {
        if (c == 'a')
            a = a + 1;
        if (c == 'b')
            b = b + 1;
        if (a >= 4 && a - b >= 2) {
            games_a = games_a + 1;
            a = 0;
            b = 0;
        }
        if (b >= 4) {
            games_b = games_b + 1;
            a = 0;
            b = 0;
        }
        c = getchar();
    }

    printf("games %d:%d\n", games_a, games_b);
    if (a >= 3 && b >= 3) {
        if (a == b)
            printf("deuce\n");
        if (a > b)
            printf("advantage a\n");
        if (b > a)
            printf("advantage b\n");
    } else {
        print_points(a);
        printf(" ");
        print_points(b);
        printf("\n");
    }
    return 0;
}
