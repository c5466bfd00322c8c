/* Conversions of printf that are rare: numbered arguments, counts of characters. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vprintf(format, list);
  va_end(list);
  return length;
}

int main(void) {
  char text[60];
  int all = 0, some = 0;
  long wide = 0;
  short half = 0;
  signed char quarter = 0;
  printf("%2$d %1$d\n", 1, 2);
  printf("%2$s, %1$s, %2$s\n", "first", "second");
  printf("%1$d is %1$x and %1$o\n", 255);
  printf("%2$*1$d|%2$-*1$d|%3$.*1$f\n", 4, 42, 2.5);
  printf("%4$Lf %3$c %2$ld %1$hhd\n", 300, -5L, 'c', 1.5L);
  say("%3$s=%1$d (%2$5.1f)\n", 7, 0.25, "name");
  snprintf(text, sizeof text, "%3$d/%2$02d/%1$04d", 2024, 2, 29);
  puts(text);
  printf("hello%n world%hn!%hhn%ln\n", &all, &half, &quarter, &wide);
  printf("%d %d %d %ld\n", all, half, quarter, wide);
  sprintf(text, "%s%n: %d%n", "key", &all, 12, &some);
  printf("%s %d %d\n", text, all, some);
  printf("%*s%n|\n", 6, "pad", &all);
  printf("%d\n", all);
  fprintf(stdout, "%s %1$s\n" + 3, "tail");
  return 0;
}
