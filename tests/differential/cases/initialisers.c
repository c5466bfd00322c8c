/* Designated, nested, partial and repeated initialisers; compound literals. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct in {
    int a;
    char c[3];
};
struct out {
    struct in first;
    int n[4];
    struct in rest[2];
};

static struct out global = { .n[2] = 5, 6, { { 1, "xy" }, { .c = { [1] = 'b' } } }, .first.a = 9 };
static int sparse[] = { 1, [5] = 6, 7, [2] = 3 };
static int ranges[6] = { [1 ... 3] = 4, [2] = 8 };

static int sum(struct in s) { return s.a + s.c[0] + s.c[2]; }

int main(void)
{
    int x = nondet_int();
    struct out o = { { x, { x, 1 } }, .n = { [1] = x + 1, x + 2 }, .n[0] = 3 };
    int a[4] = { x, [2] = x * 2 }, zero[3] = { 0 };
    int *p = (int[]){ x, x + 1, x + 2 };
    printf("%d %d %d %d %d\n", global.first.a, global.n[2], global.n[3], global.rest[0].c[1], global.rest[1].c[1]);
    printf("%zu %d %d %d\n", sizeof sparse / sizeof *sparse, sparse[2], sparse[5], sparse[6]);
    printf("%d %d %d %d\n", ranges[0], ranges[1], ranges[2], ranges[3]);
    printf("%d %d %d %d %d\n", o.first.a, o.first.c[0], o.n[0], o.n[1], o.n[2]);
    printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], zero[2]);
    p[1] *= 2;
    printf("%d %d %d\n", p[0], p[1], sum((struct in){ .a = x, .c = { 1, 2, 3 } }));
    printf("%d\n", (struct in){ x, "ab" }.c[1] + ((int[2]){ 1, 2 })[x & 1]);
    int y = { x }, z = 1, w = z + y;
    printf("%d %d\n", y, w);
    assert(o.n[1] != 6);
    return 0;
}
