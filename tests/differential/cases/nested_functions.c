/* Nested functions and the variables around them. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int nondet_int(void);

struct range { int low, high; };

static int each(const int *values, int count, int (*visit)(int))
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += visit(values[i]);
    return sum;
}

static struct range bounds(const int *values, int count)
{
    struct range found = { values[0], values[0] };
    int calls = 0;
    int widen(int value)
    {
        static int times;
        calls++;
        if (value < found.low)
            found.low = value;
        else if (value > found.high)
            found = (struct range){ found.low, value };
        return ++times;
    }
    int total = each(values, count, widen);
    printf("%d calls, %d\n", calls, total > 0);
    return found;
}

static int power(int base, unsigned exponent)
{
    int step(unsigned left) { return left == 0 ? 1 : base * step(left - 1); }
    return step(exponent);
}

static int two(int a, int b) { return a * 10 + b; }

/* gcc's order of evaluation, in the function around and in the nested ones. */
static void order(int x)
{
    struct range s = { 1, 2 };
    int y = 1, v[3] = { 1, 2, 3 };
    long wide = 5;
    double real = 1.5;
    int bump(void) { s.low++; v[1]++; wide++; real += 1; y += 2; return ++x; }
    int sums(void) { int r = x + bump(); r = r * 10 + s.low + bump(); return r * 10 + v[1] + bump() + (bump() - x); }
    int calls(void) { return two(x, bump()) + two(bump(), x) + two(v[1], bump()) + two(bump(), s.low); }
    int others(void) { return wide * 3 + bump() + real + (x, y) + bump() + (x < bump()) + (y ? x : bump()); }
    int writes(void) { x += bump(); x = x - bump(); s.low = bump() + y; v[y & 1] = bump(); return x + s.low + v[1]; }
    printf("%d %d", sums(), x);
    printf(" %d %d", calls(), x);
    printf(" %d %d", others(), x);
    printf(" %d %d\n", writes(), x);
    int r = x + bump();
    r = r * 10 + s.low + bump();
    printf("%d", r * 10 + v[1] + bump() + (bump() - x));
    printf(" %d", two(x, bump()) + two(bump(), x) + two(v[1], bump()) + two(bump(), s.low));
    printf(" %d", (int)(wide * 3 + bump() + real + (x, y) + bump() + (x < bump()) + (y ? x : bump())));
    x += bump();
    x = x - bump();
    printf(" %d %d\n", x, (x = 3) + bump());
}

int main(void)
{
    int values[4] = { nondet_int() & 15, nondet_int() & 15, 7 }, last = 0;
    struct range r = bounds(values, 4);
    int inside(int x) { last = x; return r.low <= x && x <= r.high; }
    printf("%d %d\n", r.low, r.high);
    printf("%d\n", inside(values[1]));
    printf("%d %d\n", inside(20), last);
    {
        int last = 3;
        void count(void) { last += 1; }
        count(), count();
        printf("%d\n", last);
    }
    printf("%d\n", power(3, 4));
    order(values[0]);
    assert(last == 20);
    assert(r.high < 15);
    return 0;
}
