/* Addresses of labels in tables, variables and distances; jumps into loops and over declarations. */
#include <stdio.h>

int nondet_int(void);

static int interpret(const unsigned char *code, int x)
{
    static const void *const table[] = {&&halt, &&add, &&twice, &&negate};

    goto *table[*code++];
add:
    x += 3;
    goto *table[*code++];
twice:
    x *= 2;
    goto *table[*code++];
negate:
    x = -x;
    goto *table[*code++];
halt:
    return x;
}

static int declared(int k)
{
    __label__ one, two;
    static void *ways[2];

    if (!ways[0]) {
        ways[0] = &&one;
        ways[1] = &&two;
    }
    goto *ways[k];
one:
    return 1;
two:
    return 2;
}

static int enter(int k)
{
    void *way = k & 1 ? &&inside : &&behind;
    int sum = 0;

    goto *way;
    for (k = 0; k < 3; k++) {
        sum += 10;
    inside:
        sum++;
    }
behind:
    return sum * 100 + (way == &&inside);
}

static int distance(int k)
{
    static const int far[] = {&&first - &&first, &&second - &&first, &&third - &&first};

    goto *(&&first + far[k]);
first:
    k += 10;
second:
    k += 100;
third:
    return k;
}

int main(void)
{
    int a = nondet_int(), b = nondet_int();
    unsigned char code[4] = {a & 3, b & 3, (a >> 2) & 3, 0};

    printf("%d %d\n", interpret(code, 5), distance(b & 1));
    printf("%d %d\n", enter(1), enter(2));
    printf("%d\n", declared(a & 1));
    return 0;
}
