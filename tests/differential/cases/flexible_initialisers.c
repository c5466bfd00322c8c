/* Static structures whose flexible array member has initial values, declared before and after, copied, pointed to. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct list {
    int n;
    short values[];
};

extern struct list early;
static struct list *const first = &early;

static int sum(const struct list *l)
{
    int s = 0;
    for (int i = 0; i < l->n; i++)
        s += l->values[i];
    return s;
}

static int of_early(void)
{
    return early.values[1] + early.n;
}

struct list early = { 3, { 1, 2, 4 } };
static struct list other = { .n = 2, .values = { [1] = 7 } };
struct text {
    char kind;
    char words[];
} label = { 'x', "hello" };
static struct list none = { 0 };
extern struct list early;

int main(void)
{
    static struct list inner = { 1, { 5 } };
    printf("%d %d %d %d\n", sum(&early), sum(first), sum(&other), of_early());
    printf("%zu %zu %s %c\n", sizeof early, sizeof label, label.words, label.words[nondet_int() & 3]);
    early.values[2] = 9;
    struct list copy = early;
    printf("%d %d %d\n", copy.n, sum(first), none.n);
    inner.values[0]++;
    printf("%d\n", inner.values[0] + sum(&inner));
    assert(label.words[nondet_int() & 3] != 'o' - 3);
    return 0;
}
