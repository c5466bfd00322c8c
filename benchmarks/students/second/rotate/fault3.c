#include <stdio.h>

#define MOST 10

/* Reads how many numbers, by how many places, and the numbers; prints them rotated to the right by these places. */
int main(void)
{
    int rotated[MOST];
    int n, places;
    if (scanf("%d%d", &places, &n) != 2 || n < 1 || n > MOST) {
        printf("no numbers\n");
        return 1;
    }
    places %= n;
    if (places < 0)
        places += n;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &rotated[(i + places) % n]) != 1) {
            printf("no numbers\n");
            return 1;
        }
    }
    for (int i = 0; i < n; i++)
        printf(i == 0 ? "%d" : " %d", rotated[i]);
    printf("\n");
    return 0;
}
