#include <stdio.h>

/* Reads a count and so many numbers, and prints the longest run of equal neighbours and where it begins. */
int main(void)
{
    int numbers[8];
    int count = 0;
    if (scanf("%d", &count) != 1 || count < 1 || count > 8) {
        puts("bad count");
        return 1;
    }
    for (int i = 0; i < count; i++)
        if (scanf("%d", &numbers[i]) != 1)
            return 1;
    int best = 1;
    int best_at = 0;
    int length = 1;
    for (int i = 1; i < count; i++) {
        int same = numbers[i] == numbers[i - 1];
        length = same ? length + 1 : 1;
        if (length > best) {
            best = length;
            best_at = i - length + 1;
        }
    }
    printf("run of %d at %d\n", best, best_at);
    return 0;
}
