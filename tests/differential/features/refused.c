// What is not supported: `use` has the construct and cannot be analysed; the program, which does not call it, can.
// Without --entry, the program cannot be analysed although the construct is not reached.
#include <assert.h>
#include <stdlib.h>
int nondet_int(void);

//# integer_of_any_width
int use(int x) {
  _BitInt(7) b = x; //! refused
  return b;
}
int main(void) { assert(1); }

//# nested_function --entry use
int use(int x) {
  int inner(int y) { return x + y; } //! refused
  return inner(3);
}
int main(void) { assert(1); }

//# nested_function_by_a_pointer --entry use
#include <stdlib.h>
int use(int *values, int order) {
  int compare(const void *x, const void *y) { return order * (*(const int *)x - *(const int *)y); } //! refused
  qsort(values, 2, sizeof *values, compare);
  return values[0];
}
int main(void) { assert(1); }

//# address_of_a_label_of_a_block --entry use
int use(int x) {
  {
    __label__ a;
    goto *(x ? &&a : &&a); //! refused
  a: return 1;
  }
}
int main(void) { assert(1); }

//# inline_assembly --entry use
int use(int x) {
  __asm__ volatile("nop"); //! refused
  return x;
}
int main(void) { assert(1); }

//# mathematical_function --entry use
#include <math.h>
int use(double a, double b, double c, double d) {
  return sin(a + b + c + d) > 0; //! refused
}
int main(void) { assert(1); }

//# real_printed_into_text --entry use
#include <stdio.h>
int use(long double x) {
  char text[40];
  return sprintf(text, "%Lf", x); //! refused
}
int main(void) { assert(1); }

//# complex_numbers --entry use
#include <complex.h>
int use(int x) {
  double complex z = x; //! refused
  return creal(z) != 0;
}
int main(void) { assert(1); }

//# atomic_structure --entry use
int use(int x) {
  struct pair { int a, b; };
  _Atomic struct pair p = { x, x }; //! refused
  return x;
}
int main(void) { assert(1); }

//# check_pragma
#pragma CPROVER check disable "bounds" //! refused
int main(void) { return 0; }

//# vector_type --entry use
typedef int v4 __attribute__((vector_size(16))); //! refused
int use(int x) {
  v4 v = { x };
  return v[0];
}
int main(void) { assert(1); }

//# unknown_library_function --entry use --undefined error
#include <stdlib.h>
int use(void) {
  return at_quick_exit(0) != 0; //! refused
}
int main(void) { assert(1); }

//# files --entry use
#include <stdio.h>
int use(void) {
  int n;
  FILE *f = fopen("a", "r");
  if (f && fscanf(f, "%d", &n) == 1)
    rewind(f); //! refused
  return f != 0;
}
int main(void) { assert(1); }

//# threads --entry use --undefined error
#include <pthread.h>
void *work(void *p) { return p; }
int use(void) {
  pthread_t t;
  return pthread_create(&t, 0, work, 0); //! refused
}
int main(void) { assert(1); }

//# signals --entry use
#include <signal.h>
int use(void) {
  raise(SIGINT); //! refused
  return 0;
}
int main(void) { assert(1); }

//# offset_with_variable_index --entry use
#include <stddef.h>
struct s { int a[4]; };
int use(int i) {
  return offsetof(struct s, a[i]); //! refused
}
int main(void) { assert(1); }

//# initialised_flexible_member_inside --entry use
struct s { int n; int a[]; };
struct { struct s s; } t = { { 1, { 2, 3 } } }; //! refused
int use(void) {
  return t.s.a[1];
}
int main(void) { assert(1); }

//# constructor_with_a_priority
int g;
__attribute__((constructor(101))) void start(void) { g = 1; } //! refused
int use(void) { assert(g == 1); return 0; }
int main(void) { assert(1); }

//# constructor_with_parameters
int g;
__attribute__((constructor)) void start(int argc, char **argv) { g = argc; } //! refused
int use(void) { assert(g == 1); return 0; }
int main(void) { assert(1); }

//# goto_out_of_a_cleanup --entry use
void done(int *p) { (*p)++; }
int use(int x) {
  for (;;) {
    int y __attribute__((cleanup(done))) = x;
    if (y == 3)
      goto out; //! refused
    x++;
  }
out: return x;
}
int main(void) { assert(1); }

//# type_of_a_value_in_a_bit_field
struct parts { unsigned low : 9; } parts;
int main(void) {
  __typeof__(parts.low = 1) copy = 511; //! refused
  return ++copy == 0;
}

//# generic_by_qualifiers --entry use
int use(const char *text) {
  __typeof__(text) copy = text;
  return _Generic(copy, char *: 1, const char *: 2); //! refused
}
int main(void) { assert(1); }

//# pointer_computed_from_bits --entry use
#include <stdint.h>
int use(uintptr_t u) {
  int x = 1; int *p = (int *)((uintptr_t)&x ^ u);
  return *p; //! refused
}
int main(void) { assert(1); }

//# value_of_a_function_that_returns_none --entry use
void none(void) { }
int use(void) {
  int (*f)(void) = (int (*)(void))none;
  return f(); //! refused
}
int main(void) { assert(1); }

//# unknown_function_pointer --entry use
int use(unsigned long u) {
  int (*f)(void) = (int (*)(void))u;
  return f(); //! refused
}
int main(void) { assert(1); }

//# unknown_system_call --entry use --undefined error
#include <unistd.h>
int use(void) {
  return fork(); //! refused
}
int main(void) { assert(1); }

//# vararg_macro_builtin --entry use
int use(int x) {
  return __builtin_va_arg_pack_len(); //! refused
}
int main(void) { assert(1); }

//# structure_of_variable_length --entry use
int use(int n) {
  struct s {
    int a[n++]; //! refused
  };
  return n;
}
int main(void) { assert(1); }

//# question_about_an_unknown_pointer --entry use
int use(void) {
  char *p;
  return __CPROVER_r_ok(p, 1); //! refused
}
int main(void) { assert(1); }

//# unknown_function_of_a_verifier --entry use --undefined nondet
int use(int *p) {
  return __CPROVER_is_fresh(p, sizeof *p); //! refused
}
int main(void) { assert(1); }

//# quantifier --entry use
int use(int *p, int n) {
  return __CPROVER_forall { int i; 0 <= i && i < n ==> p[i] == 0 }; //! refused
}
int main(void) { assert(1); }

//# quantifier_of_esbmc --entry use --undefined nondet
int use(int *p, int n) {
  int i;
  return __ESBMC_forall(&i, !(0 <= i && i < n) || p[i] == 0); //! refused
}
int main(void) { assert(1); }

//# operation_on_a_whole_array --entry use --undefined nondet
int use(int n) {
  int a[4];
  __CPROVER_array_set(a, n); //! refused
  return a[0];
}
int main(void) { assert(1); }

//# wide_text --entry use --undefined error
#include <wchar.h>
int use(void) {
  return wcslen(L"12"); //! refused
}
int main(void) { assert(1); }

//# part_of_a_number_as_an_input --entry use
int use(int x) {
  __CPROVER_havoc_slice((char *)&x + 1, 2); //! refused
  return x;
}
int main(void) { assert(1); }

//# variable_of_cprover --entry use
extern int __CPROVER_rounding_mode; //! refused
int use(int x) {
  __CPROVER_rounding_mode = x;
  return x;
}
int main(void) { assert(1); }

//# range_of_a_value_with_side_effects --entry use
int next(void);
int use(void) {
  int a[3] = { [0 ... 2] = next() }; //! refused
  return a[2];
}
int main(void) { assert(1); }

//# compound_assignment_to_an_element_of_a_result --entry use
struct p { int x[2]; };
struct p made(void);
int use(void) {
  return made().x[1] += 2; //! refused
}
int main(void) { assert(1); }

//# element_of_a_structure_that_is_a_value --entry use
struct p { int x[2]; };
int use(struct p a, struct p b) {
  (a = b).x[1] = 2; //! refused
  return a.x[1];
}
int main(void) { assert(1); }
