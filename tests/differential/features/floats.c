// Floating-point types.
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
int nondet_int(void);
unsigned nondet_uint(void);
long nondet_long(void);
float nondet_float(void);
double nondet_double(void);
short nondet_short(void);

//# sizes_safe
int main(void) { assert(sizeof(float) == 4 && sizeof(double) == 8 && sizeof(long double) == 16 && sizeof 1.0f == 4 && sizeof 1.0 == 8); }

//# constants_safe
int main(void) { assert(0x1.8p1 == 3.0 && 1e3 == 1000.0 && .5f == 0.5 && 1.0 / 3 != 1.0f / 3); }

//# constants_violated
int main(void) { assert(0.1f == 0.1); } //! assert

//# addition_safe
int main(void) { float x = nondet_float(); if (x >= 0 && x <= 1000) assert(x + 1 >= 1); }

//# addition_violated
int main(void) { float x = nondet_float(); if (x >= 0) assert(x + 1 > x); } //! assert

//# subtraction_safe
int main(void) { float x = nondet_float(); if (x > 1 && x < 2) assert(x - 1 > 0); }

//# subtraction_violated
int main(void) { float x = nondet_float(), y = nondet_float(); if (x > y) assert(x - y < 1e30f); } //! assert

//# multiplication_safe
int main(void) { float x = nondet_float(); if (x > -2 && x < 2) assert(x * x >= 0); }

//# multiplication_violated
int main(void) { float x = nondet_float(); assert(x * x >= 0); } //! assert

//# division_safe
int main(void) { float x = nondet_float(); if (x >= 1 && x <= 8) assert(1 / x <= 1); }

//# division_violated
int main(void) { short s = nondet_short(); float x = s; assert(1 / x <= 1); } //! assert

//# negation_safe
int main(void) { double x = nondet_double(); if (x == x) assert(-(-x) == x); }

//# negation_violated
int main(void) { double x = nondet_double(); if (x == x) assert(-x != x); } //! assert

//# comparison_safe
int main(void) { double x = nondet_double(), y = nondet_double(); assert(!(x < y && x > y) && !(x < y && y < x)); }

//# comparison_violated
int main(void) { double x = nondet_double(), y = nondet_double(); assert(x < y || x >= y); } //! assert

//# not_a_number_safe
int main(void) { float x = nondet_float(); if (x != x) assert(!(x < 1) && !(x >= 1) && !(x == x)); }

//# not_a_number_violated
int main(void) { float x = nondet_float(); assert(x == x); } //! assert

//# infinity_safe
int main(void) { float x = FLT_MAX; x = x * 2; assert(x > FLT_MAX && -x < -FLT_MAX && 1 / x == 0); }

//# infinity_violated
int main(void) { float x = nondet_float(); if (x == x) assert(x <= FLT_MAX); } //! assert

//# negative_zero_safe
int main(void) { double z = -0.0; assert(z == 0.0 && 1 / z < 0); }

//# negative_zero_violated
int main(void) { double z = nondet_double(); if (z == 0) assert(1 / z > 0); } //! assert

//# subnormal_safe
int main(void) { float x = FLT_MIN; x = x / 2; assert(x > 0 && x * 2 == FLT_MIN); }

//# subnormal_violated
int main(void) { float x = nondet_float(); if (x > 0 && x < 1) assert(x >= FLT_MIN); } //! assert

//# rounding_safe
int main(void) { float x = 16777216.0f; assert(x + 1 == x && x + 2 != x); }

//# rounding_violated
int main(void) { double x = 0.1; assert(x + x + x == 0.3); } //! assert

//# absorption_violated
int main(void) { int i = nondet_int(); float f = i; assert((int)f == i || f > 2147483520.0f); } //! assert

//# from_integers_safe
int main(void) { short s = nondet_short(); float f = s; assert((int)f == s); }

//# from_integers_violated
int main(void) { int i = nondet_int(); if (i > 0 && i < 20000000) { float f = i; assert((int)f == i); } } //! assert

//# to_integers_safe
int main(void) { float f = nondet_float(); if (f > -2 && f < 3) { int i = f; assert(i >= -1 && i <= 2); } }

//# to_integers_violated
int main(void) { float f = nondet_float(); if (f > -2 && f < 3) { int i = f; assert(f >= i); } } //! assert

//# of_unsigned_integers_safe
int main(void) { unsigned u = nondet_uint(); double d = u; assert(d >= 0 && (unsigned)d == u); }

//# of_long_integers_violated
int main(void) { long l = nondet_long(); if (l > 0 && l < 1L << 60) { double d = l; assert((long)d == l); } } //! assert

//# narrowing_safe
int main(void) { float f = nondet_float(); double d = f; if (f == f) assert((float)d == f); }

//# narrowing_violated
int main(void) { double d = nondet_double(); if (d > 0 && d < 1) assert((double)(float)d == d); } //! assert

//# mixed_types_safe
int main(void) { int i = nondet_int(); assert(i + 0.0 == i && sizeof(i + 0.0f) == 4 && sizeof(1.0f + 1.0) == 8); }

//# mixed_types_violated
int main(void) { int i = nondet_int(); assert(i / 2 == i / 2.0); } //! assert

//# truth_safe
int main(void) { float x = nondet_float(); if (x) assert(x != 0); else assert(x == 0); }

//# truth_violated
int main(void) { double d = nondet_double(); _Bool b = d; assert(b == (int)(d > 0)); } //! assert

//# logical_safe
int main(void) { float x = nondet_float(); assert(!x == (x == 0) && (x && 1) == (x != 0)); }

//# compound_assignment_safe
int main(void) { float x = 1; x += 2; x *= 3; x -= 1; x /= 4; assert(x == 2); int i = 5; i *= 1.5; assert(i == 7); }

//# compound_assignment_violated
int main(void) { int i = nondet_short(); int old = i; i *= 0.5; assert(i * 2 == old); } //! assert

//# increments_safe
int main(void) { double d = 1.5; double e = d++; assert(e == 1.5 && d == 2.5 && --d == 1.5); }

//# increments_violated
int main(void) { float f = nondet_float(), old = f++; if (old == old) assert(f > old); } //! assert

//# arguments_and_results_safe
double half(double x) { return x / 2; }
int main(void) { assert(half(3) == 1.5); }

//# arguments_and_results_violated
float third(float x) { return x / 3; }
int main(void) { short s = nondet_short(); assert(third(s) != 2); } //! assert

//# division_and_multiplication_safe
int main(void) { short s = nondet_short(); float x = s; assert(x / 3 * 3 == s); }

//# arrays_and_structures_safe
struct point { float x, y; };
int main(void) { double a[3] = { 1, 2.5 }; struct point p = { .y = 2 }, q = p; assert(a[1] == 2.5 && a[2] == 0 && q.y == 2); }

//# arrays_and_structures_violated
struct point { float x, y; };
int main(void) { struct point p = { nondet_float(), 1 }; assert(p.x != p.y); } //! assert

//# bits_safe
union u { float f; unsigned u; };
int main(void) { union u u; u.f = 1.0f; assert(u.u == 0x3f800000); }

//# bits_violated
union u { float f; unsigned u; };
int main(void) { union u u; u.u = nondet_uint(); assert(u.f != 2.0f); } //! assert

//# conditional_safe
int main(void) { float x = nondet_float(), y = x > 0 ? x : 1; assert(y > 0); }

//# conditional_violated
int main(void) { float x = nondet_float(), y = x < 0 ? -x : x; assert(y >= 0); } //! assert

//# loop_safe
int main(void) { int n = 0; for (double d = 0; d < 1; d += 0.25) n++; assert(n == 4); }

//# loop_violated --unwind 12
int main(void) { int n = 0; for (double d = 0; d < 1; d += 0.1) n++; assert(n == 10); } //! assert

//# uninitialised_violated
int main(void) { double d; assert(d == 0); } //! assert

//# globals_are_zero_safe
double g; static float h[2];
int main(void) { assert(g == 0 && h[1] == 0); }

//# long_double_safe
int main(void) { long double x = 1.0L; assert(x / 4 == 0.25); }

//# division_by_zero_is_no_violation_safe
int main(void) { double z = 0; assert(1 / z > DBL_MAX); }

//# limits_safe
int main(void) { assert(FLT_EPSILON == 0x1p-23f && DBL_MAX_EXP == 1024 && DBL_DIG == 15); }

//# overflow_add_safe --check float-overflow
int main(void) { float x = nondet_float(); return x > -1e30f && x < 1e30f ? x + 1e30f > 0 : 0; }

//# overflow_add_violated --check float-overflow
int main(void) {
  float x = nondet_float();
  return x + 1e38f > 0; //! float-overflow
}

//# overflow_subtract_violated --check float-overflow
int main(void) {
  double x = nondet_double();
  return x - 1e308 > 0; //! float-overflow
}

//# overflow_multiply_safe --check float-overflow
int main(void) { float x = nondet_float(); return x > -1e15f && x < 1e15f ? x * x > 0 : 0; }

//# overflow_multiply_violated --check float-overflow
int main(void) {
  float x = nondet_float();
  return x * 2 > 0; //! float-overflow
}

//# overflow_divide_violated --check float-overflow
int main(void) {
  float x = nondet_float();
  return x / 0.5f > 0; //! float-overflow
}

//# overflow_narrowing_safe --check float-overflow
int main(void) { double d = nondet_double(); float f = d > -1 && d < 1 ? d : 0; return f > 0; }

//# overflow_narrowing_violated --check float-overflow
int main(void) {
  double d = nondet_double();
  float f = d; //! sfo float-overflow (float-narrowing)
  return f > 0;
}

//# overflow_of_an_infinite_operand_safe --check float-overflow
int main(void) { float x = INFINITY; return x + 1 > 0; }

//# division_by_zero_safe --check float-div0
int main(void) { float x = nondet_float(); return x != 0 ? 1 / x > 0 : 0; }

//# division_by_zero_violated --check float-div0
int main(void) {
  float x = nondet_float();
  return 1 / x > 0; //! float-div0
}

//# nan_add_safe --check nan
int main(void) { float x = nondet_float(); return x > 0 ? x + x > 0 : 0; }

//# nan_add_violated --check nan
int main(void) {
  float x = nondet_float(), y = nondet_float();
  return x + y > 0; //! nan
}

//# nan_multiply_violated --check nan
int main(void) {
  float x = nondet_float();
  return x * 0 > 0; //! nan
}

//# nan_divide_safe --check nan
int main(void) { float x = nondet_float(); return x >= 1 && x < 9 ? (x - 1) / x > 0 : 0; }

//# nan_divide_violated --check nan
int main(void) {
  float x = nondet_float(), y = nondet_float();
  if (x >= 0 && y >= 0)
    return x / y > 0; //! nan
}

//# conversion_to_integers_safe --check conversion
int main(void) { float x = nondet_float(); return x > -10 && x < 10 ? (int)x : 0; }

//# conversion_to_integers_violated --check conversion
int main(void) {
  float x = nondet_float();
  return x; //! conversion
}
