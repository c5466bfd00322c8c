// Structures, unions and bit-fields.
#include <assert.h>
#include <stddef.h>
int nondet_int(void);
unsigned nondet_uint(void);

//# members_safe
struct s { int a; char b; };
int main(void) { struct s s; s.a = 5; s.b = 'x'; assert(s.a == 5 && s.b == 'x'); }

//# members_violated
struct s { int a; char b; };
int main(void) { struct s s; s.a = nondet_int(); s.b = s.a; assert(s.a == s.b); } //! assert

//# arrow_safe
struct s { int a, b; };
int main(void) { struct s s = { 1, 2 }, *p = &s; p->a += p->b; assert(s.a == 3); }

//# arrow_violated
struct s { int a, b; };
int main(void) { struct s s = { 1, 2 }, t = s, *p = nondet_int() ? &s : &t; p->a = 9; assert(s.a == 9); } //! assert

//# assignment_copies_safe
struct s { int a[3]; int n; };
int main(void) { struct s s = { { 1, 2, 3 }, 4 }, t; t = s; s.a[1] = 9; assert(t.a[1] == 2 && t.n == 4); }

//# assignment_copies_violated
struct s { int a[3]; int n; };
int main(void) { struct s s = { { 1, 2, 3 }, 4 }, *t = &s; s.a[1] = 9; assert(t->a[1] == 2); } //! assert

//# nested_safe
struct in { int x, y; }; struct out { struct in a, b; };
int main(void) { struct out o = { { 1, 2 }, { 3, 4 } }; o.a = o.b; assert(o.a.x == 3 && o.a.y == 4); }

//# nested_violated
struct in { int x, y; }; struct out { struct in a, b; };
int main(void) { struct out o = { .b.y = nondet_int() }; o.a = o.b; assert(o.a.x == o.a.y); } //! assert

//# array_member_safe
struct s { int a[3]; };
int main(void) { struct s s = {0}; unsigned i = nondet_uint() % 3; s.a[i] = 1; assert(s.a[0] + s.a[1] + s.a[2] == 1); }

//# array_member_violated
struct s { int a[3], b; };
int main(void) {
  struct s s = {0};
  s.a[nondet_uint() % 4] = 1; //! bounds
}

//# array_of_structures_safe
struct s { int k, v; };
int main(void) { struct s t[3] = { { 1, 10 }, { 2, 20 }, { 3, 30 } }; unsigned i = nondet_uint() % 3; assert(t[i].v == 10 * t[i].k); }

//# array_of_structures_violated
struct s { int k, v; };
int main(void) { struct s t[3] = { { 1, 10 }, { 2, 21 }, { 3, 30 } }; unsigned i = nondet_uint() % 3; assert(t[i].v == 10 * t[i].k); } //! assert

//# array_of_structures_index_violated
struct s { int k, v; };
int main(void) {
  struct s t[3] = {0};
  return t[nondet_uint() % 4].v; //! bounds
}

//# designated_members_safe
struct s { int a, b, c; };
int main(void) { struct s s = { .c = 3, .a = 1 }; assert(s.a == 1 && s.b == 0 && s.c == 3); }

//# designated_members_violated
struct s { int a, b, c; };
int main(void) { struct s s = { .b = 2, 3 }; assert(s.a == 3); } //! assert

//# compound_literal_safe
struct s { int a, b; };
int main(void) { struct s s = (struct s){ .b = 4 }; assert(s.a == 0 && s.b == 4); }

//# compound_literal_violated
struct s { int a, b; };
int main(void) { struct s *p = &(struct s){ nondet_int() }; assert(p->a == p->b); } //! assert

//# anonymous_members_safe
struct s { int t; union { int i; unsigned u; }; struct { int x, y; }; };
int main(void) { struct s s = {0}; s.i = -1; s.y = 3; assert(s.u == 0xffffffff && s.x == 0 && s.y == 3); }

//# anonymous_members_violated
struct s { union { int i; struct { short low, high; }; }; };
int main(void) { struct s s; s.i = nondet_int(); assert(s.low == s.i); } //! assert

//# layout_safe
struct s { char c; int i; char d; long l; short h; };
int main(void) { assert(sizeof(struct s) == 32 && offsetof(struct s, i) == 4 && offsetof(struct s, l) == 16 && offsetof(struct s, h) == 24); }

//# layout_violated
struct s { char c; int i; };
int main(void) { assert(sizeof(struct s) == 5); } //! assert

//# self_reference_safe
struct n { int v; struct n *next; };
int main(void) { struct n c = { 3, 0 }, b = { 2, &c }, a = { 1, &b }; assert(a.next->next->v == 3 && !c.next); }

//# self_reference_violated
struct n { int v; struct n *next; };
int main(void) {
  struct n b = { 2, 0 }, a = { 1, &b };
  return a.next->next->v; //! pointer
}

//# conditional_structures_safe
struct s { int a, b; };
int main(void) { struct s s = { 1, 2 }, t = { 3, 4 }; int c = nondet_int(); struct s u = c ? s : t; assert(u.b == u.a + 1); }

//# conditional_structures_violated
struct s { int a, b; };
int main(void) { struct s s = { 1, 2 }, t = { 3, 4 }; assert((nondet_int() ? s : t).b == 2); } //! assert

//# comparing_addresses_of_members_safe
struct s { int a, b; };
int main(void) { struct s s; assert(&s.a < &s.b && (void *)&s == (void *)&s.a); }

//# comparing_addresses_of_members_violated
struct s { int a, b; };
int main(void) { struct s s; assert(&s.b - &s.a == 4); } //! assert

//# container_of_safe
struct s { int a, b; };
int main(void) { struct s s = { 1, 2 }; int *p = &s.b; struct s *q = (struct s *)((char *)p - offsetof(struct s, b)); assert(q->a == 1); }

//# container_of_violated
struct s { int a, b; };
int main(void) {
  struct s s = { 1, 2 }; int *p = &s.a; struct s *q = (struct s *)((char *)p - offsetof(struct s, b));
  return q->b + q->a; //! pointer
}

//# flexible_array_member_safe
#include <stdlib.h>
struct s { int n; int data[]; };
int main(void) { struct s *s = malloc(sizeof *s + 3 * sizeof(int)); s->n = 3; for (int i = 0; i < s->n; i++) s->data[i] = i; assert(s->data[2] == 2 && sizeof(struct s) == 4); }

//# flexible_array_member_violated
#include <stdlib.h>
struct s { int n; int data[]; };
int main(void) {
  struct s *s = malloc(sizeof *s + 3 * sizeof(int));
  s->data[3] = 1; //! sfo pointer (flexible-array), cbmc bounds (flexible-array)
}

//# last_member_of_one_element_safe
#include <stdlib.h>
struct item { int a; };
struct s { int n; struct item data[1]; };
int main(void) { struct s *s = malloc(sizeof *s + 2 * sizeof(struct item)); s->n = 3; for (int i = 0; i < s->n; i++) s->data[i].a = i; assert(s->data[2].a == 2 && sizeof(struct s) == 8); }

//# last_member_of_one_element_violated
#include <stdlib.h>
struct s { int n; int data[1]; };
int main(void) {
  struct s *s = malloc(sizeof *s + 2 * sizeof(int));
  s->data[3] = 1; //! sfo pointer (flexible-array), cbmc bounds (flexible-array)
}

//# last_member_of_one_element_in_a_union_safe
#include <stdlib.h>
struct list { int n; int data[1]; };
struct room { int all[4]; };
union any { struct list list; struct room room; };
int main(void) {
  union any *u = malloc(sizeof *u);
  for (int i = 0; i < 3; i++) u->list.data[i] = i;
  assert(u->room.all[3] == 2);
}

//# member_of_one_element_violated
#include <stdlib.h>
struct inner { int n; int data[1]; };
struct outer { struct inner inner; int end; };
int main(void) {
  struct outer *s = malloc(sizeof *s);
  s->end = 0;
  s->inner.data[s->end + 1] = 1; //! sfo bounds (flexible-array)
}

//# incomplete_type_safe
struct hidden;
struct hidden *keep(struct hidden *p) { return p; }
struct hidden { int v; };
int main(void) { struct hidden h = { 5 }; assert(keep(&h)->v == 5); }

//# object_of_an_incomplete_type_safe
struct module;
extern struct module this_module;
struct operations { struct module *owner; int (*open)(int); };
static int opened(int x) { return x + 1; }
static const struct operations operations = { &this_module, opened };
int main(void) {
  assert(operations.owner == &this_module);
  assert(operations.owner);
  assert(operations.open(2) == 3);
}

//# incomplete_type_violated
struct hidden;
int get(struct hidden *p);
struct hidden { int v; };
int get(struct hidden *p) { return p->v; }
int main(void) { struct hidden h = { nondet_int() }; assert(get(&h) == 5); } //! assert

//# tag_scope_safe
struct s { int a; };
int main(void) { struct s { char c[3]; }; assert(sizeof(struct s) == 3); }

//# tag_scope_violated
struct s { int a; };
int main(void) { { struct s { char c[3]; }; } assert(sizeof(struct s) == 3); } //! assert

//# union_safe
union u { int i; unsigned u; };
int main(void) { union u u; u.i = -1; assert(u.u == 4294967295u); }

//# union_violated
union u { int i; unsigned char b[4]; };
int main(void) { union u u; u.i = nondet_int(); u.b[3] = 0; assert(u.i < 100); } //! assert

//# union_bytes_safe
union u { unsigned i; unsigned char b[4]; };
int main(void) { union u u; u.i = 0x01020304; assert(u.b[0] == 4 && u.b[3] == 1 && sizeof u == 4); }

//# union_bytes_violated
union u { unsigned i; unsigned char b[4]; };
int main(void) { union u u; u.i = nondet_uint(); assert(u.b[0] + u.b[1] == u.b[1]); } //! assert

//# union_initialiser_safe
union u { char c; int i; };
int main(void) { union u u = { 7 }, v = { .i = 300 }; assert(u.c == 7 && v.c == 44); }

//# union_initialiser_violated
union u { char c; int i; };
int main(void) { union u v = { .i = nondet_int() }; assert(v.c == v.i); } //! assert

//# union_of_structures_safe
union u { struct { char tag; int x; } a; struct { char tag; char y; } b; };
int main(void) { union u u; u.a.tag = 3; u.b.y = 4; assert(u.b.tag == 3 && u.a.tag == 3); }

//# union_of_structures_violated
union u { struct { char tag; int x; } a; struct { char tag; char y[8]; } b; };
int main(void) { union u u; u.a.tag = 3; u.a.x = 7; u.b.y[3] = 1; assert(u.a.x == 7); } //! assert

//# union_with_pointer_safe
union u { int *p; long l; };
int main(void) { int x = 5; union u u; u.p = &x; assert(*u.p == 5 && u.l != 0); }

//# bit_field_safe
struct b { unsigned a : 3; int b : 4; unsigned c : 1; };
int main(void) { struct b b; b.a = nondet_int(); b.b = nondet_int(); assert(b.a < 8 && b.b >= -8 && b.b < 8); }

//# bit_field_violated
struct b { unsigned a : 3; };
int main(void) { struct b b; int x = nondet_int() & 15; b.a = x; assert(b.a == x); } //! assert

//# bit_field_sign_safe
struct b { int b : 3; };
int main(void) { struct b b = { 7 }; assert(b.b == -1); }

//# bit_field_sign_violated
struct b { signed f : 1; };
int main(void) { struct b b = { 1 }; assert(b.f == 1); } //! assert

//# bit_field_neighbours_safe
struct b { unsigned a : 3, b : 5, c : 4; };
int main(void) { struct b b = { 1, 2, 3 }; b.b = nondet_int(); assert(b.a == 1 && b.c == 3); }

//# bit_field_neighbours_violated
union u { struct { unsigned a : 3, b : 5; } f; unsigned char c; };
int main(void) { union u u; u.c = nondet_int(); assert(u.f.a == u.f.b); } //! assert

//# bit_field_promotion_safe
struct b { unsigned a : 3; };
int main(void) { struct b b = { 0 }; assert(b.a - 1 < 0); }

//# bit_field_promotion_violated
struct b { unsigned a : 32; };
int main(void) { struct b b = { 0 }; assert(b.a - 1 < 0); } //! assert

//# bit_field_increment_safe
struct b { unsigned a : 2; };
int main(void) { struct b b = { 3 }; b.a++; assert(b.a == 0); }

//# bit_field_increment_violated
struct b { unsigned a : 2; };
int main(void) { struct b b = { nondet_int() }; unsigned old = b.a; b.a++; assert(b.a > old); } //! assert

//# bit_field_of_bool_safe
struct b { _Bool f : 1; };
int main(void) { struct b b; b.f = 2; assert(b.f == 1); }

//# bit_field_of_bool_violated
struct b { _Bool f : 1; };
int main(void) { struct b b; b.f = nondet_int(); assert(b.f == 1); } //! assert

//# bit_field_layout_safe
struct b { unsigned a : 20; unsigned b : 20; unsigned : 0; char c; };
int main(void) { assert(sizeof(struct b) == 12); }

//# bit_field_layout_violated
struct b { unsigned a : 3; unsigned : 2; unsigned b : 3; };
int main(void) { assert(sizeof(struct b) == 1); } //! assert

//# cast_to_its_own_type_safe
struct pair { int a, b; };
int main(void) { struct pair p = (struct pair)(struct pair){1, 2}; assert(((struct pair)p).b == 2); }

//# empty_result_safe
struct empty {} e;
int calls;
struct empty f(void) { struct empty x; calls++; return x; }
int main(void) { struct empty (*q)(void) = f; e = f(); struct empty y = q(); (void)y; assert(calls == 2); }

//# bit_field_of_a_long_compared_safe
struct s { long a : 24; unsigned long b : 24; long c : 32; unsigned long d : 32, e : 33; unsigned long long f : 1; } x;
int main(void) {
  x.a = x.c = -1; x.b = 5; x.d = x.e = x.f = 1;
  assert(x.a == 0xFFFFFFFFu && x.c == 0xFFFFFFFFu && x.b > -1 && x.f > -1 && (x.b = 7) > -1 && x.d < -1 && x.e < -1);
}

//# last_member_of_one_element_by_any_index_violated
#include <stdlib.h>
struct text { int length; char letters[1]; };
int main(void) {
  struct text *t = malloc(sizeof *t + 3);
  int k = nondet_int();
  t->letters[3] = 7;
  if (k < 0 || k > 3) return 0;
  t->letters[k] = 1;
  assert(t->letters[3] == 7); //! assert
}

//# layout_of_gcc_safe
struct __attribute__((gcc_struct)) s { char a : 4; int b : 20; };
int main(void) { struct s s = { 1, 70000 }; assert(sizeof s == 4 && s.a + s.b == 70001); }
