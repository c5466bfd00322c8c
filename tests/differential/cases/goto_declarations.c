/* A jump back to before a declaration, in its own block: the variable stays the same object. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct item {
    int value[2];
};

static int out_of_a_block(int x)
{
    int *kept = 0, seen = 0;
    {
        int inner = x, *p = &inner;
        kept = p;
        if (*p > 2)
            goto done;
        seen = 1;
    }
    kept = &seen;
done:
    return kept == &seen ? seen : 2;
}

int main(void)
{
    int rounds = nondet_int() & 3, n = 0, *before = 0, same = 0;
    struct item *literal = 0;
again:;
    int x = n * 3, *p = &x;
    same += before == p;
    before = p;
    struct item *now = &(struct item){ { n } };
    same += 10 * (now == literal);
    literal = now;
    if (++n < rounds)
        goto again;
    *p += 1;
    for (int i = 0; i < 2; i++) {
        int fresh = 0, *q = &fresh;
    retry:;
        int kept = i, *r = &kept;
        (*q)++;
        (*r)++;
        if (fresh < 2)
            goto retry;
        n += kept + *q;
    }
    printf("%d %d %d %d %d\n", x, n, same, literal->value[0], literal->value[1]);
    printf("%d\n", out_of_a_block(x));
    assert(x != 7 || n != 12);
    return 0;
}
