#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_assume(int);

/* Signed fixed point with 4 fractional bits, in 12 bits. */
typedef short fix_t;

#define FRAC    4
#define FIX_MAX 2047
#define FIX_MIN (-2048)

static fix_t saturate(int v)
{
    if (v > FIX_MAX)
        return FIX_MAX;
    if (v < FIX_MIN)
        return FIX_MIN;
    return (fix_t)v;
}

static fix_t fix_add(fix_t a, fix_t b)
{
    return saturate((int)a + (int)b);
}

static fix_t fix_sub(fix_t a, fix_t b)
{
    return saturate((int)a - (int)b);
}

/* rounds towards zero */
static fix_t fix_scale(fix_t a, unsigned shift)
{
    int magnitude = a < 0 ? -a : a;
    magnitude >>= shift;
    return saturate(a < 0 ? -magnitude : magnitude);
}

static int fix_to_int(fix_t a)
{
    return a / (1 << FRAC);
}

static unsigned popcount16(unsigned short w)
{
    unsigned v = w;
    v = (v & 0x5555u) + ((v >> 1) & 0x5555u);
    v = (v & 0x3333u) + ((v >> 2) & 0x3333u);
    v = (v & 0x0f0fu) + ((v >> 4) & 0x0f0fu);
    return (v & 0x00ffu) + (v >> 8);
}

static unsigned short rotate_left(unsigned short w, unsigned k)
{
    k &= 15u;
    if (k == 0)
        return w;
    return (unsigned short)((w << k) | (w >> (16 - k)));
}

/* A channel word: 3 bits of gain, 12 bits of sample, 1 bit of parity. */
static unsigned short pack(unsigned gain, fix_t sample)
{
    unsigned w = (gain & 7u) << 13;
    w |= ((unsigned)sample & 0xfffu) << 1;
    w |= popcount16((unsigned short)w) & 1u;
    return (unsigned short)w;
}

static fix_t unpack_sample(unsigned short w)
{
    int raw = (w >> 1) & 0x7ff;
    if (raw & 0x800)
        raw -= 0x1000;
    return (fix_t)raw;
}

static unsigned unpack_gain(unsigned short w)
{
    return (unsigned)(w >> 13) & 7u;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    unsigned gain = __VERIFIER_nondet_uint();
    unsigned turn = __VERIFIER_nondet_uint();
    unsigned short noise = __VERIFIER_nondet_ushort();
    fix_t a, b, sum, diff, scaled;
    unsigned short word;
    int exact;

    __VERIFIER_assume(x >= FIX_MIN && x <= FIX_MAX);
    __VERIFIER_assume(y >= FIX_MIN && y <= FIX_MAX);
    __VERIFIER_assume(gain < 8);
    __VERIFIER_assume(turn <= 16);
    a = (fix_t)x;
    b = (fix_t)y;

    sum = fix_add(a, b);
    exact = x + y;
    assert(sum >= FIX_MIN && sum <= FIX_MAX);
    if (exact >= FIX_MIN && exact <= FIX_MAX)
        assert(sum == exact);
    else
        assert(exact > 0 ? sum == FIX_MAX : sum == FIX_MIN);

    diff = fix_sub(a, b);
    assert(diff >= FIX_MIN && diff <= FIX_MAX);
    assert((diff > 0) == (x > y));
    assert((diff < 0) == (x < y));

    scaled = fix_scale(a, gain);
    assert(gain != 0 || scaled == a);
    assert(a < 0 ? (scaled <= 0 && scaled >= a) : (scaled >= 0 && scaled <= a));
    if (gain == FRAC)
        assert(scaled == fix_to_int(a));

    word = pack(gain, a);
    assert(unpack_sample(word) == a);
    assert(unpack_gain(word) == gain);
    assert((popcount16(word) & 1u) == 0);

    assert(popcount16(rotate_left(noise, turn)) == popcount16(noise));
    assert(rotate_left(rotate_left(noise, turn), 16u - turn) == noise);
    assert(popcount16(noise) <= 16);
    assert(popcount16((unsigned short)~noise) == 16 - popcount16(noise));

    printf("%d\n", sum);
    printf("%d\n", diff);
    printf("%u\n", (unsigned)word);
    return 0;
}
