#include <assert.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

#define ROUNDS 6
#define EXACT  0.01f

static float absolute(float x)
{
    return x < 0.0f ? -x : x;
}

static float first_guess(float x)
{
    return x > 1.0f ? x / 2.0f : 1.0f;
}

static int rounds_used;

static float square_root(float x)
{
    float guess = first_guess(x);
    int i;

    if (x < 0.0f)
        return 0.0f;
    for (i = 0; i < ROUNDS; i++) {
        float next = (guess + x / guess) / 2.0f;
        float change = absolute(next - guess);
        guess = next;
        rounds_used = i + 1;
        if (change < EXACT / 4.0f)
            break;
    }
    return guess;
}

static int whole_root(int x)
{
    int r = 0;

    while ((r + 1) * (r + 1) <= x)
        r++;
    return r;
}

int main(void)
{
    unsigned char number = __VERIFIER_nondet_uchar();
    float root;
    int whole;

    __VERIFIER_assume(number <= 24);
    root = square_root((float)number);
    whole = whole_root(number);
    printf("%d: %f in %d rounds\n", number, (double)root, rounds_used);

    assert(root >= 0.0f);
    assert(absolute(root * root - (float)number) < 8.0f * EXACT);
    assert(root >= (float)whole - EXACT && root < (float)whole + 1.0f);
    if (number > 0)
        assert(rounds_used >= 1 && rounds_used <= ROUNDS);
    if (number == 0)
        assert(root == 0.0f && rounds_used == 0);
    return 0;
}
