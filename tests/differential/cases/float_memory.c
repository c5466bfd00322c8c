// Floating values in structures, arrays, unions and behind pointers, and their bytes.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __VERIFIER_nondet_double(void);
float __VERIFIER_nondet_float(void);
int __VERIFIER_nondet_int(void);

struct point {
    float x;
    double y;
    long double z;
    char tag;
};

union bits {
    float f;
    unsigned u;
    unsigned char bytes[4];
};

static double table[4] = {1.5, -2, 0x1p-3, .25e1};
static float zeros[3];
static long double constant = 1.0L / 3;

static struct point moved(struct point p, double by)
{
    p.x += by;
    p.y -= by;
    p.z *= by;
    return p;
}

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

int main(void)
{
    struct point p = {1, 2, 3, 'a'}, q;
    union bits u;
    double d = __VERIFIER_nondet_double(), *heap = malloc(3 * sizeof *heap);
    long double *wide = calloc(2, sizeof(long double));
    int n = __VERIFIER_nondet_int() & 3;
    unsigned long word = 0;
    q = moved(p, d);
    printf("%g %g %Lg %c\n", q.x, q.y, q.z, q.tag);
    u.f = __VERIFIER_nondet_float();
    printf("%08x %02x\n", u.u, u.bytes[3]);
    u.bytes[3] ^= 0x80;
    printf("%g\n", u.f);
    u.u += 1;
    printf("%.9g %a\n", u.f, u.f);
    memcpy(&word, &d, sizeof word);
    printf("%lx\n", word);
    if (!heap || !wide)
        return 0;
    heap[0] = d;
    heap[1] = table[n];
    heap[2] = zeros[1];
    swap(heap, heap + 2);
    wide[1] = heap[2] + constant;
    printf("%g %g %g %.20Lg %Lg\n", heap[0], heap[1], heap[2], wide[1], wide[0]);
    table[n] = d;
    printf("%g %g %g %g\n", table[0], table[1], table[2], table[3]);
    printf("%zu %zu %zu\n", sizeof p, sizeof(long double), sizeof u);
    assert(heap[1] != 2.5 || d < 1);
    free(heap);
    free(wide);
    return 0;
}
