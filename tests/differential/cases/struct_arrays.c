/* Arrays of structures through pointers. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);
unsigned char nondet_uchar(void);

struct item {
    int key;
    char name[4];
    struct item *next;
};

static struct item table[3] = { { 3, "abc" }, { .name = "de", .key = 1 }, { 2, { 'f', 'g' } } };

static struct item *find(struct item *items, int count, int key)
{
    struct item *found = 0;
    for (struct item *p = items; p < items + count; p++)
        if (p->key == key)
            found = p;
    return found;
}

static int sum(const struct item *p)
{
    int s = 0;
    while (p) {
        s = s * 10 + p->key;
        p = p->next;
    }
    return s;
}

int main(void)
{
    int key = nondet_int(), at = nondet_uchar() % 3;
    struct item *p = find(table, 3, key), *last = &table[2];
    printf("%d %ld\n", p != 0, p ? (long)(p - table) : -1);
    if (p) {
        p->key++;
        p->name[1]++;
        (p - table > 0 ? p - 1 : p)->name[0] = 'z';
    }
    table[at].next = last;
    table[0].next = &table[at ? at : 1];
    last->next = 0;
    printf("%d %s %s %s\n", sum(table), table[0].name, table[1].name, (*last).name);
    struct item copy = table[at];
    copy.name[0] = 'q';
    printf("%d %c %c\n", copy.next == last, copy.name[0], table[at].name[0]);
    assert(!p || p->key != 3);
    return 0;
}
