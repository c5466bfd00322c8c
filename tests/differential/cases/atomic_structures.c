/* _Atomic structures, which may be aligned otherwise, and atomic changes of pointers, to which gcc adds bytes. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);

typedef struct { int x, y; } pair;
typedef _Atomic pair shared_pair;
struct holder { char c; _Atomic pair p; char d; shared_pair q; };
struct odd { char c[3]; };
struct big { long a, b, c; };

static _Atomic pair shared;

int main(void)
{
    int a = __VERIFIER_nondet_int(), numbers[4] = { 1, 2, 3, 4 }, *plain = numbers;
    _Atomic(int *) place = numbers;
    printf("%zu %zu %zu\n", sizeof(struct holder), offsetof(struct holder, p), offsetof(struct holder, q));
    printf("%zu %zu %zu\n", _Alignof(_Atomic pair), _Alignof(shared_pair), _Alignof(_Atomic struct odd));
    printf("%zu %zu\n", sizeof(_Atomic struct big), _Alignof(_Atomic(struct big)));
    pair mine = { a, 2 }, other;
    atomic_init(&shared, mine);
    other = shared;
    printf("%d %d\n", other.x, other.y);
    shared = (pair){ 7, a };
    other = atomic_exchange(&shared, mine);
    printf("%d %d\n", other.x, other.y);
    pair expected = { 3, 2 }, wanted = { 5, 6 };
    printf("%d ", atomic_compare_exchange_strong(&shared, &expected, wanted));
    printf("%d ", atomic_compare_exchange_weak(&shared, &expected, wanted));
    printf("%d %d\n", expected.x, atomic_load(&shared).y);
    int *before = atomic_fetch_add(&place, sizeof *before);
    printf("%d %d\n", *before, *place);
    atomic_fetch_sub_explicit(&place, sizeof *before, memory_order_relaxed);
    __sync_fetch_and_add(&plain, sizeof *plain);
    printf("%d %d %d\n", *place, *plain, *__atomic_add_fetch(&plain, 4, __ATOMIC_SEQ_CST));
    before = numbers;
    printf("%d %d\n", atomic_compare_exchange_strong(&place, &before, numbers + 3), *place);
    printf("%d\n", atomic_is_lock_free(&shared) + atomic_is_lock_free(&place));
    __VERIFIER_assert(other.y != 5);
    return 0;
}
