#include <stdio.h>

/* Reads how many marks there are, then the marks; prints the best, the worst, the mean and how many passed. */
int main(void)
{
    int marks[6];
    int count;
    if (scanf("%d", &count) != 1 || count < 1 || count > 6) {
        printf("no marks\n");
        return 1;
    }
    for (int i = 0; i < count; i++)
        scanf("%d", &marks[i]);

    int best = marks[0];
    int worst = marks[0];
    int sum = 0;
    int passed = 0;
    for (int i = 0; i < count; i++) {
        if (marks[i] > worst)
            best = marks[i];
        if (marks[i] < worst)
            worst = marks[i];
        if (marks[i] >= 50)
            passed++;
        sum += marks[i];
    }
    printf("best %d\n", best);
    printf("worst %d\n", worst);
    printf("mean %d\n", sum / count);
    printf("passed %d of %d\n", passed, count);
    return 0;
}
