/* Binary search. */
#include <stddef.h>

static int is_sorted(const int *a, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (a[i - 1] > a[i])
            return 0;
    return 1;
}

static int holds(const int *a, size_t n, int key)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] == key)
            return 1;
    return 0;
}

/* A place of key among the first n elements of a, or -1.
 * @requires n <= 4 && is_sorted(a, n)
 * @ensures __sfo_result < 0 ? !holds(a, n, key) : a[__sfo_result] == key
 * @ensures -1 <= __sfo_result && __sfo_result < (int)n
 */
int search(const int *a, size_t n, int key)
{
    size_t low = 0;
    size_t high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a[middle] == key)
            return (int)middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}
