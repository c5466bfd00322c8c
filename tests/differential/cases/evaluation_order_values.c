/* gcc's order in assignments: a value with effects before its place, but a plain call after it. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct node { struct node *next; int v; };

static int a[9], g;
static long l[9];
static char c[9];

static int f(void) { return ++g; }
static long many(void) { return ++g; }
static unsigned positive(void) { return (unsigned)++g; }
static int twice(int x) { return x + x; }
static void show(const char *what)
{
    printf("%s:", what);
    for (int i = 0; i < 9; i++) {
        printf(" %d/%ld/%d", a[i], l[i], c[i]);
        a[i] = i + 1;
        l[i] = c[i] = 0;
    }
    g = 1;
    puts("");
}

static void effects_in_the_value(int i)
{
    i = 1; a[i] = i++; show("post");
    i = 1; a[i] = ++i; show("pre");
    i = 1; a[i + 1] = i++ + 40; show("sum");
    i = 1; a[i] = (i = 4, 7); show("comma");
    i = 2; a[i] = i = 5; show("chain");
    i = 1; a[i] = a[i = 2]; show("index assigned");
    i = 1; a[i] = twice(i) + i++; show("use and move");
    a[g] = f(); show("call");
    a[g] = f() + 1; show("call and sum");
    l[g] = f(); show("converted call");
    a[g] = (int)f(); show("call converted to its type");
    l[g] = (long)(unsigned long)many(); show("call converted and back");
    a[g] = positive(); show("call of another sign");
    c[g] = f(); show("narrowed call");
    a[f()] = f() * 10; show("two calls");
    a[f()] = f(); show("two plain calls");
    a[g] = g ? f() : 3; show("conditional");
    a[a[g]] = g = 3; show("looked up twice");
}

static void effects_in_the_place(int i)
{
    static int top = 1;
    int *p = a;
    i = 1; a[i++] = i; show("local");
    i = 1; a[i++] = i * 2 + 1; show("computed");
    i = 1; a[i++] = a[i - 1]; show("element before");
    i = 3; a[i++] = *(p + i); show("by pointer");
    i = 1; a[i++] = i > 1 ? 5 : 6; show("choice");
    i = 1; a[i++] = i > 1 && i; show("logical");
    i = 1; a[i++] = -i; show("negated");
    i = 1; l[i++] = i; show("widened");
    i = 1; c[i++] = (char)i; show("narrowed");
    a[g++] = g; show("global");
    a[g++] = g + 1; show("global sum");
    a[f()] = g; show("global behind a call");
    a[f()] = g + 1; show("global sum behind a call");
    a[top++] = a[top - 1]; show("pushed again");
    p = a; *p++ = *p; show("star");
    p = a + 3; *p-- = *p + p[1]; show("down");
}

int main(void)
{
    int x = nondet_int(), i = 0, *p = a;
    char text[6] = "abcde", copy[8] = ".......";
    struct node one = { 0, 1 }, two = { 0, x }, *q = &one;
    show("start");
    effects_in_the_value(x);
    effects_in_the_place(x);
    while (text[i])
        copy[i] = text[i++];
    puts(copy);
    q->next = q = &two;
    printf("%d %d %d\n", one.next == &two, two.next == &two, q == &two);
    q = &one;
    (*q).v = (q = &two)->v + 5;
    printf("%d %d\n", one.v, two.v);
    *p = (p++, x);
    p[1] = *p++ + 5;
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    assert(two.v != 12);
    return 0;
}
