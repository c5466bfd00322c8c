/* Complex numbers wherever numbers stand: initialisers, conversions, conditions, places; complex integers of GNU C. */
#include <assert.h>
#include <complex.h>
#include <stdio.h>
#include <string.h>
typedef __complex__ double dc; typedef _Complex float fc;
static dc *where(dc *p, int *n) { ++*n; return p; }
union u { dc z; double d[2]; };
static dc table[2][2] = { { 1, 2 }, 3, 4i };
static fc sf = 3;
static dc big = (dc)2 + (fc)1i;
static double part = __real__ (3.0 + 4.0i);
static int whole = (int)(2.5 + 1i);
static long double complex lz = 1.5L * 2.0fi;
_Static_assert(__imag__ (3 + 4i) == 4, "");
struct deep { struct { dc a[2]; fc b; } in; char c; } deep = { { { 1i, 2 }, 3 }, 'x' }, other;
dc swapped(dc z) { return (dc){ __imag__ z } + __real__ z * 1.0i; }
dc old(z, n) dc z; int n; { return n ? z : -z; }
int main(void) {
  int n = 0; dc a[2] = { 1 + 1i, 2 }, *p = a;
  *where(a, &n) += 2;
  assert(n == 1 && a[0] == 3 + 1i);
  (*where(a, &n))++; ++*where(a, &n); (*where(a, &n))--;
  assert(n == 4 && __real__ a[0] == 4);
  *p++ *= 2;
  assert(p == a + 1 && a[0] == 8 + 2i);
  union u u = { .z = 5 + 6i };
  assert(u.d[0] == 5 && u.d[1] == 6);
  u.d[1] = 7;
  assert(u.z == 5 + 7i);
  assert(table[0][1] == 2 && table[1][0] == 3 && table[1][1] == 4i && sf == 3);
  assert(big == 2 + 1i && part == 3 && whole == 2 && lz == 3i);
  other = deep;
  assert(other.in.a[0] == 1i && other.in.b == 3 && sizeof(struct deep) == 48);
  assert(swapped(1 + 2i) == 2 + 1i && old(1.0i, 0) == -1i && old(1.0i, 1) == 1i);
  dc z = n ? 1 : 2i;
  assert(z == 1);
  z = n == 0 ?: 3i;
  assert(z == 3i);
  z = 0i ?: a[1];
  assert(z == 2);
  z = (n++, 5i);
  assert(z == 5i);
  for (z = 3; z; z--) n++;
  assert(n == 8);
  while (!z) z = 1i; do z *= 1i; while (__imag__ z);
  assert(z == -1);
  z = ({ dc t = 2; t * t; });
  assert(z == 4);
  n = z;
  assert(n == 4);
  n += 1.5 + 9i;
  assert(n == 5);
  float f = 1; f *= 2 + 1i;
  assert(f == 2);
  unsigned char c = 250; c += 10 + 1i;
  assert(c == 4);
  _Bool b = 0; b = 1i;
  assert(b);
  b = (_Bool)(0i);
  assert(!b);
  fc g = 0.1; dc h = g;
  assert(__real__ h == 0.1f && __real__ h != 0.1);
  assert((fc)h == g && (int)(2.9 + 1i) == 2 && (double)(3 + 1i) == 3);
  dc *q = &z; *q = 1 + 2i; __real__ *q = 9; (__imag__ *q)++;
  assert(z == 9 + 3i && *&__imag__ z == 3);
  __real__ n = 4;
  assert(n == 4 && __imag__ n == 0);
  char text[40]; sprintf(text, "%g%+gi", creal(z), cimag(z));
  assert(!strcmp(text, "9+3i"));
  switch ((int)creal(z)) { case 9: n = 1; } assert(n == 1);
  volatile dc v = 2; v *= v;
  assert(v == 4);
  const dc k = 3i;
  assert(k * k == -9);
  register dc r = 1; r = r + r;
  assert(r == 2);
  dc m[3] = { [1] = 2i, [2] = 1 };
  assert(m[0] == 0 && m[1] == 2i && sizeof m == 48);
  dc copy; memcpy(&copy, &m[1], sizeof copy);
  assert(copy == 2i && !memcmp(&copy, &m[1], sizeof copy));
  __auto_type w = z / 2;
  assert(w == 4.5 + 1.5i);
  __typeof__(__real__ z) d = 1;
  assert(sizeof d == 8);
  assert(__builtin_creal(z) == 9 && __builtin_cimagf(g) == 0 && __builtin_conj(z) == 9 - 3i);
  _Complex unsigned short s = 65535 + 1i; s++;
  assert(s == 1i);
  s = ~s;
  assert(__imag__ s == 65535);
  _Complex long l = 1l + 2i; l -= 3;
  assert(l == -2 + 2i && l * 2 == -4 + 4i);
  _Complex char cc = 100 + 1i; cc = cc + cc;
  assert(__real__ cc == -56);
  assert(sizeof(cc + cc) == 2 && sizeof(cc + 1) == 8 && sizeof(1i) == 8 && sizeof(1ll + 1i) == 16);
  assert(_Generic(cc + cc, _Complex char: 1, default: 0));
  assert(_Generic(1.0f + 1.0i, dc: 1, default: 0) && _Generic(__real__ g, float: 1, default: 0));
  assert(_Generic(1l * 2.0fi, fc: 1, default: 0));
  printf("%g %g %d\n", creal(z), cimag(z), n);
  return 0;
}
