/* Types with an alignment of their own: in structures, unions and arrays, packed, and by further names. */
#include <stddef.h>
#include <stdio.h>

int nondet_int(void);

typedef int wide __attribute__((aligned(16)));
typedef long long half __attribute__((aligned(4)));
typedef half same;
typedef half whole __attribute__((aligned(8)));
typedef struct { int x; } boxed __attribute__((aligned(16)));
typedef unsigned loose __attribute__((aligned(1), may_alias));
typedef int plain __attribute__((packed));

struct a { char c; wide w; char d; };
struct b { char c; half h; char d; };
struct c { char c; half h[2]; same s; whole v; };
struct d { char c; boxed b; char d; };
struct __attribute__((packed)) e { char c; wide w; half h; };
struct f { char c; half h __attribute__((aligned(8))); };
struct g { char c; half h __attribute__((packed)); };
struct h { char c; wide w __attribute__((aligned(4))); };
struct i { char c; half *p; plain q; __typeof__(half) t; };
union j { char c; half h; };
struct k { char c; struct b b; loose l; };
struct l { char c; _Alignas(wide) char w; _Alignas(same) char s; };
#pragma pack(push, 2)
struct m { char c; wide w; half h; };
#pragma pack(pop)

static _Alignas(64) char apart[3];
static int sixteen __attribute__((aligned(16))), loosely __attribute__((aligned(1)));
static half halved;
extern int later;
int later __attribute__((aligned(32)));

#define SHOW(t) printf(#t " %zu %zu\n", sizeof(t), _Alignof(t))

int main(void)
{
    unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int k = nondet_int() & 3;
    struct c c = {0, {1, 2}, 3, k};

    SHOW(wide), SHOW(half), SHOW(same), SHOW(whole), SHOW(boxed), SHOW(loose), SHOW(plain);
    SHOW(struct a), SHOW(struct b), SHOW(struct c), SHOW(struct d), SHOW(struct e), SHOW(struct f);
    SHOW(struct g), SHOW(struct h), SHOW(struct i), SHOW(union j), SHOW(struct k), SHOW(struct l);
    SHOW(struct m), SHOW(half[3]);
    printf("%zu %zu %zu\n", offsetof(struct c, h), offsetof(struct c, s), offsetof(struct c, v));
    _Alignas(double) char local;
    static int kept __attribute__((aligned(128)));
    struct f f, *pf = &f;
    struct l l;
    struct m m;
    printf("%zu %zu %zu %zu ", _Alignof(apart), _Alignof(apart[0]), __alignof__(sixteen), __alignof__(*&sixteen));
    printf("%zu %zu %zu %zu ", _Alignof(loosely), _Alignof(halved), _Alignof(later), _Alignof(later + 1));
    printf("%zu %zu %zu %zu ", _Alignof(local), _Alignof(kept), _Alignof(pf->h), _Alignof(pf->c));
    printf("%zu %zu %zu %zu\n", _Alignof(l.w), _Alignof(l.s), _Alignof(m.w), _Alignof(k));
    printf("%x %lld\n", *(loose *)(bytes + k), c.h[1] + c.v);
    return 0;
}
