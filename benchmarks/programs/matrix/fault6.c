#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define ROWS 2
#define COLS 3

typedef int wide_t[ROWS][COLS];
typedef int tall_t[COLS][ROWS];
typedef int square_t[ROWS][ROWS];

static void fill(wide_t m)
{
    int i, j;
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLS; j++) {
            int v = __VERIFIER_nondet_int();
            __VERIFIER_assume(v >= -3 && v <= 3);
            m[i][j] = v;
        }
}

static void transpose(wide_t m, tall_t t)
{
    int i, j;
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLS; j++)
            t[j][i] = m[i][i];
}

static void multiply(wide_t a, tall_t b, square_t out)
{
    int i, j, k;
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < ROWS; j++) {
            int sum = 0;
            for (k = 0; k < COLS; k++)
                sum += a[i][k] * b[k][j];
            out[i][j] = sum;
        }
}

static int trace(square_t m)
{
    int i, s = 0;
    for (i = 0; i < ROWS; i++)
        s += m[i][i];
    return s;
}

static int determinant(square_t m)
{
    return m[0][0] * m[1][1] - m[0][1] * m[1][0];
}

static int row_max(wide_t m, int row)
{
    int best = m[row][0];
    int j;
    for (j = 1; j < COLS; j++)
        if (m[row][j] > best)
            best = m[row][j];
    return best;
}

int main(void)
{
    wide_t a;
    tall_t at;
    square_t gram;
    int i, j, top;
    int squares = 0;

    fill(a);
    transpose(a, at);
    multiply(a, at, gram);

    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLS; j++) {
            squares += a[i][j] * a[i][j];
            assert(at[j][i] == a[i][j]);
        }
    printf("%d\n", trace(gram));
    printf("%d\n", determinant(gram));

    /* the Gram matrix is symmetric and its diagonal is not negative */
    assert(gram[0][1] == gram[1][0]);
    assert(gram[0][0] >= 0 && gram[1][1] >= 0);
    assert(trace(gram) == squares);
    assert(determinant(gram) >= 0);

    for (i = 0; i < ROWS; i++) {
        top = row_max(a, i);
        printf("%d\n", top);
        for (j = 0; j < COLS; j++)
            assert(a[i][j] <= top);
        assert(top <= 3);
    }
    return 0;
}
