#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

#define SIZE 6

/* Leftmost position whose element is not smaller than the key. */
static unsigned lower_bound(const int *tab, unsigned n, int key)
{
    unsigned lo = 0;
    unsigned hi = n - 1;

    while (lo < hi) {
        unsigned mid = lo + (hi - lo) / 2;
        if (tab[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Position of the key, or -1. */
static int find(const int *tab, unsigned n, int key)
{
    unsigned p = lower_bound(tab, n, key);

    if (p < n && tab[p] == key)
        return (int)p;
    return -1;
}

/* Number of elements equal to the key. */
static unsigned span(const int *tab, unsigned n, int key)
{
    unsigned first = lower_bound(tab, n, key);
    unsigned last = lower_bound(tab, n, key + 1);
    return last - first;
}

int main(void)
{
    int tab[SIZE];
    unsigned n, i, times;
    int key, where;
    int seen = 0;

    n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n >= 1 && n <= SIZE);
    for (i = 0; i < n; i++) {
        tab[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(tab[i] >= 0 && tab[i] <= 100);
        if (i > 0)
            __VERIFIER_assume(tab[i - 1] <= tab[i]);
    }
    key = __VERIFIER_nondet_int();
    __VERIFIER_assume(key >= 0 && key <= 100);

    where = find(tab, n, key);
    times = span(tab, n, key);

    for (i = 0; i < n; i++)
        seen += tab[i] == key ? 1 : 0;

    printf("%d\n", where);
    printf("%u\n", times);
    assert((int)times == seen);
    if (where < 0) {
        assert(seen == 0);
    } else {
        assert(where < (int)n);
        assert(tab[where] == key);
        assert(where == 0 || tab[where - 1] < key);
    }
    return 0;
}
