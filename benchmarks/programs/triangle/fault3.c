#include <assert.h>
#include <stdio.h>

extern void __VERIFIER_assume(int);

enum kind { NONE, EQUILATERAL, ISOSCELES, RIGHT, SCALENE };

static const char *const names[] = {"no triangle", "equilateral", "isosceles", "right-angled", "scalene"};

static void swap(float *a, float *b)
{
    float old = *a;

    *a = *b;
    *b = old;
}

/* Puts the sides in ascending order. */
static void order(float *a, float *b, float *c)
{
    if (*a > *b)
        swap(a, b);
    if (*b > *c)
        swap(b, c);
    if (*a > *b)
        swap(a, b);
}

static enum kind classify(float a, float b, float c)
{
    order(&a, &b, &c);
    if (a <= 0.0f || a + b <= c)
        return NONE;
    if (a == b && b == c)
        return EQUILATERAL;
    if (a == b)
        return ISOSCELES;
    if (a * a + b * b == c * c)
        return RIGHT;
    return SCALENE;
}

/* Sides are given in halves, from 0 to 7.5, so that nothing is rounded. */
static float side(char name)
{
    float value;

    printf("side %c: ", name);
    if (scanf("%f", &value) != 1)
        return 0.0f;
    __VERIFIER_assume(value >= 0.0f && value <= 7.5f);
    __VERIFIER_assume(value * 2.0f == (float)(int)(value * 2.0f));
    return value;
}

int main(void)
{
    float a = side('a');
    float b = side('b');
    float c = side('c');
    float longest = a;
    float sum = a + b + c;
    enum kind kind = classify(a, b, c);

    if (b > longest)
        longest = b;
    if (c > longest)
        longest = c;
    printf("%s\n", names[kind]);
    assert((kind == NONE) == (sum - longest <= longest || a <= 0 || b <= 0 || c <= 0));
    if (kind == EQUILATERAL)
        assert(a == b && b == c);
    if (kind == ISOSCELES)
        assert(a == b || b == c || a == c);
    if (kind == SCALENE || kind == RIGHT)
        assert(a != b && b != c && a != c);
    if (kind == RIGHT)
        assert(a * a + b * b + c * c == 2.0f * longest * longest);
    if (kind == SCALENE)
        assert(a * a + b * b + c * c != 2.0f * longest * longest);
    return 0;
}
