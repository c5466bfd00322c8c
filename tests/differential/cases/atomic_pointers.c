/* Atomic changes of pointers, to which gcc adds bytes. */
#include <stdatomic.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);

int main(void)
{
    int a = __VERIFIER_nondet_int(), numbers[4] = { 1, 2, 3, 4 }, *plain = numbers;
    _Atomic(int *) place = numbers;
    int *before = atomic_fetch_add(&place, sizeof *before);
    printf("%d %d\n", *before, *place);
    atomic_fetch_sub_explicit(&place, sizeof *before, memory_order_relaxed);
    __sync_fetch_and_add(&plain, sizeof *plain);
    printf("%d %d %d\n", *place, *plain, *__atomic_add_fetch(&plain, 4, __ATOMIC_SEQ_CST));
    before = numbers;
    printf("%d %d\n", atomic_compare_exchange_strong(&place, &before, numbers + 3), *place);
    printf("%d\n", atomic_is_lock_free(&place));
    __VERIFIER_assert(a != 5);
    return 0;
}
