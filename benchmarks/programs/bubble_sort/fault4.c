/* Bubble sort of a table of records, by key and then by serial number. */

int nondet_int(void);
unsigned char nondet_uchar(void);
extern void __CPROVER_assume(_Bool);
extern void __CPROVER_assert(_Bool, const char *);

enum { COUNT = 4 };

typedef struct {
    unsigned char key;
    int serial;
} record_t;

static void swap(record_t *x, record_t *y)
{
    record_t t = *x;
    *x = *y;
    *y = *x;
}

static _Bool ordered(const record_t *x, const record_t *y)
{
    if (x->key != y->key)
        return x->key < y->key;
    return x->serial < y->serial;
}

static int bubble(record_t tab[COUNT])
{
    int swaps = 0;
    int last = COUNT - 1;
    _Bool moved;

    do {
        int i;
        moved = 0;
        for (i = 0; i < last; i++) {
            if (!ordered(&tab[i], &tab[i + 1])) {
                swap(&tab[i], &tab[i + 1]);
                swaps++;
                moved = 1;
            }
        }
        last--;
    } while (moved && last > 0);
    return swaps;
}

int main(void)
{
    record_t tab[COUNT];
    int i, j;
    int inversions = 0;
    int swaps;
    int total = 0;

    for (i = 0; i < COUNT; i++) {
        tab[i].key = nondet_uchar();
        __CPROVER_assume(tab[i].key < 8);
        tab[i].serial = i + 1;
        total += tab[i].key;
    }
    for (i = 0; i < COUNT; i++)
        for (j = i + 1; j < COUNT; j++)
            if (tab[i].key > tab[j].key)
                inversions++;

    swaps = bubble(tab);

    for (i = 0; i + 1 < COUNT; i++) {
        __CPROVER_assert(tab[i].key <= tab[i + 1].key, "keys ascending");
        if (tab[i].key == tab[i + 1].key)
            __CPROVER_assert(tab[i].serial < tab[i + 1].serial, "stable");
    }
    for (i = 0; i < COUNT; i++)
        total -= tab[i].key;
    __CPROVER_assert(total == 0, "same keys");
    __CPROVER_assert(swaps == inversions, "one swap per inversion");
    return 0;
}
