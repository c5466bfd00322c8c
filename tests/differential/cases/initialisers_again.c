/* Initialisers for parts that have one already, which is forgotten: gcc does not even evaluate it. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct point { int x, y; };
struct shape {
    int tag;
    struct point a;
    int v[3];
    char name[6];
    union { int i; struct point q; } u;
    union { int number; char letter; };
};

#define POINT(x, y) ((struct point){x, y})

static struct point table[] = {POINT(1, 2), {3, 4}, [3] = POINT(0, 5)};
static struct { struct point from, to; int n; } line = {POINT(1, 2), .to = POINT(3, 4), 5, .to.y = 6};
static struct shape fixed = {.a = {5, 6}, .a.x = 1, .v = {1, 2, 3}, .v[1] = 9, .name = "hello", .name = "yo"};
static int count;

static int next(int k) { printf("next %d\n", k); return ++count; }
static struct point made(int k) { printf("made %d\n", k); return POINT(k, k + 1); }

static void show(const char *name, const struct shape *s)
{
    printf("%s: %d (%d %d) (%d %d %d) ", name, s->tag, s->a.x, s->a.y, s->v[0], s->v[1], s->v[2]);
    for (int n = 0; n < 6; n++)
        printf("%d ", s->name[n]);
    printf("(%d %d) %d\n", s->u.q.x, s->u.q.y, s->number);
}

int main(void)
{
    int k = nondet_int() & 15;
    struct point p = {k, 77};
    struct shape s1 = {.a = p, .a.x = 1};
    struct shape s2 = {.a = {5, k}, .a.x = next(1), .a.x = 2};
    struct shape s3 = {.a = made(3), .a.x = k};
    struct shape s4 = {.a.x = next(4), .a = p};
    struct shape s5 = {.a = {next(5), 2}, .v = {1, 2, k}, .a = {.y = 3}, .v = {[2] = 9}};
    struct shape s6 = {.u.i = next(6), .u.q.y = k, .number = next(7), .letter = 8};
    struct shape s7 = {.u.q = {1, 2}, .u.i = k, 9};
    struct shape s8 = {1, 2, 3, 4, 5, 6, .a.y = k, 7, .name = {'a', 'b', 'c'}, .name[1] = 'd', .name = "e"};
    struct point few[3] = {p, [0].x = 3, {1, 2}, [1] = p};
    static struct point kept[2] = {POINT(1, 2), POINT(3, 4)};
    show("1", &s1);
    show("2", &s2);
    show("3", &s3);
    show("4", &s4);
    show("5", &s5);
    show("6", &s6);
    show("7", &s7);
    show("8", &s8);
    show("fixed", &fixed);
    for (int n = 0; n < 3; n++)
        printf("(%d %d) ", few[n].x, few[n].y);
    printf("%d %d %d %d\n", table[0].y, table[3].y, kept[1].x, (int)(sizeof table / sizeof *table));
    printf("%d %d %d\n", line.from.y, line.to.y, line.n);
    assert(few[0].x + s5.a.x == 3 && s1.a.y == 0 && k != 4);
    return 0;
}
