#include <ctype.h>
#include <stdio.h>

/* Reads how many stones there are, and the moves of A and B in turn, a digit each: they take one to three stones, or
   give up with 0. Who makes a move that is not allowed makes another one. Who takes the last stone wins. */
int main(void)
{
    int stones;
    char player = 'A';
    int c;
    if (scanf("%d", &stones) != 1 || stones < 1 || stones > 30) {
        printf("no game\n");
        return 1;
    }
    while (stones > 0 && (c = getchar()) != EOF) {
        char other = player == 'A' ? 'B' : 'A';
        if (!isdigit(c))
            continue;
        int take = c - '0';
        if (take == 0) {
            printf("%c gives up, %c wins\n", player, other);
            return 0;
        }
        if (take > 3 || take > stones) {
            printf("%c must not take %d\n", player, take);
            continue;
        }
        stones -= take;
        printf("%c takes %d, %d left\n", player, take, stones);
        if (stones == 0)
            printf("%c wins\n", player);
        player = other;
    }
    if (stones > 0)
        printf("%c is next\n", player);
    return 0;
}
