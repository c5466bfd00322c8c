#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

#define BUCKETS 4
#define KEYS    8
#define STEPS   4

struct entry {
    unsigned key;
    int value;
    struct entry *next;
};

struct table {
    struct entry *buckets[BUCKETS];
    int used;
};

static unsigned hash(unsigned key)
{
    return (key * 5 + 3) % BUCKETS;
}

static struct entry *find(const struct table *t, unsigned key)
{
    struct entry *e = t->buckets[hash(key)];

    while (e != NULL) {
        if (e->key == key)
            return e;
        e = e->next;
    }
    return NULL;
}

static void put(struct table *t, unsigned key, int value)
{
    struct entry *e = find(t, key);
    unsigned h = hash(key);

    if (e == NULL) {
        e = malloc(sizeof *e);
        if (e == NULL)
            abort();
        e->key = key;
        e->next = t->buckets[h];
        t->buckets[h] = e;
        t->used++;
    }
    e->value = value;
}

static int get(const struct table *t, unsigned key, int otherwise)
{
    const struct entry *e = find(t, key);

    return e == NULL ? otherwise : e->value;
}

static int discard(struct table *t, unsigned key)
{
    struct entry **place = &t->buckets[hash(key)];

    while (*place != NULL) {
        struct entry *e = *place;
        if (e->key == key) {
            t->buckets[hash(key)] = e->next;
            free(e);
            t->used--;
            return 1;
        }
        place = &e->next;
    }
    return 0;
}

/* What the table should hold: -1 where there is nothing. */
static int model[KEYS];

static int model_count(void)
{
    int k, n = 0;

    for (k = 0; k < KEYS; k++)
        if (model[k] >= 0)
            n++;
    return n;
}

int main(void)
{
    struct table t = {{0}, 0};
    unsigned key;
    int k, step;

    for (k = 0; k < KEYS; k++)
        model[k] = -1;
    for (step = 0; step < STEPS; step++) {
        unsigned char what = __VERIFIER_nondet_uchar();
        key = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(key < KEYS);
        if (what % 2 == 0) {
            put(&t, key, what);
            model[key] = what;
        } else {
            int found = discard(&t, key);
            assert(found == (model[key] >= 0));
            model[key] = -1;
        }
        assert(t.used == model_count());
    }
    for (k = 0; k < KEYS; k++)
        assert(get(&t, (unsigned)k, -1) == model[k]);
    return 0;
}
