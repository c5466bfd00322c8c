/* gcc's order in assignments: the place before the value that a call gives, but the value of op= with effects first. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int g = 1, a[4] = { 1, 2, 3, 4 };
static struct pair { int x, y; } s = { 1, 2 };
static int *p = a;

static int move(void)
{
    g = (g + 1) & 3;
    a[g]++;
    s.x += 10;
    p = &a[g & 2];
    return 7;
}

static int both(struct pair q, int n) { return q.x * 100 + n; }
static struct pair made(int n)
{
    s.y += n;
    return (struct pair){ n, s.y };
}

int main(void)
{
    int x = nondet_int();
    a[g] = move();
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    a[g] += move();
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    a[g & 1] -= move() + x;
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    *p = move();
    *p += move();
    p[g & 1] |= move();
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    s.x = move();
    s.x *= move();
    g += move();
    g &= 3;
    printf("%d %d\n", s.x, g);
    printf("%d\n", both(s, move()));
    a[g] = a[g] + move();
    s = made(s.y);
    printf("%d %d %d\n", s.x, s.y, (g = 2) + move());
    int b[3] = { g, move(), g }, c = g + move(), d = c - move();
    printf("%d %d %d %d %d\n", b[0], b[1], b[2], c, d);
    assert(a[3] != 11);
    return 0;
}
