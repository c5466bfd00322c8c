/* Nested structures copied, passed, returned and changed by value. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct point {
    short x, y;
};
struct box {
    struct point corner[2];
    char tag;
    struct {
        long area;
        unsigned char colour;
    } info;
};

static struct point moved(struct point p, int by)
{
    p.x += by;
    p.y -= by;
    return p;
}

static struct box make(int a)
{
    struct box b = { { { 1, 2 }, { a, a + 1 } }, 't', { a * 2L, 300 } };
    return b;
}

static long area(struct box b)
{
    b.info.area += b.corner[1].x;
    b.corner[0].x = 99;
    return b.info.area;
}

int main(void)
{
    int a = nondet_int();
    struct box one = make(a), two = one, *p = &two;
    p->corner[a & 1] = moved(one.corner[1], 7);
    printf("%d %d %d %d\n", two.corner[0].x, two.corner[0].y, two.corner[1].x, two.corner[1].y);
    printf("%ld %ld %d %d\n", area(one), one.info.area, one.corner[0].x, one.info.colour);
    two.info = one.info;
    two.info.area++;
    printf("%ld %ld %c\n", one.info.area, p->info.area, (*p).tag);
    printf("%d %d\n", moved(moved(two.corner[0], 1), 2).x, make(5).corner[1].y);
    printf("%zu %zu\n", sizeof(struct box), sizeof one.info);
    one = a > 0 ? two : make(1);
    printf("%ld\n", (one = two, one.info.area));
    assert(one.corner[0].x != 8);
    return 0;
}
