/* Every header that programs of teaching and of verification use, and something from each. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);

static int classes(const char *text) {
  int found = 0;
  for (const char *c = text; *c; c++)
    found = 31 * found + 512 * !!isalpha(*c) + 256 * !!isdigit(*c) + 128 * !!isspace(*c) + 64 * !!ispunct(*c) +
            32 * !!isupper(*c) + 16 * !!islower(*c) + 8 * !!isxdigit(*c) + 4 * !!isprint(*c) + 2 * !!isgraph(*c) +
            !!isalnum(*c) + 7 * !!iscntrl(*c) + 3 * !!isblank(*c);
  return found;
}

static void check(int condition) {
  if (!condition)
    __assert_fail("condition", "headers.c", 3, "check");
}

int main(void) {
  char text[16] = "ab";
  div_t parts = div(17, 5);
  bool fine = true;
  int32_t small = INT32_C(7);
  uint64_t large = UINT64_MAX;
  printf("%d %d\n", classes("Hello, World 42\t_"), classes("\x7f\n~09azAZ"));
  printf("%c%c%c\n", toupper('q'), tolower('Q'), toupper('1'));
  errno = 0;
  long number = strtol("99999999999999999999", NULL, 10);
  printf("%d %d\n", errno == ERANGE, number == LONG_MAX);
  strcat(strcpy(text + 2, "cd"), "ef");
  printf("%s %zu %d\n", text, strlen(text), strcasecmp(text, "ABCDEF"));
  printf("%d %d %" PRId32 " %" PRIu64 "\n", parts.quot, parts.rem, small, large);
  fprintf(stderr, "not here\n");
  putchar('\n');
  printf("%zu %d %d\n", offsetof(div_t, rem), fine, CHAR_BIT);
  check(fine);
  assert(text[0] == 'a' && "fine");
  return EXIT_SUCCESS;
}
