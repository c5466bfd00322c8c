/* Formatted input from a text: models of sscanf and vsscanf, to be executed symbolically.

   Not an implementation: it looks at one character after the other. Input from a file is here only where all of the
   file is known, or where each of its characters is an input (at the end): else what scanf reads are inputs of the
   program as they are, whatever their digits. */
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

extern void __VERIFIER_assume(int condition);
extern void __sfo_leave_bound(void);
extern void __sfo_limit(const char *what);
extern void __sfo_refuse(const char *what);
extern void __sfo_no_overlap(int holds);
extern void __sfo_apart(const void *target, size_t written, const void *source, size_t read);
extern struct input *__sfo_input(FILE *file);
extern int __sfo_taken(struct input *from);
extern void __sfo_put_back(int character, struct input *to);

#define is_space(character) ((character) == ' ' || ((character) >= '\t' && (character) <= '\r'))

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
    result.used = n; /* glibc looks one character ahead only, and takes 0x for a number */
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

/* The number in `used` characters of `text`, of the type that `length` names: 0, 'l' or 'L'. Returns its bytes. */
static size_t store_real(void *target, const char *text, size_t used, char length) {
  char number[64];
  if (used >= sizeof number)
    __sfo_limit("a number of more than 63 characters in text is not supported yet");
  for (size_t n = 0; n < used; n++)
    number[n] = text[n];
  number[used] = 0;
  if (length == 'L') {
    *(long double *)target = strtold(number, NULL);
    return sizeof(long double);
  }
  if (length == 'l') {
    *(double *)target = strtod(number, NULL);
    return sizeof(double);
  }
  *(float *)target = strtof(number, NULL);
  return sizeof(float);
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

/* The number in front of a dollar sign, as in %2$d, and goes behind it; 0 where there is none. */
static int number_before_dollar(const char *format, size_t *at) {
  int number = 0;
  size_t end = *at;
  for (; format[end] >= '0' && format[end] <= '9'; end++)
    number = 10 * number + (format[end] - '0');
  if (format[end] != '$')
    return 0;
  *at = end + 1;
  return number;
}

/* How many characters %s (no set) or %[ takes. */
static size_t extent_of_word(const char *text, size_t width, const char *set, size_t end) {
  size_t n = 0;
  while ((width == 0 || n < width) && text[n] != 0 && (set == NULL ? !is_space(text[n]) : in_set(set, end, text[n])))
    n++;
  return n;
}

/* A copy that %m makes. */
static char *copy_of(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  for (size_t n = 0; n < length; n++)
    copy[n] = text[n];
  copy[length] = 0;
  return copy;
}

/* Reads `text` by a format: how much of it is used, and whether more was looked for than there is. */
int __sfo_scan_text(const char *text, const char *format, va_list arguments, size_t *used, int *met_end) {
  size_t at = 0;
  int stored = 0;
  int is_over = 0;
  int looks_on = 1;
  size_t ahead = SIZE_MAX; /* how far from the text the nearest byte behind its beginning is written */
  va_list next;
  va_copy(next, arguments);
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
    int is_kept = 1;
    int number = number_before_dollar(format, &f);
    if (number != 0) {
      va_end(next);
      va_copy(next, arguments);
      for (int before = 1; before < number; before++)
        (void)va_arg(next, void *);
    }
    for (; format[f] == '*' || format[f] == '\'' || format[f] == 'I'; f++)
      is_kept &= format[f] != '*';
    size_t width = 0;
    for (; format[f] >= '0' && format[f] <= '9'; f++)
      width = 10 * width + (size_t)(format[f] - '0');
    int is_made = format[f] == 'm';
    f += (size_t)is_made;
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
    if (is_made && letter != 's' && letter != '[')
      __sfo_refuse("a scanf format with %m before another conversion than s is not supported yet");
    if (length == 'l' && (letter == 'c' || letter == 's' || letter == '['))
      __sfo_refuse("a scanf format with such a conversion is not supported yet");
    if (letter != 'c' && letter != '[' && letter != 'n')
      while (is_space(text[at]))
        at++;
    if (letter == 'n') {
      if (is_kept)
        store(va_arg(next, void *), at, bytes);
      continue;
    }
    is_over = text[at] == 0;
    if (is_over)
      break;
    void *target = is_kept ? va_arg(next, void *) : NULL;
    size_t written = (size_t)bytes;
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
        store(target, value, bytes);
    } else if (letter == 'a' || letter == 'A' || (letter >= 'e' && letter <= 'g') || (letter >= 'E' && letter <= 'G')) {
      size_t extent = extent_of_real(text + at, width == 0 ? ULONG_MAX : width);
      if (extent == 0) {
        at += text[at] == '+' || text[at] == '-';
        break;
      }
      if (is_kept)
        written = store_real(target, text + at, extent, length);
      at += extent;
      looks_on = extent != width;
    } else if (letter == 'c') {
      char *to = target;
      for (written = 0; written < (width == 0 ? 1 : width); written++) {
        looks_on = text[at] == 0;
        if (looks_on)
          break;
        if (is_kept)
          to[written] = text[at];
        at++;
      }
    } else if (letter == 's' || letter == '[') {
      const char *set = format + f + 1;
      size_t end = letter == '[' ? end_of_set(set) : 0;
      if (is_made && is_kept) {
        size_t extent = extent_of_word(text + at, width, letter == 's' ? NULL : set, end);
        if (extent == 0)
          break;
        *(char **)target = copy_of(text + at, extent);
        at += extent;
        looks_on = extent != width;
        f += letter == '[' ? end + 1 : 0;
        stored++;
        continue;
      }
      char *to = target;
      size_t n;
      for (n = 0; (width == 0 || n < width) && text[at] != 0; n++) {
        if (letter == 's' ? is_space(text[at]) : !in_set(set, end, text[at]))
          break;
        if (is_kept)
          to[n] = text[at];
        at++;
      }
      if (n == 0)
        break;
      if (is_kept)
        to[n] = 0;
      written = n + 1;
      looks_on = n != width;
      if (letter == '[')
        f += end + 1;
    } else
      __sfo_refuse("a scanf format with such a conversion is not supported yet");
    stored += is_kept;
    if (is_kept) {
      __sfo_apart(target, written, text, at + (size_t)looks_on);
      size_t behind = (size_t)((const char *)target - (const char *)text);
      ahead = behind < ahead ? behind : ahead;
    }
  }
  va_end(next);
  __sfo_no_overlap(at <= ahead);
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

#ifndef SFO_NATIVE
/* -- from characters that are inputs: one after the other, as glibc takes them, with one put back (natively, libc does
   it itself) -- */

/* How much is followed, but where the inputs are given: white space before something else, characters of a number and
   of a word. */
#define MOST_SPACE 2
#define MOST_DIGITS 10
#define MOST_OF_REAL 9
#define LONGEST_WORD 63

/* Where the inputs are given, as far as they go; a test that each round decides, so that none counts as unwinding. */
#define WHILE(n, most, more) (n) < INT_MAX && ((n) < (most) || (more))

/* The first character behind white space. In this loop and in those below executions meet after each character. */
static int taken_behind_space(struct input *from) {
  int character = __sfo_taken(from);
  for (int n = 0; WHILE(n, MOST_SPACE, is_space(character)); n++)
    if (is_space(character)) {
      if (n >= MOST_SPACE)
        __sfo_leave_bound();
      character = __sfo_taken(from);
    }
  return character;
}

#define is_digit(character, base, width) \
  ((width) != 0 && ((base) > 10 ? (unsigned)value_of_digit((char)(character)) < (base) : (character) >= '0' && (character) < '0' + (int)(base)))

/* A whole number that begins with `character`; `used` is 0 where it has no digit. */
static struct scanned taken_number(struct input *from, int character, int width, unsigned base) {
  unsigned long long magnitude = 0;
  int negative = 0, too_large = 0, used = 0;
  if (character == '+' || character == '-') {
    negative = character == '-';
    width--;
    character = __sfo_taken(from);
  }
  if ((base == 0 || base == 16) && width != 0 && character == '0') {
    width--;
    used = 1;
    character = __sfo_taken(from);
    if (width != 0 && (character == 'x' || character == 'X')) {
      base = 16;
      width--;
      character = __sfo_taken(from);
    } else if (base == 0)
      base = 8;
  }
  if (base == 0)
    base = 10;
  int more = is_digit(character, base, width);
  used |= more;
  for (int n = 0; WHILE(n, MOST_DIGITS, more); n++)
    if (more) {
      unsigned digit = base > 10 ? (unsigned)value_of_digit((char)character) : (unsigned)character & 15;
      if (n >= MOST_DIGITS) {
        __sfo_leave_bound();
        too_large |= magnitude > ULLONG_MAX / base || magnitude * base > ULLONG_MAX - digit;
      }
      magnitude = magnitude * base + digit;
      width--;
      character = __sfo_taken(from);
      more = is_digit(character, base, width);
    }
  __sfo_put_back(character, from);
  return (struct scanned){too_large ? ULLONG_MAX : magnitude, negative, too_large, (size_t)used};
}

/* A number with a point that begins with `character`, as text; how long it is, 0 where there is none. */
static size_t taken_real(struct input *from, int character, int width, char *number) {
  size_t length = 0;
  int has_digit = 0, has_point = 0, has_exponent = 0, after_exponent = 0;
  if (character == '+' || character == '-') {
    number[length++] = (char)character;
    width--;
    character = __sfo_taken(from);
  }
  if (width != 0 && (character == 'n' || character == 'N' || character == 'i' || character == 'I'))
    __sfo_leave_bound();
  int more = 1;
  for (int n = 0; WHILE(n, MOST_OF_REAL, more); n++) {
    if (n == MOST_OF_REAL)
      __sfo_leave_bound();
    if (more) {
      int is_digit = character >= '0' && character <= '9';
      int is_sign = after_exponent && (character == '+' || character == '-');
      int is_point = character == '.' && !has_point && !has_exponent;
      int is_exponent = (character == 'e' || character == 'E') && has_digit && !has_exponent;
      if (length == 1 && has_digit && (character == 'x' || character == 'X') && number[0] == '0')
        __sfo_leave_bound();
      more = width != 0 && (is_digit || is_sign || is_point || is_exponent);
      if (more) {
        if (length >= 63)
          __sfo_limit("a number of more than 63 characters in text is not supported yet");
        number[length++] = (char)character;
        has_digit |= is_digit;
        has_point |= is_point;
        has_exponent |= is_exponent;
        after_exponent = is_exponent;
        width--;
        character = __sfo_taken(from);
      }
    }
  }
  __sfo_put_back(character, from);
  return has_digit ? length : 0;
}

/* The characters of a word that begins with `character`: all but white space, or those of a set. How many there are. */
static int taken_word(struct input *from, int character, int width, const char *set, char *target) {
  size_t end = set == NULL ? 0 : end_of_set(set);
  int length = 0;
  int more = 1;
  int most = width > 0 ? width : LONGEST_WORD;
  for (int n = 0; WHILE(n, most, width < 0 && more); n++) {
    if (n == LONGEST_WORD && width < 0)
      __sfo_leave_bound();
    if (more) {
      more = character != EOF && (set == NULL ? !is_space(character) : in_set(set, end, (char)character));
      if (more) {
        if (target != NULL)
          target[n] = (char)character;
        length = n + 1;
        if (n + 1 != width)
          character = __sfo_taken(from);
      }
    }
  }
  if (length != width)
    __sfo_put_back(character, from);
  if (target != NULL && length > 0)
    target[length] = 0;
  return length;
}

#ifdef SFO_NUMBERS_FIT
/* The greatest number of a type. What fits none is undefined in C, and no value that a number of the input could have. */
static unsigned long long greatest(int bytes, int is_signed) { return ULLONG_MAX >> (64 - 8 * bytes + is_signed); }
#endif

/* Reads one conversion of `width` characters (below 0: any) by its letter: 1, 0 where it fails, EOF where there is no
   more. */
static int taken_conversion(struct input *from, const char *letter, int width, int bytes, char length, void *target) {
  int character = *letter == 'c' || *letter == '[' ? __sfo_taken(from) : taken_behind_space(from);
  if (character == EOF)
    return EOF;
  switch (*letter) {
  case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': {
    unsigned base = *letter == 'i' ? 0 : *letter == 'o' ? 8 : *letter == 'x' || *letter == 'X' ? 16 : 10;
    struct scanned number = taken_number(from, character, width, base);
    if (number.used == 0)
      return 0;
    int is_signed = *letter == 'd' || *letter == 'i';
#ifdef SFO_NUMBERS_FIT
    __VERIFIER_assume(!number.too_large && number.magnitude <= greatest(bytes, is_signed) + (is_signed && number.negative));
#endif
    if (target != NULL)
      store(target, is_signed ? (unsigned long long)as_signed(number, bytes) : as_unsigned(number, bytes), bytes);
    return 1;
  }
  case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': {
    char number[64];
    size_t used = taken_real(from, character, width, number);
    if (used == 0)
      return 0;
    if (target != NULL)
      store_real(target, number, used, length);
    return 1;
  }
  case 'c': {
    char *to = target;
    for (int n = 0; n < (width < 0 ? 1 : width) && character != EOF; n++) {
      if (to != NULL)
        to[n] = (char)character;
      if (n + 1 < width)
        character = __sfo_taken(from);
    }
    return 1;
  }
  case 's': case '[':
    return taken_word(from, character, width, *letter == '[' ? letter + 1 : NULL, target) > 0;
  default:
    __sfo_refuse("a scanf format with such a conversion is not supported yet");
    return 0;
  }
}

static int scan_input(struct input *from, const char *format, va_list arguments) {
  int stored = 0;
  int found = 1;
  int skips = 0;
  for (size_t f = 0; format[f] != 0; f++) {
    if (is_space(format[f])) {
      skips = 1;
      continue;
    }
    if (format[f] != '%' || format[f + 1] == '%') {
      f += format[f] == '%';
      int character = skips || format[f] == '%' ? taken_behind_space(from) : __sfo_taken(from);
      skips = 0;
      found = character == EOF ? EOF : character == (unsigned char)format[f];
      if (found != 1) {
        __sfo_put_back(character, from);
        break;
      }
      continue;
    }
    f++;
    int is_kept = 1;
    for (; format[f] == '*' || format[f] == '\'' || format[f] == 'I'; f++)
      is_kept &= format[f] != '*';
    int width = 0;
    for (; format[f] >= '0' && format[f] <= '9'; f++)
      width = 10 * width + (format[f] - '0');
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
    if (length == 'l' && (format[f] == 'c' || format[f] == 's' || format[f] == '['))
      __sfo_refuse("a scanf format with such a conversion is not supported yet");
    if (skips && (format[f] == 'c' || format[f] == '['))
      __sfo_put_back(taken_behind_space(from), from);
    skips = 0;
    void *target = is_kept ? va_arg(arguments, void *) : NULL;
    found = taken_conversion(from, format + f, width == 0 ? -1 : width, bytes, length, target);
    if (found != 1)
      break;
    stored += is_kept;
    if (format[f] == '[')
      f += end_of_set(format + f + 1) + 1;
  }
  if (skips && found == 1)
    __sfo_put_back(taken_behind_space(from), from);
  return found == EOF && stored == 0 ? EOF : stored;
}

int __sfo_scan_stdin(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int stored = scan_input(__sfo_input(stdin), format, arguments);
  va_end(arguments);
  return stored;
}

int __sfo_scan_file(FILE *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int stored = scan_input(__sfo_input(file), format, arguments);
  va_end(arguments);
  return stored;
}
#endif
