// Arrays, arrays of arrays, strings and initialisers.
#include <assert.h>
int nondet_int(void);
unsigned nondet_uint(void);
unsigned char nondet_uchar(void);

//# index_safe
int main(void) { int a[5] = {0}, i = nondet_int(); if (i >= 0 && i < 5) { a[i] = 7; assert(a[i] == 7); } }

//# index_violated
int main(void) {
  int a[5] = {0}, i = nondet_int();
  if (i >= 0 && i <= 5)
    a[i] = 7; //! bounds
}

//# negative_index_safe
int main(void) { int a[5] = {0}, i = nondet_int(); if (i > -5 && i <= 0) return a[-i]; }

//# negative_index_violated
int main(void) {
  int a[5] = {0}, i = nondet_int();
  if (i >= -1 && i < 5)
    return a[i]; //! bounds
}

//# constant_index_violated
int main(void) {
  int a[5] = {0};
  a[5] = 1; //! bounds
}

//# unsigned_index_safe
int main(void) { int a[5] = {0}; return a[nondet_uint() % 5]; }

//# unsigned_index_violated
int main(void) {
  int a[5] = {0};
  return a[nondet_uint() % 6]; //! bounds
}

//# index_in_a_loop_safe
int main(void) { int a[4]; for (int i = 0; i < 4; i++) a[i] = i * i; assert(a[3] == 9); }

//# index_in_a_loop_violated
int main(void) {
  int a[4];
  for (int i = 0; i <= 4; i++)
    a[i] = i; //! bounds
}

//# symbolic_write_and_read_safe
int main(void) { int a[4] = {0}; unsigned i = nondet_uint() % 4, j = nondet_uint() % 4; a[i] = 1; assert(a[j] == (i == j)); }

//# symbolic_write_and_read_violated
int main(void) { int a[4] = {0}; unsigned i = nondet_uint() % 4, j = nondet_uint() % 4; a[i] = 1; assert(a[j] == 0); } //! assert

//# reversed_index_safe
int main(void) { int a[3] = { 4, 5, 6 }; assert(2[a] == 6); }

//# reversed_index_violated
int main(void) { int a[3] = { 4, 5, 6 }; assert(1[a] == 4); } //! assert

//# array_of_char_safe
int main(void) { unsigned char a[4]; a[1] = nondet_int(); assert(a[1] < 256); }

//# array_of_char_violated
int main(void) { char a[4]; a[1] = nondet_int(); assert(a[1] >= 0); } //! assert

//# sizeof_array_safe
int main(void) { int a[7]; assert(sizeof a / sizeof a[0] == 7); }

//# sizeof_array_violated
int main(void) { int a[] = { 1, 2, 3 }; assert(sizeof a == 3); } //! assert

//# two_dimensions_safe
int main(void) { int a[3][2]; for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) a[i][j] = 10 * i + j; assert(a[2][1] == 21); }

//# two_dimensions_violated
int main(void) { int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; assert(a[nondet_uint() % 2][nondet_uint() % 3] != 6); } //! assert

//# two_dimensions_outer_index_violated
int main(void) {
  int a[2][3] = {0};
  return a[nondet_uint() % 3][0]; //! bounds
}

//# two_dimensions_inner_index_violated
int main(void) {
  int a[2][3] = {0};
  return a[0][nondet_uint() % 4]; //! bounds
}

//# three_dimensions_safe
int main(void) { int a[2][2][2] = {0}; a[1][0][1] = 5; assert(((int *)a)[5] == 5 && sizeof a[0] == 16); }

//# three_dimensions_violated
int main(void) { int a[2][2][2] = {0}; a[1][nondet_uint() % 2][1] = 5; assert(a[1][0][1] == 5); } //! assert

//# row_pointer_safe
int main(void) { int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, (*p)[3] = a; p++; assert((*p)[1] == 5 && p[-1][2] == 3); }

//# row_pointer_violated
int main(void) { int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, (*p)[3] = &a[nondet_uint() % 2]; assert((*p)[0] == 4); } //! assert

//# array_of_arrays_parameter_safe
int trace(int m[][2], int n) { int s = 0; for (int i = 0; i < n; i++) s += m[i][i]; return s; }
int main(void) { int m[2][2] = { { 1, 9 }, { 9, 2 } }; assert(trace(m, 2) == 3); }

//# array_of_arrays_parameter_violated
int corner(int m[2][2]) { return m[1][0]; }
int main(void) { int m[2][2] = { { 1, 9 }, { 8, 2 } }; assert(corner(m) == 9); } //! assert

//# string_array_safe
int main(void) { char s[] = "abc"; assert(sizeof s == 4 && s[3] == 0 && s[0] == 'a'); }

//# string_array_violated
int main(void) { char s[] = "abc"; assert(sizeof s == 3); } //! assert

//# string_index_safe
int main(void) { char s[] = "abc"; s[nondet_uint() % 4] = 'x'; assert(s[3] == 0 || s[3] == 'x'); }

//# string_index_violated
int main(void) {
  char s[] = "abc";
  s[nondet_uint() % 5] = 'x'; //! bounds
}

//# string_without_room_for_the_end_safe
int main(void) { char s[3] = "abc"; assert(s[2] == 'c' && sizeof s == 3); }

//# string_without_room_for_the_end_violated
int main(void) {
  char s[3] = "abc";
  return s[3]; //! bounds
}

//# string_padding_safe
int main(void) { char s[6] = "ab"; assert(s[2] == 0 && s[5] == 0); }

//# string_padding_violated
int main(void) { char s[6] = "ab"; assert(s[nondet_uint() % 6] == 0); } //! assert

//# string_literal_safe
int main(void) { const char *p = "hello"; assert(p[4] == 'o' && p[5] == 0 && *"x" == 'x' && "abc"[1] == 'b'); }

//# string_literal_violated
int main(void) { const char *p = nondet_int() ? "yes" : "no"; assert(p[0] == 'y'); } //! assert

//# string_literal_index_violated
int main(void) {
  const char *p = "hello";
  return p[nondet_uint() % 7]; //! pointer
}

//# string_concatenation_safe
int main(void) { char s[] = "ab" "cd" "\x41" "1"; assert(sizeof s == 7 && s[4] == 'A' && s[5] == '1'); }

//# string_concatenation_violated
int main(void) { assert(sizeof "a\0b" == 2); } //! assert

//# string_loop_safe
int length(const char *s) { int n = 0; while (*s++) n++; return n; }
int main(void) { assert(length("four") == 4); }

//# string_loop_violated
int length(const char *s) { int n = 0; while (*s++) n++; return n; }
int main(void) { char s[4] = { nondet_uchar(), nondet_uchar(), nondet_uchar() }; assert(length(s) != 2); } //! assert

//# partial_initialiser_safe
int main(void) { int a[5] = { 1, 2 }; assert(a[1] == 2 && a[2] == 0 && a[4] == 0); }

//# partial_initialiser_violated
int main(void) { int a[5] = { 1, 2 }; assert(a[nondet_uint() % 5] != 0); } //! assert

//# designated_elements_safe
int main(void) { int a[] = { [2] = 5, 6, [0] = 1 }; assert(sizeof a == 16 && a[0] == 1 && a[1] == 0 && a[2] == 5 && a[3] == 6); }

//# designated_elements_violated
int main(void) { int a[4] = { 1, [3] = 4, [1] = 2 }; assert(a[2] == 3); } //! assert

//# designator_overrides_safe
int main(void) { int a[3] = { 1, 2, 3, [1] = 9 }; assert(a[1] == 9 && a[2] == 3); }

//# designator_overrides_violated
int main(void) { int a[3] = { [1] = 9, [0] = 1, 2 }; assert(a[1] == 9); } //! assert

//# designated_range_of_one_safe
int main(void) { int a[6] = { [1 ... 1] = 7 }; assert(a[0] == 0 && a[1] == 7 && a[2] == 0 && a[5] == 0); }

//# designated_range_beyond_its_first_violated
int main(void) { int a[6] = { [1 ... 4] = 7 }; assert(a[4] == 7); } //! cbmc assert (range-designators)

//# designated_range_violated
int main(void) { int a[6] = { [1 ... 4] = 7 }; assert(a[nondet_uint() % 6] == 7); } //! assert

//# nested_initialiser_safe
int main(void) { int a[2][2] = { 1, 2, 3 }, b[2][2] = { { 1 }, { 2 } }; assert(a[1][0] == 3 && a[1][1] == 0 && b[1][0] == 2 && b[0][1] == 0); }

//# nested_initialiser_violated
int main(void) { int a[2][2] = { [1] = { 5 }, [0][1] = 4 }; assert(a[0][0] || a[1][1]); } //! assert

//# initialiser_with_calls_safe
int n; int next(void) { return ++n; }
int main(void) { int a[2] = { next(), next() }; assert(a[0] + a[1] == 3); }

//# initialiser_with_inputs_violated
int main(void) { int a[2] = { nondet_int(), nondet_int() }; assert(a[0] == a[1]); } //! assert

//# global_initialiser_safe
int g[3] = { 1, 2 }, *p = &g[1], m[2][2] = { { 1 }, { 2, 3 } }; const char *names[] = { "a", "bc" };
int main(void) { assert(*p == 2 && m[1][1] == 3 && names[1][1] == 'c' && g[2] == 0); }

//# global_initialiser_violated
int g[3] = { 1, 2 }, *p = g + 2;
int main(void) { assert(*p == 2); } //! assert

//# compound_literal_safe
int main(void) { int *p = (int[]){ 4, 5, 6 }; assert(p[2] == 6); p[0] = 1; assert(p[0] == 1); }

//# compound_literal_violated
int main(void) { int *p = (int[3]){ 4, 5 }; assert(p[2] == 6); } //! assert

//# array_of_pointers_safe
int main(void) { int x = 1, y = 2, *a[] = { &x, &y }; *a[1] = 5; assert(y == 5 && x == 1); }

//# array_of_pointers_violated
int main(void) { int x = 1, y = 2, *a[] = { &x, &y }; *a[nondet_uint() % 2] = 5; assert(y == 5); } //! assert

//# zero_length_array_safe
struct s { int n; int data[0]; };
int main(void) { assert(sizeof(struct s) == 4); }

//# bubble_sort_safe
int main(void) {
  int a[3] = { nondet_int(), nondet_int(), nondet_int() };
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2 - i; j++)
      if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
  assert(a[0] <= a[1] && a[1] <= a[2]);
}

//# bubble_sort_violated
int main(void) {
  int a[3] = { nondet_int(), nondet_int(), nondet_int() };
  for (int j = 0; j < 2; j++)
    if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
  assert(a[0] <= a[1]); //! assert
}

//# variable_length_safe
int main(void) { int n = nondet_uint() % 4 + 1; int a[n]; for (int i = 0; i < n; i++) a[i] = i; assert(a[n - 1] == n - 1 && sizeof a == n * sizeof(int)); }

//# variable_length_in_a_type_name_safe
int main(void) {
  int n = nondet_uint() % 4, *none = 0;
  assert(!n || sizeof(char[12 / n]) * n <= 12);
  assert((none ? sizeof(char[*none]) : 1) == 1);
}

//# variable_length_violated
int main(void) {
  int n = nondet_uint() % 4 + 1; int a[n];
  a[nondet_uint() % 5] = 1; //! bounds
}

//# variable_length_of_arrays_safe
int main(void) { int n = 3, m = 2; int a[n][m]; a[2][1] = 5; assert(a[2][1] == 5 && sizeof a == 24 && sizeof a[0] == 8); }

//# variable_length_parameter_safe
int sum(int n, int a[n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int main(void) { int a[] = { 1, 2, 3 }; assert(sum(3, a) == 6); }

//# variable_length_parameter_violated
int sum(int n, int a[static n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int main(void) { int a[] = { 1, 2, nondet_int() }; assert(sum(3, a) != 6); } //! assert

//# variable_length_behind_a_pointer_safe
int last(int *n, int a[*n], int b[const *n]) { int c[*n], d[*n + 1]; c[*n - 1] = a[*n - 1]; d[*n] = b[0]; return c[*n - 1] + d[*n]; }
int main(void) { int a[] = { 1, 2, 3 }, n = 3; assert(last(&n, a, a) == 4); }

//# variable_length_behind_a_pointer_violated
int last(int *n, int a[*n]) { return a[*n - 1]; }
int main(void) { int a[] = { 1, 2, nondet_int() }, n = 3; assert(last(&n, a) != 6); } //! assert

//# length_of_an_earlier_declaration_safe
int a[2];
int a[] = {1};
static int b[];
static int b[3] = {1};
int main(void) { assert(a[1] == 0 && sizeof a == 2 * sizeof(int) && b[2] == 0); }
