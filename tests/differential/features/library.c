// The C library.
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
int nondet_int(void);
unsigned nondet_uint(void);
char nondet_char(void);

//# strlen_safe
int main(void) { assert(strlen("") == 0 && strlen("abc") == 3 && strlen("a\0b") == 1); }

//# strlen_violated
int main(void) { char s[4] = { nondet_char(), nondet_char() }; assert(strlen(s) < 2); } //! assert

//# strlen_without_end_violated
int main(void) {
  char s[2] = { 'a', 'b' };
  return strlen(s); //! library pointer, cbmc unwind (first-violation)
}

//# strcpy_safe
int main(void) { char s[4]; strcpy(s, "abc"); assert(s[2] == 'c' && s[3] == 0); }

//# strcpy_violated
int main(void) {
  char s[3];
  strcpy(s, "abc"); //! library pointer
}

//# strncpy_safe
int main(void) { char s[5]; strncpy(s, "ab", 4); assert(s[1] == 'b' && s[2] == 0 && s[3] == 0); }

//# strncpy_violated
int main(void) { char s[4] = "xyz"; strncpy(s, "abcd", 3); assert(s[3] != 0); } //! assert

//# strcat_safe
int main(void) { char s[6] = "ab"; strcat(s, "cd"); assert(!strcmp(s, "abcd")); }

//# strcat_violated
int main(void) {
  char s[4] = "ab";
  strcat(s, "cd"); //! library pointer
}

//# strncat_safe
int main(void) { char s[6] = "ab"; strncat(s, "cdef", 2); assert(s[3] == 'd' && s[4] == 0); }

//# strcmp_safe
int main(void) { assert(strcmp("a", "a") == 0 && strcmp("a", "b") < 0 && strcmp("ab", "a") > 0); }

//# strcmp_violated
int main(void) { char s[3] = { nondet_char(), nondet_char() }; assert(strcmp(s, "ab")); } //! assert

//# strncmp_safe
int main(void) { assert(strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0); }

//# strncmp_violated
int main(void) { char s[4] = { nondet_char(), 'b', 'c' }; assert(strncmp(s, "xbz", 2)); } //! assert

//# strchr_safe
int main(void) { const char *s = "hello"; assert(strchr(s, 'l') == s + 2 && strchr(s, 'z') == 0 && strchr(s, 0) == s + 5); }

//# strchr_violated
int main(void) { assert(strchr("hello", nondet_char()) == 0); } //! assert

//# strrchr_safe
int main(void) { const char *s = "hello"; assert(strrchr(s, 'l') == s + 3 && !strrchr(s, 'z')); }

//# memcpy_safe
int main(void) { int a[3] = { 1, 2, 3 }, b[3]; memcpy(b, a, sizeof a); assert(b[0] == 1 && b[2] == 3); }

//# memcpy_violated
int main(void) {
  int a[3] = { 1, 2, 3 }, b[2];
  memcpy(b, a, sizeof a); //! library pointer
}

//# memcpy_to_an_overlapping_block_violated
int main(void) {
  char s[8] = "abcdefg";
  unsigned n = nondet_uint();
  __CPROVER_assume(n < 5);
  memcpy(s + 4, s, n);
  memcpy(s + 3, s, n); //! library overlap
}

//# memmove_safe
int main(void) { char s[6] = "abcde"; memmove(s + 1, s, 4); assert(s[0] == 'a' && s[1] == 'a' && s[4] == 'd'); }

//# memmove_violated
int main(void) { char s[6] = "abcde"; memmove(s, s + 1, 4); assert(s[4] == 'd'); } //! assert

//# memset_safe
int main(void) { int a[2]; memset(a, 0, sizeof a); char c[3]; memset(c, 'x', 3); assert(a[1] == 0 && c[2] == 'x'); }

//# memset_violated
int main(void) {
  char c[3];
  memset(c, 0, 4); //! library pointer
}

//# memcmp_safe
int main(void) { assert(memcmp("abc", "abd", 2) == 0 && memcmp("abc", "abd", 3) < 0); }

//# memcmp_violated
int main(void) { int a = nondet_int(), b = 5; assert(memcmp(&a, &b, sizeof a)); } //! assert

//# strdup_safe
char *strdup(const char *);
int main(void) { char *p = strdup("ab"); p[0] = 'x'; assert(p[1] == 'b' && p[2] == 0); }

//# abs_safe
int main(void) { int x = nondet_int(); if (x != INT_MIN) assert(abs(x) >= 0 && labs(-5L) == 5); }

//# abs_violated
int main(void) { int x = nondet_int(); assert(abs(x) != 7); } //! assert

//# isdigit_safe
int main(void) { assert(isdigit('7') && !isdigit('a') && isalpha('z') && !isalpha('_') && isspace('\t') && isalnum('0')); }

//# isdigit_violated
int main(void) { char c = nondet_char(); if (c > 0 && c < 127) assert(!isdigit(c)); } //! assert

//# isupper_safe
int main(void) { assert(isupper('A') && !isupper('a') && islower('q') && isxdigit('F') && ispunct('!') && isprint(' ')); }

//# isupper_violated
int main(void) { char c = nondet_char(); if (c > 0 && c < 127) assert(!isupper(c)); } //! assert

//# toupper_safe
int main(void) { assert(toupper('a') == 'A' && toupper('1') == '1' && tolower('Q') == 'q'); }

//# toupper_violated
int main(void) { char c = nondet_char(); if (c > 0 && c < 127) assert(toupper(c) == c); } //! assert

//# atoi_safe
int main(void) { assert(atoi("42") == 42 && atoi("-7x") == -7); }

//# atoi_violated
int main(void) { char s[2] = { '0' + nondet_uint() % 10 }; assert(atoi(s) != 7); } //! assert

//# rand_violated
int main(void) { assert(rand() != 5); } //! assert

//# rand_safe
int main(void) { assert(rand() >= 0); }

//# exit_safe
int main(void) { if (nondet_int()) exit(1); assert(1); }

//# exit_violated
int main(void) { int x = nondet_int(); if (x) exit(EXIT_FAILURE); assert(x); } //! assert

//# calloc_of_structures_safe
struct s { int a; char *p; };
int main(void) { struct s *s = calloc(2, sizeof *s); assert(s[1].a == 0 && s[1].p == 0); }

//# calloc_of_structures_violated
struct s { int a; char *p; };
int main(void) { struct s *s = calloc(2, sizeof *s); assert(s[1].p); } //! assert

//# strings_longer_than_the_bound_violated --unwind 3
int main(void) { assert(strlen("abcdef") == 6); } //! cbmc unwind (library-loops)

//# copies_longer_than_the_bound_safe --unwind 1
int main(void) { int a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, b[8]; memcpy(b, a, sizeof a); assert(b[7] == 8); }

//# time_normalised_violated
#include <time.h>
int main(void) {
  time_t now = nondet_int();
  struct tm parts = *gmtime(&now);
  assert(parts.tm_mon != 1 || parts.tm_mday < 30);
  parts.tm_mday = 31;
  parts.tm_mon = 1;
  parts.tm_year = 124;
  mktime(&parts);
  assert(parts.tm_mon == 2 && parts.tm_mday == 2); //! cbmc assert (times)
}

//# parts_of_a_time_violated
#include <time.h>
int main(void) { time_t now = nondet_int(); assert(localtime(&now)->tm_year < 138); } //! sfo assert (times)

//# time_as_text_violated
#include <time.h>
int main(void) {
  time_t now = 951782400;
  char text[32];
  assert(strftime(text, sizeof text, "%d %b %Y, day %-j", gmtime(&now)) == 19 && strcmp(text, "29 Feb 2000, day 60") == 0); //! cbmc assert (times)
  assert(strcmp(ctime(&now), "Tue Feb 29 00:00:00 2000\n") == 0); //! cbmc assert (times), cbmc unwind (times)
}
