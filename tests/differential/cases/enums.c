/* Enumerations: constants are int, variables may be unsigned; switch on them. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

enum colour { RED, GREEN = 5, BLUE, NEXT = BLUE * 2 };
typedef enum { LOW = -1, HIGH = 1 } level;

/* A condition's enumerators live as long as its statement, those of what it governs as long as that. */
static int where(int i)
{
    enum { X };
    int sum = X;
    if (sizeof(enum { X = 1 }) && i > 2)
        sum += X;
    else
        sum += (int)sizeof(enum { X = 10 }) + X;
    sum += 100 * X;
    while (i-- > 3 * (int)sizeof(enum { X = 2 }) + X)
        sum += X;
    sum += 100 * X;
    switch (i & (int)sizeof(enum { X = 4 })) {
    default:
        sum += X;
    }
    do
        sum += (int)sizeof(struct { enum { X = 8 } x; }) * X;
    while (i > 0 && X);
    return sum + 100 * X;
}

static const char *name(enum colour c)
{
    switch (c) {
    case RED:
        return "red";
    case GREEN:
    case BLUE:
        return "green or blue";
    default:
        return "none";
    }
}

int main(void)
{
    int i = nondet_int();
    enum colour c = i & 7;
    level l = (i & 2) - 1;
    enum { HERE = 3 } local = HERE;
    printf("%u %d %d\n", c, l, local);
    printf("%s\n", name(c));
    printf("%d %d %d\n", c - 6 > 0, l < 0, BLUE - 7 < 0);
    printf("%d %d\n", NEXT, GREEN | HERE);
    c++;
    l = LOW;
    printf("%u %d %zu\n", c, l, sizeof(c));
    printf("%d\n", where(i & 15));
    assert(c != BLUE || l == LOW);
    assert(c != GREEN);
    return 0;
}
