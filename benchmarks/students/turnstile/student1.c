#include <stdio.h>

int main()
{
    int open = 0, full = 0;
    int people = 0, money = 0;
    int i = 0;
    char e;

    while (i < 12) {
        if (scanf(" %c", &e) != 1)
            break;
        i = i + 1;
        if (e == 'c' && full == 0) {
            money = money + 1;
            open = 1;
        }
        else if (e == 'p' && open == 1) {
            people = people + 1;
            open = 0;
            if (people == 3)
                full = 1;
        }
        else if (e == 'l' && full == 1) {
            people = people - 1;
            full = 0;
        }
        if (e == '.') {
            printf("%d guests, %d coins", people, money);
            if (full)
                printf(", full");
            printf("\n");
        }
    }
    return 0;
}
