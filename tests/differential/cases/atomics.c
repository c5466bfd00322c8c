/* The __sync and __atomic builtins and stdatomic.h, in the one thread there is. */
#include <stdatomic.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);

static int counter = 5;
static atomic_int shared = ATOMIC_VAR_INIT(3);
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), out, *p = &counter;
    int expected = b & 7;
    unsigned char narrow = 250, lock = 0;
    printf("%d %d\n", __sync_fetch_and_add(&counter, a), counter);
    printf("%d %d\n", __sync_sub_and_fetch(p, b), counter);
    printf("%d ", __sync_fetch_and_nand(p, 12));
    printf("%d ", __sync_xor_and_fetch(&counter, b));
    printf("%d %d\n", __sync_fetch_and_or(p, 1), __sync_and_and_fetch(p, 0xff));
    printf("%d %d\n", __sync_bool_compare_and_swap(&counter, a, b), counter);
    printf("%d %d\n", __sync_val_compare_and_swap(&counter, b, 77), counter);
    printf("%d %d\n", __sync_lock_test_and_set(&counter, a), counter);
    __sync_synchronize();
    printf("%d %d\n", __atomic_fetch_add(&narrow, 9, __ATOMIC_SEQ_CST), narrow);
    printf("%d\n", __atomic_add_fetch(&narrow, 250, __ATOMIC_RELAXED));
    __atomic_store_n(p, b, __ATOMIC_RELEASE);
    printf("%d %d\n", __atomic_load_n(&counter, __ATOMIC_ACQUIRE), __atomic_exchange_n(p, a, 5));
    printf("%d %d ", __atomic_compare_exchange_n(p, &expected, 100, 0, 5, 5), expected);
    printf("%d\n", counter);
    __atomic_load(&counter, &out, 0);
    __atomic_store(&counter, &expected, 0);
    printf("%d %d\n", out, counter);
    printf("%d ", __atomic_test_and_set(&lock, 0));
    printf("%d %d\n", __atomic_test_and_set(&lock, 0), lock);
    __atomic_clear(&lock, 0);
    shared += a;
    printf("%d %d\n", atomic_fetch_sub(&shared, 2), atomic_load(&shared));
    atomic_store(&shared, b);
    printf("%d %d\n", atomic_compare_exchange_strong(&shared, &out, 4), shared++);
    printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_exchange(&shared, 8));
    __sync_lock_release(&counter);
    __VERIFIER_assert(counter == 0 && out != 4);
    return 0;
}
