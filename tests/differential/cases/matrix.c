/* Arrays of arrays: rows are objects of their own. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int m[2][3] = { { 1, 2 }, { 4, 5, 6 } };
static short cube[2][2][2] = { { { 1, 2 }, { 3, 4 } }, { { [1] = 5 } } };

static int row_sum(int row[3])
{
    int s = 0;
    for (int i = 0; i < 3; i++)
        s += row[i];
    return s;
}

static int all(int (*rows)[3], int count)
{
    int s = 0;
    for (int i = 0; i < count; i++)
        s = s * 2 + row_sum(rows[i]);
    return s;
}

int main(void)
{
    int i = nondet_int(), r = i & 1, c = (unsigned)i % 3;
    int (*p)[3] = m + r;
    m[r][c] += i;
    (*p)[2 - c]++;
    printf("%d %d %d\n", m[0][0], m[0][1], m[0][2]);
    printf("%d %d %d\n", row_sum(m[r]), all(m, 2), p[0][c]);
    printf("%d %d %d\n", cube[1][0][1], cube[r][r][r], *(*(*(cube + r)) + 1));
    printf("%zu %zu %zu\n", sizeof m, sizeof m[0], sizeof cube / sizeof cube[0][0]);
    printf("%ld %ld\n", (long)(&m[1][0] - &m[0][0]), (long)(&m[1] - &m[0]));
    assert(all(m, 2) != 27);
    return 0;
}
