/* Letters beyond ASCII in names, as they are and by their numbers. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

struct größe {
    int länge;
    int höhe;
};

static int summe(struct größe g) { return g.länge + g.höhe; }

int main(void)
{
    int número = nondet_int() & 15, h\u00e9 = 2;
    struct größe g = {.länge = número, .höhe = hé};
    assert(summe(g) != 9);
    printf("größe %d, número %d\n", summe(g), n\u00famero);
    return 0;
}
