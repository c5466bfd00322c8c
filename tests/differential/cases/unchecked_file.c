// A file that may not be there, and is used all the same.
#include <stdio.h>

int main(void)
{
    int n = 0;
    FILE *file = fopen("numbers", "r");
    fscanf(file, "%d", &n);
    printf("%d\n", n);
    return 0;
}
