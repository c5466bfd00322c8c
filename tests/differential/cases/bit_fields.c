/* Bit-fields: promotion, and the value of assignments to them, which keep the bits of the field only. */
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
struct s { unsigned a : 11; int b : 5; unsigned short c : 6; _Bool d : 1; signed char e : 4; int f : 21; };
int main(void)
{
    struct s s = { 0 }, *p = &s;
    int x = __VERIFIER_nondet_int(), y;
    unsigned u;
    long l;
    y = s.a = x; printf("1 %d\n", y);
    y = s.b = x; printf("2 %d\n", y);
    y = p->c = x; printf("3 %d\n", y);
    y = s.d = x; printf("4 %d\n", y);
    y = s.e = x; printf("5 %d\n", y);
    y = s.a += 2000; printf("6 %d\n", y);
    y = s.b += 20; printf("7 %d\n", y);
    y = ++s.b; printf("8 %d\n", y);
    y = s.b++; printf("9 %d\n", y);
    y = --s.a; printf("10 %d\n", y);
    y = s.a--; printf("11 %d\n", y);
    y = --s.d; printf("12 %d\n", y);
    s.a = 0; y = --s.a; printf("13 %d\n", y);
    s.a = 0; s.a--; y = s.a; printf("14 %d\n", y);
    u = s.a - 3000; printf("15 %u\n", u);
    l = s.a - 3000; printf("16 %ld\n", l);
    l = ~s.a; printf("17 %ld\n", l);
    l = -s.a; printf("18 %ld\n", l);
    l = s.a << 25; printf("19 %ld\n", l);
    printf("20 %d\n", s.a > -1);
    printf("21 %d\n", (s.a = x) > 2047);
    printf("22 %d\n", (s.a = 2047) + 1);
    printf("23 %d\n", (s.b = 15) + 1 == 16);
    printf("24 %d\n", (s.c = 64) || x == 3);
    if ((s.a = 2048) || x == 4) printf("25 yes\n"); else printf("25 no\n");
    printf("26 %d\n", (s.a = 2048) ? 1 : 2);
    printf("27 %ld\n", (long)(s.a = x));
    printf("28 %d\n", (s.f = x) >> 3);
    printf("29 %d\n", ((s.a = x), s.a) + 5);
    printf("30 %d\n", (x ? s.a : s.b) - 1 < 0);
    printf("31 %zu\n", sizeof(s));
    printf("32 %d\n", (s.e |= x));
    printf("33 %d\n", (s.e ^= 9) < 0);
    s.f <<= 3; printf("34 %d\n", s.f);
    s.a -= 1; printf("35 %d\n", s.a);
    s.a = -1; printf("36 %d\n", s.a + 1);
    s.c /= 3; printf("37 %d\n", s.c);
    unsigned char b = s.a; printf("38 %d\n", b);
    u = s.a ^ x; printf("39 %u\n", u);
    l = s.a * 2000000; printf("40 %ld\n", l);
    l = s.a * 4294967295u; printf("41 %ld\n", l);
    l = (s.a = x) - 5000L; printf("42 %ld\n", l);
    s.a = s.b = s.c = x; printf("43 %d %d %d\n", s.a, s.b, s.c);
    s.a = s.a + 100; printf("44 %d\n", s.a);
    s.a >>= 3; printf("45 %d\n", s.a);
    l = (1 ? s.a : 0) - 4000; printf("46 %ld\n", l);
    l = (0, s.a) - 4000; printf("47 %ld\n", l);
    l = (s.a -= 5) - 4000; printf("48 %ld\n", l);
    l = (x, s.a) << 24; printf("49 %ld\n", l);
    l = (x ? s.a : s.c) << 24; printf("50 %ld\n", l);
    printf("51 %zu %zu %zu %zu\n", sizeof(s.a = 1), sizeof(++s.b), sizeof(0, s.f), sizeof(({ s.c; })));
    printf("52 %zu %zu %zu\n", sizeof(s.d = 1), sizeof(+s.b), sizeof(1 ? s.a : s.a));
    s.c = 5; printf("53 %d\n", ({ s.c; }) - 8 < 0);
    l = ({ s.a; }) - 4000; printf("54 %ld\n", l);
    assert(s.a != 3);
    return 0;
}
