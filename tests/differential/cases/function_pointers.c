/* Pointers to functions: in tables, as arguments, compared, chosen by an input. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static const operation table[] = { add, sub, &mul };

struct button {
    operation press;
    int value;
};

static int twice(int (*f)(int, int), int x) { return (*f)(f(x, 1), 2); }
static operation choose(int x) { return x > 0 ? add : sub; }

int main(void)
{
    int x = nondet_int();
    operation f = table[(unsigned)x % 3];
    struct button b[2] = { { mul, 2 }, { x & 1 ? add : sub, 5 } };
    printf("%d %d %d\n", f(x, 3), twice(f, x), choose(x)(10, 4));
    printf("%d %d\n", f == add, f != b[1].press);
    for (int i = 0; i < 2; i++)
        x = b[i].press(x, b[i].value);
    printf("%d %d\n", x, (x & 1 ? mul : table[1])(x, 2));
    f = 0;
    printf("%d\n", f ? 1 : 2);
    assert(x != 9);
    return 0;
}
