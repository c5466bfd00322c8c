/* Offsets that are sums of multiples of one input, whose common factor is odd. */
#include <stdio.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 4);
    int s[16];
    int *p = s;
    for (int i = 0; i < 16; i++) s[i] = i;
    long k = n;
    printf("%d %d %d\n", *(int*)((char*)p + 4*k*2), *(int*)((char *)p + (2*k + 2)*4), *(p + 2*k + 2));
    printf("%d\n", *(int*)((char *)p + (4*k)*2 + 8));
    printf("%d %d\n", *(p + k*2 + n - 1), *((int *)((char*)p + 2*(k*4)) + n - 1));
    return 0;
}
