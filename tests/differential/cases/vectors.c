/* GNU vectors: where the attribute stands, how they are kept, passed, converted, compared, shuffled and printed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);

typedef int v4si __attribute__((vector_size(16)));
typedef unsigned int v4ui __attribute__((vector_size(4 * sizeof(int))));
typedef signed char v8qi __attribute__((__vector_size__(8)));
typedef short v4hi __attribute__((vector_size(8)));
typedef __attribute__((vector_size(16))) float v4sf;
typedef double v2df __attribute__((vector_size(16)));
typedef long long v2di __attribute__((vector_size(16)));
typedef float unaligned __attribute__((vector_size(16), aligned(4)));

struct mixed { char tag; v4si v; v8qi small; unaligned u; };
union bits { v4sf f; v4si i; unsigned char bytes[16]; };

static v4si table[3] = {{1, 2, 3, 4}, (v4si){5, 6}, {7}};
static v2df pair = {0.5, -2};
v4si flat[2] = {1, 2, 3, 4, 5, 6, 7, 8};
struct mixed filled = {'m', {1, 2}, {3}, {1.5f, 2}};
int number __attribute__((vector_size(8))) = {10, 20}, *plain;
int counts(int n) __attribute__((vector_size(16)));

static void show(const char *name, v4si v)
{
    printf("%s %d %d %d %d\n", name, v[0], v[1], v[2], v[3]);
}

static v4si sum(int count, ...)
{
    v4si total = {0};
    va_list list;
    va_start(list, count);
    while (count-- > 0)
        total += va_arg(list, v4si);
    va_end(list);
    return total;
}

static v4si twice(v4si v) { v[3] = 100; return 2 * v; }

v4si counts(int n) { return (v4si){n, n + 1}; }

static int scalar_of(v2di v, int __attribute__((vector_size(16))) *p) { return (int)v[1] + (*p)[2] + p[0][0]; }

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), i = a & 3;
    v4si v = {a, b, a + b}, w = v;
    v4si (*call)(v4si) = twice;
    show("initial", v);
    show("sum", v + (v4si){1, 2, 3, 4} * b);
    show("scalars", 3 - v + 'a');
    show("called", call(v));
    show("kept", v);
    show("variadic", sum(3, v, table[1], v - 1));
    w[i] = 77;
    w[0] <<= 3;
    show("element", w);
    show("compared", (v > w) | (v == 0));
    v4ui u = v < w, x = (v4ui)v;
    printf("%u %u %d\n", u[0], x[1] >> 28, (x > u)[1]);
    show("shifted", (v >> 3) + (v4si)(x >> (v4ui){1, 2, 3, 31}) + (1 << (v & 7)));
    show("rest", v % 7 + v / ((w & 15) | 1));
    v4sf f = {1.5f, -2, b};
    f = f * 2 + 0.25;
    f /= f + 3;
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    show("bits", (v4si)f);
    show("truth", f < 1);
    v2df d = pair + __builtin_convertvector((v2di){a, 1LL << 40}, v2df);
    printf("%g %g %lld\n", d[0], -d[1], (d == d)[0]);
    v8qi q = (v8qi)((long long)a * 0x01020304050607LL), r = q + 100, m = -q - (q > r);
    for (int k = 0; k < 8; k++)
        printf("%d %d %d,", q[k], r[k], m[k]);
    v4hi h = __builtin_convertvector(v, v4hi);
    printf(" %d %lld\n", h[1], (long long)(h ^ (v4hi)q));
    show("shuffled", __builtin_shuffle(v, (v4si){3, 2, a, b}));
    show("of two", __builtin_shuffle(v, w, v));
    show("chosen", __builtin_shufflevector(v, (v4si){9, 8, 7, 6}, 0, 4, 7, 3));
    union bits bits = {.f = {1, 2, a}};
    printf("%x %d\n", bits.i[2], bits.bytes[7]);
    struct mixed one = filled, *heap = malloc(2 * sizeof *heap);
    heap[1] = one;
    heap[1].v[i] += 5;
    heap[1].v++;
    heap[1].small = ~heap[1].small;
    v4si before = heap[1].v--;
    show("before", before);
    show("member", heap[1].v);
    printf("%d %g %d %d %d\n", heap[1].small[7], heap[1].u[1], (int)sizeof *heap, (int)_Alignof(struct mixed), (int)sizeof(v + w));
    memcpy(&v, &heap[1].v, sizeof v);
    *(v4si *)&flat[1] -= v;
    show("copied", flat[1]);
    plain = (int *)&table[1];
    plain[1 + i] = 60;
    show("through", table[i % 3]);
    __auto_type t = i ? v : table[2];
    typeof(t) y = ({ v4si z = t; z[1] = 5; z; });
    show("typeof", y);
    printf("%d %d %d\n", _Generic(v + 1, v4si : 1, v4ui : 2), _Generic(x + v, v4si : 1, v4ui : 2), (twice(v) + v)[2]);
    printf("%d %d %lld\n", scalar_of((v2di)v, &w), number[1], (long long)(number + 1));
    show("counts", counts(b));
    free(heap);
    __VERIFIER_assert(y[0] != 8);
    return 0;
}
