// Pointers: what they may point to, arithmetic, comparison, and following them.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int nondet_int(void);
unsigned nondet_uint(void);

//# address_and_dereference_safe
int main(void) { int x = 3, *p = &x; *p += 2; assert(x == 5); }

//# address_and_dereference_violated
int main(void) { int x = 3, y = 4, *p = nondet_int() ? &x : &y; *p = 9; assert(x == 9); } //! assert

//# null_safe
int main(void) { int x = 3, *p = nondet_int() ? &x : NULL; if (p) assert(*p == 3); }

//# null_violated
int main(void) {
  int x = 3, *p = nondet_int() ? &x : 0;
  return *p; //! pointer
}

//# null_write_violated
int main(void) {
  int *p = 0;
  *p = 1; //! pointer
}

//# null_member_violated
struct s { int a, b; };
int main(void) {
  struct s *p = 0;
  return p->b; //! pointer
}

//# address_of_null_member_safe
struct s { int a, b; };
int main(void) { struct s *p = 0; assert(&p->b == (int *)4); }

//# uninitialised_pointer_violated
int main(void) {
  int *p;
  return *p; //! pointer
}

//# dangling_local_safe
int *keep(int *p) { return p; }
int main(void) { int x = 4; assert(*keep(&x) == 4); }

//# dangling_local_violated
int *leak(void) { int x = 4; int *p = &x; return p; }
int main(void) {
  return *leak(); //! pointer
}

//# dangling_block_safe
int main(void) { int *p, y = 3; { int x = 4; p = &x; assert(*p == 4); } p = &y; assert(*p == 3); }

//# dangling_block_violated
int main(void) {
  int *p;
  { int x = 4; p = &x; }
  return *p; //! pointer
}

//# dangling_literal_safe
int main(void) { int *p = nondet_int() ? &(int){ 1 } : (int[]){ 2, 3 }; { p = p + 0; } assert(*p > 0); }

//# dangling_literal_violated --unwind 4
int main(void) {
  int *before = 0;
  for (int i = 0; i < 2; i++) {
    if (before) return *before; //! pointer
    before = &(int){ i };
  }
}

//# dangling_variable_length_array_safe --unwind 4
int main(void) { int sum = 0; for (int n = 1; n < 3; n++) { int a[n]; a[n - 1] = n; sum += a[n - 1]; } assert(sum == 3); }

//# dangling_variable_length_array_violated
int main(void) {
  int *p, n = 3;
  { int a[n]; a[0] = 1; p = a; }
  return p[0]; //! pointer
}

//# temporary_array_safe
struct pair { int of[2]; };
struct pair make(void) { struct pair p = { { 1, 2 } }; return p; }
int sum(int *p) { return p[0] + p[1]; }
int main(void) { assert(sum(make().of) == 3); }

//# temporary_array_violated
struct pair { int of[2]; };
struct pair make(void) { struct pair p = { { 1, 2 } }; return p; }
int main(void) {
  int *p = make().of;
  return *p; //! pointer
}

//# static_outlives_safe
int *get(void) { static int x = 4; return &x; }
int main(void) { *get() = 5; assert(*get() == 5); }

//# static_outlives_violated
int *get(void) { static int x = 4; return &x; }
int main(void) { *get() += nondet_int(); assert(*get() == 4); } //! assert

//# arithmetic_safe
int main(void) { int a[4] = { 1, 2, 3, 4 }, *p = a; p += 2; assert(*p == 3 && p[1] == 4 && *(p - 1) == 2); }

//# arithmetic_violated
int main(void) {
  int a[4] = { 1, 2, 3, 4 }, *p = a + nondet_uint() % 5;
  return *p; //! pointer
}

//# one_past_the_end_safe
int main(void) { int a[3] = { 1, 2, 3 }, s = 0; for (int *p = a; p != a + 3; p++) s += *p; assert(s == 6); }

//# one_past_the_end_violated
int main(void) {
  int a[3] = { 1, 2, 3 }, s = 0;
  for (int *p = a; p <= a + 3; p++) //! cbmc pointer (pointer-relation)
    s += *p; //! pointer
}

//# before_the_beginning_violated
int main(void) {
  int a[3] = {0}, *p = a;
  p--;
  return *p; //! pointer
}

//# pointer_index_safe
int main(void) { int a[5] = {0}, *p = a + 2, i = nondet_int(); if (i >= -2 && i <= 2) p[i] = 1; return p[-2]; }

//# pointer_index_violated
int main(void) {
  int a[5] = {0}, *p = a + 2, i = nondet_int();
  if (i >= -3 && i <= 2)
    p[i] = 1; //! pointer
}

//# scaled_by_the_type_safe
int main(void) { long a[2] = { 1, 2 }; char *c = (char *)a; assert(*(long *)(c + 8) == 2 && (char *)(a + 1) - c == 8); }

//# scaled_by_the_type_violated
int main(void) { int a[2] = { 1, 2 }; assert((char *)(a + 1) == (char *)a + 1); } //! assert

//# increment_and_dereference_safe
int main(void) { int a[3] = { 1, 2, 3 }, *p = a; int x = *p++, y = *++p, z = (*p)++; assert(x == 1 && y == 3 && z == 3 && a[2] == 4); }

//# increment_and_dereference_violated
int main(void) { int a[3] = { 1, 2, 3 }, *p = a; int x = *++p, y = ++*p; assert(x == y); } //! assert

//# difference_safe
int main(void) { int a[8]; unsigned i = nondet_uint() % 8, j = nondet_uint() % 8; assert(&a[i] - &a[j] == (int)i - (int)j); }

//# difference_violated
int main(void) { int a[8]; unsigned i = nondet_uint() % 8, j = nondet_uint() % 8; assert(&a[i] - &a[j] >= 0); } //! assert

//# difference_of_objects_violated
int main(void) {
  int a[2], b[2];
  assert(&a[1] - &b[0] != 0); //! cbmc pointer (pointer-relation), cbmc assert (pointer-relation)
}

//# difference_of_bytes_as_an_index_safe
int main(void) {
  char a[8] = "0123456", b[16] = "hijklmnopqrstuv", c[8] = "abcdefg";
  char *one = nondet_int() ? b + 9 : b + 10, *other = nondet_int() ? b + 8 : b + 7, *p = nondet_int() ? a : c;
  assert(p[one - other] == p[0] + (one - other));
}

//# difference_of_bytes_as_an_index_violated
int main(void) {
  char a[8] = "0123456", b[16] = "hijklmnopqrstuv", c[8] = "abcdefg";
  char *one = nondet_int() ? b + 9 : b + 10, *other = nondet_int() ? b + 8 : b + 7, *p = nondet_int() ? a : c;
  assert(p[one - other] != 'd'); //! assert
}

//# computed_index_of_a_choice_safe
int main(void) {
  char a[8] = "0123456", c[8] = "abcdefg";
  unsigned long i = nondet_uint() % 7;
  char *p = nondet_int() ? a : c;
  assert(p[i] == p[0] + (char)i);
}

//# computed_index_of_a_choice_violated
int main(void) {
  char a[8] = "0123456";
  unsigned long i = nondet_uint() % 7, j = nondet_uint() % 2;
  char *p = nondet_int() ? a : 0;
  return p[i + 1 - j]; //! pointer
}

//# comparison_safe
int main(void) { int a[4], *p = a + nondet_uint() % 4; assert(p >= a && p < a + 4); }

//# comparison_violated
int main(void) { int a[4], *p = a + nondet_uint() % 4; assert(p > a); } //! assert

//# order_of_objects_violated
int main(void) {
  int a, b, *p = &a, *q = &b;
  int before = p < q; //! cbmc pointer (pointer-relation)
  assert(before == 0 || before == 1);
}

//# equality_safe
int main(void) { int a, b, *p = &a, *q = &a; assert(p == q && p != &b); }

//# equality_violated
int main(void) { int a, b, *p = nondet_int() ? &a : &b; assert(p == &a); } //! assert

//# pointer_to_pointer_safe
int main(void) { int x = 1, y = 2, *p = &x, **q = &p; *q = &y; assert(*p == 2 && **q == 2); }

//# pointer_to_pointer_violated
int main(void) { int x = 1, y = 2, *p = &x, *r = &y, **q = nondet_int() ? &p : &r; **q = 5; assert(x == 5); } //! assert

//# aliasing_safe
int both(int *p, int *q) { *p = 1; *q = 2; return *p; }
int main(void) { int x, y; assert(both(&x, &x) == 2 && both(&x, &y) == 1); }

//# aliasing_violated
int both(int *p, int *q) { *p = 1; *q = 2; return *p; }
int main(void) { int x, y; assert(both(&x, nondet_int() ? &x : &y) == 1); } //! assert

//# void_pointer_safe
int main(void) { int x = 5; void *v = &x; int *p = v; assert(*p == 5 && *(int *)v == 5); }

//# void_pointer_violated
int main(void) { int x = 5; void *v = &x; *(char *)v = nondet_int(); assert(x == 5); } //! assert

//# void_pointer_arithmetic_safe
int main(void) { int a[2] = { 1, 2 }; void *v = a; assert(*(int *)(v + 4) == 2 && sizeof(void) == 1); }

//# void_pointer_subscript_safe
int main(void) {
  int a[2] = { 1, 2 }; void *v = a; const void *c = &v[4];
  assert(*(const int *)c == 2 && *(int *)&4[v] == 2 && (char *)&v[8] - (char *)c == 4);
}

//# void_pointer_subscript_violated
int main(void) {
  int a[2] = { 1, 2 }; void *v = a;
  return *(int *)&v[5]; //! pointer
}

//# void_pointer_arithmetic_violated
int main(void) {
  int a[2] = { 1, 2 }; void *v = a;
  return *(int *)(v + 5); //! pointer
}

//# bytes_of_an_object_safe
int main(void) { int x = 0x01020304; unsigned char *b = (unsigned char *)&x; assert(b[0] == 4 && b[3] == 1); }

//# bytes_of_an_object_violated
int main(void) { int x = nondet_int(); unsigned char *b = (unsigned char *)&x; assert(b[0] == x); } //! assert

//# bytes_beyond_an_object_violated
int main(void) {
  int x = 0; char *b = (char *)&x;
  return b[nondet_uint() % 5]; //! pointer
}

//# wider_access_violated
int main(void) {
  int x = 0; long *l = (long *)&x;
  return *l != 0; //! pointer
}

//# assembled_from_bytes_safe
int main(void) { unsigned char b[4] = { 1, 2, 0, 0 }; assert(*(int *)b == 513); }

//# assembled_from_bytes_violated
int main(void) { unsigned char b[4] = { nondet_int() }; assert(*(unsigned *)b < 255); } //! assert

//# pointer_as_integer_safe
int main(void) { int x = 5; uintptr_t u = (uintptr_t)&x; int *p = (int *)u; assert(*p == 5 && u % 4 == 0); }

//# pointer_as_integer_violated
int main(void) { int x = 5; intptr_t u = (intptr_t)&x; if (nondet_int()) u = 0; assert((int *)u == &x); } //! assert

//# integer_as_pointer_violated
int main(void) {
  int *p = (int *)16;
  return *p; //! pointer
}

//# truth_of_pointers_safe
int main(void) { int x, *p = &x, *q = 0; assert(p && !q && (q || p)); }

//# truth_of_pointers_violated
int main(void) { int x, *p = nondet_int() ? &x : 0; assert(!!p); } //! assert

//# pointer_to_const_safe
int main(void) { int x = 3; const int *p = &x; x = 4; assert(*p == 4); }

//# pointer_to_const_violated
int main(void) { int x = 3; const int *p = &x; *(int *)p = 4; assert(*p == 3); } //! assert

//# constant_object_safe
static const int c = 3;
int main(void) { int x, *p = nondet_int() ? &x : (int *)&c; if (p != &c) *p = 3; assert(*p == 3); }

//# constant_object_violated
static const int c = 3;
int main(void) {
  int x, *p = nondet_int() ? &x : (int *)&c;
  *p = 3; //! sfo pointer (string-literals)
}

//# write_to_a_string_literal_violated
int main(void) {
  char *p = "abc";
  p[0] = 'x'; //! sfo pointer (string-literals)
}

//# restrict_safe
void copy(int *restrict d, const int *restrict s, int n) { while (n-- > 0) *d++ = *s++; }
int main(void) { int a[3] = { 1, 2, 3 }, b[3]; copy(b, a, 3); assert(b[2] == 3); }

//# restrict_violated
void copy(int *restrict d, const int *restrict s, int n) { while (--n > 0) *d++ = *s++; }
int main(void) { int a[3] = { 1, 2, 3 }, b[3] = {0}; copy(b, a, 3); assert(b[2] == 3); } //! assert

//# pointer_to_array_safe
int main(void) { int a[3] = { 1, 2, 3 }, (*p)[3] = &a; assert((*p)[2] == 3 && sizeof *p == 12); }

//# pointer_to_array_violated
int main(void) {
  int a[3] = { 1, 2, 3 }, (*p)[3] = &a;
  return (*p)[nondet_uint() % 4]; //! bounds
}

//# linked_on_the_stack_safe
struct n { int v; struct n *next; };
int main(void) { struct n c = { 3, 0 }, b = { 2, &c }, a = { 1, &b }; int s = 0; for (struct n *p = &a; p; p = p->next) s += p->v; assert(s == 6); }

//# linked_on_the_stack_violated
struct n { int v; struct n *next; };
int main(void) { struct n b = { 2, 0 }, a = { 1, nondet_int() ? &b : 0 }; int s = 0; for (struct n *p = &a; p; p = p->next) s += p->v; assert(s == 3); } //! assert

//# swap_safe
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void) { int x = nondet_int(), y = nondet_int(), a = x, b = y; swap(&a, &b); assert(a == y && b == x); }

//# swap_violated
void swap(int *a, int *b) { *a ^= *b; *b ^= *a; *a ^= *b; }
int main(void) { int x = nondet_int(), y = x; swap(&y, nondet_int() ? &y : &x); assert(x == y); } //! assert

//# unset_pointer_assumed_to_lead_somewhere_safe
int main(void) { int b = 1, *a; __CPROVER_assume(a == &b); assert(*a == 1); *a = 2; assert(b == 2); }

//# unset_pointer_compared_safe
int main(void) { int a = 1, b = 2, *p; if (p == &a) assert(*p == 1); else if (p == &b) assert(*p == 2); }

//# unset_pointer_compared_violated
int main(void) { int a = 1, b = 2, *p; if (p == &a || p == &b) assert(*p == 1); } //! assert

//# unset_pointer_unlike_another_violated
int main(void) { int a = 1, *p; if (p != &a) return *p; } //! pointer

//# moved_on_in_one_branch_safe
int main(void) {
  char *names[4] = { "a", "b", "c", "d" }, **p = names;
  unsigned n = nondet_uint() % 3;
  if (nondet_int()) p = names + n;
  p[1] = "x";
  assert(*++p != 0 && **p == 'x');
}

//# moved_on_in_one_branch_violated
int main(void) {
  char *names[4] = { "a", "b", "c", "d" }, **p = names;
  unsigned n = nondet_uint() % 3;
  if (nondet_int()) p = names + n;
  p[1] = "x";
  assert(names[3][0] == 'd'); //! assert
}
