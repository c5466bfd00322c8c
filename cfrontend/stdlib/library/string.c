/* Strings and blocks of bytes: models of <string.h> and <strings.h>, to be executed symbolically.

   Not an implementation: no speed, only the meaning, told so that it unwinds well. The condition of each
   loop tests the character at its counter, so a string that is known ends it without the solver. What a
   loop finds it keeps or returns at once, where the counter is still a number: after the loop it is a
   choice of all. Bytes are touched in the order of the counter, and none behind the one that decides.

   Helpers are static: a program that defines a strlen of its own does not change what strdup means. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

extern void __sfo_copy(void *target, const void *source, size_t bytes);
extern void __sfo_fill(void *target, int byte, size_t bytes);
extern void __sfo_no_overlap(int holds);
extern void __sfo_refuse(const char *what);

static size_t length(const char *text) {
  size_t n;
  for (n = 0; text[n] != 0; n++)
    ;
  return n;
}

static int contains(const char *characters, char wanted) {
  int found = 0;
  for (size_t n = 0; characters[n] != 0; n++)
    found |= characters[n] == wanted;
  return found;
}

static int lower(unsigned char character) {
  return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
}

/* Checks that what was written shares no bytes with what was read, as the `restrict` of C's prototypes demands. */
void __sfo_apart(const void *target, size_t written, const void *source, size_t read) {
  size_t ahead = (size_t)((const char *)source - (const char *)target);
  __sfo_no_overlap(written == 0 || read == 0 || (ahead >= written && -ahead >= read));
}

/* Copying a block to itself does no harm anywhere; compilers do that, too. */
static void copy_block(void *target, const void *source, size_t bytes) {
  __sfo_copy(target, source, bytes);
  __sfo_apart(target, target == source ? 0 : bytes, source, bytes);
}

/* Copies a text with its zero, and says how many bytes that is. */
static size_t copy_text(char *target, const char *source) {
  size_t n = 0;
  do {
    target[n] = source[n];
    n++;
  } while (source[n - 1] != 0);
  return n;
}

/* -- lengths -- */

size_t strlen(const char *text) { return length(text); }

size_t strnlen(const char *text, size_t bytes) {
  for (size_t n = 0; n < bytes; n++)
    if (text[n] == 0)
      return n;
  return bytes;
}

/* -- copies -- */

char *stpcpy(char *target, const char *source) {
  size_t n = copy_text(target, source);
  __sfo_apart(target, n, source, n);
  return target + n - 1;
}

char *strcpy(char *target, const char *source) {
  size_t n = copy_text(target, source);
  __sfo_apart(target, n, source, n);
  return target;
}

/* Exactly `bytes` bytes are written; the zero that ended the source is repeated, and nothing behind it is
   read. The result is where the text ends. */
static char *copy_padded(char *target, const char *source, size_t bytes) {
  char character = 1;
  size_t read = 0;
  for (size_t n = 0; n < bytes; n++) {
    if (character != 0) {
      character = source[n];
      read = n + 1;
    }
    target[n] = character;
  }
  __sfo_apart(target, bytes, source, read);
  return target + read - (character == 0);
}

char *stpncpy(char *target, const char *source, size_t bytes) { return copy_padded(target, source, bytes); }

char *strncpy(char *target, const char *source, size_t bytes) {
  copy_padded(target, source, bytes);
  return target;
}

/* What is written is all of the text that results. */
char *strcat(char *target, const char *source) {
  size_t before = length(target);
  size_t n = copy_text(target + before, source);
  __sfo_apart(target, before + n, source, n);
  return target;
}

/* At most `bytes` characters and then a zero. */
char *strncat(char *target, const char *source, size_t bytes) {
  size_t before = length(target), n = 0;
  char *rest = target + before;
  for (; n < bytes; n++) {
    rest[n] = source[n];
    if (source[n] == 0) {
      __sfo_apart(target, before + n + 1, source, n + 1);
      return target;
    }
  }
  rest[bytes] = 0;
  __sfo_apart(target, before + bytes + 1, source, bytes);
  return target;
}

char *strdup(const char *text) {
  char *copy = malloc(length(text) + 1);
  if (copy != NULL)
    copy_text(copy, text);
  return copy;
}

char *strndup(const char *text, size_t bytes) {
  size_t kept;
  for (kept = 0; kept < bytes && text[kept] != 0; kept++)
    ;
  char *copy = malloc(kept + 1);
  if (copy == NULL)
    return NULL;
  for (size_t n = 0; n < bytes; n++) {
    copy[n] = text[n];
    if (text[n] == 0)
      return copy;
  }
  copy[bytes] = 0;
  return copy;
}

/* -- comparisons -- Characters compare as unsigned. Of two that are equal either may be the one that is
   known: both are tested. */

int strcmp(const char *left, const char *right) {
  int order;
  size_t n = 0;
  do {
    order = (unsigned char)left[n] - (unsigned char)right[n];
    n++;
  } while (order == 0 && left[n - 1] != 0 && right[n - 1] != 0);
  return order;
}

int strncmp(const char *left, const char *right, size_t bytes) {
  for (size_t n = 0; n < bytes; n++) {
    int order = (unsigned char)left[n] - (unsigned char)right[n];
    if (order != 0 || left[n] == 0)
      return order;
  }
  return 0;
}

/* In the C locale the order of characters is that of their numbers. */
int strcoll(const char *left, const char *right) {
  int order;
  size_t n = 0;
  do {
    order = (unsigned char)left[n] - (unsigned char)right[n];
    n++;
  } while (order == 0 && left[n - 1] != 0 && right[n - 1] != 0);
  return order;
}

int strcasecmp(const char *left, const char *right) {
  int order;
  size_t n = 0;
  do {
    order = lower(left[n]) - lower(right[n]);
    n++;
  } while (order == 0 && left[n - 1] != 0 && right[n - 1] != 0);
  return order;
}

int strncasecmp(const char *left, const char *right, size_t bytes) {
  for (size_t n = 0; n < bytes; n++) {
    int order = lower(left[n]) - lower(right[n]);
    if (order != 0 || left[n] == 0)
      return order;
  }
  return 0;
}

/* -- searches -- */

char *strchr(const char *text, int character) {
  char wanted = (char)character;
  size_t n;
  for (n = 0; text[n] != 0; n++)
    if (text[n] == wanted)
      return (char *)text + n;
  return wanted == 0 ? (char *)text + n : NULL;
}

char *strrchr(const char *text, int character) {
  char wanted = (char)character;
  char *found = NULL;
  size_t n;
  for (n = 0; text[n] != 0; n++) {
    char here = text[n];
    found = here == wanted ? (char *)text + n : found;
  }
  return wanted == 0 ? (char *)text + n : found;
}

static int starts_with(const char *text, const char *part) {
  for (size_t n = 0; part[n] != 0; n++)
    if (text[n] != part[n])
      return 0;
  return 1;
}

char *strstr(const char *text, const char *part) {
  if (part[0] == 0)
    return (char *)text;
  for (size_t n = 0; text[n] != 0; n++)
    if (starts_with(text + n, part))
      return (char *)text + n;
  return NULL;
}

char *strpbrk(const char *text, const char *characters) {
  for (size_t n = 0; text[n] != 0; n++)
    if (contains(characters, text[n]))
      return (char *)text + n;
  return NULL;
}

size_t strspn(const char *text, const char *characters) {
  size_t n;
  for (n = 0; text[n] != 0 && contains(characters, text[n]); n++)
    ;
  return n;
}

size_t strcspn(const char *text, const char *characters) {
  size_t n;
  for (n = 0; text[n] != 0 && !contains(characters, text[n]); n++)
    ;
  return n;
}

/* -- tokens -- */

/* One pass: skipping separators and looking for the end of the token are the same loop before and after
   `token` is set, so that the counter stays a number. */
static char *next_token(char *text, const char *separators, char **rest) {
  char *token = NULL;
  for (size_t n = 0; text[n] != 0; n++) {
    int separates = contains(separators, text[n]);
    if (separates && token != NULL) {
      text[n] = 0;
      *rest = text + n + 1;
      return token;
    }
    token = separates || token != NULL ? token : text + n;
    *rest = text + n + 1;
  }
  return token;
}

char *strtok_r(char *text, const char *separators, char **rest) {
  char *from = text == NULL ? *rest : text;
  *rest = from;
  return next_token(from, separators, rest);
}

char *strtok(char *text, const char *separators) {
  static char *left;
  char *from = text == NULL ? left : text;
  left = from;
  return next_token(from, separators, &left);
}

/* -- blocks of bytes -- */

/* Blocks are copied and filled by instructions: cell by cell, so that pointers stay pointers. */
void *memcpy(void *target, const void *source, size_t bytes) {
  copy_block(target, source, bytes);
  return target;
}

void *memmove(void *target, const void *source, size_t bytes) {
  __sfo_copy(target, source, bytes);
  return target;
}

void *mempcpy(void *target, const void *source, size_t bytes) {
  copy_block(target, source, bytes);
  return (char *)target + bytes;
}

void *memccpy(void *target, const void *source, int last, size_t bytes) {
  unsigned char *to = target;
  const unsigned char *from = source;
  for (size_t n = 0; n < bytes; n++) {
    to[n] = from[n];
    if (from[n] == (unsigned char)last) {
      __sfo_apart(target, n + 1, source, n + 1);
      return to + n + 1;
    }
  }
  __sfo_apart(target, bytes, source, bytes);
  return NULL;
}

void *memmem(const void *object, size_t bytes, const void *part, size_t wanted) {
  const unsigned char *whole = object, *first = part;
  for (size_t n = 0; n + wanted <= bytes; n++) {
    size_t same = 0;
    while (same < wanted && whole[n + same] == first[same])
      same++;
    if (same == wanted)
      return (void *)(whole + n);
  }
  return NULL;
}

void bcopy(const void *source, void *target, size_t bytes) { __sfo_copy(target, source, bytes); }

void *memset(void *target, int byte, size_t bytes) {
  __sfo_fill(target, byte, bytes);
  return target;
}

void bzero(void *target, size_t bytes) { __sfo_fill(target, 0, bytes); }

void explicit_bzero(void *target, size_t bytes) { __sfo_fill(target, 0, bytes); }

int memcmp(const void *left, const void *right, size_t bytes) {
  const unsigned char *one = left;
  const unsigned char *two = right;
  for (size_t n = 0; n < bytes; n++)
    if (one[n] != two[n])
      return one[n] - two[n];
  return 0;
}

void *memchr(const void *object, int byte, size_t bytes) {
  const unsigned char *at = object;
  for (size_t n = 0; n < bytes; n++)
    if (at[n] == (unsigned char)byte)
      return (unsigned char *)at + n;
  return NULL;
}

int bcmp(const void *left, const void *right, size_t bytes) { return memcmp(left, right, bytes); }

void *memrchr(const void *object, int byte, size_t bytes) {
  const unsigned char *at = object;
  for (size_t n = bytes; n > 0; n--)
    if (at[n - 1] == (unsigned char)byte)
      return (unsigned char *)at + n - 1;
  return NULL;
}

char *strchrnul(const char *text, int character) {
  size_t n;
  for (n = 0; text[n] != 0 && text[n] != (char)character; n++)
    ;
  return (char *)text + n;
}

static int starts_alike(const char *text, const char *part) {
  for (size_t n = 0; part[n] != 0; n++)
    if (lower((unsigned char)text[n]) != lower((unsigned char)part[n]))
      return 0;
  return 1;
}

char *strcasestr(const char *text, const char *part) {
  if (part[0] == 0)
    return (char *)text;
  for (size_t n = 0; text[n] != 0; n++)
    if (starts_alike(text + n, part))
      return (char *)text + n;
  return NULL;
}

/* -- other systems' names and variants -- */

char *index(const char *text, int character) { return strchr(text, character); }

char *rindex(const char *text, int character) { return strrchr(text, character); }

/* The token at the start, which may be empty; `*text` moves behind its separator. */
char *strsep(char **text, const char *separators) {
  char *token = *text;
  if (token == NULL)
    return NULL;
  for (size_t n = 0; token[n] != 0; n++)
    if (contains(separators, token[n])) {
      token[n] = 0;
      *text = token + n + 1;
      return token;
    }
  *text = NULL;
  return token;
}

size_t strlcpy(char *target, const char *source, size_t bytes) {
  size_t all = length(source);
  for (size_t n = 0; n + 1 < bytes; n++) {
    target[n] = source[n];
    if (source[n] == 0) {
      __sfo_apart(target, n + 1, source, all + 1);
      return all;
    }
  }
  if (bytes > 0)
    target[bytes - 1] = 0;
  __sfo_apart(target, bytes, source, all + 1);
  return all;
}

size_t strlcat(char *target, const char *source, size_t bytes) {
  size_t before = 0;
  while (before < bytes && target[before] != 0)
    before++;
  return before + strlcpy(target + before, source, bytes - before);
}

/* In the C locale a text is its own key. */
size_t strxfrm(char *target, const char *source, size_t bytes) { return strlcpy(target, source, bytes); }

/* -- the rest -- */

int ffsll(long long value) {
  int found = 0;
  for (int n = 63; n >= 0; n--)
    if (value >> n & 1)
      found = n + 1;
  return found;
}

int ffsl(long value) { return ffsll(value); }

int ffs(int value) { return ffsll(value); }

#define LAST_OF_POSIX ELOOP
#define LAST_OF_LINUX 133

/* NULL for a number that means no error. */
static char *known_error(int number) {
  static char *texts[] = {
    "Success",
    "Operation not permitted",
    "No such file or directory",
    "No such process",
    "Interrupted system call",
    "Input/output error",
    "No such device or address",
    "Argument list too long",
    "Exec format error",
    "Bad file descriptor",
    "No child processes",
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "Permission denied",
    "Bad address",
    "Block device required",
    "Device or resource busy",
    "File exists",
    "Invalid cross-device link",
    "No such device",
    "Not a directory",
    "Is a directory",
    "Invalid argument",
    "Too many open files in system",
    "Too many open files",
    "Inappropriate ioctl for device",
    "Text file busy",
    "File too large",
    "No space left on device",
    "Illegal seek",
    "Read-only file system",
    "Too many links",
    "Broken pipe",
    "Numerical argument out of domain",
    "Numerical result out of range",
    "Resource deadlock avoided",
    "File name too long",
    "No locks available",
    "Function not implemented",
    "Directory not empty",
    "Too many levels of symbolic links",
  };
  if (number > LAST_OF_POSIX && number <= LAST_OF_LINUX)
    __sfo_refuse("the text of an error of networks, streams or keys is not supported yet");
  return number >= 0 && number <= LAST_OF_POSIX ? texts[number] : NULL;
}

/* A number after a prefix, in the room of `target`. */
static char *numbered(char *target, const char *prefix, int number) {
  char digits[11];
  unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
  size_t count = 0, end = 0;
  for (; prefix[end] != 0; end++)
    target[end] = prefix[end];
  do
    digits[count++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (number < 0)
    target[end++] = '-';
  while (count)
    target[end++] = digits[--count];
  target[end] = 0;
  return target;
}

#define UNKNOWN_ERROR "Unknown error "
#define LONGEST_ERROR (sizeof UNKNOWN_ERROR + 11)

char *strerror(int number) {
  static char other[LONGEST_ERROR];
  char *known = known_error(number);
  return known != NULL ? known : numbered(other, UNKNOWN_ERROR, number);
}

/* Copies what there is room for, with a final zero. */
static void copy_into(char *target, size_t bytes, const char *text) {
  size_t n = 0;
  for (; bytes > 0 && n < bytes - 1 && text[n] != 0; n++)
    target[n] = text[n];
  if (bytes > 0)
    target[n] = 0;
}

#undef strerror_r

/* As GNU has it: the room is for the text of an unknown error only. */
char *strerror_r(int number, char *target, size_t bytes) {
  char other[LONGEST_ERROR];
  char *known = known_error(number);
  if (known != NULL)
    return known;
  copy_into(target, bytes, numbered(other, UNKNOWN_ERROR, number));
  return target;
}

/* As POSIX has it. */
int __xpg_strerror_r(int number, char *target, size_t bytes) {
  const char *text = strerror_r(number, target, bytes);
  if (text == target)
    return EINVAL;
  copy_into(target, bytes, text);
  return strlen(text) < bytes ? 0 : ERANGE;
}
