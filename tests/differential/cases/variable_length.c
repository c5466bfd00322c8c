/* Variable-length arrays: local, of several dimensions, sizeof, as parameters, in types, and in loops. */
#include <stdio.h>
#include <string.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void __VERIFIER_assume(int);

static int sum(int n, int a[n])
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += a[i];
    return total;
}

static void fill(int rows, int columns, short grid[rows][columns], int start)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            grid[i][j] = start++;
    printf("%zu %zu\n", sizeof grid[0], sizeof grid[0][0]);
}

int trace(int n, int (*m)[n]);

int trace(int n, int (*m)[n])
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += m[i][i] + *(*(m + i) + n - 1);
    return total;
}

int main(void)
{
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 4);
    k = (k & 1) + 2;
    int a[n], calls = 0;
    short grid[k][n + 1];
    struct { char tag; int value; } pairs[n];
    typedef int row[n];
    row square[n];
    int fixed[3][n];
    for (int i = 0; i < n; i++) {
        a[i] = i * k;
        pairs[i].value = a[i] + 1;
        pairs[i].tag = 'a' + i;
        for (int j = 0; j < n; j++)
            square[i][j] = i + j;
    }
    fill(k, n + 1, grid, n);
    printf("%zu %zu %zu %zu\n", sizeof a, sizeof grid, sizeof(row), sizeof square / sizeof square[0]);
    printf("%zu %zu %zu\n", sizeof(int[k]), sizeof(char[n][k]), sizeof pairs);
    printf("%d %d %d\n", sum(n, a), trace(n, square), grid[k - 1][n]);
    memset(fixed, 0, sizeof fixed);
    fixed[2][n - 1] = 7;
    printf("%d %d\n", fixed[2][n - 1] + *fixed[1], (int)(&grid[1] - &grid[0]));
    for (int i = 1; i <= n; i++) {
        char text[i + ++calls];
        memset(text, 'x', sizeof text);
        text[i] = 0;
        printf("%s %zu %d\n", text, sizeof text, calls);
    }
    int (*p)[n] = square + 1;
    if (n > 1)
        printf("%d %c %ld\n", (*p)[0] + p[0][1], pairs[1].tag, (long)(p - square));
    /* Lengths in type names are computed where they stand, and only if what they stand in is evaluated. */
    int zero = n - n, *none = 0, *flat = square[0];
    printf("%d %d ", zero && sizeof(int[8 / zero]) > 1, none ? (int)sizeof(int[*none]) : calls);
    printf("%d %zu %d\n", calls, sizeof(char[++calls][n]), zero || ((int (*)[++calls * 0 + n])flat)[0][0] == square[0][0]);
    printf("%d %d\n", zero ? 0 : (*(int (*)[1][++calls * 0 + n])flat)[0][n - 1], calls);
    int (*rows)[n] = zero ? 0 : (int (*)[n])flat;
    printf("%d %zu %d\n", rows[0][n - 1], sizeof *rows, zero ?: (int)sizeof(short[++calls]));
    /* Pointers to rows move by their size, and sizeof evaluates what has such a type. */
    int row_sum = 0;
    for (int (*r)[n] = square; r < square + n; r++)
        row_sum += (*r)[0];
    rows = square;
    printf("%d %d %d ", row_sum, (*rows++)[0], (int)(rows - square));
    rows += n - 1;
    printf("%d %d ", (int)(rows-- - square), (int)(--rows - square + 5));
    rows = square;
    printf("%zu %d ", sizeof *++rows, (int)(rows - square));
    rows -= 1;
    printf("%zu %d\n", sizeof(rows[calls++ * 0]), calls);
    __VERIFIER_assert(a[n - 1] != 6 || grid[0][1] != 4);
    return pairs[n - 1].value;
}
