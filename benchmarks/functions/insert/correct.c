/* Insertion into a sorted list. */
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

static int is_sorted(const struct node *list)
{
    for (; list && list->next; list = list->next)
        if (list->value > list->next->value)
            return 0;
    return 1;
}

static int length(const struct node *list)
{
    int n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

static int holds(const struct node *list, const struct node *node)
{
    for (; list; list = list->next)
        if (list == node)
            return 1;
    return 0;
}

/* The list with one more node, which is in no list.
 * @requires is_sorted(list) && node->next == NULL
 * @ensures is_sorted(__sfo_result) && holds(__sfo_result, node)
 * @ensures length(__sfo_result) == __sfo_old(length(list)) + 1
 */
struct node *insert(struct node *list, struct node *node)
{
    struct node **place = &list;
    while (*place && (*place)->value < node->value)
        place = &(*place)->next;
    node->next = *place;
    *place = node;
    return list;
}
