/* The environment: models of getenv, setenv and their kin, to be executed symbolically.

   What the program has set is known; a variable that it has neither set nor removed is not set, or has any value. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void __sfo_refuse(const char *what);
extern void *__sfo_lasting(size_t bytes);

#ifdef SFO_NATIVE
extern int *__errno_location(void);
#undef errno
#define errno (*__errno_location())
#endif

/* The longest value of a variable that is an input, with its final zero. */
#define LONGEST_VALUE 16

#define MOST_VARIABLES 32

/* What the program has set, as "name=value"; the names that it has removed; `is_cleared`: all were. */
static char *variables[MOST_VARIABLES + 1];
static int variable_count;
static char *removed[MOST_VARIABLES];
static int removed_count;
static int is_cleared;

#ifdef SFO_NATIVE
static void show_variables(char **shown) { (void)shown; }
#else
static char *no_variables[1];
char **environ = no_variables;
static void show_variables(char **shown) { environ = shown; }
#endif

/* Room that is nobody's to free. */
#ifdef SFO_NATIVE
static char *room(size_t bytes) {
  static char rooms[1 << 16];
  static size_t used;
  if (used + bytes > sizeof rooms)
    used = 0;
  used += bytes;
  return rooms + used - bytes;
}
#else
static char *room(size_t bytes) { return __sfo_lasting(bytes); }
#endif

static size_t length(const char *text) {
  size_t n = 0;
  while (text[n] != 0)
    n++;
  return n;
}

static int is_same(const char *one, const char *other) {
  size_t n = 0;
  while (one[n] != 0 && one[n] == other[n])
    n++;
  return one[n] == other[n];
}

/* Whether an entry is of the variable of this name. */
static int is_of(const char *entry, const char *name) {
  size_t n = 0;
  while (name[n] != 0 && entry[n] == name[n])
    n++;
  return name[n] == 0 && entry[n] == '=';
}

static int place_of(const char *name) {
  for (int n = 0; n < variable_count; n++)
    if (is_of(variables[n], name))
      return n;
  return -1;
}

static int is_removed(const char *name) {
  for (int n = 0; n < removed_count; n++)
    if (is_same(removed[n], name))
      return 1;
  return is_cleared;
}

/* A variable that the program has not set: it has any value, each time another. */
char *getenv(const char *name) {
  char first = name[0];
  (void)first;
  int at = place_of(name);
  if (at >= 0)
    return variables[at] + length(name) + 1;
  if (is_removed(name))
    return NULL;
  int is_set = __VERIFIER_nondet_int();
  __VERIFIER_assume(is_set == 0 || is_set == 1);
  if (!is_set)
    return NULL;
  char *value = room(LONGEST_VALUE);
  int more = 1;
  for (int n = 0; n < LONGEST_VALUE - 1; n++)
    if (more) {
      int character = __VERIFIER_nondet_int();
      __VERIFIER_assume(character >= 0 && character <= 255);
      value[n] = (char)character;
      more = character != 0;
    }
  value[LONGEST_VALUE - 1] = 0;
  return value;
}

char *secure_getenv(const char *name) { return getenv(name); }

static void put_entry(char *entry, const char *name) {
  int at = place_of(name);
  if (at < 0) {
    if (variable_count == MOST_VARIABLES)
      __sfo_refuse("setting more than 32 variables of the environment is not supported yet");
    at = variable_count;
    variable_count++;
    variables[variable_count] = NULL;
  }
  variables[at] = entry;
  show_variables(variables);
}

static void put_value(const char *name, const char *value) {
  size_t before = length(name);
  size_t behind = length(value);
  char *entry = room(before + behind + 2);
  for (size_t n = 0; n < before; n++)
    entry[n] = name[n];
  entry[before] = '=';
  for (size_t n = 0; n <= behind; n++)
    entry[before + 1 + n] = value[n];
  put_entry(entry, name);
}

static int is_no_name(const char *name) {
  size_t n = 0;
  while (name != NULL && name[n] != 0 && name[n] != '=')
    n++;
  if (n != 0 && name[n] == 0)
    return 0;
  errno = EINVAL;
  return 1;
}

int setenv(const char *name, const char *value, int overwrite) {
  if (is_no_name(name))
    return -1;
  if (!overwrite) {
    int is_known = place_of(name) >= 0 || is_removed(name);
    char *given = place_of(name) >= 0 || !is_removed(name) ? getenv(name) : NULL;
    if (given != NULL) {
      if (!is_known)
        put_value(name, given);
      return 0;
    }
  }
  put_value(name, value);
  return 0;
}

int unsetenv(const char *name) {
  if (is_no_name(name))
    return -1;
  int at = place_of(name);
  if (at >= 0) {
    for (int n = at; n < variable_count; n++)
      variables[n] = variables[n + 1];
    variable_count--;
  }
  if (!is_removed(name)) {
    if (removed_count == MOST_VARIABLES)
      __sfo_refuse("removing more than 32 variables of the environment is not supported yet");
    size_t end = length(name);
    char *copy = room(end + 1);
    for (size_t n = 0; n <= end; n++)
      copy[n] = name[n];
    removed[removed_count] = copy;
    removed_count++;
  }
  return 0;
}

/* The text itself becomes part of the environment: who changes it changes the variable. */
int putenv(char *text) {
  size_t end = 0;
  while (text[end] != 0 && text[end] != '=')
    end++;
  if (text[end] == 0)
    return unsetenv(text);
  char *name = room(end + 1);
  for (size_t n = 0; n < end; n++)
    name[n] = text[n];
  name[end] = 0;
  put_entry(text, name);
  return 0;
}

int clearenv(void) {
  variable_count = 0;
  variables[0] = NULL;
  is_cleared = 1;
  show_variables(NULL);
  return 0;
}
