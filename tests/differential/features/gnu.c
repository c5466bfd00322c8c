// What GNU C adds to C11.
#include <assert.h>
#include <stdlib.h>
int nondet_int(void);
unsigned nondet_uint(void);

//# statement_expression_safe
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
int main(void) { int x = nondet_int(), n = 0; int m = MAX(x, n++); assert(m >= x && m >= 0 && n == 1); }

//# statement_expression_violated
int main(void) { int x = nondet_int(); int y = ({ int k = x & 7; while (k > 4) k--; k; }); assert(y < 4); } //! assert

//# typeof_safe
int main(void) { unsigned char c; typeof(c) d = 300; __typeof__(int *) p = 0; assert(d == 44 && !p && sizeof(typeof(d)) == 1); }

//# typeof_violated
int main(void) { short s = 0; typeof(s + 1) t; assert(sizeof t == sizeof s); } //! assert

//# case_range_safe
int digit(int c) { switch (c) { case '0' ... '9': return c - '0'; default: return -1; } }
int main(void) { int d = digit(nondet_int()); assert(d >= -1 && d <= 9); }

//# case_range_violated
int digit(int c) { switch (c) { case '0' ... '9': case 'a': return 1; default: return 0; } }
int main(void) { int c = nondet_int(); assert(digit(c) == (c >= '0' && c <= '9')); } //! assert

//# conditional_without_middle_safe
int main(void) { int x = nondet_int(), n = 0; int y = x ?: 7, z = n++ ?: 5; assert(y == (x ? x : 7) && n == 1 && z == 5); }

//# conditional_without_middle_violated
int main(void) { int x = nondet_int(); assert((x ?: 7) == x); } //! assert

//# zero_length_array_safe
struct s { int n; int data[0]; };
int main(void) { struct s *p = malloc(sizeof *p + 8); p->n = 2; assert(sizeof(struct s) == 4); }

//# attribute_packed_safe
struct __attribute__((packed)) s { char c; int i; };
int main(void) { struct s s = { 1, 2 }; assert(sizeof s == 5 && s.i == 2); }

//# attribute_packed_violated
struct s { char c; int i; } __attribute__((packed));
int main(void) { assert(sizeof(struct s) == 8); } //! assert

//# attribute_aligned_safe
struct s { char c; int i __attribute__((aligned(8))); };
int main(void) { assert(sizeof(struct s) == 16 && __alignof__(struct s) == 8); }

//# attribute_aligned_violated
struct s { char c; } __attribute__((aligned(4)));
int main(void) { assert(sizeof(struct s) == 1); } //! assert

//# constructor_safe
int g = 1;
__attribute__((constructor)) static void start(void) { g *= 2; }
int main(void) { assert(g == 2); }

//# constructor_violated
int g;
__attribute__((constructor)) static void start(void) { g = nondet_int(); assert(g != 7); } //! assert
int main(void) { assert(g != 8); } //! assert

//# attributes_without_effect_safe
__attribute__((noinline, unused, const)) static int f(int x) { return x; }
int main(void) { int y __attribute__((unused)) = f(3); assert(y == 3); }

//# attributes_without_effect_violated
static inline __attribute__((always_inline)) int f(int x) { return x; }
int main(void) { assert(f(nondet_int()) != 3); } //! assert

//# extension_words_safe
__extension__ typedef long long big;
int main(void) { __volatile__ int v = 3; __const int c = v; __signed__ char s = c; assert(s == 3 && sizeof(big) == 8); }

//# extension_words_violated
static __inline__ int f(int *__restrict__ p) { return *p; }
int main(void) { int x = nondet_int(); assert(f(&x) == 3); } //! assert

//# builtin_expect_safe
int main(void) { int x = nondet_int(); if (__builtin_expect(x > 3, 1)) assert(x > 3); }

//# builtin_expect_violated
int main(void) { int x = nondet_int(); if (__builtin_expect(!!(x > 3), 0)) assert(x > 4); } //! assert

//# builtin_bit_counts_safe
int main(void) { unsigned x = nondet_uint() | 1; assert(__builtin_ctz(x) == 0 && __builtin_clz(x) < 32 && __builtin_popcount(x) >= 1); }

//# builtin_bit_counts_violated
int main(void) { unsigned x = nondet_uint() | 1; assert(__builtin_popcount(x) <= 31); } //! assert

//# builtin_bit_counts_of_zero_violated
int main(void) { unsigned x = nondet_uint(); if (__builtin_popcount(x) != 1) return __builtin_ctz(x | 1) + __builtin_clzl(x & 7); } //! div0

//# builtin_object_size_safe
struct part { char text[8]; int n[2][3]; };
int main(void) {
  struct part p[2];
  assert(__builtin_object_size(p, 0) == 64 && __builtin_object_size(&p[1].text[3], 0) == 29);
  assert(__builtin_object_size(p[0].text + 3, 1) == 5 && __builtin_object_size(&p[1].n[1][1], 3) == 8);
  unsigned n = nondet_uint();
  assert(__builtin_object_size(p + n % 2, 0) == (size_t)-1 && __builtin_object_size(p + n % 2, 2) == 0);
}

//# builtin_ffs_safe
int main(void) { int x = nondet_int(); assert(__builtin_ffs(8) == 4 && !__builtin_ffs(0) && __builtin_ffs(x) <= 32); }

//# builtin_ffs_violated
int main(void) { int x = nondet_int(); assert(__builtin_ffs(x) != 7); } //! assert

//# builtin_bswap_safe
int main(void) { unsigned x = nondet_uint(); assert(__builtin_bswap32(__builtin_bswap32(x)) == x); }

//# builtin_bswap_violated
int main(void) { unsigned x = nondet_uint(); assert(__builtin_bswap32(x) != 0x01020304); } //! assert

//# builtin_abs_safe
int main(void) { int x = nondet_int(); if (x > -100) assert(__builtin_abs(x) >= 0); }

//# builtin_abs_violated
int main(void) { int x = nondet_int(); assert(__builtin_abs(x) >= 0); } //! assert

//# builtin_constants_safe
int main(void) { assert(__builtin_constant_p(3) && __builtin_offsetof(struct { char a; int b; }, b) == 4); }

//# builtin_types_compatible_safe
int main(void) { assert(__builtin_types_compatible_p(int, signed) && !__builtin_types_compatible_p(int, long)); }

//# builtin_types_compatible_violated
int main(void) { assert(__builtin_types_compatible_p(int, unsigned)); } //! assert

//# builtin_choose_safe
int main(void) { assert(__builtin_choose_expr(sizeof(int) == 4, 7, 8) == 7); }

//# builtin_choose_violated
int main(void) { int x = nondet_int(); assert(__builtin_choose_expr(0, 7, x) == 7); } //! assert

//# static_assert_safe
_Static_assert(sizeof(int) == 4, "int has four bytes");
int main(void) { _Static_assert(1 < 2, ""); assert(1); }

//# empty_structure_safe
struct e { };
int main(void) { struct e e, f; e = f; assert(sizeof e == 0); }

//# empty_initialiser_safe
int main(void) { int a[3] = {}; struct { int x; } s = {}; assert(a[2] == 0 && s.x == 0); }

//# empty_initialiser_violated
int main(void) { int a[3] = {}; a[0] = nondet_int(); assert(a[0] == a[1]); } //! assert

//# function_name_safe
int main(void) { assert(__func__[0] == 'm' && sizeof __func__ == 5 && __FUNCTION__[3] == 'n'); }

//# function_name_violated
int main(void) { assert(__func__[1] == 'm'); } //! assert

//# line_and_file_safe
int main(void) { int here = __LINE__, next = __LINE__; assert(here == next && sizeof __FILE__ > 1); }

//# dollar_in_names_safe
int main(void) { int a$b = 3; assert(a$b == 3); }

//# escape_e_violated
int main(void) { assert('\e' == 27); } //! cbmc assert (escape-e)

//# pragma_safe
#pragma GCC diagnostic ignored "-Wall"
int main(void) { _Pragma("once") int x = 3; assert(x == 3); }

//# counter_safe
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
int main(void) { int JOIN(v, 1) = 2; assert(v1 == 2 && __STDC__ == 1); }

//# variadic_macro_safe
#define SUM(...) SUM3(__VA_ARGS__)
#define SUM3(a, b, c) ((a) + (b) + (c))
#define SHOW(x) #x
int main(void) { assert(SUM(1, 2, 3) == 6 && sizeof SHOW(a b) == 4); }

//# variadic_macro_violated
#define FIRST(a, ...) a
int main(void) { assert(FIRST(nondet_int(), 2, 3) != 6); } //! assert

//# builtin_overflow_safe
int main(void) { int a = nondet_int(), b = nondet_int(), r; if (!__builtin_add_overflow(a, b, &r)) assert((long)a + b == r); }

//# builtin_overflow_violated
int main(void) { int a = nondet_int(), r; assert(!__builtin_mul_overflow(a, 2, &r)); } //! assert

//# builtin_unreachable_violated
int main(void) {
  int x = nondet_int() & 1;
  switch (x) { case 0: return 0; }
  __builtin_unreachable(); //! sfo reach (unreachable)
}

//# builtin_unreachable_safe
int main(void) { int x = nondet_int() & 1; switch (x) { case 0: case 1: return 0; } __builtin_unreachable(); }

//# local_labels_safe
int main(void) { int n = 0; { __label__ out; n = 1; goto out; n = 2; out: ; } assert(n == 1); }

//# asm_name_safe
int renamed(void) __asm__("other");
int main(void) { assert(1); }

//# int128_safe
int main(void) { __int128 a = nondet_int(); a = a << 64; assert(a >> 64 == (int)(a >> 64)); }

//# int128_violated
int main(void) { unsigned __int128 a = nondet_uint(); a *= a; a *= a; assert(a >> 127 == 0); } //! assert

//# auto_type_safe
int main(void) { __auto_type x = nondet_int() & 3L; assert(sizeof x == 8 && x < 4); }

//# atomic_add_safe
int main(void) { int x = 3; int old = __sync_fetch_and_add(&x, 2); assert(old == 3 && x == 5); }

//# compare_and_swap_violated
int main(void) { int x = nondet_int(); assert(!__sync_bool_compare_and_swap(&x, 3, 4)); } //! assert

//# types_compatible_by_qualifiers_safe
int main(void) {
  assert(!__builtin_types_compatible_p(char *, const char *));
  assert(__builtin_types_compatible_p(char *const, char *));
  assert(!__builtin_types_compatible_p(int *const *, int **));
  assert(__builtin_types_compatible_p(const int (*)[2], int const (*)[2]));
}

//# types_compatible_by_enumerations_safe
typedef enum { RED, GREEN } colour;
typedef colour paint;
enum fruit { APPLE, PEAR };
int main(void) {
  assert(!__builtin_types_compatible_p(colour, enum fruit));
  assert(!__builtin_types_compatible_p(enum fruit *, paint *));
  assert(__builtin_types_compatible_p(paint, colour));
  assert(__builtin_types_compatible_p(typeof(enum fruit), enum fruit));
  assert(__builtin_types_compatible_p(enum fruit, unsigned));
  assert(__builtin_types_compatible_p(typeof(RED), typeof(PEAR)));
}

//# barriers_violated
int calls, seen;
int *next(void) { calls++; return &seen; }
int main(void) {
  int x = 3, y = 4, z = 0;
  char c = 0;
  asm volatile ("" : "+r"(x), "=m"(y) : "r"(z) : "memory");
  if (x) asm volatile ("" ::: "memory"); else asm ("" : "=r"(x) : "0"(7));
  asm ("" : "=r"(z) : "0"(y + 1));
  asm ("" : [out] "=r"(c) : "[out]"(x++));
  asm ("" : "+r"(*next()));
  assert(x == 4 && y == 4 && z == 5 && c == 3 && calls == 1); //! cbmc assert (asm-outputs)
}

//# barrier_violated
int main(void) { int x = nondet_int(), y = 0; asm ("" : "=r"(y) : "0"(x)); assert(y != 7); } //! sfo assert (asm-outputs)

//# builtin_expect_with_an_effect_violated
int main(void) { int x = 3, n = 0; if (__builtin_expect(x == 3, n++)) x++; assert(x == 4 && n == 1); } //! cbmc assert (expect-effect)

//# computed_goto_violated --unwind 4
int run(const unsigned char *code, int x) {
  static void *const table[] = { &&halt, &&add, &&twice };
  goto *table[*code];
add: x += 3; code++; goto *table[*code];
twice: x *= 2; code++; goto *table[*code];
halt: return x;
}
int main(void) {
  unsigned char code[] = { 1, 2, nondet_int() & 1, 0 };
  assert(run(code, 4) != 17); //! assert
}

//# computed_goto_by_distances_safe
#ifdef __CPROVER__ /* which ends without a word */
int run(int k) { return k ? k : 10; }
#else
int run(int k) {
  static const int far[] = { &&a - &&a, &&b - &&a };
  goto *(&&a + far[k]);
a: k += 10;
b: return k;
}
#endif
int main(void) { assert(run(0) == 10 && run(1) == 1); }

//# computed_goto_to_no_label_violated
int main(void) {
  void *place = &&end;
  if (nondet_int()) place = 0;
  goto *place; //! sfo pointer (no-label)
end:
  return 0;
}
