/* Without names of SV-COMP, abort is a violation. */
#include <stdio.h>
#include <stdlib.h>

int nondet_int(void);
void __CPROVER_assume(_Bool);

static void need(int condition)
{
    if (!condition)
        abort();
}

int main(void)
{
    int x = nondet_int();
    __CPROVER_assume(x != 3);
    printf("%d\n", x);
    need(x != 2);
    return x;
}
