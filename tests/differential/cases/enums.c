/* Enumerations: constants are int, variables may be unsigned; switch on them. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

enum colour { RED, GREEN = 5, BLUE, NEXT = BLUE * 2 };
typedef enum { LOW = -1, HIGH = 1 } level;

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
    assert(c != BLUE || l == LOW);
    assert(c != GREEN);
    return 0;
}
