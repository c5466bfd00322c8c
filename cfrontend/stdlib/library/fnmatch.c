/* Patterns of file names: a model of <fnmatch.h>, to be executed symbolically. The locale is C. */
#include <ctype.h>
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

extern void __sfo_refuse(const char *what);
extern void __sfo_limit(const char *what);

#define IGNORES_DIRECTORY 8 /* FNM_LEADING_DIR */
#define IGNORES_CASE 16     /* FNM_CASEFOLD */
#define KNOWN (FNM_PATHNAME | FNM_NOESCAPE | FNM_PERIOD | IGNORES_DIRECTORY | IGNORES_CASE)

static int folded(char character, int flags) {
  int byte = (unsigned char)character;
  return (flags & IGNORES_CASE) != 0 && byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

/* Whether a class that is named from `name` on has a character; `-1` is that of no class. */
static int is_in_class(const char *name, size_t length, int byte) {
  static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                      "lower", "print", "punct", "space", "upper", "xdigit"};
  int is_in[] = {isalnum(byte), isalpha(byte), isblank(byte), iscntrl(byte), isdigit(byte), isgraph(byte),
                 islower(byte), isprint(byte), ispunct(byte), isspace(byte), isupper(byte), isxdigit(byte)};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (strncmp(names[n], name, length) == 0 && names[n][length] == 0)
      return is_in[n] != 0;
  return -1;
}

/* What a set that begins behind `[` says of a character: 1 or 0, -1: it has no end, -2: nothing matches it. `*end` is
   where the pattern goes on. */
static int is_in_set(const char *set, char character, int flags, size_t *end) {
  int byte = folded(character, flags);
  int inverted = set[0] == '!' || set[0] == '^';
  int found = 0;
  size_t n = (size_t)inverted;
  for (int is_first = 1; is_first || set[n] != ']'; is_first = 0) {
    if (set[n] == 0)
      return -1;
    if (set[n] == '/' && (flags & FNM_PATHNAME) != 0)
      __sfo_limit("a pattern of a path with / in a set is not supported yet");
    if (set[n] == '[' && (set[n + 1] == '.' || set[n + 1] == '='))
      __sfo_limit("a pattern with [. or [= in a set is not supported yet");
    if (set[n] == '[' && set[n + 1] == ':') {
      size_t length = 0;
      while (set[n + 2 + length] >= 'a' && set[n + 2 + length] <= 'z')
        length++;
      int is_in = set[n + 2 + length] == ':' && set[n + 3 + length] == ']' ? is_in_class(set + n + 2, length, byte) : -1;
      if (is_in < 0)
        __sfo_limit("a pattern with [: in a set that names no class is not supported yet");
      found |= is_in > 0;
      n += length + 4;
      continue;
    }
    if (set[n] == '\\' && (flags & FNM_NOESCAPE) == 0)
      n++;
    if (set[n] == 0)
      return -2;
    int low = folded(set[n], flags), high = low;
    n++;
    if (set[n] == '-' && set[n + 1] != ']' && set[n + 1] != 0) {
      n++;
      if (set[n] == '[' && (set[n + 1] == '.' || set[n + 1] == '=' || set[n + 1] == ':'))
        __sfo_limit("a pattern with [. or [= in a set is not supported yet");
      if (set[n] == '\\' && (flags & FNM_NOESCAPE) == 0)
        n++;
      if (set[n] == 0)
        return -2;
      high = folded(set[n], flags);
      n++;
    }
    found |= byte >= low && byte <= high;
  }
  *end = n + 1;
  return found != inverted;
}

/* Whether `text[at]` is a point that only a point matches. */
static int is_hidden(const char *text, size_t at, int flags) {
  if (text[at] != '.' || (flags & FNM_PERIOD) == 0)
    return 0;
  return at == 0 || ((flags & FNM_PATHNAME) != 0 && text[at - 1] == '/');
}

/* Whether the element of a pattern at `*place`, which is no `*`, matches a character; then `*place` is behind it. */
static int matches_one(const char *pattern, size_t *place, const char *text, size_t at, int flags) {
  char wanted = pattern[*place], character = text[at];
  size_t end;
  int is_cut = 0;
  if (character == 0)
    return 0;
  if (wanted == '?') {
    *place += 1;
    return !(character == '/' && (flags & FNM_PATHNAME) != 0) && !is_hidden(text, at, flags);
  }
  if (wanted == '[') {
    int answer = is_in_set(pattern + *place + 1, character, flags, &end);
    if (answer == -2 || is_hidden(text, at, flags))
      return 0;
    if (answer >= 0) {
      *place += 1 + end;
      return answer && !(character == '/' && (flags & FNM_PATHNAME) != 0);
    }
  }
  if (wanted == '\\' && (flags & FNM_NOESCAPE) == 0) {
    *place += 1;
    wanted = pattern[*place];
    is_cut = wanted == 0;
    if (wanted == '/' && (flags & FNM_PATHNAME) != 0)
      __sfo_limit("a pattern of a path with an escaped / is not supported yet");
  }
  *place += 1;
  return !is_cut && folded(wanted, flags) == folded(character, flags);
}

/* Where a `*` has been, what it covers grows until the rest matches: the last one alone has to. */
int fnmatch(const char *pattern, const char *text, int flags) {
  if ((flags & ~KNOWN) != 0)
    __sfo_refuse("fnmatch with FNM_EXTMATCH is not supported yet");
  size_t place = 0, at = 0;
  size_t behind_star = 0, covered = 0;
  int has_star = 0;
  while (1) {
    int is_over = text[at] == 0 || (text[at] == '/' && (flags & IGNORES_DIRECTORY) != 0);
    if (pattern[place] == 0 && is_over)
      return 0;
    if (pattern[place] == '*' && !is_hidden(text, at, flags)) {
      while (pattern[place] == '*')
        place++;
      has_star = 1;
      behind_star = place;
      covered = at;
      continue;
    }
    /* What glibc takes for a leading one. */
    if ((flags & FNM_PERIOD) != 0 && has_star && text[at] == '.' && (pattern[place] == '?' || pattern[place] == '['))
      __sfo_limit("a pattern with FNM_PERIOD of which ? or [ meets a point behind what * stands for is not supported yet");
    if (pattern[place] != 0 && pattern[place] != '*' && matches_one(pattern, &place, text, at, flags)) {
      at++;
      continue;
    }
    if (!has_star || text[covered] == 0 || (text[covered] == '/' && (flags & FNM_PATHNAME) != 0))
      return FNM_NOMATCH;
    covered++;
    at = covered;
    place = behind_star;
  }
}
