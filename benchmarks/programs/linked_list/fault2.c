#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define COUNT 3

struct node {
    int value;
    struct node *next;
};

static int live;

static struct node *make(int value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        exit(1);
    n->value = value;
    n->next = next;
    live++;
    return n;
}

static void drop(struct node *n)
{
    free(n);
    live--;
}

/* Keeps the list in ascending order. */
static struct node *insert(struct node *list, int value)
{
    struct node **place = &list;

    while (*place != NULL && (*place)->value < value)
        place = &(*place)->next;
    *place = make(value, NULL);
    return list;
}

/* Removes the first node with this value, if there is one. */
static struct node *take_out(struct node *list, int value)
{
    struct node *before = NULL;
    struct node *n = list;

    while (n != NULL && n->value != value) {
        before = n;
        n = n->next;
    }
    if (n == NULL)
        return list;
    if (before == NULL)
        list = n->next;
    else
        before->next = n->next;
    drop(n);
    return list;
}

static struct node *reverse(struct node *list)
{
    struct node *done = NULL;

    while (list != NULL) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

static int length(const struct node *list)
{
    int n = 0;

    for (; list != NULL; list = list->next)
        n++;
    return n;
}

static void release(struct node *list)
{
    while (list != NULL) {
        struct node *next = list->next;
        drop(list);
        list = next;
    }
}

int main(void)
{
    int values[COUNT];
    int i;
    int removed;
    int sum = 0;
    int expected = 0;
    struct node *list = NULL;
    struct node *n;

    for (i = 0; i < COUNT; i++) {
        values[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(values[i] >= -4 && values[i] <= 4);
        list = insert(list, values[i]);
        expected += values[i];
    }
    assert(length(list) == COUNT);
    for (n = list; n->next != NULL; n = n->next)
        assert(n->value <= n->next->value);

    removed = __VERIFIER_nondet_int();
    __VERIFIER_assume(removed >= 0 && removed < COUNT);
    list = take_out(list, values[removed]);
    expected -= values[removed];
    assert(length(list) == COUNT - 1);

    list = reverse(list);
    for (n = list; n != NULL; n = n->next) {
        sum += n->value;
        if (n->next != NULL)
            assert(n->value >= n->next->value);
    }
    assert(sum == expected);
    release(list);
    assert(live == 0);
    return 0;
}
