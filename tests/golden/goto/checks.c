#include <assert.h>
struct pair { int x, y[2]; };
int main(void)
{
    extern int __VERIFIER_nondet_int(void);
    int n = __VERIFIER_nondet_int();
    struct pair p = {.y = {1, n}}, *q = &p;
    q->y[n] = 10 / n;
    assert(q->x < *(q->y + 1));
    return 0;
}
