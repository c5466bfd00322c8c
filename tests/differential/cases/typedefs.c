/* Typedefs of arrays, structures, functions; qualifiers and storage classes. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

typedef int row[3];
typedef row grid[2];
typedef struct node node;
struct node {
    const int value;
    node *next;
};
typedef unsigned long size;
typedef int binary(int, int);

static binary plus;
static const volatile int fixed = 12;
extern int shared;
int shared = 4;

static int plus(int a, int b) { return a + b + shared; }

static inline size count(const node *restrict n)
{
    register size k = 0;
    for (; n; n = n->next)
        k++;
    return k;
}

int main(void)
{
    grid g = { { 1, 2, 3 }, { 4, 5, 6 } };
    int x = nondet_int();
    row *r = &g[x & 1];
    node last = { x, 0 }, first = { x + 1, &last };
    binary *f = plus;
    auto int y = (*r)[2];
    const row c = { 7, 8, 9 };
    printf("%d %d %lu\n", y, f(x, 1), count(&first));
    printf("%d %d %d\n", fixed, first.next->value, c[x & 1]);
    shared = x;
    printf("%d\n", plus(1, 1));
    assert(first.value != 4);
    return 0;
}
