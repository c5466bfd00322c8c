/* Strings and blocks of bytes: models of <string.h> and <strings.h>, to be executed symbolically.

   Not an implementation: no speed, only the meaning, told so that it unwinds well. The condition of each
   loop tests the character at its counter, so a string that is known ends it without the solver. What a
   loop finds it keeps or returns at once, where the counter is still a number: after the loop it is a
   choice of all. Bytes are touched in the order of the counter, and none behind the one that decides.

   Helpers are static: a program that defines a strlen of its own does not change what strdup means. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* -- lengths -- */

size_t strlen(const char *text) { return length(text); }

size_t strnlen(const char *text, size_t bytes) {
  for (size_t n = 0; n < bytes; n++)
    if (text[n] == 0)
      return n;
  return bytes;
}

/* -- copies -- */

char *strcpy(char *target, const char *source) {
  size_t n = 0;
  do {
    target[n] = source[n];
    n++;
  } while (source[n - 1] != 0);
  return target;
}

char *stpcpy(char *target, const char *source) {
  size_t n = 0;
  do {
    target[n] = source[n];
    n++;
  } while (source[n - 1] != 0);
  return target + n - 1;
}

/* Exactly `bytes` bytes are written; the zero that ended the source is repeated, and nothing behind it is
   read. */
char *strncpy(char *target, const char *source, size_t bytes) {
  char character = 1;
  for (size_t n = 0; n < bytes; n++) {
    if (character != 0)
      character = source[n];
    target[n] = character;
  }
  return target;
}

char *strcat(char *target, const char *source) {
  char *rest = target + length(target);
  size_t n = 0;
  do {
    rest[n] = source[n];
    n++;
  } while (source[n - 1] != 0);
  return target;
}

/* At most `bytes` characters and then a zero. */
char *strncat(char *target, const char *source, size_t bytes) {
  char *rest = target + length(target);
  for (size_t n = 0; n < bytes; n++) {
    rest[n] = source[n];
    if (source[n] == 0)
      return target;
  }
  rest[bytes] = 0;
  return target;
}

char *strdup(const char *text) {
  char *copy = malloc(length(text) + 1);
  if (copy == NULL)
    return NULL;
  size_t n = 0;
  do {
    copy[n] = text[n];
    n++;
  } while (text[n - 1] != 0);
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

void *memcpy(void *target, const void *source, size_t bytes) {
  unsigned char *to = target;
  const unsigned char *from = source;
  for (size_t n = 0; n < bytes; n++)
    to[n] = from[n];
  return target;
}

/* Where the blocks overlap, no byte is written before it has been read. */
void *memmove(void *target, const void *source, size_t bytes) {
  unsigned char *to = target;
  const unsigned char *from = source;
  if (to <= from)
    for (size_t n = 0; n < bytes; n++)
      to[n] = from[n];
  else
    for (size_t n = bytes; n > 0; n--)
      to[n - 1] = from[n - 1];
  return target;
}

void *memset(void *target, int byte, size_t bytes) {
  unsigned char *to = target;
  for (size_t n = 0; n < bytes; n++)
    to[n] = (unsigned char)byte;
  return target;
}

void bzero(void *target, size_t bytes) {
  unsigned char *to = target;
  for (size_t n = 0; n < bytes; n++)
    to[n] = 0;
}

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

/* -- the rest -- */

char *strerror(int number) {
  (void)number;
  return "error";
}
