/* Functions that are declared without parameters, or only behind their calls: an int that is passed for a word. */
#include <stdio.h>

int nondet_int(void);
int is_null();
long sum();
int first();

struct pair {
    int a, b;
};

int main(void)
{
    int n = nondet_int(), numbers[2] = {n, 5};
    struct pair p = {n, 1};
    printf("%d %d\n", is_null(0), is_null(numbers));
    printf("%ld %ld\n", sum(numbers, 2), sum(numbers, 1));
    printf("%d %u\n", first(p, 'x'), (unsigned)low(n & 0x7fffffff));
    return 0;
}

int is_null(char *p) { return p == 0; }

long sum(int *numbers, long count)
{
    long s = 0;
    for (long i = 0; i < count; i++)
        s += numbers[i];
    return s;
}

int first(struct pair p, int c) { return p.a + c; }

int low(unsigned long n) { return (int)n; }
