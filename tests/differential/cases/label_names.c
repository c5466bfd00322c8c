/* Labels named as types, which have a name space of their own; what __builtin_classify_type says; modes of numbers. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

typedef int T;
typedef double real __attribute__((mode(SF)));
typedef float large __attribute__((mode(__DF__)));
typedef int wide __attribute__((mode(TI)));
struct s { T T; T : 3; T b : 2; } s;
union u { int i; float f; } u;
enum e { A } e;

static int count(int x)
{
    int k = 0;
    if (x == 7)
        goto T;
a: T:
    x--;
    k += x;
    if (x > 0)
        goto T;
    if (x == 0)
        goto a;
    T v = k;
    {
        __label__ T;
        goto T;
T:
        v++;
    }
    return v;
}

int main(void)
{
    int n = nondet_int() & 7, array[3], kept = n;
    char of_reals[__builtin_classify_type(1.0f)];
    s.T = 4;
    s.b = 1;
    printf("%d %d %d %zu %zu %zu\n", count(n), count(7), s.T, sizeof(real), sizeof(large), sizeof(wide));
    printf("%d %d %d %d %d ", __builtin_classify_type(s), __builtin_classify_type(u), __builtin_classify_type(e),
           __builtin_classify_type(main), __builtin_classify_type(array));
    printf("%d %d %d %d %zu\n", __builtin_classify_type('a'), __builtin_classify_type(1.0i),
           __builtin_classify_type("x"), __builtin_classify_type(n++), sizeof of_reals);
    assert(n == kept && count(n) != 7);
    return 0;
}
