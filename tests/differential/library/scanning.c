/* Formatted input from strings, numbers in text, and tokens. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_list(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int stored = vsscanf(text, format, list);
  va_end(list);
  return stored;
}

static void numbers(const char *text) {
  char *end;
  errno = 0;
  long decimal = strtol(text, &end, 10);
  printf("%s: %ld %d %d;", text, decimal, (int)(end - text), errno);
  errno = 0;
  unsigned long any = strtoul(text, &end, 0);
  printf(" %lu %d %d;", any, (int)(end - text), errno);
  printf(" %d %ld %lld %" PRIdMAX "\n", atoi(text), atol(text), strtoll(text, NULL, 16), strtoimax(text, &end, 36));
}

int main(void) {
  int a = -1, b = -1, c = -1, n;
  unsigned u = 0;
  long l = 0;
  short h = 0;
  signed char hh = 0;
  unsigned long long q = 0;
  char word[16] = "", other[16] = "", one = 0;
  n = sscanf("12 -34,0x1f", "%d %d,%i", &a, &b, &c);
  printf("%d: %d %d %d\n", n, a, b, c);
  n = sscanf("  77  ff 017", "%u%x%o", &u, &a, &b);
  printf("%d: %u %d %d\n", n, u, a, b);
  n = sscanf("name=value;rest", "%[a-z]=%[^;];%c", word, other, &one);
  printf("%d: %s %s %c\n", n, word, other, one);
  n = sscanf("123456 70000 300 -5", "%3d%hd%hhd%ld", &a, &h, &hh, &l);
  printf("%d: %d %d %d %ld\n", n, a, h, hh, l);
  n = sscanf("one two three", "%s %*s %5s", word, other);
  printf("%d: %s %s\n", n, word, other);
  n = sscanf("5 apples", "%d%n %s", &a, &b, word);
  printf("%d: %d %d %s\n", n, a, b, word);
  n = sscanf("abc", "%2c%c", word, &one);
  printf("%d: %c%c%c\n", n, word[0], word[1], one);
  printf("%d %d %d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a), sscanf("7 x", "%d %d", &a, &b), sscanf("7", "%d %d", &a, &b));
  printf("%d %d %d\n", sscanf("50%", "%d%%%n", &a, &b), sscanf("   ", "%s", word), sscanf("a b", "a c"));
  printf("%d %llu\n", sscanf("18446744073709551615", "%llu", &q), q);
  printf("%d %d\n", by_list("3:4", "%d:%d", &a, &b), a * b);
  printf("%d %s\n", sscanf("9-8]x", "%[]0-9-]", word), word);
  printf("%d %d\n", sscanf("0x", "%x", &a), a);
  printf("%d %d %c\n", sscanf("+0Xg", "%i%c", &a, word), a, word[0]);
  printf("%d %d %d %c\n", sscanf("0x12", "%2i%n%c", &a, &b, word), a, b, word[0]);
  static const char *const texts[] = {"0", "42", "-17abc", "  +5", "0x1A", "077", "zz", "", "99999999999999999999",
                                      "-99999999999999999999", "9223372036854775808", "-", "0x", "2147483648"};
  for (int i = 0; i < (int)(sizeof texts / sizeof *texts); i++)
    numbers(texts[i]);
  char line[] = "a, b;;c  d", *left;
  for (char *token = strtok_r(line, ",; ", &left); token; token = strtok_r(NULL, ",; ", &left))
    printf("<%s>", token);
  printf("\n%s %s\n", strerror(ENOENT), strerror(0));
  return 0;
}
