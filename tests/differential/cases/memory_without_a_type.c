/* Memory that only void pointers know gets its cells from what is copied, stored or read first, wherever that is. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nondet_int(void);

struct pair {
    char name;
    int number;
};

struct vector {
    void *data;
    size_t size, count, room;
};

static void push(struct vector *v, const void *item)
{
    if (v->count == v->room) {
        v->room = v->room ? 2 * v->room : 1;
        v->data = realloc(v->data, v->room * v->size);
    }
    memcpy((char *)v->data + v->count++ * v->size, item, v->size);
}

static void insert_first(struct vector *v, const void *item)
{
    push(v, item);
    memmove((char *)v->data + v->size, v->data, (v->count - 1) * v->size);
    memcpy(v->data, item, v->size);
}

static void scalars(int n)
{
    void *one = malloc(2 * sizeof(int));
    memcpy(one, &n, sizeof n);
    assert(*(int *)one == n);
    void *last = malloc(3 * sizeof(int));
    memcpy((int *)last + 2, &n, sizeof n);
    assert(((int *)last)[2] == n);
    void *odd = malloc(9);
    memcpy((char *)odd + 3, &n, sizeof n);
    memcpy(&n, (char *)odd + 3, sizeof n);
    printf("%d %d\n", *(int *)one, n);
    void *moved = realloc(malloc(16), 32);
    memcpy((char *)moved + 8, &n, sizeof n);
    assert(((int *)moved)[2] == n);
    free(one), free(last), free(odd), free(moved);
}

int main(void)
{
    int n = nondet_int();
    struct vector numbers = {.size = sizeof n}, pairs = {.size = sizeof(struct pair)};
    scalars(n);
    for (int i = 0; i < 5; i++, n++) {
        struct pair p = {(char)('a' + i), n};
        push(&numbers, &n);
        if (i % 2)
            push(&pairs, &p);
        else
            insert_first(&pairs, &p);
    }
    insert_first(&numbers, &n);
    for (size_t i = 0; i < numbers.count; i++)
        printf("%d ", ((int *)numbers.data)[i]);
    for (size_t i = 0; i < pairs.count; i++) {
        struct pair p = ((struct pair *)pairs.data)[i];
        printf("%c%d ", p.name, p.number);
    }
    printf("\n");
    free(numbers.data), free(pairs.data);
    return 0;
}
