// Inputs, assumptions and properties in the dialects of SV-COMP, CBMC, KLEE and plain C.

//# sv_comp_inputs_safe
int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); _Bool __VERIFIER_nondet_bool(void);
long __VERIFIER_nondet_long(void); unsigned __VERIFIER_nondet_uint(void); void reach_error(void);
int main(void) {
  int i = __VERIFIER_nondet_int(); unsigned char c = __VERIFIER_nondet_uchar(); _Bool b = __VERIFIER_nondet_bool();
  if (c > 255 || b > 1 || i > __VERIFIER_nondet_uint() + 0x100000000L) reach_error();
}

//# sv_comp_inputs_violated
int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) { if (__VERIFIER_nondet_int() > __VERIFIER_nondet_int()) reach_error(); } //! reach

//# sv_comp_types_safe
short __VERIFIER_nondet_short(void); unsigned short __VERIFIER_nondet_ushort(void); char __VERIFIER_nondet_char(void);
unsigned long __VERIFIER_nondet_ulong(void); long long __VERIFIER_nondet_longlong(void); void __VERIFIER_assert(int);
void reach_error(void);
void __VERIFIER_assert(int c) { if (!c) { ERROR: { reach_error(); } } }
int main(void) {
  int x = __VERIFIER_nondet_short() + __VERIFIER_nondet_ushort() + __VERIFIER_nondet_char();
  __VERIFIER_assert(x >= -32768 - 128 && x <= 32767 + 65535 + 127);
  __VERIFIER_assert(__VERIFIER_nondet_ulong() >= 0 && __VERIFIER_nondet_longlong() / 2 < 1LL << 62);
}

//# sv_comp_types_violated
unsigned short __VERIFIER_nondet_ushort(void); void reach_error(void);
int main(void) { if (__VERIFIER_nondet_ushort() == 65535) reach_error(); } //! reach

//# reach_error_safe
int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 6) reach_error(); }

//# reach_error_violated
int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 5 && x < 7)
    reach_error(); //! reach
}

//# verifier_error_safe
int __VERIFIER_nondet_int(void); void __VERIFIER_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x != x) __VERIFIER_error(); }

//# verifier_error_violated
int __VERIFIER_nondet_int(void); void __VERIFIER_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x == 1) __VERIFIER_error(); } //! reach

//# verifier_assert_with_a_body_safe
int __VERIFIER_nondet_int(void); void reach_error(void);
void __VERIFIER_assert(int c) { if (!c) reach_error(); }
int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x == x); }

//# verifier_assert_with_a_body_violated
int __VERIFIER_nondet_int(void); void reach_error(void);
void __VERIFIER_assert(int c) { if (!c) reach_error(); } //! reach
int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x != 3); }

//# verifier_assume_safe
int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void reach_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); if (x < 3) reach_error(); }

//# verifier_assume_violated
int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void reach_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 3); if (x <= 3) reach_error(); } //! reach

//# abort_safe
#include <stdlib.h>
int nondet_int(void);
int main(void) { int x = nondet_int(); if (x > x) abort(); }

//# abort_violated
#include <stdlib.h>
int nondet_int(void);
int main(void) {
  int x = nondet_int();
  if (x > 0)
    abort(); //! reach
}

//# sv_comp_abort_alone_violated
#include <stdlib.h>
int __VERIFIER_nondet_int(void); void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (!(x > 0)) abort(); //! cbmc reach (assume-abort)
  if (x < 0) { reach_error(); abort(); }
}

//# sv_comp_abort_violated
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static void need(int condition) {
  if (!condition) abort(); //! cbmc reach (assume-abort)
}
int main(void) { int x = __VERIFIER_nondet_int(); need(x > 0); assert(x != 3); } //! assert

//# label_violated
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int *p = &x;
  if (*p + 1 == 7) goto ERROR;
  return 0;
ERROR: //! sfo reach (labels)
  return 1;
}

//# label_beside_an_assertion_safe
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 7) goto ERROR;
  assert(x != 7);
  return 0;
ERROR:
  return 1;
}

//# label_without_inputs_safe
int main(void) {
  unsigned int x = -1;
  long y = x;
  if (y < 0) goto ERROR;
  return 0;
ERROR:
  return -1;
}

//# assume_abort_if_not_holds_violated
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int c) {
  if (!c) abort(); //! cbmc reach (assume-abort)
}
int main(void) { int x = __VERIFIER_nondet_int(); assume_abort_if_not(x > 3); assert(x > 3); }

//# assume_abort_if_not_violated
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int c) {
  if (!c) abort(); //! cbmc reach (assume-abort)
}
int main(void) { int x = __VERIFIER_nondet_int(); assume_abort_if_not(x > 3); assert(x > 4); } //! assert

//# cprover_types_violated
int nondet_int(void);
int main(void) {
  __CPROVER_size_t n = sizeof(__CPROVER_size_t);
  __CPROVER_bool big = nondet_int();
  __CPROVER_assert(n == sizeof(unsigned long), "size");
  __CPROVER_assert(big == 0, "zero"); //! assert
}

//# cprover_assert_safe
int nondet_int(void);
int main(void) { int x = nondet_int(); __CPROVER_assert(x / 2 * 2 <= x || x < 0, "even"); }

//# cprover_assert_violated
int nondet_int(void);
int main(void) { int x = nondet_int(); __CPROVER_assert(x / 2 * 2 <= x, "even"); } //! assert

//# cprover_assume_safe
unsigned nondet_uint(void);
int main(void) { unsigned x = nondet_uint(); __CPROVER_assume(x < 10); __CPROVER_assert(x * x < 100, "square"); }

//# cprover_assume_violated
unsigned nondet_uint(void);
int main(void) { unsigned x = nondet_uint(); __CPROVER_assume(x <= 10); __CPROVER_assert(x * x < 100, "square"); } //! assert

//# cprover_any_nondet_safe
struct pair { int a; unsigned char b; };
unsigned char nondet_whatever(void); struct pair nondet_pair(void);
int main(void) { struct pair p = nondet_pair(); __CPROVER_assert(nondet_whatever() + p.b <= 510, "sum"); }

//# cprover_any_nondet_violated
unsigned char nondet_whatever(void); int *nondet_pointer(void);
int main(void) { __CPROVER_assert(nondet_whatever() + nondet_whatever() < 510, "sum"); } //! assert

//# assumptions_exclude_everything_safe
#include <assert.h>
int nondet_int(void);
int main(void) { int x = nondet_int(); __CPROVER_assume(x > 3); __CPROVER_assume(x < 3); assert(0); }

//# assumption_too_late_violated
#include <assert.h>
int nondet_int(void);
int main(void) { int x = nondet_int(); assert(x > 3); __CPROVER_assume(x > 3); } //! assert

//# assumption_in_a_loop_safe
#include <assert.h>
int nondet_int(void);
int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x = nondet_int(); __CPROVER_assume(x >= 0 && x < 4); s += x; } assert(s <= 9); }

//# assumption_in_a_loop_violated
#include <assert.h>
int nondet_int(void);
int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x = nondet_int(); __CPROVER_assume(x >= 0 && x < 4); s += x; } assert(s < 9); } //! assert

//# klee_symbolic_safe
#ifndef __CPROVER__
#include <klee/klee.h>
#endif
#include <assert.h>
int main(void) { int x; klee_make_symbolic(&x, sizeof x, "x"); klee_assume(x > 0 & x < 9); assert(x * x < 81); }

//# klee_symbolic_violated
#ifndef __CPROVER__
#include <klee/klee.h>
#endif
#include <assert.h>
int main(void) { int x = 3; klee_make_symbolic(&x, sizeof x, "x"); assert(x == 3); } //! assert

//# klee_range_violated
#ifndef __CPROVER__
#include <klee/klee.h>
#endif
#include <assert.h>
int main(void) {
  int a = klee_range(0, 10, "a"), b = klee_int("b");
  assert(a >= 0 && a < 10);
  klee_prefer_cex(&a, b > 3);
  if (klee_is_symbolic(a))
    klee_warning("symbolic");
  if (b == 12)
    klee_silent_exit(1);
  assert(a + b != 19); //! assert
  assert(b != 12);
}

//# klee_values_violated
#ifndef __CPROVER__
#include <klee/klee.h>
#endif
#include <assert.h>
int main(void) {
  int x = klee_int("x");
  klee_assume(x > 10 & x < 20);
  assert(klee_get_value_i32(x) > 10);
  unsigned k = klee_choose(3);
  klee_stack_trace();
  assert(k < 3 && k + x < 21); //! assert
}

//# klee_error_violated
#ifndef __CPROVER__
#include <klee/klee.h>
#endif
int main(void) {
  if (klee_range(0, 3, "n") == 2)
    klee_report_error(__FILE__, __LINE__, "two", "user.err"); //! reach
}

//# klee_check_of_an_access_violated
#ifndef __CPROVER__
#include <klee/klee.h>
#endif
int main(void) {
  char a[4] = { 0 };
  klee_check_memory_access(a, sizeof a);
  klee_check_memory_access(a + klee_range(0, 2, "n"), sizeof a); //! pointer
}

//# seahorn_violated
#ifndef __CPROVER__
#include "seahorn/seahorn.h"
#else
#define nd_int nondet_int
#define unknown1 nondet_other
#endif
extern int nd_int(void);
extern int unknown1();
int main(void) {
  int x = 0, n = nd_int();
  assume(n >= 0 && n < 5);
  while (x < n) x++;
  sassert(x == n);
  if (unknown1()) x++;
  sassert(x == n); //! assert
}

//# smack_violated
#ifndef __CPROVER__
#include "smack.h"
#endif
#include <assert.h>
int main(void) {
  unsigned char c = __VERIFIER_nondet_unsigned_char();
  assume(c > 3);
  assert(c > 3);
  assert(c + 1 < 256); //! assert
}

//# klee_array_safe
#ifndef __CPROVER__
#include <klee/klee.h>
#endif
#include <assert.h>
int main(void) { unsigned char a[3]; klee_make_symbolic(a, sizeof a, "a"); assert(a[0] + a[2] <= 510); }

//# klee_array_violated
#ifndef __CPROVER__
#include <klee/klee.h>
#endif
#include <assert.h>
int main(void) { char a[3]; klee_make_symbolic(a, sizeof a, "a"); assert(a[0] + a[2] >= -255); } //! assert

//# assert_with_effects_safe
#include <assert.h>
int main(void) { int x = 0; assert(++x); assert(x == 1); }

//# assert_with_effects_violated
#include <assert.h>
int main(void) { int x = 0; assert(x++); } //! assert

//# assert_switched_off_safe --check assert -D NDEBUG
#include <assert.h>
int main(void) { int x = 3; assert(x == 4); __CPROVER_assert(x == 3, "unchanged"); }

//# assert_in_an_expression_safe
#include <assert.h>
int nondet_int(void);
int main(void) { int x = nondet_int(); x == 3 ? assert(x > 2) : (void)0; }

//# assert_in_an_expression_violated
#include <assert.h>
int nondet_int(void);
int main(void) { int x = nondet_int(); x == 3 ? assert(x > 3) : (void)0; } //! assert

//# assert_fail_safe
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
int nondet_int(void);
int main(void) { int x = nondet_int(); if (x != x) __assert_fail("x", __FILE__, __LINE__, "main"); }

//# assert_fail_violated
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
int nondet_int(void);
int main(void) { int x = nondet_int(); if (x) __assert_fail("x", __FILE__, __LINE__, "main"); } //! assert

//# only_the_checks_asked_for_safe --check assert
#include <assert.h>
int nondet_int(void);
int main(void) { int a[3] = {0}, i = nondet_int(); if (i >= 0 && i < 3) assert(a[i] == 0); }

//# only_bounds_violated --check bounds
#include <assert.h>
int nondet_int(void);
int main(void) {
  int a[3] = {0}, i = nondet_int();
  assert(i > 0);
  return a[i]; //! bounds
}

//# only_reach_violated --check reach
#include <stdlib.h>
#include <assert.h>
int nondet_int(void);
int main(void) {
  int i = nondet_int();
  assert(i > 0);
  if (i == 0)
    abort(); //! cbmc reach (unchecked)
}

//# what_only_traces_and_threads_see_safe
int nondet_int(void);
int main(void) {
  int x = nondet_int(), seen = 0;
  __CPROVER_atomic_begin();
  __CPROVER_input("x", x, seen++);
  __CPROVER_output("x", x);
  __CPROVER_printf("%d", x);
  __CPROVER_fence("WWfence");
  __CPROVER_atomic_end();
  __CPROVER_precondition(seen == 1, "arguments are evaluated");
}

//# cprover_precondition_violated
int nondet_int(void);
int main(void) {
  int x = nondet_int();
  __CPROVER_precondition(x, "not zero"); //! assert
  __CPROVER_postcondition(x != 3, "not three"); //! assert
}

//# cprover_floating_tests_violated
double nondet_double(void);
int main(void) {
  double x = nondet_double();
  if (__CPROVER_isnand(x) || __CPROVER_isinfd(x)) return 0;
  __CPROVER_assert(__CPROVER_isfinited(x) && __CPROVER_fabs(x) < __CPROVER_inf(), "finite");
  __CPROVER_assert(!__CPROVER_signd(x), "positive"); //! assert
}

//# pointer_questions_safe
#include <stdlib.h>
int nondet_int(void);
int main(void) {
  struct { int a; char b[8]; } s;
  int n = nondet_int() & 15;
  char *p = malloc(10), *none = 0;
  __CPROVER_assert(__CPROVER_r_ok(p + n, 1) == (n < 10), "inside");
  __CPROVER_assert(__CPROVER_w_ok(p + 10, 0) && !__CPROVER_r_ok(p + 11, 0) && !__CPROVER_r_ok(none, 0), "ends");
  __CPROVER_assert(!__CPROVER_rw_ok(p, -1) && __CPROVER_r_ok((int *)(p + 6)) && !__CPROVER_r_ok((int *)(p + 7)), "size");
  __CPROVER_assert(__CPROVER_same_object(p, p + n) && !__CPROVER_same_object(p, &s), "object");
  __CPROVER_assert(__CPROVER_same_object(none, 0) && !__CPROVER_same_object(none, p), "null");
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(s.b) == 12 && __CPROVER_POINTER_OFFSET(s.b + 1) == 5, "offset");
  __CPROVER_assert(__CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT(p + n), "number");
  __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p) && !__CPROVER_DYNAMIC_OBJECT(&s), "dynamic");
  free(p);
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == 10, "freed");
}

//# pointer_questions_violated
#include <stdlib.h>
int nondet_int(void);
int main(void) {
  int n = nondet_int(), a[4];
  int *p = n > 3 ? malloc(12) : a;
  if (nondet_int())
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == 16, "size"); //! assert
  if (nondet_int())
    __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p), "dynamic"); //! assert
  if (n >= 0 && n < 5 && nondet_int())
    __CPROVER_assert(__CPROVER_r_ok(p + n), "readable"); //! assert
  if (n > 3) {
    free(p);
    __CPROVER_assert(__CPROVER_r_ok(p), "freed"); //! assert
  }
}

//# havoc_of_an_object_violated
int nondet_int(void);
int main(void) {
  int a[3] = {1, 2, 3}, b = 1;
  struct { int i, j; } s = {1, 2};
  __CPROVER_havoc_object(a + 1);
  __CPROVER_havoc_object(&s.j);
  if (nondet_int())
    __CPROVER_assert(a[2] == 3, "a"); //! assert
  if (nondet_int())
    __CPROVER_assert(s.i == 1 || s.j == 2, "s"); //! assert
  __CPROVER_assert(b == 1, "b");
}

//# implication_violated --check assert
int nondet_int(void);
int main(void) {
  int b[1] = {1}, n = nondet_int();
  __CPROVER_assert(0 ==> 1 ==> 0, "to the right");
  __CPROVER_assert(n == 1 ==> b[0] == 2, "implied"); //! assert
}

//# havoc_of_a_part_violated
int nondet_int(void);
int main(void) {
  struct { short a; int b[4]; } s = {1, {2, 3, 4, 5}};
  __CPROVER_havoc_slice(s.b + 1, 2 * sizeof(int));
  __CPROVER_assert(s.a == 1 && s.b[0] == 2 && s.b[3] == 5, "beside it");
  if (nondet_int())
    __CPROVER_assert(s.b[1] == 3, "its begin"); //! assert
  __CPROVER_assert(s.b[2] == 4, "its end"); //! assert
}

//# allocated_by_cprover_violated
int nondet_int(void);
int *made(void) { int *p = __CPROVER_allocate(sizeof *p, 1); return p; }
int main(void) {
  int *p = made(), *q = __CPROVER_allocate(sizeof *q, 0);
  __CPROVER_assert(*p == 0, "zero");
  __CPROVER_assert(*q == 0, "anything"); //! assert
}

//# contracts_violated
int nondet_int(void);
int next(int n) __CPROVER_requires(n >= 0 && (n > 3 ==> n > 2)) __CPROVER_assigns() __CPROVER_ensures(__CPROVER_return_value > n)
{ return n + 1; }
int main(void) {
  int i, k = 0;
  for (i = 0; i < 3; i++)
    __CPROVER_assigns(i, k)
    __CPROVER_loop_invariant(0 <= i && i <= 3)
    __CPROVER_decreases(3 - i)
    { k = next(k); }
  while (i > 0) __CPROVER_loop_invariant(i >= 0) i--;
  __CPROVER_assert(k == 3 && i == 0, "as if there were no contracts");
  __CPROVER_assert(next(nondet_int()) > 0, "of none is known more"); //! assert
}

//# overflow_asked_for_violated
int nondet_int(void);
unsigned char nondet_uchar(void);
int main(void) {
  int a = nondet_int(), b = nondet_int();
  unsigned char c = nondet_uchar();
  if (!__CPROVER_overflow_plus(a, b))
    __CPROVER_assert(a + b - b == a && !__CPROVER_overflow_minus((long)a, b), "it fits");
  __CPROVER_assert(!__CPROVER_overflow_mult(c, c) && !__CPROVER_overflow_plus(c, 1), "promoted");
  if (nondet_int())
    __CPROVER_assert(!__CPROVER_overflow_minus(a, b), "minus"); //! assert
  if (nondet_int())
    __CPROVER_assert(!__CPROVER_overflow_minus(1u, c), "unsigned"); //! assert
  if (nondet_int())
    __CPROVER_assert(!__CPROVER_overflow_mult((unsigned)c << 24, c), "product"); //! assert
}
