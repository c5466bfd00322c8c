/* Values of designated initialisers are evaluated in the order of the parts they are for, as gcc does it. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct point { int x, y; };
struct shape {
    struct point a, b;
    int v[3];
    union { int i; struct point q; } u;
    struct { int left, right; };
    unsigned small : 3, wide : 9;
    double d;
};

static int count;

static int next(int k) { printf("next %d\n", k); return ++count; }
static struct point made(int k) { printf("made %d\n", k); return (struct point){.y = 100, .x = ++count}; }

static void show(const struct shape *s)
{
    printf("(%d %d) (%d %d) (%d %d %d) ", s->a.x, s->a.y, s->b.x, s->b.y, s->v[0], s->v[1], s->v[2]);
    printf("%d %d %d %d %d %g\n", s->u.i, s->left, s->right, s->small, s->wide, s->d);
    count = 0;
}

int main(void)
{
    int k = nondet_int() & 15;
    struct shape s1 = {.b.y = next(1), .a.x = next(2), .b.x = next(k), .a.y = next(4)};
    show(&s1);
    struct shape s2 = {.v = {[2] = next(1), [0] = next(2)}, .a = made(k), .b = {.y = next(4), .x = next(5)}};
    show(&s2);
    struct shape s3 = {.d = next(1), .wide = next(2), .small = next(3), .u.i = next(4), .v[1] = next(5), next(6)};
    show(&s3);
    struct shape s4 = {.v[2] = next(1), .v = {next(2), k}, .a = made(4), .right = next(5), .left = next(6)};
    show(&s4);
    struct shape s5 = {.b = made(1), .a = {next(2), next(3)}, .b.y = 7, .u.q.y = next(4), .u.q.x = next(5)};
    show(&s5);
    struct shape s6 = {.a = {.y = next(1)}, .v = {k++, k}, .b = s1.a, .b.x = k++, .a.x = k};
    show(&s6);
    struct point few[3] = {[2] = {next(1), next(2)}, [0].y = next(3), [1] = made(4), [0].x = next(5)};
    for (int n = 0; n < 3; n++)
        printf("(%d %d) ", few[n].x, few[n].y);
    struct point *made_here = &(struct point){.y = next(1), .x = next(2)};
    printf("%d %d\n", made_here->x, made_here->y);
    int i = k;
    int many[30] = {[20] = i++, [3] = i++, [7 ... 8] = i, [2] = i++};
    printf("%d %d %d %d\n", many[20] - k, many[3] - k, many[8] - k, many[2] - k);
    assert(many[20] > many[3] && s6.b.x != 9);
    return 0;
}
