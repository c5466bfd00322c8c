#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

enum scale { CELSIUS, FAHRENHEIT, KELVIN };

struct reading {
    float degrees;
    enum scale scale;
};

static struct reading reading_of(float degrees, enum scale scale)
{
    struct reading r;

    r.degrees = degrees;
    r.scale = CELSIUS;
    return r;
}

static float celsius(struct reading r)
{
    switch (r.scale) {
    case FAHRENHEIT:
        return (r.degrees - 32.0f) * 5.0f / 9.0f;
    case KELVIN:
        return r.degrees - 273.0f;
    default:
        return r.degrees;
    }
}

static struct reading convert(struct reading r, enum scale to)
{
    float c = celsius(r);

    switch (to) {
    case FAHRENHEIT:
        return reading_of(c * 9.0f / 5.0f + 32.0f, FAHRENHEIT);
    case KELVIN:
        return reading_of(c + 273.0f, KELVIN);
    default:
        return reading_of(c, CELSIUS);
    }
}

/* -1 below freezing, 1 above boiling, else 0. */
static int state_of_water(struct reading r)
{
    float c = celsius(r);

    if (c < 0.0f)
        return -1;
    if (c > 100.0f)
        return 1;
    return 0;
}

static int rounded(float value)
{
    return (int)(value < 0.0f ? value - 0.5f : value + 0.5f);
}

int main(void)
{
    int degrees = __VERIFIER_nondet_int();
    unsigned char unit = __VERIFIER_nondet_uchar();
    struct reading r, f, back;
    int state;

    __VERIFIER_assume(unit <= KELVIN);
    __VERIFIER_assume(degrees >= -40 && degrees <= 200);
    r = reading_of((float)degrees, (enum scale)unit);
    f = convert(r, FAHRENHEIT);
    back = convert(f, r.scale);
    printf("%.1f is %.1f F\n", (double)r.degrees, (double)f.degrees);
    assert(f.scale == FAHRENHEIT && back.scale == r.scale);
    assert(rounded(back.degrees) == degrees);

    state = state_of_water(r);
    if (r.scale == CELSIUS) {
        assert(state == (degrees > 100) - (degrees < 0));
        assert(rounded(f.degrees * 5.0f) == 9 * degrees + 160);
        assert(rounded(convert(r, KELVIN).degrees) == degrees + 273);
    }
    if (r.scale == FAHRENHEIT)
        assert((state < 0) == (degrees < 32));
    if (r.scale == KELVIN)
        assert(state == -1);
    return 0;
}
