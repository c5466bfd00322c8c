/* Pointers whose lowest bits hold a tag, and such as are aligned within an array of bytes. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>

int nondet_int(void);

struct node {
    uintptr_t parent_color;
    int key;
};

static struct node *parent_of(const struct node *n)
{
    return (struct node *)(n->parent_color & ~(uintptr_t)3);
}

static void *tagged(void *p, unsigned tag)
{
    return (void *)((uintptr_t)p | tag);
}

int main(void)
{
    struct node n[3] = { { 0, 5 }, { 1, 6 }, { 0, 7 } }, other = { 0, 9 };
    int i = nondet_int() & 1, j = nondet_int();
    n[0].parent_color = (uintptr_t)(j > 0 ? &n[1] : &other) | (nondet_int() & 1);
    n[2].parent_color = n[0].parent_color ^ 1;
    printf("%d %d\n", parent_of(&n[0])->key, (int)(n[0].parent_color & 3));
    parent_of(&n[2 * i])->key++;
    printf("%d %d %d\n", n[1].key, other.key, parent_of(&n[2]) == parent_of(&n[0]));
    void *p = tagged(i ? &n[j & 1] : &other, j & 3);
    printf("%d %d\n", ((struct node *)((uintptr_t)p & ~(uintptr_t)3))->key, (int)((uintptr_t)p & 3));
    static _Alignas(16) char bytes[64];
    char *q = (char *)(((uintptr_t)(bytes + (j & 15)) + 7) & ~(uintptr_t)7);
    *(long *)q = 3;
    printf("%d %d %d\n", (int)(q - bytes), bytes[8], bytes[16]);
    return 0;
}
