/* Formatted output: models of printf and its kin, to be executed symbolically.

   Not an implementation: it writes one character after the other, and every loop over digits or padding runs as
   often as there could be any, so that its end never depends on a value. A printf whose format is a literal and
   whose result nobody wants is an instruction instead. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void __sfo_refuse(const char *what);
extern void __sfo_print(const char *format, ...);
extern int __sfo_keeps(FILE *file);
extern void __sfo_put(int character, FILE *file);
extern void __sfo_no_overlap(int holds);
extern void __sfo_apart(const void *target, size_t written, const void *source, size_t read);
extern int __sfo_real_length(double value, int letter, int flags, int width, int precision);
extern int __sfo_real_character(double value, int letter, int flags, int width, int precision, int position);
extern int __sfo_real_length_long(long double value, int letter, int flags, int width, int precision);
extern int __sfo_real_character_long(long double value, int letter, int flags, int width, int precision, int position);

/* Where characters go: to the standard output where `is_shown`, else to `target`, as long as there is room for them
   and a zero; `length` counts them all. `ahead` is the least distance in bytes from the target to a text that
   is read. With SFO_KEPT, to `file`, where that is one that keeps them. */
struct sink {
  char *target;
  size_t room;
  size_t length;
  size_t ahead;
  int is_shown;
#ifdef SFO_KEPT
  FILE *file;
#endif
};

/* One conversion: flags, width, precision (-1: none), and the bytes of its argument. */
struct conversion {
  int left;
  int zero;
  int plus;
  int space;
  int alternative;
  int width;
  int precision;
  int bytes;
};

static void put(struct sink *to, char character) {
  if (to->is_shown)
    __sfo_print("%c", character);
#ifdef SFO_KEPT
  else if (to->file != NULL)
    __sfo_put(character, to->file);
#endif
  else if (to->length + 1 < to->room)
    to->target[to->length] = character;
  to->length++;
}

/* The texts that are read share no bytes with the target. How far that reaches is known at the end only, so of those
   behind its first byte the nearest counts then. */
static void note_read(struct sink *to, const void *text, size_t bytes) {
  const void *target = to->target;
  if (target == NULL || to->room == 0 || bytes == 0)
    return;
  __sfo_apart(target, 1, text, bytes);
  size_t ahead = (size_t)((const char *)text - (const char *)target);
  to->ahead = ahead < to->ahead ? ahead : to->ahead;
}

/* Writes the zero behind what there was room for. */
static void end(struct sink *to) {
  size_t last = to->length < to->room ? to->length : to->room - 1;
  to->target[last] = 0;
  __sfo_no_overlap(last + 1 <= to->ahead);
}

/* `count` times a character, at most `most` times. */
static void pad(struct sink *to, char character, int count, int most) {
  for (int n = 0; n < most; n++)
    if (n < count)
      put(to, character);
}

/* The digits of a number from the last to the first; returns how many there are, at least one. */
static int decimal_digits(char *digits, unsigned long long value, int bytes) {
  int count = 1;
  if (bytes == 8)
    for (int n = 0; n < 20; n++) {
      digits[n] = (char)('0' + value % 10);
      value /= 10;
      if (value != 0)
        count = n + 2;
    }
  else {
    unsigned rest = (unsigned)value;
    for (int n = 0; n < 10; n++) {
      digits[n] = (char)('0' + rest % 10);
      rest /= 10;
      if (rest != 0)
        count = n + 2;
    }
  }
  return count;
}

static int binary_digits(char *digits, unsigned long long value, int bits, int most, char ten) {
  int count = 1;
  for (int n = 0; n < most; n++) {
    int digit = (int)(value & ((1u << bits) - 1));
    digits[n] = (char)(digit < 10 ? '0' + digit : ten + (digit - 10));
    value >>= bits;
    if (value != 0)
      count = n + 2;
  }
  return count;
}

/* A number with its prefix: the sign, or the 0x of an address or of an alternative form. */
static void put_number(struct sink *to, struct conversion *how, unsigned long long value, char letter, const char *prefix) {
  char digits[22];
  int bits = how->bytes * 8;
  int most = letter == 'o' ? (bits + 2) / 3 : letter == 'd' ? (how->bytes == 8 ? 20 : 10) : bits / 4;
  int count = letter == 'd'   ? decimal_digits(digits, value, how->bytes)
              : letter == 'o' ? binary_digits(digits, value, 3, most, 'a')
                              : binary_digits(digits, value, 4, most, letter == 'X' ? 'A' : 'a');
  if (value == 0 && how->precision == 0)
    count = 0;
  int zeros = how->precision > count ? how->precision - count : 0;
  if (letter == 'o' && how->alternative && zeros == 0 && (value != 0 || count == 0))
    zeros = 1;
  int before = prefix[0] == 0 ? 0 : prefix[1] == 0 ? 1 : 2;
  if (how->zero && !how->left && how->precision < 0 && how->width > before + count + zeros)
    zeros = how->width - before - count;
  int missing = how->width - before - zeros - count;
  if (!how->left)
    pad(to, ' ', missing, how->width);
  for (int n = 0; n < 2; n++)
    if (n < before)
      put(to, prefix[n]);
  pad(to, '0', zeros, (how->precision > how->width ? how->precision : how->width) + 1);
  for (int n = most; n > 0; n--)
    if (n <= count)
      put(to, digits[n - 1]);
  if (how->left)
    pad(to, ' ', missing, how->width);
}

static void put_signed(struct sink *to, struct conversion *how, long long value) {
  unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
  put_number(to, how, magnitude, 'd', value < 0 ? "-" : how->plus ? "+" : how->space ? " " : "");
}

static void put_unsigned(struct sink *to, struct conversion *how, unsigned long long value, char letter) {
  int hexadecimal = (letter == 'x' || letter == 'X') && how->alternative && value != 0;
  put_number(to, how, value, letter == 'u' ? 'd' : letter, !hexadecimal ? "" : letter == 'x' ? "0x" : "0X");
}

static void put_text(struct sink *to, struct conversion *how, const char *text) {
  if (text == NULL)
    text = how->precision >= 0 && how->precision < 6 ? "" : "(null)";
  int length = 0;
  if (how->width > 0)
    while ((how->precision < 0 || length < how->precision) && text[length] != 0)
      length++;
  if (!how->left)
    pad(to, ' ', how->width - length, how->width);
  int n;
  for (n = 0; (how->precision < 0 || n < how->precision) && text[n] != 0; n++)
    put(to, text[n]);
  note_read(to, text, (size_t)n + (how->precision < 0 || n < how->precision));
  if (how->left)
    pad(to, ' ', how->width - length, how->width);
}

/* Numbers with a point are rendered by the symbolic execution itself, which knows them exactly where they are constant. */
static int flags_of(struct conversion *how) {
  return how->left | how->zero << 1 | how->plus << 2 | how->space << 3 | how->alternative << 4;
}

static void put_real(struct sink *to, struct conversion *how, double value, char letter) {
  int flags = flags_of(how);
  int length = __sfo_real_length(value, letter, flags, how->width, how->precision);
  for (int n = 0; n < length; n++)
    put(to, (char)__sfo_real_character(value, letter, flags, how->width, how->precision, n));
}

static void put_long_real(struct sink *to, struct conversion *how, long double value, char letter) {
  int flags = flags_of(how);
  int length = __sfo_real_length_long(value, letter, flags, how->width, how->precision);
  for (int n = 0; n < length; n++)
    put(to, (char)__sfo_real_character_long(value, letter, flags, how->width, how->precision, n));
}

static int is_real(char letter) {
  return letter == 'a' || letter == 'A' || (letter >= 'e' && letter <= 'g') || (letter >= 'E' && letter <= 'G');
}

static void put_character(struct sink *to, struct conversion *how, char character) {
  if (!how->left)
    pad(to, ' ', how->width - 1, how->width);
  put(to, character);
  if (how->left)
    pad(to, ' ', how->width - 1, how->width);
}

/* Whether a character behind % begins no conversion of glibc, which prints both then. */
static int is_no_conversion(char c) {
  return c > 0 && c != 'n' && c != 'm' && c != 'C' && c != 'S' && c != 'b' && c != 'B' && c != 'w' && c != 'Z';
}

/* The number in front of a dollar sign, as in %2$d, and goes behind it; 0 where there is none. */
static int number_at(const char *format, size_t *at) {
  int number = 0;
  size_t end = *at;
  for (; format[end] >= '0' && format[end] <= '9'; end++)
    number = 10 * number + (format[end] - '0');
  if (format[end] != '$')
    return 0;
  *at = end + 1;
  return number;
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z' && c != 'I'); }

/* The type of argument `number` of a format with numbered arguments: letter d (int), l (8 bytes), p, f, or F (long double). */
static char numbered_type(const char *format, int number) {
  for (size_t at = 0; format[at] != 0; at++) {
    if (format[at] != '%')
      continue;
    if (format[++at] == '%')
      continue;
    int own = number_at(format, &at);
    int bytes = 4;
    int is_long = 0;
    for (; format[at] != 0 && !is_letter(format[at]); at++)
      if (format[at] == '*') {
        at++;
        if (number_at(format, &at) == number)
          return 'd';
        at--;
      }
    for (; format[at] == 'h' || format[at] == 'l' || format[at] == 'j' || format[at] == 'z' || format[at] == 't' ||
           format[at] == 'q' || format[at] == 'L';
         at++) {
      if (format[at] != 'h' && format[at] != 'L')
        bytes = format[at] == 'j' || format[at] == 'q' || (format[at] == 'l' && format[at - 1] == 'l')
                    ? (int)sizeof(long long)
                    : (int)sizeof(long);
      is_long |= format[at] == 'L';
    }
    if (own != number)
      continue;
    char letter = format[at];
    return letter == 's' || letter == 'S' || letter == 'p' || letter == 'n' ? 'p'
           : is_real(letter)                                               ? (is_long ? 'F' : 'f')
           : letter != 'c' && letter != 'C' && bytes == 8                   ? 'l'
                                                                            : 'd';
  }
  __sfo_refuse("a printf format with numbered arguments that leaves one out is not supported yet");
  return 'd';
}

/* What %n stores: how many characters there are so far. */
static void store_length(struct sink *to, int bytes, void *target) {
  if (bytes == 8)
    *(long long *)target = (long long)to->length;
  else if (bytes == 4)
    *(int *)target = (int)to->length;
  else if (bytes == 2)
    *(short *)target = (short)to->length;
  else
    *(signed char *)target = (signed char)to->length;
}

/* Argument `number` of those that begin with `first` is the next one; no number: it stays the one that it is. */
static void go_to(va_list *next, va_list first, const char *format, int number) {
  if (number == 0)
    return;
  va_end(*next);
  va_copy(*next, first);
  for (int before = 1; before < number; before++) {
    char type = numbered_type(format, before);
    if (type == 'd')
      (void)va_arg(*next, int);
    else if (type == 'l')
      (void)va_arg(*next, long long);
    else if (type == 'p')
      (void)va_arg(*next, void *);
    else if (type == 'f')
      (void)va_arg(*next, double);
    else
      (void)va_arg(*next, long double);
  }
}

static void put_formatted(struct sink *to, const char *format, va_list arguments) {
  va_list next;
  va_copy(next, arguments);
  size_t at;
  for (at = 0; format[at] != 0; at++) {
    if (format[at] != '%') {
      put(to, format[at]);
      continue;
    }
    struct conversion how = {0, 0, 0, 0, 0, 0, -1, 4};
    at++;
    int number = number_at(format, &at);
    for (; format[at] == '-' || format[at] == '0' || format[at] == '+' || format[at] == ' ' || format[at] == '#' ||
           format[at] == '\'' || format[at] == 'I';
         at++) {
      how.left |= format[at] == '-';
      how.zero |= format[at] == '0';
      how.plus |= format[at] == '+';
      how.space |= format[at] == ' ';
      how.alternative |= format[at] == '#';
    }
    if (format[at] == '*') {
      at++;
      int width = number_at(format, &at);
      go_to(&next, arguments, format, width);
      how.width = va_arg(next, int);
      if (how.width < 0) {
        how.left = 1;
        how.width = -how.width;
      }
    }
    for (; format[at] >= '0' && format[at] <= '9'; at++)
      how.width = 10 * how.width + (format[at] - '0');
    if (format[at] == '.') {
      how.precision = 0;
      at++;
      if (format[at] == '*') {
        at++;
        int precision = number_at(format, &at);
        go_to(&next, arguments, format, precision);
        how.precision = va_arg(next, int);
      }
      for (; format[at] >= '0' && format[at] <= '9'; at++)
        how.precision = 10 * how.precision + (format[at] - '0');
    }
    for (; format[at] == 'h'; at++)
      how.bytes /= 2;
    int is_wide = format[at] == 'l';
    for (; format[at] == 'l' || format[at] == 'j' || format[at] == 'z' || format[at] == 't' || format[at] == 'q'; at++)
      how.bytes = format[at] == 'j' || format[at] == 'q' || (format[at] == 'l' && format[at - 1] == 'l')
                      ? (int)sizeof(long long)
                      : (int)sizeof(long);
    int is_long = format[at] == 'L';
    at += (size_t)is_long;
    char letter = format[at];
    if (letter == 'C' || letter == 'S' || (is_wide && (letter == 'c' || letter == 's')))
      __sfo_refuse("printing wide characters is not supported yet");
    go_to(&next, arguments, format, number);
    if (letter == 'd' || letter == 'i')
      put_signed(to, &how,
                 how.bytes == 8   ? va_arg(next, long long)
                 : how.bytes == 4 ? va_arg(next, int)
                 : how.bytes == 2 ? (short)va_arg(next, int)
                                  : (signed char)va_arg(next, int));
    else if (letter == 'u' || letter == 'x' || letter == 'X' || letter == 'o')
      put_unsigned(to, &how,
                   how.bytes == 8   ? va_arg(next, unsigned long long)
                   : how.bytes == 4 ? va_arg(next, unsigned)
                   : how.bytes == 2 ? (unsigned short)va_arg(next, unsigned)
                                    : (unsigned char)va_arg(next, unsigned),
                   letter);
    else if (letter == 'c')
      put_character(to, &how, (char)va_arg(next, int));
    else if (letter == 's')
      put_text(to, &how, va_arg(next, const char *));
    else if (letter == 'p') {
      uintptr_t address = (uintptr_t)va_arg(next, void *);
      how.bytes = (int)sizeof address;
      if (address == 0)
        put_text(to, &how, "(nil)");
      else
        put_number(to, &how, address, 'x', "0x");
    } else if (is_real(letter) && is_long)
      put_long_real(to, &how, va_arg(next, long double), letter);
    else if (is_real(letter))
      put_real(to, &how, va_arg(next, double), letter);
    else if (letter == 'n')
      store_length(to, how.bytes, va_arg(next, void *));
    else if (letter == '%')
      put(to, '%');
    else if (format[at - 1] == '%' && is_no_conversion(letter)) {
      put(to, '%');
      put(to, letter);
    } else if (letter == 'm')
      __sfo_refuse("a printf format with %m is not supported yet; print strerror(errno) by %s");
    else
      __sfo_refuse("a printf format with such a conversion is not supported yet");
  }
  note_read(to, format, at + 1);
  va_end(next);
}

int vsnprintf(char *target, size_t bytes, const char *format, va_list arguments) {
  struct sink to = {target, bytes, 0, SIZE_MAX, 0};
  put_formatted(&to, format, arguments);
  if (bytes > 0)
    end(&to);
  return (int)to.length;
}

int vsprintf(char *target, const char *format, va_list arguments) {
  struct sink to = {target, SIZE_MAX, 0, SIZE_MAX, 0};
  put_formatted(&to, format, arguments);
  end(&to);
  return (int)to.length;
}

int vfprintf(FILE *file, const char *format, va_list arguments) {
  struct sink to = {NULL, 0, 0, 0, file == stdout};
#ifdef SFO_KEPT
  int keeps = __sfo_keeps(file);
  if (keeps < 0)
    return -1;
  to.file = keeps ? file : NULL;
#endif
  put_formatted(&to, format, arguments);
  return (int)to.length;
}

int vprintf(const char *format, va_list arguments) { return vfprintf(stdout, format, arguments); }

int vasprintf(char **target, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  struct sink to = {NULL, 0, 0, 0, 0};
  put_formatted(&to, format, again);
  va_end(again);
  *target = malloc(to.length + 1);
  return vsprintf(*target, format, arguments);
}

int vdprintf(int descriptor, const char *format, va_list arguments) {
  if (descriptor != 1 && descriptor != 2)
    __sfo_refuse("printing to a descriptor other than 1 and 2 is not supported yet");
  return vfprintf(descriptor == 1 ? stdout : stderr, format, arguments);
}

int printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vfprintf(stdout, format, arguments);
  va_end(arguments);
  return length;
}

int fprintf(FILE *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vfprintf(file, format, arguments);
  va_end(arguments);
  return length;
}

int dprintf(int descriptor, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vdprintf(descriptor, format, arguments);
  va_end(arguments);
  return length;
}

int sprintf(char *target, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsprintf(target, format, arguments);
  va_end(arguments);
  return length;
}

int snprintf(char *target, size_t bytes, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(target, bytes, format, arguments);
  va_end(arguments);
  return length;
}

int asprintf(char **target, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(target, format, arguments);
  va_end(arguments);
  return length;
}

/* What gcc calls in their place when it fortifies a program; the flag and the size of the target change nothing. */

int __printf_chk(int flag, const char *format, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, format);
  int length = vprintf(format, arguments);
  va_end(arguments);
  return length;
}

int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, format);
  int length = vfprintf(file, format, arguments);
  va_end(arguments);
  return length;
}

int __sprintf_chk(char *target, int flag, size_t room, const char *format, ...) {
  (void)flag;
  (void)room;
  va_list arguments;
  va_start(arguments, format);
  int length = vsprintf(target, format, arguments);
  va_end(arguments);
  return length;
}

int __snprintf_chk(char *target, size_t bytes, int flag, size_t room, const char *format, ...) {
  (void)flag;
  (void)room;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(target, bytes, format, arguments);
  va_end(arguments);
  return length;
}
