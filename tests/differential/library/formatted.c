/* Formatted output into strings, by lists, with widths from arguments, and the values of printf. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vprintf(format, list);
  va_end(list);
  return length;
}

static int into(char *target, size_t room, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(target, room, format, list);
  va_end(list);
  return length;
}

int main(void) {
  char text[80], small[5];
  const char *format = "%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|\n";
  FILE *out = stdout;
  int n;
  say(format, 42, 42, 42, 42, 42, 42, 42, 42, 42);
  say(format, -42, -42, -42, -42, -42, -42, -42, -42, -42);
  say(format, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  say(format, INT_MIN, INT_MIN, INT_MIN, INT_MIN, INT_MIN, INT_MIN, INT_MIN, INT_MIN, INT_MIN);
  say("%x|%X|%#x|%#X|%#o|%o|%08x|%#010x|%-#10x|%.6x|%#x|%#o\n", 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0);
  say("%hhd|%hd|%ld|%lld|%zu|%jd|%td|%hhu|%hu|%lx\n", 300, 70000, LONG_MIN, LLONG_MAX, (size_t)-1, 5L, -6L, 300, 70000, ULONG_MAX);
  say("%c|%3c|%-3c|%s|%8s|%-8s|%.2s|%8.2s|%%|%s\n", 'a', 'b', 'c', "text", "text", "text", "text", "text", (char *)NULL);
  say("%*d|%-*d|%*d|%.*d|%*.*s|%.*s\n", 6, 1, 6, 2, -6, 3, 4, 4, 7, 2, "words", -1, "all");
  say("%.0d|%.0x|%5.0d|%+.0d|%i|%u\n", 0, 0, 0, 0, -7, -7);
  n = sprintf(text, "%s-%d", "number", 12345);
  printf("%s %d %zu\n", text, n, strlen(text));
  n = snprintf(small, sizeof small, "%d", 1234567);
  printf("%s %d\n", small, n);
  printf("%d %d\n", snprintf(NULL, 0, "%d bottles", 99), snprintf(small, 1, "x"));
  printf("%d|%s|\n", into(text, sizeof text, "%s/%03d/%c", "a", 7, 'z'), text);
  n = printf("eleven %d", 1234);
  printf(" %d\n", n);
  printf("%d\n", fprintf(out, "to a file %u\n", 7u));
  fprintf(stderr, "not here %d\n", 1);
  fprintf(out, "%s\n", "to the variable");
  if (puts("said") < 0 || putchar('c') != 'c' || fputs("text\n", out) < 0 || putc('d', out) != 'd')
    return 1;
  fputc('\n', out);
  fwrite("block\n", 1, 6, out);
  strcpy(text, "variable %d %s\n");
  printf(text, 5, "format");
  char *made;
  if (asprintf(&made, "%d%s", 10, "ten") == 5)
    printf("%s\n", made);
  free(made);
  sprintf(text, "%s%s", "", "");
  printf("[%s] %d\n", text, sprintf(text, "%d%c%s", 3, 0, "x"));
  for (int i = 0; i < 3; i++)
    n += sprintf(text + strlen(text), "%d,", i * i);
  printf("%s %d\n", text, n);
  return 0;
}
