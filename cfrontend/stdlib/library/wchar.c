/* Wide strings: models of <wchar.h> and of the classes of <wctype.h> in the C locale, to be executed symbolically.

   What string.c says of its loops goes for these as well. No class has a character above 127. */
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

extern void __sfo_limit(const char *what);
extern void __sfo_copy(void *target, const void *source, size_t bytes);
extern void __sfo_apart(const void *target, size_t written, const void *source, size_t read);

static size_t length(const wchar_t *text) {
  size_t n;
  for (n = 0; text[n] != 0; n++)
    ;
  return n;
}

/* Checks that `written` characters at the target share nothing with `read` characters at the source. */
static void apart(const wchar_t *target, size_t written, const wchar_t *source, size_t read) {
  __sfo_apart(target, written * sizeof(wchar_t), source, read * sizeof(wchar_t));
}

/* Copies a text with its zero, and says how many characters that is. */
static size_t copy_text(wchar_t *target, const wchar_t *source) {
  size_t n = 0;
  do {
    target[n] = source[n];
    n++;
  } while (source[n - 1] != 0);
  return n;
}

static int contains(const wchar_t *characters, wchar_t wanted) {
  int found = 0;
  for (size_t n = 0; characters[n] != 0; n++)
    found |= characters[n] == wanted;
  return found;
}

/* -- numbers -- */

#define LONGEST_NUMBER 63

/* The beginning of a wide text that a number can stand in, as characters. */
static void narrow_text(char *narrow, const wchar_t *text) {
  size_t n;
  for (n = 0; text[n] > 0 && text[n] < 128; n++) {
    if (n == LONGEST_NUMBER) {
      __sfo_limit("a number behind more than 63 wide characters is not supported yet");
      break;
    }
    narrow[n] = (char)text[n];
  }
  narrow[n] = 0;
}

long wcstol(const wchar_t *text, wchar_t **rest, int base) {
  char narrow[LONGEST_NUMBER + 1], *end;
  narrow_text(narrow, text);
  long number = strtol(narrow, &end, base);
  if (rest != NULL)
    *rest = (wchar_t *)text + (end - narrow);
  return number;
}

unsigned long wcstoul(const wchar_t *text, wchar_t **rest, int base) {
  char narrow[LONGEST_NUMBER + 1], *end;
  narrow_text(narrow, text);
  unsigned long number = strtoul(narrow, &end, base);
  if (rest != NULL)
    *rest = (wchar_t *)text + (end - narrow);
  return number;
}

long long wcstoll(const wchar_t *text, wchar_t **rest, int base) {
  char narrow[LONGEST_NUMBER + 1], *end;
  narrow_text(narrow, text);
  long long number = strtoll(narrow, &end, base);
  if (rest != NULL)
    *rest = (wchar_t *)text + (end - narrow);
  return number;
}

unsigned long long wcstoull(const wchar_t *text, wchar_t **rest, int base) {
  char narrow[LONGEST_NUMBER + 1], *end;
  narrow_text(narrow, text);
  unsigned long long number = strtoull(narrow, &end, base);
  if (rest != NULL)
    *rest = (wchar_t *)text + (end - narrow);
  return number;
}

float wcstof(const wchar_t *text, wchar_t **rest) {
  char narrow[LONGEST_NUMBER + 1], *end;
  narrow_text(narrow, text);
  float number = strtof(narrow, &end);
  if (rest != NULL)
    *rest = (wchar_t *)text + (end - narrow);
  return number;
}

double wcstod(const wchar_t *text, wchar_t **rest) {
  char narrow[LONGEST_NUMBER + 1], *end;
  narrow_text(narrow, text);
  double number = strtod(narrow, &end);
  if (rest != NULL)
    *rest = (wchar_t *)text + (end - narrow);
  return number;
}

/* -- lengths and copies -- */

size_t wcslen(const wchar_t *text) { return length(text); }

size_t wcsnlen(const wchar_t *text, size_t count) {
  for (size_t n = 0; n < count; n++)
    if (text[n] == 0)
      return n;
  return count;
}

wchar_t *wcpcpy(wchar_t *target, const wchar_t *source) {
  size_t n = copy_text(target, source);
  apart(target, n, source, n);
  return target + n - 1;
}

wchar_t *wcscpy(wchar_t *target, const wchar_t *source) {
  size_t n = copy_text(target, source);
  apart(target, n, source, n);
  return target;
}

/* Exactly `count` characters are written; nothing behind the zero that ends the source is read. */
wchar_t *wcsncpy(wchar_t *target, const wchar_t *source, size_t count) {
  wchar_t character = 1;
  size_t read = 0;
  for (size_t n = 0; n < count; n++) {
    if (character != 0) {
      character = source[n];
      read = n + 1;
    }
    target[n] = character;
  }
  apart(target, count, source, read);
  return target;
}

wchar_t *wcscat(wchar_t *target, const wchar_t *source) {
  size_t before = length(target);
  size_t n = copy_text(target + before, source);
  apart(target, before + n, source, n);
  return target;
}

/* At most `count` characters and then a zero. */
wchar_t *wcsncat(wchar_t *target, const wchar_t *source, size_t count) {
  size_t before = length(target), n = 0;
  wchar_t *rest = target + before;
  for (; n < count; n++) {
    rest[n] = source[n];
    if (source[n] == 0) {
      apart(target, before + n + 1, source, n + 1);
      return target;
    }
  }
  rest[count] = 0;
  apart(target, before + count + 1, source, count);
  return target;
}

wchar_t *wcsdup(const wchar_t *text) {
  wchar_t *copy = malloc((length(text) + 1) * sizeof(wchar_t));
  if (copy != NULL)
    copy_text(copy, text);
  return copy;
}

/* -- comparisons -- Characters compare as the signed numbers they are. */

static int order(wchar_t left, wchar_t right) { return left < right ? -1 : left > right; }

int wcscmp(const wchar_t *left, const wchar_t *right) {
  int found;
  size_t n = 0;
  do {
    found = order(left[n], right[n]);
    n++;
  } while (found == 0 && left[n - 1] != 0 && right[n - 1] != 0);
  return found;
}

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t count) {
  for (size_t n = 0; n < count; n++) {
    int found = order(left[n], right[n]);
    if (found != 0 || left[n] == 0)
      return found;
  }
  return 0;
}

/* In the C locale the order of characters is that of their numbers. */
int wcscoll(const wchar_t *left, const wchar_t *right) {
  int found;
  size_t n = 0;
  do {
    found = order(left[n], right[n]);
    n++;
  } while (found == 0 && left[n - 1] != 0 && right[n - 1] != 0);
  return found;
}

/* -- searches -- */

wchar_t *wcschr(const wchar_t *text, wchar_t character) {
  size_t n;
  for (n = 0; text[n] != 0; n++)
    if (text[n] == character)
      return (wchar_t *)text + n;
  return character == 0 ? (wchar_t *)text + n : NULL;
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t character) {
  wchar_t *found = NULL;
  size_t n;
  for (n = 0; text[n] != 0; n++) {
    wchar_t here = text[n];
    found = here == character ? (wchar_t *)text + n : found;
  }
  return character == 0 ? (wchar_t *)text + n : found;
}

static int starts_with(const wchar_t *text, const wchar_t *part) {
  for (size_t n = 0; part[n] != 0; n++)
    if (text[n] != part[n])
      return 0;
  return 1;
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *part) {
  if (part[0] == 0)
    return (wchar_t *)text;
  for (size_t n = 0; text[n] != 0; n++)
    if (starts_with(text + n, part))
      return (wchar_t *)text + n;
  return NULL;
}

wchar_t *wcspbrk(const wchar_t *text, const wchar_t *characters) {
  for (size_t n = 0; text[n] != 0; n++)
    if (contains(characters, text[n]))
      return (wchar_t *)text + n;
  return NULL;
}

size_t wcsspn(const wchar_t *text, const wchar_t *characters) {
  size_t n;
  for (n = 0; text[n] != 0 && contains(characters, text[n]); n++)
    ;
  return n;
}

size_t wcscspn(const wchar_t *text, const wchar_t *characters) {
  size_t n;
  for (n = 0; text[n] != 0 && !contains(characters, text[n]); n++)
    ;
  return n;
}

/* One pass, as in strtok. */
wchar_t *wcstok(wchar_t *text, const wchar_t *separators, wchar_t **rest) {
  wchar_t *from = text == NULL ? *rest : text, *token = NULL;
  *rest = from;
  for (size_t n = 0; from[n] != 0; n++) {
    int separates = contains(separators, from[n]);
    if (separates && token != NULL) {
      from[n] = 0;
      *rest = from + n + 1;
      return token;
    }
    token = separates || token != NULL ? token : from + n;
    *rest = from + n + 1;
  }
  return token;
}

/* -- blocks -- */

wchar_t *wmempcpy(wchar_t *target, const wchar_t *source, size_t count) {
  __sfo_copy(target, source, count * sizeof(wchar_t));
  apart(target, target == source ? 0 : count, source, count);
  return target + count;
}

wchar_t *wmemcpy(wchar_t *target, const wchar_t *source, size_t count) {
  __sfo_copy(target, source, count * sizeof(wchar_t));
  apart(target, target == source ? 0 : count, source, count);
  return target;
}

wchar_t *wmemmove(wchar_t *target, const wchar_t *source, size_t count) {
  __sfo_copy(target, source, count * sizeof(wchar_t));
  return target;
}

wchar_t *wmemset(wchar_t *target, wchar_t character, size_t count) {
  for (size_t n = 0; n < count; n++)
    target[n] = character;
  return target;
}

int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count) {
  for (size_t n = 0; n < count; n++)
    if (left[n] != right[n])
      return order(left[n], right[n]);
  return 0;
}

wchar_t *wmemchr(const wchar_t *object, wchar_t character, size_t count) {
  for (size_t n = 0; n < count; n++)
    if (object[n] == character)
      return (wchar_t *)object + n;
  return NULL;
}

/* -- classes -- */

int iswupper(wint_t character) { return (character >= 'A' && character <= 'Z') ? 256 : 0; }

int iswlower(wint_t character) { return (character >= 'a' && character <= 'z') ? 512 : 0; }

int iswdigit(wint_t character) { return character >= '0' && character <= '9'; }

int iswalpha(wint_t character) {
  return ((character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')) ? 1024 : 0;
}

int iswalnum(wint_t character) {
  return ((character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
          (character >= 'A' && character <= 'Z')) ? 8 : 0;
}

int iswxdigit(wint_t character) {
  return ((character >= '0' && character <= '9') || (character >= 'a' && character <= 'f') ||
          (character >= 'A' && character <= 'F')) ? 4096 : 0;
}

int iswspace(wint_t character) { return (character == ' ' || (character >= '\t' && character <= '\r')) ? 8192 : 0; }

int iswblank(wint_t character) { return character == ' ' || character == '\t'; }

int iswprint(wint_t character) { return (character >= ' ' && character <= '~') ? 16384 : 0; }

int iswgraph(wint_t character) { return (character > ' ' && character <= '~') ? 32768 : 0; }

int iswcntrl(wint_t character) { return (character < ' ' || character == 127) ? 2 : 0; }

int iswpunct(wint_t character) {
  return ((character >= '!' && character <= '/') || (character >= ':' && character <= '@') ||
          (character >= '[' && character <= '`') || (character >= '{' && character <= '~')) ? 4 : 0;
}

wint_t towlower(wint_t character) {
  return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
}

wint_t towupper(wint_t character) {
  return character >= 'a' && character <= 'z' ? character - ('a' - 'A') : character;
}

/* -- one character is one byte; as in glibc, the end of a text is seen even where no byte is asked for -- */

static wchar_t as_it_is(wchar_t character) {
  if (character < 0 || character > 127)
    __sfo_limit("converting a character beyond ASCII to a wide one, or back, is not supported yet");
  return character;
}

wint_t btowc(int byte) { return byte == EOF ? WEOF : (wint_t)as_it_is(byte); }

int wctob(wint_t character) { return character == WEOF ? EOF : (int)as_it_is((wchar_t)character); }

int mbtowc(wchar_t *target, const char *text, size_t bytes) {
  if (text == NULL)
    return 0;
  wchar_t character = as_it_is((unsigned char)*text);
  if (bytes == 0 && character != 0)
    return -1;
  if (target != NULL)
    *target = character;
  return character != 0;
}

int mblen(const char *text, size_t bytes) { return mbtowc(NULL, text, bytes); }

int wctomb(char *target, wchar_t character) {
  if (target == NULL)
    return 0;
  *target = (char)as_it_is(character);
  return 1;
}

size_t mbstowcs(wchar_t *target, const char *text, size_t count) {
  size_t n;
  for (n = 0; target == NULL || n < count; n++) {
    wchar_t character = as_it_is((unsigned char)text[n]);
    if (target != NULL)
      target[n] = character;
    if (character == 0)
      break;
  }
  size_t used = n + (target == NULL || n < count);
  __sfo_apart(target, target == NULL ? 0 : used * sizeof(wchar_t), text, used);
  return n;
}

size_t wcstombs(char *target, const wchar_t *text, size_t bytes) {
  size_t n;
  for (n = 0; target == NULL || n < bytes; n++) {
    wchar_t character = as_it_is(text[n]);
    if (target != NULL)
      target[n] = (char)character;
    if (character == 0)
      break;
  }
  size_t used = n + (target == NULL || n < bytes);
  __sfo_apart(target, target == NULL ? 0 : used, text, used * sizeof(wchar_t));
  return n;
}

/* -- comparing without case -- */

int wcsncasecmp(const wchar_t *left, const wchar_t *right, size_t count) {
  for (size_t n = 0; n < count; n++) {
    wint_t one = towlower((wint_t)left[n]), other = towlower((wint_t)right[n]);
    if (one != other)
      return (int)one < (int)other ? -1 : 1;
    if (one == 0)
      return 0;
  }
  return 0;
}

int wcscasecmp(const wchar_t *left, const wchar_t *right) { return wcsncasecmp(left, right, (size_t)-1); }

/* -- the same with a state, which in the C locale is always that of the beginning -- */

int mbsinit(const mbstate_t *state) {
  (void)state;
  return 1;
}

size_t mbrtowc(wchar_t *target, const char *text, size_t bytes, mbstate_t *state) {
  (void)state;
  if (text == NULL)
    return 0;
  if (bytes == 0)
    return (size_t)-2;
  wchar_t character = as_it_is((unsigned char)*text);
  if (target != NULL)
    *target = character;
  return character != 0;
}

size_t mbrlen(const char *text, size_t bytes, mbstate_t *state) { return mbrtowc(NULL, text, bytes, state); }

size_t wcrtomb(char *target, wchar_t character, mbstate_t *state) {
  (void)state;
  if (target != NULL)
    *target = (char)as_it_is(character);
  return 1;
}

size_t mbsrtowcs(wchar_t *target, const char **text, size_t count, mbstate_t *state) {
  (void)state;
  const char *from = *text;
  size_t n;
  for (n = 0; target == NULL || n < count; n++) {
    wchar_t character = as_it_is((unsigned char)from[n]);
    if (target != NULL)
      target[n] = character;
    if (character == 0) {
      if (target != NULL)
        *text = NULL;
      return n;
    }
  }
  *text = from + n;
  return n;
}

size_t wcsrtombs(char *target, const wchar_t **text, size_t bytes, mbstate_t *state) {
  (void)state;
  const wchar_t *from = *text;
  size_t n;
  for (n = 0; target == NULL || n < bytes; n++) {
    char character = (char)as_it_is(from[n]);
    if (target != NULL)
      target[n] = character;
    if (character == 0) {
      if (target != NULL)
        *text = NULL;
      return n;
    }
  }
  *text = from + n;
  return n;
}

/* -- columns -- */

static int columns(wchar_t character) { return character == 0 ? 0 : character >= ' ' && character < 127 ? 1 : -1; }

int wcwidth(wchar_t character) { return columns(character); }

int wcswidth(const wchar_t *text, size_t count) {
  int sum = 0;
  for (size_t n = 0; n < count && text[n] != 0; n++) {
    if (columns(text[n]) < 0)
      return -1;
    sum++;
  }
  return sum;
}

/* -- classes and changes by name -- */

static int is_named(const char *name, const char *wanted) {
  size_t n = 0;
  while (name[n] != 0 && name[n] == wanted[n])
    n++;
  return name[n] == wanted[n];
}

wctype_t wctype(const char *name) {
  static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                      "lower", "print", "punct", "space", "upper", "xdigit"};
  for (int n = 0; n < 12; n++)
    if (is_named(name, names[n]))
      return (wctype_t)n + 1;
  return 0;
}

int iswctype(wint_t character, wctype_t kind) {
  switch (kind) {
  case 1:
    return iswalnum(character);
  case 2:
    return iswalpha(character);
  case 3:
    return iswblank(character);
  case 4:
    return iswcntrl(character);
  case 5:
    return iswdigit(character);
  case 6:
    return iswgraph(character);
  case 7:
    return iswlower(character);
  case 8:
    return iswprint(character);
  case 9:
    return iswpunct(character);
  case 10:
    return iswspace(character);
  case 11:
    return iswupper(character);
  case 12:
    return iswxdigit(character);
  default:
    return 0;
  }
}

static const int changes[2];

wctrans_t wctrans(const char *name) {
  return is_named(name, "tolower") ? &changes[0] : is_named(name, "toupper") ? &changes[1] : NULL;
}

wint_t towctrans(wint_t character, wctrans_t change) {
  return change == &changes[0] ? towlower(character) : change == &changes[1] ? towupper(character) : character;
}
