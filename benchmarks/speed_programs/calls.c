/* Recursion, structures by value, a function pointer, local objects. */
#include <assert.h>
struct pair {
    int sum, count;
};

static struct pair add(struct pair p, int n)
{
    struct pair local[2] = {p, {n, 1}};
    local[0].sum += local[1].sum;
    local[0].count += local[1].count;
    return local[0];
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    struct pair p = {0, 0}, (*step)(struct pair, int) = add;
    for (int i = 0; i < 3000; i++)
        p = step(p, i);
    assert(p.count == 3000);
    assert(fibonacci(16) == 987);
    return 0;
}
