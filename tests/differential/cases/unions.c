/* Members of a union share their bytes, little endian. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

union word {
    int whole;
    unsigned char bytes[4];
    struct {
        short low, high;
    } half;
};
struct tagged {
    char kind;
    union {
        int number;
        char text[6];
    };
};

int main(void)
{
    union word w = { nondet_int() }, copy;
    struct tagged t = { 'n', { 77 } }, u;
    printf("%d %d %d %d\n", w.bytes[0], w.bytes[3], w.half.low, w.half.high);
    copy = w;
    copy.bytes[1] ^= 0xff;
    copy.half.high++;
    printf("%d %d %zu\n", copy.whole, w.whole, sizeof w);
    t.number += w.whole;
    u = t;
    u.text[2] = 'x';
    printf("%d %d %c %zu\n", t.number, u.number, u.kind, sizeof t);
    assert(copy.bytes[0] != 7);
    return 0;
}
