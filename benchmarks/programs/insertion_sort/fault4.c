#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define MAX 5

static int occurrences(const int *v, int n, int what)
{
    int i, c = 0;
    for (i = 0; i < n; i++)
        if (v[i] == what)
            c++;
    return c;
}

static void insertion_sort(int *v, int n)
{
    int i, j, key;
    for (i = 1; i < n; i++) {
        key = v[i];
        j = i;
        while (j > 0 && v[j - 1] < key) {
            v[j] = v[j - 1];
            j--;
        }
        v[j] = key;
    }
}

int main(void)
{
    int data[MAX];
    int n = __VERIFIER_nondet_int();
    int probe = __VERIFIER_nondet_int();
    int i, before, after;

    __VERIFIER_assume(n >= 1 && n <= MAX);
    for (i = 0; i < n; i++) {
        data[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(data[i] >= -50 && data[i] <= 50);
    }
    before = occurrences(data, n, probe);
    insertion_sort(data, n);
    after = occurrences(data, n, probe);

    for (i = 0; i < n; i++)
        printf("%d\n", data[i]);
    assert(before == after);
    for (i = 1; i < n; i++)
        assert(data[i - 1] <= data[i]);
    return 0;
}
