#include <assert.h>
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

#define COUNT 3

struct order {
    int number;
    int amount;
    int open;
};

typedef int (*compare_fn)(const struct order *, const struct order *);
typedef int (*test_fn)(const struct order *, void *context);
typedef void (*visit_fn)(const struct order *, void *context);

static int by_amount(const struct order *a, const struct order *b)
{
    return a->amount - b->amount;
}

static int by_number_down(const struct order *a, const struct order *b)
{
    return b->number - a->number;
}

static int is_open(const struct order *o, void *context)
{
    (void)context;
    return o->open;
}

static int is_above(const struct order *o, void *context)
{
    const int *limit = context;

    return o->amount > *limit;
}

static void add_amount(const struct order *o, void *context)
{
    int *sum = context;

    *sum += o->amount;
}

/* Insertion sort; equal orders keep their places. */
static void sort(struct order *orders, int n, compare_fn compare)
{
    int i, k;

    for (i = 1; i < n; i++) {
        struct order moving = orders[i];
        for (k = i; k > 0 && compare(&orders[k - 1], &moving) > 0; k--)
            orders[k] = orders[k - 1];
        orders[k] = moving;
    }
}

/* Keeps the orders that pass the test, in their order; returns how many. */
static int keep(struct order *orders, int n, test_fn test, void *context)
{
    int i;
    int kept = 0;

    for (i = 0; i < n; i++) {
        if (!test(&orders[i], context))
            continue;
        orders[kept] = orders[i];
        kept++;
    }
    return kept;
}

static void each(const struct order *orders, int n, visit_fn visit, void *context)
{
    int i;

    for (i = 1; i < n; i++)
        visit(&orders[i], context);
}

int main(void)
{
    struct order orders[COUNT];
    int i, n;
    int limit;
    int sum = 0, expected = 0, open = 0;

    for (i = 0; i < COUNT; i++) {
        orders[i].number = i;
        orders[i].amount = __VERIFIER_nondet_uchar();
        orders[i].open = __VERIFIER_nondet_uchar() & 1;
        if (orders[i].open)
            open++;
    }
    sort(orders, COUNT, by_amount);
    for (i = 1; i < COUNT; i++) {
        assert(orders[i - 1].amount <= orders[i].amount);
        if (orders[i - 1].amount == orders[i].amount)
            assert(orders[i - 1].number < orders[i].number);
    }

    n = keep(orders, COUNT, is_open, NULL);
    assert(n == open);
    limit = __VERIFIER_nondet_uchar();
    for (i = 0; i < n; i++)
        if (orders[i].amount > limit)
            expected += orders[i].amount;
    n = keep(orders, n, is_above, &limit);
    each(orders, n, add_amount, &sum);
    assert(sum == expected);

    sort(orders, n, by_number_down);
    for (i = 1; i < n; i++)
        assert(orders[i - 1].number > orders[i].number);
    return 0;
}
