#include <stdio.h>

#define SIZE 3

/* Reads the rows of a table; prints the sum of each row and of each column, and where the largest entry is. */
int main(void)
{
    int table[SIZE][SIZE];
    int rows, columns;
    scanf("%d %d", &rows, &columns);
    if (rows < 1 || rows > SIZE || columns < 1 || columns > SIZE) {
        printf("wrong size\n");
        return 1;
    }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            scanf("%d", &table[r][c]);

    for (int r = 0; r < rows; r++) {
        int sum = 0;
        for (int c = 0; c < columns; c++)
            sum += table[r][c];
        printf("row %d: %d\n", r + 1, sum);
    }
    for (int c = 0; c < columns; c++) {
        int sum = table[0][c];
        for (int r = 0; r < rows; r++)
            sum += table[r][c];
        printf("column %d: %d\n", c + 1, sum);
    }
    int row = 0;
    int column = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            if (table[r][c] > table[row][column]) {
                row = r;
                column = c;
            }
    printf("largest: row %d, column %d\n", row + 1, column + 1);
    return 0;
}
