/* Sums of the rows of a matrix. */
#include <stddef.h>

#define COLUMNS 3

/* sums[r] becomes the sum of row r; returns the largest of them.
 * @requires 1 <= rows && rows <= 3
 * @ensures sums[0] == __sfo_old((long)m[0][0] + m[0][1] + m[0][2])
 * @ensures rows < 2 || sums[1] == __sfo_old((long)m[1][0] + m[1][1] + m[1][2])
 * @ensures rows < 3 || sums[2] == __sfo_old((long)m[2][0] + m[2][1] + m[2][2])
 * @ensures __sfo_result >= sums[0] && (rows < 2 || __sfo_result >= sums[1]) && (rows < 3 || __sfo_result >= sums[2])
 * @ensures sums[3] == __sfo_old(sums[3])
 */
long row_sums(const int m[][COLUMNS], size_t rows, long *sums)
{
    long largest;
    for (size_t r = 0; r < rows; r++) {
        long sum = 0;
        for (size_t c = 1; c < COLUMNS; c++)
            sum += m[r][c];
        sums[r] = sum;
    }
    largest = sums[0];
    for (size_t r = 1; r < rows; r++)
        if (sums[r] > largest)
            largest = sums[r];
    return largest;
}
