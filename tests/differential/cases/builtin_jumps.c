/* The compiler's own setjmp and longjmp, whose buffer is five words of any type. */
#include <stdio.h>

static void *place[5];
static long long other[5];
static int visits;

static void __attribute__((noinline)) leave(int n)
{
    visits += n;
    if (n == 0)
        __builtin_longjmp(place, 1);
    leave(n - 1);
}

static int __attribute__((noinline)) tried(int n)
{
    volatile int seen = 0;
    if (__builtin_setjmp(place) == 0) {
        seen = n;
        leave(n);
    }
    return seen + 100 * visits;
}

static void __attribute__((noinline)) back(void) { __builtin_longjmp(&other, 1); }

int main(void)
{
    volatile int rounds = 0;
    printf("%d\n", tried(3));
    printf("%d\n", tried(1));
    if (!__builtin_setjmp(&other) || rounds < 3) {
        rounds++;
        back();
    }
    printf("%d\n", rounds);
    return 0;
}
