// Functions, recursion, function pointers, storage classes, linkage and scopes.
#include <assert.h>
#include <stdlib.h>
int nondet_int(void);
unsigned char nondet_uchar(void);

//# call_by_value_safe
void set(int x) { x = 5; }
int main(void) { int x = 3; set(x); assert(x == 3); }

//# call_by_value_violated
void set(int *x) { *x = 5; }
int main(void) { int x = 3; set(&x); assert(x == 3); } //! assert

//# argument_conversion_safe
int low(unsigned char c) { return c; }
int main(void) { assert(low(nondet_int()) <= 255); }

//# argument_conversion_violated
int low(signed char c) { return c; }
int main(void) { int x = nondet_int(); assert(low(x) == x); } //! assert

//# result_conversion_safe
unsigned char low(int i) { return i; }
int main(void) { assert(low(300) == 44); }

//# result_conversion_violated
_Bool truth(int i) { return i; }
int main(void) { assert(truth(nondet_int()) < 1); } //! assert

//# several_callers_safe
int twice(int x) { return 2 * x; }
int main(void) { int x = nondet_uchar(); assert(twice(x) + twice(1) == twice(x + 1)); }

//# several_callers_violated
int half(int x) { return x / 2; }
int main(void) { int x = nondet_uchar(); assert(half(x) + half(1) == half(x + 1)); } //! assert

//# property_in_a_callee_safe
void positive(int x) { assert(x > 0); }
int main(void) { positive(nondet_uchar() + 1); }

//# property_in_a_callee_violated
void positive(int x) {
  assert(x > 0); //! assert
}
int main(void) { positive(5); positive(nondet_uchar()); }

//# missing_return_value_safe
int f(int x) { if (x) return 1; }
int main(void) { assert(f(2) == 1); }

//# missing_return_value_violated
int f(int x) { if (x) return 1; }
int main(void) { assert(f(0) == 0); } //! assert

//# missing_return_value_on_one_path_violated
int f(int x) { if (x) return 1; }
int main(void) { int x = nondet_int(); assert(f(x) == 1); } //! assert

//# missing_return_value_unused_safe
struct pair { int a, b; };
struct pair f(int x) { struct pair p = {1, 2}; if (x) return p; }
k(x) { x++; }
int main(void) { int x = nondet_int(); k(x); struct pair p = f(x); if (x) assert(p.b == 2); }

//# extern_object_without_a_definition_violated
extern int other_file;
int main(void) { assert(other_file == 0); } //! assert

//# extern_objects_without_a_definition_safe
extern struct { int n; char *text; } other_file;
extern int numbers[3];
int main(void) { int *p = &numbers[1]; assert(other_file.n == other_file.n && *p == numbers[1]); numbers[1] = 2; assert(*p == 2); }

//# recursion_safe
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int main(void) { assert(fact(5) == 120); }

//# recursion_violated
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int main(void) { assert(fact(nondet_uchar() & 3) != 6); } //! assert

//# mutual_recursion_safe
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { int n = nondet_uchar() & 7; assert(even(n) == (n % 2 == 0)); }

//# mutual_recursion_violated
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { int n = nondet_uchar() & 7; assert(even(n)); } //! assert

//# double_recursion_safe
int fib(int n) { if (n < 2) return n; int a = fib(n - 1), b = fib(n - 2); return a + b; }
int main(void) { assert(fib(5) == 5); }

//# double_recursion_violated
int fib(int n) { if (n < 2) return n; int a = fib(n - 1), b = fib(n - 2); return a + b; }
int main(void) { assert(fib(nondet_uchar() & 3) != 2); } //! assert

//# double_recursion_in_one_expression_violated
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { assert(fib(5) == 5); } //! cbmc assert (recursive-temporaries)

//# recursion_has_its_own_locals_safe
int down(int n) { int here = n; if (n > 0) down(n - 1); return here; }
int main(void) { assert(down(4) == 4); }

//# recursion_has_its_own_locals_violated
int down(int n) { static int here; here = n; if (n > 0) down(n - 1); return here; }
int main(void) { assert(down(4) == 4); } //! assert

//# function_pointer_safe
int inc(int x) { return x + 1; }
int dec(int x) { return x - 1; }
int main(void) { int (*f)(int) = nondet_int() ? inc : dec; int y = f(5); assert(y == 4 || y == 6); }

//# function_pointer_violated
int inc(int x) { return x + 1; }
int dec(int x) { return x - 1; }
int main(void) { int (*f)(int) = nondet_int() ? &inc : &dec; int y = (*f)(5); assert(y == 6); } //! assert

//# function_pointer_table_safe
int zero(void) { return 0; }
int one(void) { return 1; }
int (*const table[])(void) = { zero, one };
int main(void) { int i = nondet_uchar() & 1; assert(table[i]() == i); }

//# function_pointer_table_violated
int zero(void) { return 0; }
int one(void) { return 1; }
int (*table[2])(void) = { one, zero };
int main(void) { int i = nondet_uchar() & 1; assert(table[i]() == i); } //! assert

//# functions_by_their_tag_safe
int negated(int a) { return -a; }
int sum(int a, int b) { return a + b; }
struct operation { unsigned arity; union { int (*one)(int); int (*two)(int, int); long value; }; };
const struct operation known[] = { { 0, { .value = 9 } }, { 1, { .one = negated } }, { 2, { .two = sum } } };
int main(void) {
  unsigned i = nondet_uchar();
  if (i > 2) return 0;
  struct operation o = known[i];
  long result = o.arity == 2 ? o.two(4, 5) : o.arity == 1 ? o.one(-9) : o.value;
  assert(result == 9);
}

//# functions_by_their_tag_violated
int negated(int a) { return -a; }
int sum(int a, int b) { return a + b; }
struct operation { unsigned arity; union { int (*one)(int); int (*two)(int, int); long value; }; };
const struct operation known[] = { { 0, { .value = 9 } }, { 1, { .one = negated } }, { 2, { .two = sum } } };
int main(void) {
  unsigned i = nondet_uchar();
  if (i > 2) return 0;
  struct operation o = known[i];
  long result = o.arity == 2 ? o.two(4, 5) : o.arity == 1 ? o.one(-9) : o.value;
  assert(result == 9 && i != 2); //! assert
}

//# function_pointer_argument_safe
int inc(int x) { return x + 1; }
int apply(int f(int), int x) { return f(f(x)); }
int main(void) { assert(apply(inc, 3) == 5); }

//# function_pointer_argument_violated
int inc(int x) { return x + 1; }
int apply(int (*f)(int), int x) { return f(x); }
int main(void) { assert(apply(inc, 3) == 5); } //! assert

//# parameter_with_the_name_of_a_type_safe
typedef int (*compare)(int, int);
int best(int *a, int n, int (*const compare)(int, int)) { int b = a[0]; for (int i = 1; i < n; i++) if (compare(a[i], b) > 0) b = a[i]; return b; }
int ahead(int x, int y) { return y - x; }
int main(void) { compare c = ahead; int a[] = { 4, 2, 6 }; assert(best(a, 3, c) == 2); }

//# parameter_with_the_name_of_a_type_violated
typedef int row;
int second(int (*row)[2]) { return (*row)[1]; }
int main(void) { int a[1][2] = { { 0, nondet_int() } }; row r = second(a); assert(r < 9); } //! assert

//# function_pointer_comparison_safe
int inc(int x) { return x + 1; }
int dec(int x) { return x - 1; }
int main(void) { int (*f)(int) = inc; assert(f == inc && f != dec && f); }

//# function_pointer_comparison_violated
int inc(int x) { return x + 1; }
int main(void) { int (*f)(int) = nondet_int() ? inc : 0; assert(f); } //! assert

//# function_pointer_in_a_structure_safe
struct ops { int (*run)(int); };
int inc(int x) { return x + 1; }
int main(void) { struct ops o = { .run = inc }, *p = &o; assert(p->run(1) == 2); }

//# null_as_a_number_among_variable_arguments_violated
#include <stdarg.h>
int count(const char *first, ...) {
  va_list ap;
  int n = 0;
  va_start(ap, first);
  for (const char *p = first; p; p = va_arg(ap, char *)) n++; //! cbmc pointer (promoted-arguments), cbmc pointer (promoted-arguments), cbmc unwind (promoted-arguments)
  va_end(ap);
  return n;
}
int main(void) { assert(count("a", "b", 0) == 2); }

//# library_function_by_a_pointer_safe
#include <stdlib.h>
struct memory { void *(*get)(size_t); void (*put)(void *); } memory = { malloc, free };
void (*finish)(int) = exit;
int main(void) {
  int *a = memory.get(2 * sizeof(int));
  a[1] = nondet_int();
  if (a[1] == 7) finish(0);
  assert(a[1] != 7);
  memory.put(a);
}

//# abort_by_a_pointer_violated
#include <stdlib.h>
void check(int ok, void (*failed)(void)) { if (!ok) failed(); } //! sfo reach (abort-by-a-pointer)
int main(void) { check(nondet_int() != 3, abort); }

//# input_by_a_pointer_violated
#ifdef __CPROVER__
int nondet_other(void);
int nondet_int(void) { return nondet_other(); }
#endif
int take(int (*next)(void)) { return next(); }
int main(void) { assert(take(nondet_int) != 3); } //! assert

//# function_pointer_in_a_structure_violated
struct ops { int (*run)(int); };
int inc(int x) { return x + 1; }
int dec(int x) { return x - 1; }
int main(void) { struct ops o = { inc }; if (nondet_int()) o.run = dec; assert(o.run(1) == 2); } //! assert

//# null_function_pointer_violated
struct ops { int (*run)(int); };
int inc(int x) { return x + 1; }
int main(void) {
  struct ops table[3] = { { inc }, { inc } };
  int n = nondet_int();
  if (n < 0 || n > 2) return 0;
  return table[n].run(n); //! pointer, cbmc pointer (null-function)
}

//# function_pointer_set_before_it_is_called_safe
int inc(int x) { return x + 1; }
int main(void) {
  int (*f)(int) = 0;
  if (nondet_int()) f = inc;
  if (f) assert(f(1) == 2);
}

//# function_returning_a_function_pointer_safe
int inc(int x) { return x + 1; }
int (*choose(void))(int) { return inc; }
int main(void) { assert(choose()(1) == 2); }

//# function_returning_a_function_pointer_violated
int inc(int x) { return x + 1; }
int (*choose(void))(int) { return inc; }
int main(void) { assert(choose()(1) == 1); } //! assert

//# static_local_safe
int count(void) { static int n = 10; return ++n; }
int main(void) { count(); assert(count() == 12); }

//# static_local_violated
int count(void) { int n = 10; return ++n; }
int main(void) { count(); assert(count() == 12); } //! assert

//# static_function_safe
static int f(void) { return 3; }
int main(void) { assert(f() == 3); }

//# static_function_violated
static inline int f(int x) { return x; }
int main(void) { assert(f(nondet_int()) == 3); } //! assert

//# extern_object_safe
extern int shared;
int main(void) { assert(shared == 4); }
int shared = 4;

//# extern_object_violated
extern int shared;
void set(void) { extern int shared; shared = 5; }
int shared = 4;
int main(void) { set(); assert(shared == 4); } //! assert

//# tentative_definition_safe
int x; int x; int x = 3; int x;
int main(void) { assert(x == 3); }

//# tentative_definition_violated
static int x; static int x;
int main(void) { assert(x == 3); } //! assert

//# register_and_auto_safe
int main(void) { register int r = 3; auto int a = r; assert(a == 3); }

//# register_and_auto_violated
int main(void) { register int r = nondet_int(); auto int a = r + 1; assert(a > r); } //! assert

//# global_state_safe
int balance;
void pay(int n) { if (balance >= n) balance -= n; }
int main(void) { balance = 10; pay(7); pay(7); assert(balance == 3); }

//# global_state_violated
int balance;
void pay(int n) { balance -= n; }
int main(void) { balance = 10; pay(7); pay(nondet_uchar()); assert(balance >= 0); } //! assert

//# shadowed_global_safe
int x = 1;
int get(void) { return x; }
int main(void) { int x = 2; assert(get() == 1 && x == 2); }

//# shadowed_global_violated
int x = 1;
int main(void) { int x = 2; { extern int x; assert(x == 2); } } //! assert

//# structure_argument_safe
struct p { int x, y; };
struct p swap(struct p p) { struct p q = { p.y, p.x }; p.x = 0; return q; }
int main(void) { struct p p = { 1, 2 }, q = swap(p); assert(q.x == 2 && q.y == 1 && p.x == 1); }

//# structure_argument_violated
struct p { int x, y; };
struct p swap(struct p p) { p.x = p.y; p.y = p.x; return p; }
int main(void) { struct p p = { 1, 2 }, q = swap(p); assert(q.y == 1); } //! assert

//# member_of_a_result_safe
struct p { int x, y; };
struct p make(int x) { return (struct p){ x, x + 1 }; }
int main(void) { assert(make(3).y == 4); }

//# element_of_a_result_changed_safe
struct p { int x[2]; };
struct p make(int x) { return (struct p){ { x, x + 1 } }; }
int main(void) {
  int i = 1, x = make(3).x[i] = 5, y = make(4).x[0]++;
  assert(x == 5 && y == 4 && make(3).x[i] == 4);
}

//# element_of_a_result_changed_violated
struct p { int x[2]; };
struct p make(int x) { return (struct p){ { x, x + 1 } }; }
int main(void) {
  int i = nondet_int();
  make(3).x[i] = 5; //! bounds
}

//# member_of_a_result_violated
struct p { int x, y; };
struct p make(int x) { return (struct p){ .y = x }; }
int main(void) { assert(make(3).x == 3); } //! assert

//# array_parameter_safe
int sum(int a[4]) { a[0]++; return a[0] + a[3]; }
int main(void) { int a[4] = { 1, 2, 3, 4 }; assert(sum(a) == 6 && a[0] == 2); }

//# array_parameter_violated
int size(int a[4]) { return sizeof a; }
int main(void) { int a[4]; assert(size(a) == sizeof a); } //! assert

//# old_style_definition_safe
int add(a, b) int a; char b; { return a + b; }
int main(void) { assert(add(3, 4) == 7); }

//# old_style_definition_violated
int low(c) unsigned char c; { return c; }
int main(void) { assert(low(nondet_int() & 511) != 255); } //! assert

//# noreturn_safe
_Noreturn void stop(void) { exit(0); }
int main(void) { int x = nondet_int(); if (x < 0) stop(); assert(x >= 0); }

//# noreturn_violated
_Noreturn void stop(void) { exit(0); }
int main(void) { int x = nondet_int(); if (x < -1) stop(); assert(x >= 0); } //! assert

//# exit_safe
int main(void) { exit(3); assert(0); }

//# exit_violated
int main(void) { if (nondet_int() == 3) exit(0); assert(0); } //! assert

//# entry_safe --entry twice
int twice(unsigned char x) { int y = 2 * x; assert(y <= 510); return y; }

//# entry_violated --entry twice
int twice(unsigned char x) { int y = 2 * x; assert(y < 510); return y; } //! assert

//# entry_with_globals_safe --entry use
int g = 4;
void use(int x) { assert(g == 4); }
int main(void) { g = 5; use(1); }

//# entry_with_globals_violated --entry use
int g = 4;
void use(int x) { g += x; assert(g != 12); } //! assert
int main(void) { use(1); }

//# entry_with_a_structure_violated --entry use
struct p { int x; unsigned char y; };
void use(struct p p) { assert(p.x != p.y); } //! assert

//# entry_with_a_structure_safe --entry use
struct p { int x; unsigned char y; };
void use(struct p p) { assert(p.y < 256); }

//# main_arguments_safe
int main(int argc, char **argv) { assert(argc >= 0); }

//# implicit_declaration_safe
int main(void) { assert(later(3) == 4); }
int later(int x) { return x + 1; }

//# unused_result_safe
int g;
int set(void) { return g = 3; }
int main(void) { set(); (void)set(); assert(g == 3); }

//# unused_result_violated
int g;
int set(int x) { return g = x; }
int main(void) { (void)set(nondet_int()); assert(g == 3); } //! assert

//# variable_arguments_safe
#include <stdarg.h>
int sum(int n, ...) { va_list ap; int s = 0; va_start(ap, n); while (n-- > 0) s += va_arg(ap, int); va_end(ap); return s; }
int main(void) { assert(sum(3, 1, 2, 3) == 6 && sum(0) == 0); }

//# variable_arguments_violated
#include <stdarg.h>
int first(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); va_end(ap); return x; }
int main(void) { assert(first(2, nondet_int(), 4) != 3); } //! assert

//# variable_arguments_of_other_types_safe
#include <stdarg.h>
long pick(int n, ...) { va_list ap; va_start(ap, n); int c = va_arg(ap, int); long l = va_arg(ap, long); char *s = va_arg(ap, char *); va_end(ap); return c + l + s[0]; }
int main(void) { assert(pick(3, 5, 1L << 33, "a") == 5 + (1L << 33) + 'a'); }

//# variable_arguments_are_promoted_violated
#include <stdarg.h>
int first(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int x = va_arg(ap, int); //! cbmc pointer (promoted-arguments)
  va_end(ap);
  return x;
}
int main(void) { assert(first(1, (char)5) == 5); } //! cbmc assert (promoted-arguments)

//# variable_arguments_handed_on_safe
#include <stdarg.h>
int vsum(int n, va_list ap) { int s = 0; while (n-- > 0) s += va_arg(ap, int); return s; }
int sum(int n, ...) { va_list ap; va_start(ap, n); int s = vsum(n, ap); va_end(ap); return s; }
int main(void) { assert(sum(2, 4, 5) == 9); }
