/* Formatted input from a string: models of sscanf and vsscanf, to be executed symbolically.

   Not an implementation: it looks at one character after the other. Input from a file is here only where all of the
   file is known: else what scanf reads are inputs of the program as they are, whatever their digits. */
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

extern void __sfo_limit(const char *what);
extern void __sfo_refuse(const char *what);

static int is_space(char character) { return character == ' ' || (character >= '\t' && character <= '\r'); }

static int value_of_digit(char character) {
  return character >= '0' && character <= '9'   ? character - '0'
         : character >= 'a' && character <= 'f' ? character - 'a' + 10
         : character >= 'A' && character <= 'F' ? character - 'A' + 10
                                                : 16;
}

/* A whole number in at most `width` characters of `text`; `used` is 0 where there is none. */
struct scanned {
  unsigned long long magnitude;
  int negative;
  int too_large;
  size_t used;
};

static struct scanned scan_number(const char *text, size_t width, unsigned base) {
  struct scanned result = {0, 0, 0, 0};
  size_t n = 0;
  if (n < width && (text[n] == '+' || text[n] == '-')) {
    result.negative = text[n] == '-';
    n++;
  }
  if ((base == 0 || base == 16) && n + 1 < width && text[n] == '0' && (text[n + 1] == 'x' || text[n + 1] == 'X')) {
    base = 16;
    n += 2;
  }
  if (base == 0)
    base = n < width && text[n] == '0' ? 8 : 10;
  for (; n < width && (unsigned)value_of_digit(text[n]) < base; n++) {
    unsigned long long before = result.magnitude;
    unsigned digit = (unsigned)value_of_digit(text[n]);
    if (n >= 12 && (before > ULLONG_MAX / base || before * base > ULLONG_MAX - digit))
      result.too_large = 1;
    result.magnitude = result.too_large ? ULLONG_MAX : before * base + digit;
    result.used = n + 1;
  }
  return result;
}

/* What is shorter than a long is cut from one. */
static long long as_signed(struct scanned number, int bytes) {
  unsigned long long most = bytes == 8 ? LLONG_MAX : LONG_MAX;
  if (number.magnitude <= most)
    return number.negative ? -(long long)number.magnitude : (long long)number.magnitude;
  return number.negative ? -(long long)most - 1 : (long long)most;
}

static unsigned long long as_unsigned(struct scanned number, int bytes) {
  unsigned long long most = bytes == 8 ? ULLONG_MAX : ULONG_MAX;
  return number.too_large || number.magnitude > most ? most : number.negative ? 0 - number.magnitude : number.magnitude;
}

/* How many characters at `text`, `width` at most, scanf takes for a number with a point; 0 where there is none. Unlike
   strtod it looks one character ahead only: it takes the e of 1e, and of infinit nothing. */
static size_t extent_of_real(const char *text, size_t width) {
  size_t n = width > 0 && (text[0] == '+' || text[0] == '-');
  int digits = 0;
  if (n + 3 <= width && !strncasecmp(text + n, "nan", 3))
    return n + 3;
  if (n + 3 <= width && !strncasecmp(text + n, "inf", 3)) {
    if (n + 3 == width || (text[n + 3] != 'i' && text[n + 3] != 'I'))
      return n + 3;
    return n + 8 <= width && !strncasecmp(text + n, "infinity", 8) ? n + 8 : 0;
  }
  if (n + 1 < width && text[n] == '0' && (text[n + 1] == 'x' || text[n + 1] == 'X'))
    __sfo_limit("a hexadecimal number in text is not supported yet");
  for (int point = 0; n < width && (value_of_digit(text[n]) < 10 || (text[n] == '.' && !point)); n++) {
    point |= text[n] == '.';
    digits |= text[n] != '.';
  }
  if (!digits)
    return 0;
  if (n < width && (text[n] == 'e' || text[n] == 'E')) {
    n++;
    if (n < width && (text[n] == '+' || text[n] == '-'))
      n++;
    while (n < width && value_of_digit(text[n]) < 10)
      n++;
  }
  return n;
}

/* The number in `used` characters of `text`, of the type that `length` names: 0, 'l' or 'L'. */
static void store_real(void *target, const char *text, size_t used, char length) {
  char number[64];
  if (used >= sizeof number)
    __sfo_limit("a number of more than 63 characters in text is not supported yet");
  for (size_t n = 0; n < used; n++)
    number[n] = text[n];
  number[used] = 0;
  if (length == 'L')
    *(long double *)target = strtold(number, NULL);
  else if (length == 'l')
    *(double *)target = strtod(number, NULL);
  else
    *(float *)target = strtof(number, NULL);
}

static void store(void *target, unsigned long long value, int bytes) {
  if (bytes == 8)
    *(unsigned long long *)target = value;
  else if (bytes == 4)
    *(unsigned *)target = (unsigned)value;
  else if (bytes == 2)
    *(unsigned short *)target = (unsigned short)value;
  else
    *(unsigned char *)target = (unsigned char)value;
}

/* Whether the set at `set`, behind its bracket, has the character; `end` is where its closing bracket stands. */
static int in_set(const char *set, size_t end, char character) {
  int inverted = set[0] == '^';
  int found = 0;
  for (size_t n = (size_t)inverted; n < end; n++)
    if (n + 2 < end && set[n + 1] == '-' && n + 2 < end) {
      found |= character >= set[n] && character <= set[n + 2];
      n += 2;
    } else
      found |= character == set[n];
  return found != inverted;
}

static size_t end_of_set(const char *set) {
  size_t n = set[0] == '^' ? 2 : 1;
  while (set[n] != ']')
    n++;
  return n;
}

/* Reads `text` by a format: how much of it is used, and whether more was looked for than there is. */
int __sfo_scan_text(const char *text, const char *format, va_list arguments, size_t *used, int *met_end) {
  size_t at = 0;
  int stored = 0;
  int is_over = 0;
  int looks_on = 1;
  for (size_t f = 0; format[f] != 0; f++) {
    if (is_space(format[f])) {
      while (is_space(text[at]))
        at++;
      looks_on = 1;
      continue;
    }
    if (format[f] != '%' || format[f + 1] == '%') {
      if (format[f] == '%') {
        f++;
        while (is_space(text[at]))
          at++;
      }
      is_over = text[at] == 0;
      looks_on = text[at] != format[f];
      if (looks_on)
        break;
      at++;
      continue;
    }
    f++;
    looks_on = 1;
    int is_kept = format[f] != '*';
    if (!is_kept)
      f++;
    size_t width = 0;
    for (; format[f] >= '0' && format[f] <= '9'; f++)
      width = 10 * width + (size_t)(format[f] - '0');
    int bytes = 4;
    for (; format[f] == 'h'; f++)
      bytes /= 2;
    for (; format[f] == 'l' || format[f] == 'j' || format[f] == 'z' || format[f] == 't' || format[f] == 'q'; f++)
      bytes = format[f] == 'j' || format[f] == 'q' || (format[f] == 'l' && format[f - 1] == 'l') ? (int)sizeof(long long)
                                                                                                 : (int)sizeof(long);
    char length = format[f - 1] == 'l' ? 'l' : 0;
    if (format[f] == 'L') {
      length = 'L';
      f++;
    }
    char letter = format[f];
    if (length == 'l' && (letter == 'c' || letter == 's' || letter == '['))
      __sfo_refuse("a scanf format with such a conversion is not supported yet");
    if (letter != 'c' && letter != '[' && letter != 'n')
      while (is_space(text[at]))
        at++;
    if (letter == 'n') {
      if (is_kept)
        store(va_arg(arguments, void *), at, bytes);
      continue;
    }
    is_over = text[at] == 0;
    if (is_over)
      break;
    if (letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o') {
      unsigned base = letter == 'i' ? 0 : letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : 10;
      struct scanned number = scan_number(text + at, width == 0 ? SIZE_MAX : width, base);
      if (number.used == 0) {
        at += text[at] == '+' || text[at] == '-';
        break;
      }
      at += number.used;
      looks_on = number.used != width;
      int is_signed = letter == 'd' || letter == 'i';
      unsigned long long value =
          is_signed ? (unsigned long long)as_signed(number, bytes) : as_unsigned(number, bytes);
      if (is_kept)
        store(va_arg(arguments, void *), value, bytes);
    } else if (letter == 'a' || letter == 'A' || (letter >= 'e' && letter <= 'g') || (letter >= 'E' && letter <= 'G')) {
      size_t extent = extent_of_real(text + at, width == 0 ? ULONG_MAX : width);
      if (extent == 0) {
        at += text[at] == '+' || text[at] == '-';
        break;
      }
      if (is_kept)
        store_real(va_arg(arguments, void *), text + at, extent, length);
      at += extent;
      looks_on = extent != width;
    } else if (letter == 'c') {
      char *target = is_kept ? va_arg(arguments, char *) : NULL;
      for (size_t n = 0; n < (width == 0 ? 1 : width); n++) {
        looks_on = text[at] == 0;
        if (looks_on)
          break;
        if (is_kept)
          target[n] = text[at];
        at++;
      }
    } else if (letter == 's' || letter == '[') {
      const char *set = format + f + 1;
      size_t end = letter == '[' ? end_of_set(set) : 0;
      char *target = is_kept ? va_arg(arguments, char *) : NULL;
      size_t n;
      for (n = 0; (width == 0 || n < width) && text[at] != 0; n++) {
        if (letter == 's' ? is_space(text[at]) : !in_set(set, end, text[at]))
          break;
        if (is_kept)
          target[n] = text[at];
        at++;
      }
      if (n == 0)
        break;
      if (is_kept)
        target[n] = 0;
      looks_on = n != width;
      if (letter == '[')
        f += end + 1;
    } else
      __sfo_refuse("a scanf format with such a conversion is not supported yet");
    stored += is_kept;
  }
  *used = at;
  *met_end = looks_on && text[at] == 0;
  return is_over && stored == 0 ? EOF : stored;
}

int vsscanf(const char *text, const char *format, va_list arguments) {
  size_t used;
  int met_end;
  return __sfo_scan_text(text, format, arguments, &used, &met_end);
}

int sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int stored = vsscanf(text, format, arguments);
  va_end(arguments);
  return stored;
}
