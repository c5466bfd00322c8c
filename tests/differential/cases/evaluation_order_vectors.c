/* The order in which gcc evaluates operands and arguments that are vectors: variables are read late, calls read early. */
#include <stdio.h>
typedef int v4si __attribute__((vector_size(16)));
v4si g = {1, 2}, h;
struct s { v4si v; } t = {{5}};
v4si bump(void) { g += 10; t.v += 100; return g; }
int two(v4si a, v4si b) { return a[0] * 1000 + b[0]; }
v4si set(v4si *p) { *p += 7; return *p; }
int idx(void) { g += 1; return 0; }
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
  v4si l = {3}, m = {4}, a[3] = {{1}, {2}, {3}};
  int i = 0, k = __VERIFIER_nondet_int();
  l[3] = k;
  printf("%d\n", two(g, bump()));
  printf("%d\n", two(bump(), g));
  printf("%d\n", two(bump(), t.v));
  printf("%d\n", two(t.v, bump()));
  printf("%d\n", two(l++, l));
  printf("%d\n", two(l, l++));
  printf("%d\n", two(l = m, l));
  printf("%d\n", two(set(&m), m));
  printf("%d\n", two(m, set(&m)));
  h = g + bump(); printf("%d\n", h[0]);
  h = bump() + g; printf("%d\n", h[0]);
  h = t.v + bump(); printf("%d\n", h[0]);
  h = bump() + t.v; printf("%d\n", h[0]);
  h = l + (l = (v4si){50}); printf("%d\n", h[0]);
  h = (l = (v4si){60}) + l; printf("%d\n", h[0]);
  h = m + set(&m); printf("%d\n", h[0]);
  h = l++ + l; printf("%d\n", h[0]);
  h = l + l++; printf("%d\n", h[0]);
  g = g + bump(); printf("%d\n", g[0]);
  g += bump(); printf("%d\n", g[0]);
  t.v += bump(); printf("%d\n", t.v[0]);
  l += (l = (v4si){9}); printf("%d\n", l[0]);
  m += set(&m); printf("%d\n", m[0]);
  a[i] += a[++i]; printf("%d %d %d %d\n", a[0][0], a[1][0], a[2][0], i);
  h = (g < bump()) + g; printf("%d\n", h[0]);
  h = g * idx(); printf("%d\n", h[0]);
  h = g << idx(); printf("%d\n", h[0]);
  h = idx() + g; printf("%d\n", h[0]);
  i = 5; h = l * i++ + i; printf("%d\n", h[0]);
  i = 5; h = i + l * i++; printf("%d\n", h[0]);
  i = 5; h = (v4si){i++, i} + i; printf("%d %d\n", h[0], h[1]);
  h = __builtin_shuffle(g, bump()); printf("%d %d\n", h[0], g[0]);
  h = __builtin_shuffle(bump(), g, bump()); printf("%d %d\n", h[0], g[0]);
  printf("%d\n", (i = 1, l)[0] + l[i] + (l + m)[i]);
  printf("%d\n", g[0] + bump()[0] * 3);
  printf("%d\n", bump()[0] + g[0]);
  g[idx()] = g[0] + 1; printf("%d\n", g[0]);
  l[i] = i++; printf("%d %d %d\n", l[0], l[1], l[2]);
  l[i++] = i; printf("%d %d %d\n", l[0], l[1], l[2]);
  l = (l = m) + (m = l) * 2; printf("%d %d\n", l[0], m[0]);
  g -= bump(); printf("%d\n", g[0]);
  t.v -= bump(); printf("%d\n", t.v[0]);
  l *= k; printf("%d\n", l[3]);
  __VERIFIER_assert(l[3] != 9);
  return 0;
}
