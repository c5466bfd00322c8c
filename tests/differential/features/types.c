// Integer types, their ranges and sizes, and conversions between them.
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
int nondet_int(void);
unsigned nondet_uint(void);
char nondet_char(void);
long nondet_long(void);
unsigned char nondet_uchar(void);
short nondet_short(void);
_Bool nondet_bool(void);

//# char_is_signed_safe
int main(void) { char c = nondet_char(); assert(c >= -128 && c <= 127); }

//# char_is_signed_violated
int main(void) { char c = nondet_char(); assert(c >= 0); } //! assert

//# unsigned_char_range_safe
int main(void) { unsigned char c = nondet_uchar(); assert(c <= 255); }

//# unsigned_char_range_violated
int main(void) { unsigned char c = nondet_uchar(); assert(c != 255); } //! assert

//# short_range_safe
int main(void) { short s = nondet_short(); assert(s >= SHRT_MIN && s <= SHRT_MAX); }

//# short_range_violated
int main(void) { short s = nondet_short(); assert(s > SHRT_MIN); } //! assert

//# int_range_safe
int main(void) { long i = nondet_int(); assert(i >= INT_MIN && i <= INT_MAX); }

//# int_range_violated
int main(void) { int i = nondet_int(); assert(i != INT_MIN); } //! assert

//# long_range_safe
int main(void) { long l = nondet_long(); assert(l / 2 <= LONG_MAX / 2); }

//# long_range_violated
int main(void) { long l = nondet_long(); assert(l < LONG_MAX); } //! assert

//# long_long_safe
int main(void) { long long l = nondet_int(); assert(l * l >= 0); }

//# long_long_violated
int main(void) { long long l = nondet_int(); assert(l + 1 <= 2147483647); } //! assert

//# bool_conversion_safe
int main(void) { bool b = nondet_int(); assert(b == 0 || b == 1); }

//# bool_conversion_violated
int main(void) { int i = nondet_int(); bool b = i; assert(b == i); } //! assert

//# bool_arithmetic_safe
int main(void) { bool b = nondet_bool(), c = nondet_bool(); assert(b + c <= 2); b += c; assert(b <= 1); }

//# bool_arithmetic_violated
int main(void) { bool b = nondet_bool(), c = nondet_bool(); assert(b + c < 2); } //! assert

//# sizes_safe
int main(void) {
  assert(sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4);
  assert(sizeof(long) == 8 && sizeof(long long) == 8 && sizeof(void *) == 8 && sizeof(bool) == 1);
}

//# sizes_violated
int main(void) { assert(sizeof(long) == sizeof(int)); } //! assert

//# fixed_width_safe
int main(void) {
  uint8_t a = nondet_int(); int16_t b = nondet_int(); uint32_t c = nondet_int(); int64_t d = nondet_int();
  assert(a <= UINT8_MAX && b >= INT16_MIN && c <= UINT32_MAX && d <= INT32_MAX);
}

//# fixed_width_violated
int main(void) { uint16_t a = nondet_int(); assert(a < UINT16_MAX); } //! assert

//# integer_promotion_safe
int main(void) { unsigned char a = nondet_uchar(), b = nondet_uchar(); assert(a + b >= a); }

//# integer_promotion_violated
int main(void) { unsigned char a = nondet_uchar(), b = nondet_uchar(), c = a + b; assert(c >= a); } //! assert

//# promotion_of_complement_safe
int main(void) { unsigned char c = nondet_uchar(); assert(~c < 0); }

//# promotion_of_complement_violated
int main(void) { unsigned char c = nondet_uchar(); assert((unsigned char)~c == ~c); } //! assert

//# signed_unsigned_comparison_safe
int main(void) { int i = nondet_int(); unsigned u = 5; if (i >= 0) assert((i < u) == (i < 5)); }

//# signed_unsigned_comparison_violated
int main(void) { int i = nondet_int(); unsigned u = 5; assert((i < u) == (i < 5)); } //! assert

//# sign_extension_safe
int main(void) { signed char c = nondet_char(); long l = c; assert((c < 0) == (l < 0)); }

//# sign_extension_violated
int main(void) { signed char c = nondet_char(); unsigned long l = c; assert(l <= 127); } //! assert

//# zero_extension_safe
int main(void) { unsigned u = nondet_uint(); long l = u; assert(l >= 0); }

//# zero_extension_violated
int main(void) { unsigned u = nondet_uint(); long l = (int)u; assert(l >= 0); } //! assert

//# narrowing_safe
int main(void) { int i = nondet_int(); unsigned char c = i; assert(c == (i & 255)); }

//# narrowing_violated
int main(void) { int i = nondet_int(); unsigned char c = i; assert(c == i); } //! assert

//# conversion_check_safe --check conversion
int main(void) { int i = nondet_int(); if (i >= -128 && i < 128) { signed char c = i; return c; } return 0; }

//# conversion_check_violated --check conversion
int main(void) {
  int i = nondet_int();
  signed char c = i; //! conversion
  return c;
}

//# conversion_check_sign_safe --check conversion
int main(void) { int i = nondet_int(); unsigned u = i < 0 ? 0 : i; return u > 5; }

//# conversion_check_sign_violated --check conversion
int main(void) {
  int i = nondet_int();
  unsigned u = i; //! conversion
  return u > 5;
}

//# conversion_check_of_an_explicit_cast_violated --check conversion
int main(void) {
  long l = nondet_long();
  int i = (int)l; //! conversion
  return i > 5;
}

//# size_t_safe
int main(void) { size_t n = nondet_uint(); assert(n + 1 > n); }

//# size_t_violated
int main(void) { size_t n = 0; assert(n - 1 < n); } //! assert

//# ptrdiff_safe
int main(void) { int a[4]; ptrdiff_t d = &a[1] - &a[3]; assert(d == -2); }

//# ptrdiff_violated
int main(void) { char a[4]; ptrdiff_t d = &a[1] - &a[3]; assert(d > 0); } //! assert

//# literal_types_safe
int main(void) {
  assert(sizeof 1 == 4 && sizeof 1L == 8 && sizeof 2147483648 == 8 && sizeof 0x80000000 == 4 && sizeof 'a' == 4);
}

//# literal_types_violated
int main(void) { int i = nondet_int(); assert(i < 0x80000000); } //! assert

//# literal_bases_safe
int main(void) { assert(0x1f == 31 && 017 == 15 && 0b101 == 5 && '\x41' == 'A' && '\n' == 10 && '\101' == 65); }

//# literal_bases_violated
int main(void) { int i = nondet_int(); if (i == 010) assert(i == 10); } //! assert

//# character_constants_safe
int main(void) { assert('ab' == ('a' << 8 | 'b')); }

//# character_constants_violated
int main(void) { assert('\377' == 255); } //! assert

//# enum_values_safe
enum colour { RED, GREEN = 5, BLUE };
int main(void) { enum colour c = BLUE; assert(c == 6 && RED == 0 && sizeof c == 4); }

//# enum_values_violated
enum colour { RED, GREEN = 5, BLUE };
int main(void) { enum colour c = nondet_int(); assert(c <= BLUE); } //! assert

//# enum_negative_safe
enum sign { MINUS = -1, ZERO, PLUS };
int main(void) { enum sign s = MINUS; assert(s < ZERO); }

//# enum_negative_violated
enum sign { NONE, PLUS };
int main(void) { enum sign s = nondet_int(); assert(s - 1 < s); } //! assert

//# typedef_safe
typedef unsigned char byte; typedef byte pair[2];
int main(void) { pair p; p[0] = nondet_int(); p[1] = 7; assert(p[0] <= 255 && sizeof(pair) == 2); }

//# typedef_violated
typedef signed char byte;
int main(void) { byte b = nondet_int(); assert(b >= 0); } //! assert

//# typedef_scope_safe
typedef int number;
int main(void) { number number = 3; assert(number == 3); }

//# typedef_scope_violated
typedef int number;
int main(void) { { typedef char number; assert(sizeof(number) == 4); } } //! assert

//# usual_conversions_of_long_safe
int main(void) { unsigned u = nondet_uint(); long l = -1; assert(l < u); }

//# usual_conversions_of_long_violated
int main(void) { unsigned u = nondet_uint(); int i = -1; assert(i < u); } //! assert

//# qualifiers_safe
int main(void) { const int c = 3; volatile int v = c; const volatile unsigned char *p = (unsigned char *)&v; assert(*p == 3); }

//# qualifiers_violated
int main(void) { volatile int v = 3; assert(v == 4); } //! assert

//# wide_characters_safe
int main(void) {
  int n = nondet_int() & 1, copy[] = L"ab", w[] = L"a\x20ac";
  assert(w[n] == L'a' || w[n] == 0x20ac);
  assert(sizeof copy == 12 && copy[1] == L'b' && u'x' == U'x');
}

//# wide_characters_violated
int main(void) { int n = nondet_int() & 1; const int w[] = L"ab"; assert(w[n] != L'b'); } //! assert

//# wide_string_literal_violated
int main(void) {
  const int *w = L"ab";
  return w[1] == L'b'; //! cbmc pointer (wide-strings)
}
