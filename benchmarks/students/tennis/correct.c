#include <stdio.h>

static const char *const NAMES[] = {"love", "15", "30", "40"};

static int wins(int mine, int other)
{
    return mine >= 4 && mine - other >= 2;
}

/* Reads who made each point, a or b, up to the end of the line; prints the games won, and how the last one stands. */
int main(void)
{
    int points[2] = {0, 0};
    int games[2] = {0, 0};
    int c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (c != 'a' && c != 'b')
            continue;
        int player = c - 'a';
        points[player]++;
        if (wins(points[player], points[1 - player])) {
            games[player]++;
            points[0] = 0;
            points[1] = 0;
        }
    }
    printf("games %d:%d\n", games[0], games[1]);
    if (points[0] < 3 || points[1] < 3)
        printf("%s %s\n", NAMES[points[0]], NAMES[points[1]]);
    else if (points[0] == points[1])
        printf("deuce\n");
    else
        printf("advantage %c\n", points[0] > points[1] ? 'a' : 'b');
    return 0;
}
