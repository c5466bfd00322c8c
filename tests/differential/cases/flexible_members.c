/* Structures with a flexible last member or one of length 0, allocated with room for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);

struct flexible { unsigned char count; int item[]; };
struct zero { int count; struct { short a; char b; } pair[0]; };
struct text { size_t length; char bytes[]; };

static struct text *copy_of(const char *from)
{
    size_t length = strlen(from);
    struct text *t = malloc(sizeof *t + length + 1);
    t->length = length;
    memcpy(t->bytes, from, length + 1);
    return t;
}

int main(void)
{
    int n = __VERIFIER_nondet_int() & 3, total = 0;
    struct flexible *f = malloc(sizeof *f + 4 * sizeof f->item[0]);
    struct zero *z = calloc(1, sizeof *z + 3 * sizeof z->pair[0]);
    f->count = n + 1;
    for (int i = 0; i < f->count; i++)
        f->item[i] = i * i + n;
    for (int *p = f->item; p < f->item + f->count; p++)
        total += *p;
    z->pair[2].a = f->item[n];
    z->pair[n % 3].b = 'x';
    struct text *t = copy_of("some text");
    t->bytes[n] ^= 0x20;
    printf("%d %d %d %s\n", total, z->pair[2].a, z->pair[1].b, t->bytes);
    printf("%zu %zu %zu %zu\n", sizeof *f, sizeof *z, sizeof *t, t->length);
    __VERIFIER_assert(f->item[n] != 12);
    free(f);
    free(z);
    free(t);
    return 0;
}
