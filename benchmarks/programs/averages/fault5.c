#include <assert.h>
#include <stdio.h>

extern signed char __VERIFIER_nondet_schar(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

#define COUNT 2

struct sample {
    float value;
    unsigned weight;
    int valid;
};

struct statistics {
    int count;
    float mean;
    float weighted;
    float least;
    float most;
};

static struct statistics measure(const struct sample *samples, int n)
{
    struct statistics s = {0, 0.0f, 0.0f, 0.0f, 0.0f};
    float sum = 0.0f;
    float weighted_sum = 0.0f;
    unsigned weights = 0;
    int i;

    for (i = 0; i < n; i++) {
        const struct sample *p = &samples[i];
        if (!p->valid)
            continue;
        if (s.count == 0 || p->value < s.least)
            s.least = p->value;
        if (s.count == 0 || p->value > s.most)
            s.most = s.least;
        sum += p->value;
        weighted_sum += p->value * (float)p->weight;
        weights += p->weight;
        s.count++;
    }
    if (s.count > 0)
        s.mean = sum / (float)s.count;
    if (weights > 0)
        s.weighted = weighted_sum / (float)weights;
    return s;
}

int main(void)
{
    struct sample samples[COUNT];
    struct statistics s;
    float halves = 0.0f;
    int valid = 0, seen = 0;
    int i;

    for (i = 0; i < COUNT; i++) {
        samples[i].value = (float)__VERIFIER_nondet_schar() / 2.0f;
        samples[i].weight = 1u << (__VERIFIER_nondet_uchar() & 1);
        samples[i].valid = samples[i].value >= -20.0f && samples[i].value <= 50.0f;
        if (samples[i].valid) {
            valid++;
            halves += samples[i].value;
        }
    }
    s = measure(samples, COUNT);
    printf("%d of %d: mean %.2f, weighted %.2f\n", s.count, COUNT, (double)s.mean, (double)s.weighted);

    assert(s.count == valid);
    if (valid == 0) {
        assert(s.mean == 0.0f && s.weighted == 0.0f);
        return 0;
    }
    assert(s.least <= s.mean && s.mean <= s.most);
    assert(s.least <= s.weighted && s.weighted <= s.most);
    assert(s.least >= -20.0f && s.most <= 50.0f);
    if (valid < 2)
        assert(s.mean == halves);
    if (valid == 1)
        assert(s.mean == s.weighted);
    for (i = 0; i < COUNT; i++) {
        if (!samples[i].valid)
            continue;
        assert(samples[i].value >= s.least && samples[i].value <= s.most);
        if (samples[i].value == s.least)
            seen = 1;
    }
    assert(seen);
    return 0;
}
