// The order of evaluation, side effects, and reading what was never written.
#include <assert.h>
int nondet_int(void);

//# operands_left_to_right_safe
int n;
int next(void) { return ++n; }
int main(void) { int a = next() * 10 + next(); assert(a == 12); }

//# operands_left_to_right_violated
int n;
int next(void) { return ++n; }
int main(void) { int a = next() - next(); assert(a == 1); } //! assert

//# arguments_right_to_left_violated
int n;
int next(void) { return ++n; }
int pair(int a, int b) { return 10 * a + b; }
int main(void) {
  assert(pair(next(), next()) == 21); //! cbmc assert (order)
}

//# arguments_right_to_left_other_way_violated
int n;
int next(void) { return ++n; }
int pair(int a, int b) { return 10 * a + b; }
int main(void) {
  assert(pair(next(), next()) == 12); //! sfo assert (order)
}

//# place_before_value_safe
int i, a[3];
int main(void) { i = 1; a[i] = (i = 2); assert(a[1] == 2 || a[2] == 2); }

//# logical_sequence_safe
int n;
int next(void) { return ++n; }
int main(void) { int b = next() == 1 && next() == 2 && n == 2; assert(b); }

//# logical_sequence_violated
int n;
int next(void) { return ++n; }
int main(void) { int b = nondet_int() && next(); assert(n == 1 && b); } //! assert

//# conditional_sequence_safe
int main(void) { int i = nondet_int() & 7; int k = i++ > 3 ? i : -i; assert(k > 4 || k < 0); }

//# conditional_sequence_violated
int main(void) { int i = nondet_int() & 7; int k = i++ > 3 ? i : -i; assert(k != 5); } //! assert

//# statement_sequence_safe
int main(void) { int x = nondet_int(), y = x; x = y; y = x; assert(x == y); }

//# statement_sequence_violated
int main(void) { int x = nondet_int(), y = nondet_int(); x = y; y = x + 1; assert(x == y); } //! assert

//# uninitialised_variable_safe
int main(void) { int x; int y = x; assert(x == y); }

//# uninitialised_variable_violated
int main(void) { int x; assert(x == 0); } //! assert

//# uninitialised_array_safe
int main(void) { int a[2]; a[0] = 1; assert(a[0] == 1); }

//# uninitialised_array_violated
int main(void) { int a[2]; a[0] = 1; assert(a[1] == 0); } //! assert

//# first_violation_violated
int main(void) {
  int x = nondet_int();
  assert(x == 1); //! assert
  assert(x == 1); //! cbmc assert (first-violation)
}

//# first_violation_of_another_kind_violated
int main(void) {
  int a[2] = {0}, x = nondet_int();
  a[x] = 1;       //! bounds
  assert(x >= 0 && x < 2); //! cbmc assert (first-violation)
}

//# two_independent_violations_violated
int main(void) {
  int x = nondet_int();
  if (x > 5) assert(x == 6); //! assert
  assert(x != 3); //! assert
}

//# two_violations_on_one_line_violated
int main(void) { int x = nondet_int(); assert(x != 3); assert(x != 4); assert(x == x); } //! assert, assert

//# an_assumption_after_a_violation_violated
void __CPROVER_assume(int);
int main(void) {
  int x = nondet_int();
  assert(x > 0); //! assert
  __CPROVER_assume(x > 0);
}

//# globals_are_zero_safe
int g; static long h; char s[4];
int main(void) { assert(g == 0 && h == 0 && s[3] == 0); }

//# globals_are_zero_violated
int g;
int main(void) { assert(g != 0); } //! assert

//# initialiser_names_its_variable_safe
int main(void) { int x = (x = 3) + 1, *p = (int *)(long)&p; assert(x == 4 && p != 0); }

//# initialiser_names_its_variable_violated
int main(void) { int x = x; assert(x == 0); } //! assert
