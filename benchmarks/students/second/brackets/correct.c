#include <stdio.h>

#define DEPTH 80

static char closing_of(char opening)
{
    switch (opening) {
    case '(':
        return ')';
    case '[':
        return ']';
    default:
        return '}';
    }
}

/* Reads a line of up to 80 characters; prints how deep its brackets are, or what is wrong with them. */
int main(void)
{
    char stack[DEPTH];
    int open = 0;
    int deepest = 0;
    int place = 0;
    int c;
    while ((c = getchar()) != EOF && c != '\n' && place < DEPTH) {
        place++;
        if (c == '(' || c == '[' || c == '{') {
            stack[open++] = (char)c;
            if (open > deepest)
                deepest = open;
        } else if (c == ')' || c == ']' || c == '}') {
            if (open == 0 || closing_of(stack[open - 1]) != c) {
                printf("wrong at %d\n", place);
                return 0;
            }
            open--;
        }
    }
    if (open > 0)
        printf("%d not closed\n", open);
    else
        printf("ok, depth %d\n", deepest);
    return 0;
}
