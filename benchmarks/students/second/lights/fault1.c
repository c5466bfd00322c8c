#include <stdio.h>

enum light { GREEN, YELLOW, RED };

/* Reads a line with a character for each second, p where a pedestrian presses the button. The light is green for at
   least three seconds, and then until somebody waits; then it is yellow for one second and red for two. */
int main(void)
{
    enum light light = GREEN;
    int seconds = 0;
    int waiting = 0;
    int walks = 0;
    int c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (c == 'p' && light != RED)
            waiting = 1;
        seconds++;
        switch (light) {
        case GREEN:
            putchar('G');
            if (waiting && seconds >= 3) {
                light = YELLOW;
                seconds = 0;
            }
            break;
        case YELLOW:
            putchar('Y');
            light = RED;
            seconds = 0;
            walks++;
            break;
        case RED:
            putchar('R');
            if (seconds == 2) {
                light = GREEN;
                seconds = 0;
            }
            break;
        }
    }
    printf("\nred: %d times\n", walks);
    return 0;
}
