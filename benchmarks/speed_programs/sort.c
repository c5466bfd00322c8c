/* Insertion sort through a pointer: loops, comparisons, loads and stores. */
#include <assert.h>
static void sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int key = a[i], j = i;
        while (j > 0 && a[j - 1] > key) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = key;
    }
}

int main(void)
{
    int a[150];
    unsigned seed = 1;
    for (int i = 0; i < 150; i++) {
        seed = seed * 1103515245u + 12345u;
        a[i] = seed >> 16 & 1023;
    }
    sort(a, 150);
    for (int i = 1; i < 150; i++)
        assert(a[i - 1] <= a[i]);
    return 0;
}
