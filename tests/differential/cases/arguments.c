/* argv 4, 4 characters */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *last;

static void show_last(void)
{
    printf("last %d\n", last[0]);
}

int main(int argc, char *argv[])
{
    int n, sum = 0;
    char copy[8];
    last = argv[argc - 1];
    atexit(show_last);
    assert(argc == 4 && argv[argc] == 0);
    printf("%s\n", argv[0]);
    for (n = 1; argv[n]; n++) {
        printf("%d %d\n", (int)strlen(argv[n]), argv[n][0]);
        sum += atoi(argv[n]);
    }
    strcpy(copy, argv[1]);
    if (copy[0] == 3)
        return argv[1][strlen(copy)];
    if (argv[2][0] && argv[2][1] == 3)
        argv[2][0] = 'x';
    if (argv[2][0] == 'x' || argv[3][0] == 5)
        assert(sum == 0);
    assert(copy[0] != 2 || argv[3][0] > 4);
    printf("%d\n", sum);
    return 0;
}
