/* Numbers, memory, sorting and the end: models of <stdlib.h>, to be executed symbolically.

   Not an implementation: what depends on the outside (rand, getenv) is an input, what has no effect on the
   program's own state (srand) does nothing. Helpers are static, so that a program's own functions
   do not change what the others mean. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

/* The bytes of the object that a pointer to its start points to. */
extern size_t __sfo_object_size(const void *object);
extern void __sfo_copy(void *target, const void *source, size_t bytes);

extern void __sfo_refuse(const char *what);

int *__errno_location(void);

int errno;

int *__errno_location(void) { return &errno; }

/* -- arithmetic -- */

int abs(int value) { return value < 0 ? -value : value; }

long labs(long value) { return value < 0 ? -value : value; }

long long llabs(long long value) { return value < 0 ? -value : value; }

div_t div(int value, int divisor) {
  div_t result;
  result.quot = value / divisor;
  result.rem = value % divisor;
  return result;
}

ldiv_t ldiv(long value, long divisor) {
  ldiv_t result;
  result.quot = value / divisor;
  result.rem = value % divisor;
  return result;
}

lldiv_t lldiv(long long value, long long divisor) {
  lldiv_t result;
  result.quot = value / divisor;
  result.rem = value % divisor;
  return result;
}

/* -- numbers in text -- */

struct number {
  unsigned long long magnitude;
  int negative;
  int too_large;
};

/* 0 to 35, or 36 for what is no digit in any base. */
static int digit_of(char character) {
  return character >= '0' && character <= '9'   ? character - '0'
         : character >= 'a' && character <= 'z' ? character - 'a' + 10
         : character >= 'A' && character <= 'Z' ? character - 'A' + 10
                                                : 36;
}

/* This many digits fit into an unsigned long long in any base. */
#define SAFE_DIGITS 12

/* The number at the start of `text`: white space, a sign, a prefix, digits. One pass with a counter that
   stays a number; how far the text has been understood is told by `signed_yet`, `digits` and `base`. */
static struct number number_at(const char *text, char **end, int base) {
  struct number result = {0, 0, 0};
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return result;
  }
  int may_be_hexadecimal = base == 0 || base == 16;
  int signed_yet = 0;
  int digits = 0;
  size_t used = 0;
  for (size_t n = 0; text[n] != 0; n++) {
    char character = text[n];
    int digit = digit_of(character);
    if (base == 0 && digit < 10)
      base = digit == 0 ? 8 : 10;
    if (digit < base) {
      unsigned long long before = result.magnitude;
      if (n >= SAFE_DIGITS &&
          (before > ULLONG_MAX / (unsigned)base ||
           before * (unsigned)base > ULLONG_MAX - (unsigned)digit))
        result.too_large = 1;
      result.magnitude =
          result.too_large ? ULLONG_MAX : before * (unsigned)base + (unsigned)digit;
      digits = digits < 2 ? digits + 1 : digits;
      used = n + 1;
      continue;
    }
    if (digits == 0) {
      if (!signed_yet && (character == ' ' || (character >= '\t' && character <= '\r')))
        continue;
      if (!signed_yet && (character == '+' || character == '-')) {
        signed_yet = 1;
        result.negative = character == '-';
        continue;
      }
      break;
    }
    /* The x of 0x, which is one only before a digit; else the number is the 0. */
    if (may_be_hexadecimal && digits == 1 && result.magnitude == 0 &&
        (character == 'x' || character == 'X') && digit_of(text[n + 1]) < 16) {
      may_be_hexadecimal = 0;
      base = 16;
      continue;
    }
    break;
  }
  if (end != NULL)
    *end = (char *)text + used;
  return result;
}

/* `most` is the largest number of the type that is asked for. */
static long long signed_number_at(const char *text, char **end, int base, long long most) {
  struct number found = number_at(text, end, base);
  if (found.magnitude <= (unsigned long long)most)
    return found.negative ? -(long long)found.magnitude : (long long)found.magnitude;
  if (!found.negative || found.magnitude != (unsigned long long)most + 1)
    errno = ERANGE;
  return found.negative ? -most - 1 : most;
}

static unsigned long long unsigned_number_at(const char *text, char **end, int base, unsigned long long most) {
  struct number found = number_at(text, end, base);
  if (found.too_large || found.magnitude > most) {
    errno = ERANGE;
    return most;
  }
  return found.negative ? (0 - found.magnitude) & most : found.magnitude;
}

int atoi(const char *text) { return (int)signed_number_at(text, NULL, 10, LONG_MAX); }

long atol(const char *text) { return (long)signed_number_at(text, NULL, 10, LONG_MAX); }

long long atoll(const char *text) { return signed_number_at(text, NULL, 10, LLONG_MAX); }

long strtol(const char *text, char **end, int base) { return (long)signed_number_at(text, end, base, LONG_MAX); }

long long strtoll(const char *text, char **end, int base) { return signed_number_at(text, end, base, LLONG_MAX); }

unsigned long strtoul(const char *text, char **end, int base) {
  return (unsigned long)unsigned_number_at(text, end, base, ULONG_MAX);
}

unsigned long long strtoull(const char *text, char **end, int base) {
  return unsigned_number_at(text, end, base, ULLONG_MAX);
}

intmax_t strtoimax(const char *text, char **end, int base) { return signed_number_at(text, end, base, INTMAX_MAX); }

uintmax_t strtoumax(const char *text, char **end, int base) {
  return unsigned_number_at(text, end, base, UINTMAX_MAX);
}

intmax_t imaxabs(intmax_t value) { return value < 0 ? -value : value; }

imaxdiv_t imaxdiv(intmax_t value, intmax_t divisor) {
  imaxdiv_t result;
  result.quot = value / divisor;
  result.rem = value % divisor;
  return result;
}

/* -- memory -- */

/* Whether count * bytes does not fit; the division is for sizes that could make it so. */
static int exceeds(size_t count, size_t bytes) {
  if (count <= UINT_MAX && bytes <= UINT_MAX)
    return 0;
  return bytes != 0 && count > ULONG_MAX / bytes;
}

void *calloc(size_t count, size_t bytes) {
  if (exceeds(count, bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  void *object = malloc(count * bytes);
  if (object != NULL)
    memset(object, 0, count * bytes);
  return object;
}

/* Always moves: a pointer to the old object is one to a dead object. */
static void *resized(void *object, size_t bytes) {
  if (object == NULL)
    return malloc(bytes);
  if (bytes == 0) {
    free(object);
    return NULL;
  }
  void *moved = malloc(bytes);
  if (moved == NULL)
    return NULL;
  size_t kept = __sfo_object_size(object);
  __sfo_copy(moved, object, bytes < kept ? bytes : kept);
  free(object);
  return moved;
}

void *realloc(void *object, size_t bytes) { return resized(object, bytes); }

void *reallocarray(void *object, size_t count, size_t bytes) {
  if (exceeds(count, bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return resized(object, count * bytes);
}

/* Objects of the model lie at multiples of it. */
#define PAGE 4096

/* A new object at a multiple of `align`. */
static void *aligned(size_t align, size_t bytes) {
  void *object = malloc(bytes);
  if (align <= PAGE && (align & (align - 1)) == 0)
    __VERIFIER_assume(((uintptr_t)object & (align - 1)) == 0);
  return object;
}

void *aligned_alloc(size_t align, size_t bytes) { return aligned(align, bytes); }

int posix_memalign(void **object, size_t align, size_t bytes) {
  if (align < sizeof(void *) || (align & (align - 1)) != 0)
    return EINVAL;
  *object = aligned(align, bytes);
  return 0;
}

/* -- sorting and searching -- */

/* Elements are copied cell by cell, so that pointers stay pointers and what nobody wrote is not read. */
static void swap(unsigned char *left, unsigned char *right, size_t bytes) {
  unsigned char kept[bytes];
  __sfo_copy(kept, left, bytes);
  __sfo_copy(left, right, bytes);
  __sfo_copy(right, kept, bytes);
}

/* Insertion sort: stable, as glibc's is while there is memory, and every index stays a number. */
void qsort(void *first, size_t count, size_t bytes, int (*compare)(const void *left, const void *right)) {
  unsigned char *elements = first;
  for (size_t n = 1; n < count; n++)
    for (size_t m = n; m > 0; m--) {
      unsigned char *right = elements + m * bytes;
      unsigned char *left = right - bytes;
      if (compare(left, right) <= 0)
        break;
      swap(left, right, bytes);
    }
}

/* Halves the range; among equal elements the one glibc finds. `room` is what the range is at most: it ends
   the loop where the range itself depends on inputs. */
void *bsearch(const void *key, const void *first, size_t count, size_t bytes,
              int (*compare)(const void *left, const void *right)) {
  const unsigned char *elements = first;
  size_t low = 0;
  size_t high = count;
  for (size_t room = count; room > 0 && low < high; room /= 2) {
    size_t middle = (low + high) / 2;
    const unsigned char *element = elements + middle * bytes;
    int order = compare(key, element);
    if (order == 0)
      return (unsigned char *)element;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

/* -- random numbers: inputs, whatever the seed -- */

static int random_number(void) {
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number >= 0 && number <= RAND_MAX);
  return number;
}

int rand(void) { return random_number(); }

void srand(unsigned seed) { (void)seed; }

long random(void) { return random_number(); }

void srandom(unsigned seed) { (void)seed; }

double drand48(void) {
  double high = random_number();
  return (high * 131072 + (random_number() & 131071)) / 281474976710656;
}

long lrand48(void) { return random_number(); }

long mrand48(void) { return __VERIFIER_nondet_int(); }

void srand48(long seed) { (void)seed; }

int rand_r(unsigned *seed) {
  int number = random_number();
  *seed += (unsigned)number;
  return number;
}

/* -- commands -- */

/* No command runs, and what one would print is not seen: its status is an input. There is a shell. */
int system(const char *command) {
  if (command == NULL)
    return 1;
  char first = command[0];
  (void)first;
  return __VERIFIER_nondet_int();
}

/* -- the end -- */

#define MOST_HANDLERS 32

static void (*handlers[MOST_HANDLERS])(void);
static int registered;

int atexit(void (*handler)(void)) {
  if (registered == MOST_HANDLERS)
    __sfo_refuse("more than 32 functions given to atexit are not supported yet");
  handlers[registered] = handler;
  registered++;
  return 0;
}

/* Called by exit and after main: the last comes first. Places are constants here: how many were given to atexit may
   depend on inputs. */
void __sfo_run_handlers(void) {
  for (int n = MOST_HANDLERS - 1; n >= 0; n--)
    while (n < registered) {
      registered = n;
      handlers[n]();
      if (registered > n + 1)
        __sfo_refuse("a function at the end of the program that gives several to atexit is not supported yet");
    }
}
