// Vector types of GNU C.
#include <assert.h>
#include <stdlib.h>
int nondet_int(void);
unsigned nondet_uint(void);

//# arithmetic_safe
typedef int v4si __attribute__((vector_size(16)));
int main(void) {
  int x = nondet_int();
  v4si v = { x & 7, 1, 2 }, w = v * 2 + 1;
  w <<= v; w++;
  assert(w[0] == ((2 * (x & 7) + 1) << (x & 7)) + 1 && w[1] == 7 && w[2] == 21 && w[3] == 2);
}

//# arithmetic_violated
typedef unsigned char v8 __attribute__((vector_size(8)));
int main(void) {
  v8 v = { nondet_int(), 250 };
  v += 7;
  assert(v[1] == 1);
  assert(v[0] >= 7); //! assert
}

//# comparison_safe
typedef int v4si __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
int main(void) {
  int x = nondet_int();
  v4si v = { x, 0, x }, t = v > 3;
  v4sf f = { 1, 2 };
  assert(t[0] == -(x > 3) && t[1] == 0 && (f < 1.5f)[0] == -1 && (f < 1.5f)[1] == 0 && (v & ~t)[2] <= 3);
}

//# comparison_violated
typedef int v4si __attribute__((vector_size(16)));
int main(void) { v4si v = { nondet_int() }; assert((v == 5)[0] != -1); } //! assert

//# element_safe
typedef short v8hi __attribute__((vector_size(16)));
struct s { char c; v8hi v[2]; };
int main(void) {
  int i = nondet_int() & 7;
  struct s s = { 1, { { 1, 2 }, { 3 } } }, t = s, *p = &t;
  p->v[1][i] = 9;
  assert(t.v[1][i] == 9 && t.v[0][1] == 2 && s.v[1][0] == 3 && sizeof t == 48);
}

//# element_violated
typedef int v4si __attribute__((vector_size(16)));
int main(void) {
  unsigned i = nondet_uint();
  v4si v = { 1, 2, 3, 4 };
  if (i < 5) v[i] = 0; //! bounds
  assert(v[3] != 0); //! assert
}

//# shuffle_safe
typedef int v4si __attribute__((vector_size(16)));
int main(void) {
  int i = nondet_int();
  v4si v = { 1, 2, 3, 4 }, w = { 5, 6, 7, 8 };
  v4si one = __builtin_shuffle(v, (v4si){ 3, 2, 1, i }), two = __builtin_shuffle(v, w, (v4si){ 0, 4, 1, 13 });
  assert(one[0] == 4 && one[3] == (i & 3) + 1 && two[1] == 5 && two[3] == 6);
}

//# shuffle_violated
typedef int v4si __attribute__((vector_size(16)));
int main(void) {
  v4si v = { 1, 2, 3, 4 };
  assert(__builtin_shuffle(v, (v4si){ nondet_int() })[0] < 4); //! assert
}

//# conversion_safe
typedef int v2si __attribute__((vector_size(8)));
typedef float v2sf __attribute__((vector_size(8)));
int main(void) {
  int x = nondet_int() & 255;
  v2si v = { x, -1 };
  v2sf f = __builtin_convertvector(v, v2sf);
  assert(f[0] == x && f[1] == -1 && (long)v == (-1L << 32 | x) && ((v2si)(v2sf){ 1 })[0] == 0x3f800000);
}

//# conversion_violated
typedef int v2si __attribute__((vector_size(8)));
int main(void) { v2si v = (v2si)(long)nondet_int(); assert(v[1] == 0); } //! assert
