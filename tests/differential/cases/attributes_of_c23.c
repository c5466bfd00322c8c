/* Attributes in double brackets: those of the standard change nothing, those of GNU are as elsewhere. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

[[nodiscard("why")]] int next(int x);
struct [[gnu::packed]] pair { char tag; int value [[maybe_unused]]; };
enum level { low [[deprecated]], high };
[[gnu::noinline, gnu::pure]] static int half(int x) { return x / 2; }

int next([[maybe_unused]] int x)
{
    [[maybe_unused]] int a[2] = { 3, 4 }, b[1] = { x & 1 };
    switch (x) {
    case 1: b[0]++;
        [[fallthrough]];
    case 2: return 10 * b[0];
    }
    return a[b[0]];
}

int main(void)
{
    [[__maybe_unused__]] int x = nondet_int();
    struct pair p = { 1, high };
    assert(next(x) != 20 || x == 1);
    printf("%d %zu %d\n", next(x), sizeof p, half(p.value));
    return 0;
}
