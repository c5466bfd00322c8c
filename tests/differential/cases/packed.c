/* Packed structures: by attribute, by pragma, with bit-fields across the boundaries of their types. */
#include <assert.h>
#include <stdio.h>
int nondet_int(void);

#pragma pack(push)
#pragma pack(1)
struct a {
    char c;
    unsigned long w;
    int s : 29;
    unsigned u : 30;
    signed : 0;
    short t : 11;
};
#pragma pack(pop)

struct b {
    char c;
    int s : 31;
    int t : 31;
} __attribute__((packed));

#pragma pack(2)
union u {
    struct b b;
    unsigned long long w : 40;
    struct a a[2];
};
#pragma pack()

struct plain {
    char c;
    long n;
};

static void show(const char *name, const void *object, int bytes)
{
    const unsigned char *byte = object;
    printf("%s", name);
    for (int i = 0; i < bytes; i++)
        printf(" %02x", byte[i]);
    printf("\n");
}

int main(void)
{
    struct a a = {1, 2, 3, 4, 5}, *p = &a;
    struct b b[2] = {{-1, -2, -3}, {4, 5, 6}};
    union u u = {{7, 8, 9}};
    int n = nondet_int();
    printf("%zu %zu %zu %zu\n", sizeof a, sizeof b, sizeof u, sizeof(struct plain));
    p->w = (unsigned long)n << 33;
    p->s += n;
    p->u = p->s ^ n;
    p->t--;
    b[1].t = b[0].s - n;
    u.a[0] = a;
    u.a[1] = *p;
    u.a[1].s |= 77;
    show("a", &a, sizeof a);
    show("b", &b, sizeof b);
    show("u", &u, sizeof u);
    assert(b[1].t > a.u || n < 5);
    return 0;
}
