#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <limits.h>
#include <assert.h>
#define MAX(a,b) ((a)>(b)?(a):(b))
struct point { int x, y; };
struct nest { struct point p[2]; union { int i; char c[4]; }; struct { short s; unsigned b1:3, :2, b2:7; }; char *name; };
typedef struct list { struct list *next; int value; } list;
typedef int (*binop)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static binop table[] = { add, sub, &add };
static struct nest gn[] = { { { {1,2}, 3, 4 }, { .c = {5,6} }, { 7, 1, 100 }, "one" }, [2] = { .p[1].y = 9, .p[0] = {8, 7}, .b2 = 3, .name = "three" }, { .i = -1 } };
static const char msg[] = "hello\x41\101\n" "wor" "ld";
int matrix[][3] = { 1, 2, 3, 4, 5 };
enum color { RED, GREEN = 5, BLUE };
enum big { NEG = -1, POS = 0x7fffffff };
static int vsum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n-- > 0) s += va_arg(ap, int); va_end(ap); return s; }
static struct point mk(int x, int y) { return (struct point){ .y = y, .x = x }; }
static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int knr(a, b, c) char a; short b; { return a * b + c; }
static int counter(void) { static int n = 10; static int *p = &n; { static int n = 5; n++; *p += n; } return n; }
static unsigned sw(int c) { switch (c) { case 'a' ... 'f': return 1; case 0: { case 1: c++; } default: c += 100; break; case 7: return 7; } return c; }
int ext; extern int ext; int ext = 4;
extern int later[]; int first_later(void) { return later[0] + later[3]; } int later[] = {1,2,3,4};
int main(int argc, char **argv) {
  unsigned char uc = 250; signed char sc = -3; unsigned short us = 65535; short ss = -1; unsigned u = 3000000000u; long l = -5; unsigned long ul = 1ul << 63; long long ll = 1LL << 40; _Bool b = 5; float f = 1.5f; double d = 2.75;
  printf("%d %d\n", uc + 10, (unsigned char)(uc + 10)); printf("%d\n", uc += 10);
  printf("%d %d %u %d\n", sc >> 1, sc * us, us * 2u, ss < u);
  printf("%d %d %d\n", -1 < 1u, -1L < 1u, l < ul);
  printf("%ld %lu %lld\n", l + u, ul + l, ll << 3);
  printf("%d %d %d\n", b, !b, b + b); b = 0.5; printf("%d\n", b); b = (uintptr_t)&b; printf("%d\n", b); b++; b--; printf("%d\n", b);
  printf("%f %f %d %f\n", f + d, f * 3, (int)d, f / 2);
  uc = 255; uc++; printf("%d\n", uc--); sc = 127; sc++; printf("%d\n", sc); us <<= 3; printf("%d\n", us); ss ^= 0x1234; printf("%d\n", ss); u /= -2; printf("%u\n", u); l %= 3; printf("%ld\n", l); f += 1; f *= 2.5; printf("%f\n", f); int fi = 7; fi *= 1.5; printf("%d\n", fi);
  printf("%zu %zu %zu %zu\n", sizeof gn, sizeof gn[0], sizeof(struct nest), sizeof msg);
  printf("%d %d %d %d %d %s %d\n", gn[0].p[1].y, gn[0].c[1], gn[0].s, gn[0].b1, gn[0].b2, gn[0].name, gn[3].i);
  printf("%d %d %d %s %d\n", gn[2].p[0].x, gn[2].p[1].y, gn[2].b2, gn[2].name, gn[1].b2);
  gn[1].b1 = 9; gn[1].b2 += 127; gn[1].b2++; printf("%d %d\n", gn[1].b1, gn[1].b2); printf("%d\n", (gn[1].b1 = 15) + 1);
  printf("%s|%zu %d\n", msg, strlen(msg), matrix[1][1] + matrix[1][2]);
  printf("%d %d %d %zu\n", RED, BLUE, NEG < 0, sizeof(enum color));
  printf("%d %d %d\n", table[0](3, 4), (*table[1])(3, 4), (**table[2])(1, 1));
  printf("%d\n", vsum(3, 1, 2, 3)); struct point q = mk(3, 4), r; r = q; r.x++; printf("%d %d %d %d\n", q.x, r.x, mk(5, 6).y, (q = r, q).x);
  list n2 = { 0, 2 }, n1 = { &n2, 1 }, *p; int total = 0; for (p = &n1; p; p = p->next) total += p->value; printf("%d\n", total);
  printf("%d %d %d %d\n", fact(5), knr(300, 70000, 3), counter(), 0); printf("%d\n", counter());
  printf("%u %u %u %u %u\n", sw('c'), sw(0), sw(1), sw(7), sw(50));
  int a[5] = { [3] = 1, 2, [0] = 7 }; int *pa = a + 1; pa += 2; printf("%d %d %ld %d %d\n", *pa, pa[1], pa - a, *--pa, 2[a]);
  char s3[3] = "abc", s5[5] = "abc", *ps = "pq" + 1; printf("%c%c %d %s\n", s3[2], s5[2], s5[4], ps);
  int x = 1, y = 0; printf("%d %d\n", x && y || !y, x ? y ? 1 : 2 : 3); x = y ?: 5; printf("%d\n", y++ ?: 9);
  printf("%d\n", ({ int z = x; z *= 2; z + 1; }));
  goto end; x = 99;
  end: printf("%d %d\n", x, 'ab'); printf("%d %d %d\n", '\xff', '\377', '\0');
  do { if (x-- < 3) break; if (x == 4) continue; } while (1); printf("%d\n", x);
  printf("%lu %lu %lu\n", (unsigned long)offsetof(struct nest, p[1].y), (unsigned long)offsetof(struct nest, c[2]), _Alignof(struct nest));
  printf("%d %d %ld\n", 07 + 0x1F + 0b11, sizeof(1L) == 8, 0xFFFFFFFF + 0L); printf("%d %d\n", -1 >> 1, (unsigned)-1 >> 31); printf("%d\n", sizeof(0x80000000) == 4 && sizeof(2147483648) == 8);
  int64_t i64 = INT64_MIN; uint8_t u8 = ~0; printf("%ld %d %d\n", (long)i64, u8, (int8_t)u8); printf("%d %d\n", INT_MAX, CHAR_MIN);
  void *vp = a; vp += 4; vp = vp + 4; vp++; printf("%ld\n", (long)((char *)vp - (char *)a)); printf("%d\n", first_later() + ext);
  int m2[2][2] = { { 1 }, { 2, 3 } }; int (*row)[2] = m2; row++; printf("%d %d %zu\n", (*row)[1], row[0][0], sizeof *row);
  struct nest cp = gn[0]; cp.p[0].x += 5; struct nest *cpp = &cp; printf("%d %d %d\n", cpp->p[0].x, cpp->p->y, gn[0].p[0].x);
  int cl = ((int[]){ 4, 5, 6 })[1] + (int){ 3 }; printf("%d\n", cl); for (unsigned char i = 250; i > 5; i += 2) total++; printf("%d\n", total);
  return total & 0x7f;
}
