#include <stdio.h>

typedef enum { COUNTING, DEUCE, ADVANTAGE_A, ADVANTAGE_B } Stand;

static Stand stand = COUNTING;
static int pa, pb;
static int ga, gb;

static void new_game(void)
{
    stand = COUNTING;
    pa = 0;
    pb = 0;
}

static void point_a(void)
{
    switch (stand) {
    case COUNTING:
        if (pa == 3) {
            ga++;
            new_game();
        } else {
            pa++;
            if (pa == 3 && pb == 3)
                stand = DEUCE;
        }
        break;
    case DEUCE:
        stand = ADVANTAGE_A;
        break;
    case ADVANTAGE_A:
        ga++;
        new_game();
        break;
    case ADVANTAGE_B:
        stand = DEUCE;
        break;
    }
}

static void point_b(void)
{
    switch (stand) {
    case COUNTING:
        if (pb == 3) {
            gb++;
            new_game();
        } else {
            pb++;
            if (pa == 3 && pb == 3)
                stand = DEUCE;
        }
        break;
    case DEUCE:
        stand = ADVANTAGE_B;
        break;
    case ADVANTAGE_B:
        gb++;
        new_game();
        break;
    case ADVANTAGE_A:
        stand = DEUCE;
        break;
    }
}

int main(void)
{
    static const char *const text[4] = {"love", "15", "30", "40"};
    int ch;
    while (1) {
        ch = getchar();
        if (ch == EOF || ch == '\n')
            break;
        if (ch == 'a')
            point_a();
        else if (ch == 'b')
            point_b();
    }
    printf("games %d:%d\n", ga, gb);
    switch (stand) {
    case COUNTING:
        printf("%s %s\n", text[pa], text[pb]);
        break;
    case DEUCE:
        puts("deuce");
        break;
    case ADVANTAGE_A:
        puts("advantage a");
        break;
    case ADVANTAGE_B:
        puts("advantage b");
        break;
    }
    return 0;
}
