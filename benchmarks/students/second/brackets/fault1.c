#include <stdio.h>

char st[100];
int top = 0;

void push(char ch)
{
    st[top] = ch;
    top++;
}

char pop(void)
{
    top--;
    return st[top];
}

int main()
{
    char line[81];
    int i, bad = 0, max = 0;

    if (fgets(line, 81, stdin) == NULL)
        line[0] = '\0';
    for (i = 0; line[i] != '\0' && bad == 0; i++) {
        switch (line[i]) {
        case '(': push(')'); break;
        case '[': push(']'); break;
        case '{': push('}'); break;
        case ')':
        case ']':
        case '}':
            if (top == 0 || pop() != line[i]) {
                int bad = i + 1;
            }
            break;
        }
        if (top > max)
            max = top;
    }
    if (bad > 0)
        printf("wrong at %d\n", bad);
    else if (top > 0)
        printf("%d not closed\n", top);
    else
        printf("ok, depth %d\n", max);
    return 0;
}
