#include <stdio.h>

char next(char light, int button, int since)
{
    char after = light;

    if (light == 'G') {
        if (button == 1 && since >= 3)
            after = 'Y';
    } else if (light == 'Y') {
        after = 'R';
    } else {
        if (since < 2)
            after = 'G';
        else
            after = 'R';
    }
    return after;
}

int main()
{
    char buttons[82], light = 'G', after;
    int i, button = 0, since = 0, count = 0;

    if (fgets(buttons, 82, stdin) == NULL)
        buttons[0] = '\0';

    for (i = 0; buttons[i] != '\0' && buttons[i] != '\n'; i++) {
        printf("%c", light);
        if (buttons[i] == 'p')
            button = 1;
        if (light == 'R')
            button = 0;
        since++;
        after = next(light, button, since);
        if (after != light) {
            since = 0;
            if (after == 'R') {
                count++;
                button = 0;
            }
            light = after;
        }
    }
    printf("\nred: %d times\n", count);
    return 0;
}
