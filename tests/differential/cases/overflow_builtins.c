/* __builtin_*_overflow in all its variants, and the other builtins of gcc that compute. */
#include <stdio.h>

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assert(int);

#define SHOW(type, format, op, a, b) do { \
    type r_ = 0; \
    _Bool o_ = __builtin_##op##_overflow((a), (b), &r_); \
    printf(#op " " #type " %d " format "\n", o_, r_); } while (0)

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    long l = __VERIFIER_nondet_long();
    int i, out, calls = 0;
    unsigned u;
    long wide;
    unsigned long long ull;
    char buffer[12];
    SHOW(int, "%d", add, a, b);
    SHOW(int, "%d", sub, a, b);
    SHOW(int, "%d", mul, a, b);
    SHOW(unsigned, "%u", add, a, b);
    SHOW(unsigned, "%u", sub, a, 1u);
    SHOW(unsigned, "%u", mul, a, b);
    SHOW(signed char, "%d", add, a, b);
    SHOW(unsigned char, "%d", mul, a, 3);
    SHOW(short, "%d", sub, (unsigned)a, b);
    SHOW(long, "%ld", add, l, a);
    SHOW(long, "%ld", mul, l, b);
    SHOW(unsigned long, "%lu", sub, l, (unsigned long)a);
    SHOW(unsigned long, "%lu", mul, (unsigned)a, l);
    out = __builtin_sadd_overflow(a, b, &i); printf("%d %d\n", out, i);
    out = __builtin_ssub_overflow(a, b, &i); printf("%d %d\n", out, i);
    out = __builtin_smul_overflow(a, b, &i); printf("%d %d\n", out, i);
    out = __builtin_uadd_overflow(a, b, &u); printf("%d %u\n", out, u);
    out = __builtin_umul_overflow(a, b, &u); printf("%d %u\n", out, u);
    out = __builtin_saddl_overflow(l, a, &wide); printf("%d %ld\n", out, wide);
    out = __builtin_usubll_overflow(l, a, &ull); printf("%d %llu\n", out, ull);
    printf("%d %d %d\n", __builtin_add_overflow_p(a, b, (char)0), __builtin_mul_overflow_p(a, 1000, 0L),
           __builtin_sub_overflow_p(l, b, 0u));
    if (__builtin_expect(a > 5, 0))
        printf("unlikely %ld\n", __builtin_expect_with_probability(l, 1, 0.5));
    __builtin_prefetch(buffer);
    struct {
        char name[8], pass[8];
        int rows[2][3];
    } of[2];
    printf("%zu %zu\n", __builtin_object_size(of[1].name, 0), __builtin_object_size(of[1].name, 1));
    printf("%zu %zu\n", __builtin_object_size(&of[0].pass[3], 1), __builtin_object_size(of[0].rows[1], 1));
    printf("%zu %zu\n", __builtin_object_size(of + (a & 1), 0), __builtin_object_size(of + (a & 1), 3));
    printf("%zu %d\n", __builtin_object_size(buffer, 0), __builtin_types_compatible_p(int, __typeof__(a)));
    printf("%d\n", __builtin_choose_expr(sizeof(int) == 4, a, "x"));
    printf("%d %d %d\n", __builtin_clrsb(a), __builtin_clrsbl(-5L), __builtin_clrsbll((long long)a << 32));
    printf("%d %d\n", __builtin_isinff(1e30f * 1e30f), !__builtin_signbitl(-0.0L) + __builtin_finite(1.5));
    printf("%d %d\n", __builtin_constant_p(12), __builtin_popcount(a) + __builtin_parityl(l));
    if (__builtin_add_overflow(a, calls++, &a))
        printf("never\n");
    switch (b & 1) {
    case 0: case 1: break;
    default: __builtin_unreachable();
    }
    __VERIFIER_assert(!__builtin_mul_overflow_p(a, b, 0) || calls != 1);
    return 0;
}
