// Operators and integer arithmetic, with the checks of arithmetic.
#include <assert.h>
#include <limits.h>
int nondet_int(void);
unsigned nondet_uint(void);
long nondet_long(void);
unsigned char nondet_uchar(void);

//# addition_safe
int main(void) { int a = nondet_int(), b = nondet_int(); if (a > 0 && a < 100 && b > 0 && b < 100) assert(a + b < 199); }

//# addition_violated
int main(void) { int a = nondet_int(), b = nondet_int(); if (a > 0 && b > 0) assert(a + b > 0); } //! assert

//# subtraction_safe
int main(void) { unsigned a = nondet_uint(), b = nondet_uint(); assert(a - b == -(b - a)); }

//# subtraction_violated
int main(void) { unsigned a = nondet_uint(), b = nondet_uint(); assert(a - b <= a); } //! assert

//# multiplication_safe
int main(void) { int a = nondet_uchar(), b = nondet_uchar(); assert(a * b <= 65025); }

//# multiplication_violated
int main(void) { int a = nondet_uchar(), b = nondet_uchar(); assert(a * b != 221); } //! assert

//# division_safe
int main(void) { int a = nondet_int(); assert(a / 2 * 2 + a % 2 == a); }

//# division_violated
int main(void) { int a = nondet_int(); assert(a / 2 == a >> 1); } //! assert

//# remainder_safe
int main(void) { int a = nondet_int(); assert(a % 5 > -5 && a % 5 < 5); }

//# remainder_violated
int main(void) { int a = nondet_int(); assert(a % 5 >= 0); } //! assert

//# division_by_zero_safe
int main(void) { int a = nondet_int(), b = nondet_int(); return b > 0 ? a / b : 0; }

//# division_by_zero_violated
int main(void) {
  int a = nondet_int(), b = nondet_int();
  return b != -1 ? a / b : 0; //! div0
}

//# remainder_by_zero_safe
int main(void) { unsigned a = nondet_uint(), b = nondet_uint(); return a % (b | 1); }

//# remainder_by_zero_violated
int main(void) {
  unsigned a = nondet_uint(), b = nondet_uint();
  return a % (b & 1); //! div0
}

//# smallest_by_minus_one_safe
int main(void) { int a = nondet_int(); return a > INT_MIN ? a / -1 : 0; }

//# smallest_by_minus_one_violated
int main(void) {
  int a = nondet_int(), b = nondet_int();
  return b ? a / b : 0; //! div0
}

//# smallest_mod_minus_one_violated
int main(void) {
  int a = nondet_int(), b = nondet_int();
  return b ? a % b : 0; //! div0
}

//# compound_division_safe
int main(void) { int a = nondet_int(); a /= 3; a %= 4; assert(a < 4); }

//# compound_division_violated
int main(void) {
  int a = 3, b = nondet_uchar();
  a /= b; //! div0
  return a;
}

//# overflow_add_safe --check overflow
int main(void) { int a = nondet_int(); return a < INT_MAX ? a + 1 : a; }

//# overflow_add_violated --check overflow
int main(void) {
  int a = nondet_int();
  return a + 1; //! overflow
}

//# overflow_subtract_safe --check overflow
int main(void) { int a = nondet_int(); return a >= 0 ? a - INT_MAX : a; }

//# overflow_subtract_violated --check overflow
int main(void) {
  int a = nondet_int();
  return a - INT_MAX; //! overflow
}

//# overflow_multiply_safe --check overflow
int main(void) { long a = nondet_int(), b = nondet_int(); return a * b > 0; }

//# overflow_multiply_violated --check overflow
int main(void) {
  int a = nondet_int();
  return a * 2; //! overflow
}

//# overflow_negate_safe --check overflow
int main(void) { int a = nondet_int(); return a == INT_MIN ? a : -a; }

//# overflow_negate_violated --check overflow
int main(void) {
  int a = nondet_int();
  return -a; //! overflow
}

//# overflow_increment_safe --check overflow
int main(void) { int i = nondet_uchar(); i++; return i; }

//# overflow_increment_of_a_narrow_type_violated --check overflow
int main(void) {
  signed char c = nondet_int();
  c++; //! cbmc overflow (narrow-increment)
  return c;
}

//# overflow_increment_violated --check overflow
int main(void) {
  int a = nondet_int();
  a++; //! overflow
  return a;
}

//# overflow_compound_safe --check overflow
int main(void) { int a = nondet_uchar(); a += 5; a *= 7; a -= 3; return a; }

//# overflow_compound_violated --check overflow
int main(void) {
  int a = nondet_int();
  a -= 5; //! overflow
  return a;
}

//# overflow_long_safe --check overflow
int main(void) { long a = nondet_int(); return a + a > 0; }

//# overflow_long_violated --check overflow
int main(void) {
  long a = nondet_long();
  return a + a > 0; //! overflow
}

//# overflow_shift_safe --check overflow
int main(void) { int a = nondet_uchar(); return a << 22; }

//# overflow_shift_violated --check overflow
int main(void) {
  int a = nondet_uchar();
  return a << 25; //! overflow
}

//# unsigned_overflow_add_safe --check unsigned-overflow
int main(void) { unsigned a = nondet_uint(); return a < 5 ? a + 1 : 0; }

//# unsigned_overflow_add_violated --check unsigned-overflow
int main(void) {
  unsigned a = nondet_uint();
  return a + 1 > 5; //! unsigned-overflow
}

//# unsigned_overflow_subtract_safe --check unsigned-overflow
int main(void) { unsigned a = nondet_uint(); return a > 5 ? a - 1 : 0; }

//# unsigned_overflow_subtract_violated --check unsigned-overflow
int main(void) {
  unsigned a = nondet_uint();
  return a - 1 > 5; //! unsigned-overflow
}

//# unsigned_overflow_multiply_safe --check unsigned-overflow
int main(void) { unsigned a = nondet_uchar(); return a * a > 5; }

//# unsigned_overflow_multiply_violated --check unsigned-overflow
int main(void) {
  unsigned a = nondet_uint();
  return a * 3 > 5; //! unsigned-overflow
}

//# unsigned_overflow_negate_zero_violated --check unsigned-overflow
int main(void) {
  unsigned a = 0;
  return -a > 5; //! cbmc unsigned-overflow (unsigned-negation)
}

//# unsigned_overflow_negate_violated --check unsigned-overflow
int main(void) {
  unsigned a = nondet_uint();
  return -a > 5; //! unsigned-overflow
}

//# unsigned_overflow_is_not_overflow_safe --check assert,overflow
int main(void) { unsigned a = nondet_uint(); assert(a + a != 5); }

//# overflow_is_not_unsigned_overflow_safe --check assert,unsigned-overflow
int main(void) { int a = nondet_int(); assert(a + a != 5); }

//# unchecked_overflow_wraps_safe
int main(void) { int a = INT_MAX; a++; assert(a == INT_MIN); }

//# unchecked_overflow_wraps_violated
int main(void) { int a = nondet_int(); assert(a + 1 > a); } //! assert

//# shift_left_safe
int main(void) { unsigned a = nondet_uchar(); assert(a << 3 == a * 8); }

//# shift_left_violated
int main(void) { unsigned a = nondet_uint(); assert(a << 3 >> 3 == a); } //! assert

//# shift_right_safe
int main(void) { int a = nondet_int(); assert((a >> 31) == (a < 0 ? -1 : 0)); }

//# shift_right_violated
int main(void) { int a = nondet_int(); assert((a >> 1) == (int)((unsigned)a >> 1)); } //! assert

//# shift_distance_safe --check shift
int main(void) { unsigned a = 1, n = nondet_uint(); return n < 32 ? a << n : 0; }

//# shift_distance_violated --check shift
int main(void) {
  unsigned a = 1, n = nondet_uint();
  return n <= 32 ? a << n : 0; //! shift
}

//# shift_distance_negative_safe --check shift
int main(void) { int a = nondet_int(), n = nondet_int(); return n >= 0 && n < 32 ? a >> n : 0; }

//# shift_distance_negative_violated --check shift
int main(void) {
  int a = nondet_int(), n = nondet_int();
  return n < 32 ? a >> n : 0; //! shift
}

//# shift_distance_of_promoted_operand_safe --check shift
int main(void) { unsigned char a = nondet_uchar(); int n = nondet_int(); return n >= 0 && n < 32 ? a >> n : 0; }

//# shift_distance_of_promoted_operand_violated --check shift
int main(void) {
  unsigned char a = nondet_uchar(); int n = nondet_int();
  return n >= 0 && n <= 32 ? a >> n : 0; //! shift
}

//# shift_distance_of_long_safe --check shift
int main(void) { unsigned long a = 1; int n = nondet_int(); return n >= 0 && n < 64 ? a << n > 5 : 0; }

//# shift_distance_of_long_violated --check shift
int main(void) {
  unsigned long a = 1; int n = nondet_int();
  return n >= 0 && n < 65 ? a << n > 5 : 0; //! shift
}

//# shift_of_negative_number_violated --check assert,shift
int main(void) {
  int a = nondet_int();
  assert((a << 1) % 2 == 0); //! cbmc shift (left-shift)
}

//# shift_compound_safe --check shift
int main(void) { int a = 5, n = nondet_uchar() & 31; a <<= 2; a >>= n; return a; }

//# shift_compound_violated --check shift
int main(void) {
  int a = 5, n = nondet_uchar();
  a >>= n; //! shift
  return a;
}

//# bitwise_safe
int main(void) { unsigned a = nondet_uint(), b = nondet_uint(); assert((a ^ b) == ((a | b) & ~(a & b))); }

//# bitwise_violated
int main(void) { unsigned a = nondet_uint(), b = nondet_uint(); assert((a ^ b) == (a | b)); } //! assert

//# bitwise_compound_safe
int main(void) { unsigned a = nondet_uint(); a &= 0xf0; a |= 3; a ^= 1; assert((a & 15) == 2); }

//# bitwise_compound_violated
int main(void) { unsigned a = nondet_uint(); a |= 3; a ^= 1; assert(a & 1); } //! assert

//# complement_safe
int main(void) { int a = nondet_int(); assert(~a == -a - 1); }

//# complement_violated
int main(void) { int a = nondet_int(); assert(~a != 41); } //! assert

//# logical_not_safe
int main(void) { int a = nondet_int(); assert(!a == (a == 0) && !!a == (a != 0)); }

//# logical_not_violated
int main(void) { int a = nondet_int(); assert(!!a == a); } //! assert

//# relational_safe
int main(void) { int a = nondet_int(), b = nondet_int(); assert((a < b) + (a == b) + (a > b) == 1); }

//# relational_violated
int main(void) { int a = nondet_int(), b = nondet_int(); assert((a <= b) + (a >= b) == 1); } //! assert

//# chained_comparison_safe
int main(void) { int a = nondet_int(); assert((0 < a < 2) == 1); }

//# chained_comparison_violated
int main(void) { int a = nondet_int(); assert((0 < a < 10) == (0 < a && a < 10)); } //! assert

//# conjunction_safe
int main(void) { int a[3] = {0}, i = nondet_int(); assert(!(i >= 0 && i < 3 && a[i])); }

//# conjunction_violated
int main(void) {
  int a[3] = {0}, i = nondet_int();
  return i >= 0 & i < 3 && a[0] || a[i]; //! bounds
}

//# disjunction_safe
int main(void) { int b = nondet_int(); assert(b == 0 || 100 / b <= 100); }

//# disjunction_violated
int main(void) {
  int b = nondet_int();
  return b == 1 || 100 / b; //! div0
}

//# conditional_safe
int main(void) { int a = nondet_int(); int b = a < 0 ? a == INT_MIN ? 0 : -a : a; assert(b >= 0); }

//# conditional_violated
int main(void) { int a = nondet_int(); int b = a < 0 ? -a : a; assert(b >= 0); } //! assert

//# conditional_type_safe
int main(void) { int a = nondet_int(); assert((a ? -1 : 1u) > 0); }

//# conditional_type_violated
int main(void) { int a = nondet_int(); assert((a ? -1 : 1u) < 5); } //! assert

//# comma_safe
int main(void) { int a = nondet_uchar(), b = (a++, a++, a); assert(b <= 257); }

//# comma_violated
int main(void) { int a = nondet_uchar(), b = (a++, a); assert(b <= 255); } //! assert

//# increments_safe
int main(void) { int a = 3, b = a++ + 10, c = ++a; assert(a == 5 && b == 13 && c == 5); }

//# increments_violated
int main(void) { int a = nondet_uchar(), b = a--; assert(b == a); } //! assert

//# assignment_value_safe
int main(void) { unsigned char c; int a = c = nondet_int(); assert(a == c && a < 256); }

//# assignment_value_violated
int main(void) { int i = nondet_int(); unsigned char c; assert((c = i) == i); } //! assert

//# compound_assignment_conversion_safe
int main(void) { unsigned char c = 200; c += 100; assert(c == 44); }

//# compound_assignment_conversion_violated
int main(void) { unsigned char c = nondet_uchar(); int old = c; c += 1; assert(c == old + 1); } //! assert

//# sizeof_does_not_evaluate_safe
int main(void) { int a = 1; int n = sizeof(a++) + sizeof a; assert(a == 1 && n == 8); }

//# sizeof_does_not_evaluate_violated
int main(void) { int a[5]; assert(sizeof a == 5); } //! assert

//# alignof_safe
struct s { char c; long l; };
int main(void) { assert(_Alignof(struct s) == 8 && _Alignof(short) == 2); }

//# alignof_violated
int main(void) { assert(_Alignof(int) == 8); } //! assert

//# casts_safe
int main(void) { int a = nondet_int(); assert((unsigned char)a == (unsigned)a % 256 && (int)(long)a == a); }

//# casts_violated
int main(void) { int a = nondet_int(); assert((short)a == a); } //! assert

//# generic_selection_safe
int main(void) { long l = 0; assert(_Generic(l, int: 1, long: 2, default: 3) == 2); }

//# generic_selection_violated
int main(void) { char c = 0; assert(_Generic(c, int: 1, default: 3) == 1); } //! assert

//# generic_selection_by_qualifiers_safe
int main(void) { const int c = 0; assert(_Generic(&c, int *: 1, default: 2) == 2); }

//# generic_selection_by_qualifiers_violated
int main(void) { const char *p = ""; assert(_Generic(p, char *: 1, const char *: 2) == 1); } //! assert

//# precedence_safe
int main(void) { unsigned a = nondet_uint(); assert((a & 1) == 0 || a & 1); }

//# precedence_violated
int main(void) { unsigned a = nondet_uint(); if (a == 4) assert(a & 1 == 0); } //! assert
