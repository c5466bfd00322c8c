#include <stdio.h>

int main()
{
    int x, y, d, n, b;
    int c;

    x = 0;
    y = 0;
    d = 0;                      /* 0 north, 1 east, 2 south, 3 west */
    n = 0;
    b = 0;
    c = getchar();
    while (c != EOF && c != '\n') {
        if (c == 'F') {
            if (d == 0 && y < 2) {
                y++;
                n++;
            } else if (d == 1 && x < 2) {
                x++;
                n++;
            } else if (d == 2 && y > 0) {
                y--;
                n++;
            } else if (d == 3 && x > 0) {
                x--;
                n++;
            } else {
                b++;
            }
        }
        if (c == 'R') {
            d++;
            if (d == 4)
                d = 0;
        }
        if (c == 'L') {
            d--;
            if (d == -1)
                d = 3;
        }
        c = getchar();
    }
    printf("at %d %d, ", x, y);
    if (d == 0)
        printf("facing N\n");
    else if (d == 1)
        printf("facing E\n");
    else if (d == 2)
        printf("facing S\n");
    else
        printf("facing W\n");
    printf("%d steps, %d bumps\n", n, b);
    return 0;
}
