/* Every dialect of properties and assumptions. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
void reach_error(void);

static int checked(int x)
{
    __CPROVER_assert(x != 5, "five");
    return x & 0xf0;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x != 3);
    __CPROVER_assume(x > -100);
    printf("%d\n", x);
    assert(checked(x) >= 0);
    if (x == 2)
        abort();
    if (x == 4)
        reach_error();
    if (x == 6)
        exit(1);
    __VERIFIER_assume(checked(x - 1) != 16);
    assert(x < 1000 && "small enough");
    printf("end\n");
    return x;
}
