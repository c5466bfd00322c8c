// Allocated memory, lists and trees.
#include <assert.h>
#include <stdlib.h>
int nondet_int(void);
unsigned nondet_uint(void);

//# malloc_safe
int main(void) { int *p = malloc(sizeof *p); *p = 5; assert(*p == 5); free(p); }

//# malloc_violated
int main(void) { int *p = malloc(sizeof *p); assert(*p == 0); } //! assert

//# malloc_is_not_null_safe
int main(void) { assert(malloc(4)); }

//# malloc_too_small_violated
int main(void) {
  int *p = malloc(3);
  *p = 1; //! pointer
}

//# malloc_array_safe
int main(void) { int *p = malloc(4 * sizeof(int)); for (int i = 0; i < 4; i++) p[i] = i; assert(p[3] == 3); }

//# malloc_array_violated
int main(void) {
  int *p = malloc(4 * sizeof(int));
  p[nondet_uint() % 5] = 1; //! pointer
}

//# malloc_symbolic_size_safe
int main(void) { unsigned n = nondet_uint() % 4 + 1; char *p = malloc(n); p[n - 1] = 1; assert(p[n - 1]); }

//# malloc_symbolic_size_violated
int main(void) {
  unsigned n = nondet_uint() % 4; char *p = malloc(n);
  p[2] = 1; //! pointer
}

//# malloc_zero_safe
int main(void) { char *p = malloc(0); free(p); assert(1); }

//# malloc_zero_violated
int main(void) {
  char *p = malloc(0);
  return *p; //! pointer
}

//# distinct_objects_safe
int main(void) { int *p = malloc(4), *q = malloc(4); *p = 1; *q = 2; assert(p != q && *p == 1); }

//# distinct_objects_violated
int main(void) { int *p = malloc(4), *q = nondet_int() ? malloc(4) : p; assert(p != q); } //! assert

//# calloc_safe
int main(void) { int *p = calloc(3, sizeof(int)); assert(p[0] == 0 && p[2] == 0); }

//# calloc_violated
int main(void) {
  int *p = calloc(3, sizeof(int));
  return p[3]; //! pointer
}

//# realloc_safe
int main(void) { int *p = malloc(4); *p = 7; p = realloc(p, 8); p[1] = 8; assert(p[0] == 7 && p[1] == 8); }

//# realloc_violated
int main(void) { int *p = malloc(4); *p = nondet_int(); p = realloc(p, 8); assert(p[0] == p[1]); } //! assert

//# realloc_frees_violated
int main(void) {
  int *p = malloc(4), *q = realloc(p, 8);
  *q = 1;
  return *p; //! pointer
}

//# use_after_free_safe
int main(void) { int *p = malloc(4); *p = 3; int x = *p; free(p); assert(x == 3); }

//# use_after_free_violated
int main(void) {
  int *p = malloc(4);
  *p = 3; free(p);
  return *p; //! pointer
}

//# use_after_free_by_alias_violated
int main(void) {
  int *p = malloc(4), *q = p;
  *p = 3; free(p);
  *q = 4; //! pointer
}

//# free_null_safe --check double-free
int main(void) { free(0); }

//# double_free_safe --check double-free
int main(void) { int *p = malloc(4); free(p); p = malloc(4); free(p); }

//# double_free_violated --check double-free
int main(void) {
  int *p = malloc(4);
  if (nondet_int()) free(p);
  free(p); //! double-free
}

//# double_free_by_a_pointer_violated --check double-free
void each(int **p, int n, void (*release)(void *)) { for (int i = 0; i < n; i++) release(p[i]); } //! double-free
int main(void) {
  int *p[2] = { malloc(4), malloc(4) };
  if (nondet_int() == 4) p[1] = p[0];
  each(p, 2, free);
}

//# free_of_a_local_violated --check double-free
int main(void) {
  int x, *p = nondet_int() ? &x : malloc(4);
  free(p); //! double-free
}

//# free_of_the_middle_violated --check double-free
int main(void) {
  char *p = malloc(4);
  free(p + 1); //! double-free
}

//# free_of_a_global_violated --check double-free
int g;
int main(void) {
  free(&g); //! double-free
}

//# allocation_of_more_than_any_memory_violated
int main(void) {
  unsigned long most = (unsigned long)-1 / 2;
  char *p = malloc(most), *q = realloc(0, most);
  if (p || q || malloc(-4)) return 1;
  *p = 1; //! sfo pointer (huge-allocation)
}

//# structure_on_the_heap_safe
struct s { int a; char b[4]; };
int main(void) { struct s *p = malloc(sizeof *p), q; p->a = 5; p->b[3] = 'x'; q = *p; assert(q.a == 5 && q.b[3] == 'x'); }

//# structure_on_the_heap_violated
struct s { int a; char b[4]; };
int main(void) {
  struct s *p = malloc(sizeof *p);
  p->b[nondet_uint() % 5] = 1; //! bounds
}

//# structure_too_small_violated
struct s { int a; int b; };
int main(void) {
  struct s *p = malloc(sizeof p->a);
  p->b = 1; //! pointer
}

//# list_safe
struct n { int v; struct n *next; };
int main(void) {
  struct n *head = 0;
  for (int i = 0; i < 3; i++) { struct n *x = malloc(sizeof *x); x->v = i; x->next = head; head = x; }
  int s = 0;
  for (struct n *p = head; p; p = p->next) s = 10 * s + p->v;
  assert(s == 210);
}

//# list_violated
struct n { int v; struct n *next; };
int main(void) {
  struct n *head = 0;
  for (int i = 0; i < 3; i++) { if (nondet_int()) continue; struct n *x = malloc(sizeof *x); x->v = i; x->next = head; head = x; }
  int s = 0;
  for (struct n *p = head; p; p = p->next) s += p->v;
  assert(s != 3); //! assert
}

//# list_without_end_violated
struct n { int v; struct n *next; };
int main(void) {
  struct n *head = 0;
  for (int i = 0; i < 2; i++) { struct n *x = malloc(sizeof *x); x->v = i; if (i) x->next = head; head = x; }
  return head->next->next->v; //! pointer
}

//# list_reversed_safe
struct n { int v; struct n *next; };
int main(void) {
  struct n *head = 0, *back = 0;
  for (int i = 0; i < 3; i++) { struct n *x = malloc(sizeof *x); x->v = i; x->next = head; head = x; }
  while (head) { struct n *t = head->next; head->next = back; back = head; head = t; }
  assert(back->v == 0 && back->next->v == 1 && back->next->next->next == 0);
}

//# list_freed_safe --check assert,pointer,double-free
struct n { struct n *next; };
int main(void) {
  struct n *head = 0;
  for (int i = 0; i < 3; i++) { struct n *x = malloc(sizeof *x); x->next = head; head = x; }
  while (head) { struct n *t = head->next; free(head); head = t; }
  assert(!head);
}

//# list_freed_violated --check assert,pointer,double-free
struct n { struct n *next; };
int main(void) {
  struct n *head = 0;
  for (int i = 0; i < 3; i++) { struct n *x = malloc(sizeof *x); x->next = head; head = x; }
  while (head) {
    free(head);
    head = head->next; //! pointer
  }
}

//# doubly_linked_safe
struct n { struct n *next, *prev; };
int main(void) {
  struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b), *c = malloc(sizeof *c);
  a->next = b; b->next = c; c->next = a; a->prev = c; b->prev = a; c->prev = b;
  b->prev->next = b->next; b->next->prev = b->prev;
  assert(a->next == c && c->prev == a);
}

//# doubly_linked_violated
struct n { struct n *next, *prev; };
int main(void) {
  struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b), *c = malloc(sizeof *c);
  a->next = b; b->next = c; c->next = a; a->prev = c; b->prev = a; c->prev = b;
  b->prev->next = b->next;
  assert(a->next->prev == a); //! assert
}

//# tree_safe
struct t { int k; struct t *l, *r; };
struct t *insert(struct t *t, int k) {
  if (!t) { t = malloc(sizeof *t); t->k = k; t->l = t->r = 0; }
  else if (k < t->k) t->l = insert(t->l, k);
  else t->r = insert(t->r, k);
  return t;
}
int main(void) {
  struct t *t = 0; int a = nondet_int(), b = nondet_int();
  t = insert(insert(insert(t, 5), a), b);
  assert(!t->l || t->l->k < 5);
}

//# tree_violated
struct t { int k; struct t *l, *r; };
struct t *insert(struct t *t, int k) {
  if (!t) { t = malloc(sizeof *t); t->k = k; t->l = t->r = 0; }
  else if (k < t->k) t->l = insert(t->l, k);
  else t->r = insert(t->r, k);
  return t;
}
int main(void) {
  struct t *t = insert(insert(0, 5), nondet_int());
  return t->r->k; //! pointer
}

//# heap_of_pointers_safe
int main(void) { int **m = malloc(2 * sizeof *m); for (int i = 0; i < 2; i++) { m[i] = malloc(2 * sizeof **m); m[i][1] = i; } assert(m[1][1] == 1); }

//# heap_of_pointers_violated
int main(void) {
  int **m = malloc(2 * sizeof *m); m[0] = malloc(4);
  m[1][0] = 1; //! pointer
}

//# returned_by_a_function_safe
int *make(int v) { int *p = malloc(sizeof *p); *p = v; return p; }
int main(void) { int *p = make(1), *q = make(2); assert(*p + *q == 3); }

//# returned_by_a_function_violated
int *make(int v) { int *p = v > 0 ? malloc(sizeof *p) : 0; if (p) *p = v; return p; }
int main(void) {
  int *p = make(nondet_int());
  *p = 5; //! pointer
}

//# alloca_safe
#include <alloca.h>
int main(void) { int *p = alloca(8); p[1] = 3; assert(p[1] == 3); }

//# alloca_violated
#include <alloca.h>
int *f(void) { int *p = alloca(8); *p = 1; return p; }
int main(void) {
  return *f(); //! pointer
}

//# leak_safe --check leak
int main(void) { int *p = malloc(4); *p = 1; free(p); free(0); return 0; }

//# leak_violated --check leak
int main(void) { int *p = malloc(4); if (nondet_int()) free(p); return 0; } //! leak

//# leak_of_a_list_violated --check leak
struct n { struct n *next; };
int main(void) {
  struct n *head = 0;
  for (int i = 0; i < 3; i++) { struct n *x = malloc(sizeof *x); x->next = head; head = x; }
  while (head && head->next) { struct n *t = head->next; free(head); head = t; }
  return 0; //! leak
}

//# leak_of_a_list_safe --check leak
struct n { struct n *next; };
int main(void) {
  struct n *head = 0;
  for (int i = 0; i < 3; i++) { struct n *x = malloc(sizeof *x); x->next = head; head = x; }
  while (head) { struct n *t = head->next; free(head); head = t; }
  return 0;
}

//# leak_still_reachable_violated --check leak
int *kept;
int main(void) { kept = malloc(4); return 0; } //! leak

//# leak_at_exit_violated --check leak
int main(void) { int *p = malloc(4); exit(0); } //! sfo leak (exit-leak)

//# uninitialised_heap_violated --check uninit
int main(void) {
  int *p = malloc(4);
  return *p; //! sfo uninit (uninit)
}

//# uninitialised_heap_safe --check uninit
int main(void) { int *p = malloc(4), *q = calloc(1, 4); *p = 1; return *p + *q; }

//# malloc_of_any_size_in_bounds_violated
int main(void) {
  unsigned n = nondet_uint(); char *p = malloc(n); //! sfo unwind (object-size)
  if (n > 5) { p[5] = 1; assert(p[5] == 1); }
}

//# malloc_of_any_size_violated
int main(void) {
  unsigned n = nondet_uint(); char *p = malloc(n); //! sfo unwind (object-size)
  if (n > 4)
    p[5] = 1; //! pointer
}
