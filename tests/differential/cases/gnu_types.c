/* typeof, __auto_type, _Generic, _Static_assert, _Alignof, compound literals, designated ranges, and their kin. */
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);

enum small { NO, YES } __attribute__((packed));
enum large { HUGE_ONE = 0x123456789aL, LESS = -1 };
struct __attribute__((packed)) tight { char c; int i; short s : 5; unsigned long l : 37; };
#pragma pack(push, 2)
struct half { char c; long l; union { int i; char b[4]; }; };
#pragma pack(pop)
struct outer { int a; struct { int b, c; union { long d; struct { char e, f; }; }; }; int tail[0]; };
struct matrix { int rows, cells[]; };
_Static_assert(sizeof(struct tight) == 11, "packed");
_Static_assert(_Alignof(struct half) == 2, "pragma");
_Thread_local int per_thread = 4;
static _Atomic int counter;

#define KIND(x) _Generic((x), char: 1, int: 2, long: 3, char *: 4, const int *: 5, default: 6)
#define MAX(a, b) ({ __auto_type a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define FIND(array, n, wanted) ({ __label__ found; int i_; \
    for (i_ = 0; i_ < (n); i_++) if ((array)[i_] == (wanted)) goto found; i_ = -1; found: i_; })

static _Noreturn void leave(int code)
{
    printf("leave %d\n", code);
    exit(code);
}

int main(void)
{
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    int table[10] = {[0 ... 3] = 1, [5 ... 7] = n, [9] = k};
    struct tight t = {.i = n, .c = 'x', .s = n, .l = (unsigned long)k * 99};
    struct half h = {1, n, {.b = {1, 2, 3, (char)k}}};
    struct outer o = {.b = 2, .d = n};
    int *p = (int[]){n, k, n - k};
    const int *q = p;
    _Alignas(32) char aligned[3];
    struct tight *tp = &t;
    printf("%zu %zu %zu %zu\n", sizeof(enum small), sizeof(enum large), sizeof o, sizeof(struct matrix));
    printf("%zu %zu %zu\n", offsetof(struct half, l), offsetof(struct half, b[1]), offsetof(struct outer, f));
    printf("%d %d %d %d %d %d\n", KIND('a'), KIND((char)1), KIND(1L), KIND("s"), KIND(q), KIND(t));
    printf("%d %ld %d\n", MAX(n, k), MAX((long)n, 7L), MAX(n & 3, k & 3));
    printf("%d %d\n", FIND(table, 10, n), FIND(table, 10, 12345));
    for (int i = 0; i < 10; i++)
        printf("%d ", table[i]);
    tp->l += tp->s;
    tp->i ^= 1;
    printf("%d %d %lu %c\n", t.i, t.s, (unsigned long)t.l, t.c);
    for (unsigned i = 0; i < sizeof t; i++)
        printf("%02x", ((unsigned char *)&t)[i]);
    printf(" %d %d %ld\n", h.i, o.e, h.l);
    printf("%d %d %d\n", p[2], *(q + 1), ((unsigned long)aligned & 31) == 0);
    switch (n) {
    case -5 ... -1: printf("negative\n"); break;
    case 0: case 2 ... 4: printf("few\n"); break;
    default: printf("%s\n", k ? "many" : "none");
    }
    counter += per_thread++;
    printf("%d %d %ld\n", counter, k ?: 17, (long)LESS);
    if (n == 6)
        leave(k & 7);
    __VERIFIER_assert(o.f != 2 || t.s < 0);
    return 0;
}
