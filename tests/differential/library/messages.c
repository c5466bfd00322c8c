/* Messages on the standard error, which leave the standard output alone, and end a program or do not. */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count;

static void last(void) { printf("%d messages, %u of them counted\n", count, error_message_count); }

static void complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  count++;
  vwarnx(format, arguments);
  va_end(arguments);
}

static int positive(const char *text) {
  char *end;
  long number = strtol(text, &end, 10);
  if (*end != 0)
    complain("%s is no number", text);
  else if (number <= 0)
    error(0, 0, "%ld is not positive", number);
  else
    return (int)number;
  return 0;
}

int main(void) {
  atexit(last);
  printf("%d %d %d\n", positive("12"), positive("-3"), positive("x"));
  errno = ENOENT;
  warn("%s", "file");
  warnx(NULL);
  error(0, errno, "%d%%", 5);
  if (count == 1)
    errx(0, "%c%s", 'e', "nd");
  printf("not here\n");
  return 1;
}
