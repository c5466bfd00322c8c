/* Messages on the standard error: models of <err.h> and <error.h>, to be executed symbolically. */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned int error_message_count;
int error_one_per_line;

static void say(const char *format, va_list arguments) {
  if (format != NULL)
    vfprintf(stderr, format, arguments);
}

void vwarn(const char *format, va_list arguments) { say(format, arguments); }
void vwarnx(const char *format, va_list arguments) { say(format, arguments); }

void verr(int status, const char *format, va_list arguments) {
  say(format, arguments);
  exit(status);
}

void verrx(int status, const char *format, va_list arguments) {
  say(format, arguments);
  exit(status);
}

void warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
}

void warnx(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
}

void err(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  exit(status);
}

void errx(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  exit(status);
}

static void count_message(int status) {
  error_message_count++;
  if (status != 0)
    exit(status);
}

void error(int status, int number, const char *format, ...) {
  va_list arguments;
  (void)number;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  count_message(status);
}
