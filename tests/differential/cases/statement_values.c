/* Blocks that are values, in one another and in places of their own; a void function returns a void call. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct pair {
    int a, b;
};

union word {
    long whole;
    struct pair parts;
};

static int calls;

static void count(int by)
{
    calls += by;
}

static void twice(int by)
{
    return count(2 * by);
}

static struct pair both(int x)
{
    return (struct pair){ x, x + 1 };
}

static float halved(f, shift) float f; short shift; { return f / 2 + shift; }

int main(void)
{
    int table[4] = {[1] 5, [2] = 6, 7}, grid[2][2] = {[1] {[0] 8, 9}};
    printf("%d %d %d %d %d\n", table[1], table[2], table[3], grid[1][0], grid[1][1]);
    int x = nondet_int() & 7;
    struct pair p = { a: 1, b: 2 };
    void *anything = &p;
    twice(x);
    printf("%d\n", ({ ({ x + 1; }); }));
    printf("%d\n", ({ int y = x; ({ int z = y; z * 2; }) + y; }));
    *({ ({ both(9); &p; }); }) = both(x);
    printf("%d %d %d\n", p.a, p.b, calls);
    x > 3 ? *anything : (void)0;
    union word w = (union word)(p);
    printf("%d %ld\n", ((union word)(3L + x)).parts.a, w.whole & 15);
    printf("%.2f %.2f\n", halved(3.0f, 1), halved(x + .25, x));
    assert(calls != 6);
    return 0;
}
