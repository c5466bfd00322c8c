#include <stdio.h>

struct robot {
    int x, y;
    char facing;
    int steps, bumps;
};

static int outside(int place)
{
    return place < 0 || place > 2;
}

static void forward(struct robot *r)
{
    int nx = r->x;
    int ny = r->y;

    switch (r->facing) {
    case 'N':
        ny++;
        break;
    case 'E':
        nx++;
        break;
    case 'S':
        ny--;
        break;
    case 'W':
        nx--;
        break;
    }
    if (outside(nx) || outside(ny)) {
        r->bumps++;
        return;
    }
    r->x = nx;
    r->y = ny;
    r->steps++;
}

static char right_of(char facing)
{
    switch (facing) {
    case 'N': return 'E';
    case 'E': return 'S';
    case 'S': return 'W';
    default:  return 'N';
    }
}

int main(void)
{
    struct robot robot = {0, 0, 'N', 0, 0};
    int command;

    for (command = getchar(); command != '\n' && command != EOF; command = getchar()) {
        switch (command) {
        case 'L':
            robot.facing = right_of(right_of(right_of(robot.facing)));
            break;
        case 'R':
            robot.facing = right_of(robot.facing);
            break;
        case 'F':
            forward(&robot);
            break;
        }
    }
    printf("at %d %d, facing %c\n%d steps, %d bumps\n", robot.x, robot.y, robot.facing, robot.steps, robot.bumps);
    return 0;
}
