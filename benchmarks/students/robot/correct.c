#include <stdio.h>

#define SIZE 3

static const int DX[4] = {0, 1, 0, -1};
static const int DY[4] = {1, 0, -1, 0};

/* Reads commands up to the end of the line: F forward, L left, R right; prints where the robot is and what it did. */
int main(void)
{
    int x = 0;
    int y = 0;
    int facing = 0;
    int steps = 0;
    int bumps = 0;
    int c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (c == 'L') {
            facing = (facing + 3) % 4;
        } else if (c == 'R') {
            facing = (facing + 1) % 4;
        } else if (c == 'F') {
            int to_x = x + DX[facing];
            int to_y = y + DY[facing];
            if (to_x < 0 || to_x >= SIZE || to_y < 0 || to_y >= SIZE) {
                bumps++;
            } else {
                x = to_x;
                y = to_y;
                steps++;
            }
        }
    }
    printf("at %d %d, facing %c\n", x, y, "NESW"[facing]);
    printf("%d steps, %d bumps\n", steps, bumps);
    return 0;
}
