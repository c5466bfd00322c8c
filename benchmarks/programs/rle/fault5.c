#include <assert.h>
#include <stdio.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

#define LEN     6
#define RUN_MAX 4
#define OUT_MAX (2 * LEN)

/*
 * Pairs (count, letter).  A count never exceeds RUN_MAX: a longer run
 * is cut in two.
 */
static int encode(const char *in, int n, char *out)
{
    int i = 0;
    int w = 0;

    while (i < n) {
        char c = in[i];
        int run = 1;
        while (i + run < n && in[i + run] == c && run < RUN_MAX)
            run++;
        out[w++] = (char)('0' + run);
        out[w++] = c;
        i += run;
    }
    return w;
}

static int decode(const char *in, int n, char *out, int room)
{
    int r, k;
    int w = 0;

    for (r = 0; r + 1 < n; r += 2) {
        int run = in[r] - '0';
        for (k = 0; k < run; k++) {
            if (w >= room)
                return -1;
            out[w] = in[r + 1];

        }
    }
    return w;
}

int main(void)
{
    char text[LEN];
    char packed[OUT_MAX];
    char back[LEN];
    int n = __VERIFIER_nondet_uchar();
    int i, np, nb;
    int changes = 0;

    __VERIFIER_assume(n > 0 && n <= LEN);
    for (i = 0; i < n; i++) {
        text[i] = __VERIFIER_nondet_char();
        __VERIFIER_assume(text[i] >= 'a' && text[i] <= 'c');
    }

    np = encode(text, n, packed);
    nb = decode(packed, np, back, LEN);

    for (i = 1; i < n; i++)
        if (text[i] != text[i - 1])
            changes++;

    printf("%d\n", np);
    printf("%d\n", nb);
    assert(np % 2 == 0 && np <= 2 * n);
    assert(np >= 2 * (changes + 1));
    for (i = 0; i < np; i += 2)
        assert(packed[i] >= '1' && packed[i] <= '0' + RUN_MAX);
    assert(nb == n);
    for (i = 0; i < n; i++)
        assert(back[i] == text[i]);
    if (n <= RUN_MAX)
        assert(np == 2 * (changes + 1));
    return 0;
}
