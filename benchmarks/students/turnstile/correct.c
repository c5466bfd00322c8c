#include <stdio.h>

enum state { LOCKED, OPEN, FULL };

static int guests;
static int coins;

static enum state next(enum state now, char event)
{
    switch (now) {
    case LOCKED:
        if (event == 'c') {
            coins++;
            return OPEN;
        }
        return LOCKED;
    case OPEN:
        if (event == 'p') {
            guests++;
            return guests == 3 ? FULL : LOCKED;
        }
        if (event == 'c')
            coins++;
        return OPEN;
    case FULL:
        if (event == 'l') {
            guests--;
            return LOCKED;
        }
        return FULL;
    }
    return now;
}

/* Reads events: c for a coin, p for a push, l when a guest leaves a full hall; prints what is known after each dot. */
int main(void)
{
    enum state now = LOCKED;
    char event;
    for (int read = 0; read < 12 && scanf(" %c", &event) == 1; read++) {
        if (event == '.')
            printf("%d guests, %d coins%s\n", guests, coins, now == FULL ? ", full" : "");
        else
            now = next(now, event);
    }
    return 0;
}
