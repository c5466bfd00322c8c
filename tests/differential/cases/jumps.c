/* setjmp and longjmp: back over several functions, forward, into loops, by way of the library, one inside another. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

int nondet_int(void);

struct context {
    int depth;
    jmp_buf back;
};

static jmp_buf place;
static jmp_buf *innermost;
static int visits;

#define TRY(how) do { jmp_buf here_, *outer_ = innermost; innermost = &here_; \
    switch (how = setjmp(here_)) { case 0:
#define CATCH(n) break; case n:
#define END default:; } innermost = outer_; } while (0)

static long down(int n)
{
    char room[4] = "abc";

    visits++;
    if (n == 0)
        longjmp(place, visits - 3);
    return room[n & 1] + down(n - 1);
}

static int risky(int k)
{
    if (k > 2)
        longjmp(*innermost, k - 2);
    return 10 * k;
}

static int nested(int k)
{
    int how, inner, result = 0;

    TRY(how)
        TRY(inner)
            result = risky(k);
        CATCH(1)
            result = 1;
        CATCH(2)
            longjmp(*outer_, 3);
        END;
        result += 100;
    CATCH(3)
        result = 3;
    END;
    return result * 10 + how;
}

static int retried(struct context *c, int k)
{
    int left = k & 3;

    if (sigsetjmp(c->back, 1) == 0)
        c->depth = 0;
    while (left > 0) {
        left--;
        c->depth++;
        if (c->depth & 1)
            siglongjmp(c->back, 7);
        visits += 100;
    }
    return c->depth;
}

static int ahead(int k)
{
    jmp_buf later;
    int n;

    for (n = 0; n < 4; n++) {
        if (n == 2 && k > 0)
            longjmp(later, k);
        if (n == 1) {
            int got = setjmp(later);
            if (got) {
                printf("got %d\n", got);
                break;
            }
        }
    }
    return n;
}

static jmp_buf compared;

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    if (x == y)
        longjmp(compared, 1);
    return x - y;
}

static int all_different(int k)
{
    int numbers[3] = { 3, k, 1 };

    if (setjmp(compared))
        return 0;
    qsort(numbers, 3, sizeof numbers[0], compare);
    return numbers[0] < numbers[2];
}

static void again(void (*call)(jmp_buf, int), jmp_buf to) { call(to, 0); }

int main(void)
{
    int k = nondet_int();
    struct context context;
    volatile int rounds = 0;
    int how = setjmp(place);

    printf("%d %d\n", how, visits);
    if (how < 2 && rounds++ < 3)
        printf("%ld\n", down(2));
    printf("%d\n", nested(k & 7));
    printf("%d %d\n", retried(&context, k), visits);
    printf("%d\n", ahead(k));
    printf("%d\n", all_different(k));
    rounds = 0;
    if (setjmp(context.back) == 0 || rounds < 2) {
        rounds++;
        again(longjmp, context.back);
    }
    printf("%d\n", rounds);
    return setjmp(place) != 0;
}
