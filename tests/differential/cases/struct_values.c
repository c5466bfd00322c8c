/* Structures that are values: from ?:, assignments, calls, compound literals, statement expressions. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct pair {
    int a;
    char tail[3];
};
struct holder {
    struct pair in;
    struct pair *at;
};

static int calls;

static struct pair make(int a)
{
    struct pair p = { a, { a, a + 1, a + 2 } };
    calls++;
    return p;
}

static struct holder hold(struct pair *at)
{
    return (struct holder){ *at, at };
}

static int total(struct pair p, struct pair q)
{
    p.a += q.a;
    q.a = 0;
    return p.a + p.tail[2] + q.tail[0];
}

int main(void)
{
    int x = nondet_int();
    struct pair one = make(1), two = { x }, three;
    struct pair *p = &(struct pair){ x, "ab" };
    struct holder h = hold(x > 2 ? &one : &two);
    printf("%d %d\n", (x & 1 ? one : two).a, (x & 1 ? one : two).tail[x & 1]);
    printf("%d %d\n", (three = two).a, make(x).tail[1]);
    printf("%d %d %d\n", p->a, p->tail[1], (*p).tail[2]);
    h.at->a++;
    h.in.a += 10;
    printf("%d %d %d %d\n", one.a, two.a, h.in.a, hold(&three).at->a);
    printf("%d %d\n", total(one, make(x)), total(*h.at, *h.at));
    one = two = *p;
    p->tail[0] = 'z';
    printf("%d %c %c\n", one.a, one.tail[0], two.tail[0]);
    x ? (void)(three = make(4)) : (void)0;
    printf("%d %d %d\n", three.a, (make(2), make(3)).a, calls);
    h = (struct holder){ .at = &h.in, .in = { .tail = { [1] = x } } };
    h.at->tail[1] ^= 1;
    printf("%d %d\n", h.in.tail[1], h.at == &h.in);
    assert(three.a != 7 && h.in.tail[1] != 5);
    return 0;
}
