/* Options on the command line: models of <getopt.h>, to be executed symbolically.

   As glibc does it, but for one thing: options behind operands, for which glibc puts the operands last, leave the bound,
   or are refused where the command line is given.
   What getopt says on the standard error shows nowhere. */
#include <getopt.h>
#include <stddef.h>
#include <string.h>

extern void __sfo_leave_bound(void);
extern void __sfo_refuse(const char *what);

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

/* Where the next letter of the current argument is; 0 before its first one. */
static int next_letter;

static int is_option(const char *argument) { return argument[0] == '-' && argument[1] != 0; }

/* Whether there is an option in the current argument; `--` is passed over. */
static int comes_to_option(int count, char *const arguments[], const char *letters) {
  if (letters[0] == '-')
    __sfo_refuse("options and operands in order ('-' before the letters of getopt) are not supported yet");
  if (optind <= 0) {
    optind = 1;
    next_letter = 0;
  }
  if (next_letter != 0)
    return 1;
  if (optind >= count || arguments[optind] == NULL)
    return 0;
  if (!is_option(arguments[optind])) {
    if (letters[0] != '+')
      for (int n = optind + 1; n < count; n++)
        if (is_option(arguments[n])) {
          __sfo_leave_bound();
          __sfo_refuse("options behind operands are not supported yet");
        }
    return 0;
  }
  if (strcmp(arguments[optind], "--") == 0) {
    optind++;
    return 0;
  }
  return 1;
}

/* The letters without what says how errors are told; `is_quiet`: with a colon. */
static const char *letters_only(const char *letters, int *is_quiet) {
  if (letters[0] == '+')
    letters++;
  *is_quiet = letters[0] == ':';
  return letters;
}

static int next_option(int count, char *const arguments[], const char *given) {
  int is_quiet;
  const char *letters = letters_only(given, &is_quiet);
  if (next_letter == 0)
    next_letter = 1;
  char *argument = arguments[optind];
  int letter = argument[next_letter];
  next_letter++;
  char *rest = &argument[next_letter];
  const char *found = letter == ':' || letter == ';' ? NULL : strchr(letters, letter);
  int is_last = *rest == 0;
  if (is_last || (found != NULL && found[1] == ':')) {
    optind++;
    next_letter = 0;
  }
  if (found == NULL) {
    optopt = letter;
    return '?';
  }
  if (found[0] == 'W' && found[1] == ';')
    __sfo_refuse("'W;' among the letters of getopt is not supported yet");
  if (found[1] != ':')
    return letter;
  if (!is_last)
    optarg = rest;
  else if (found[2] == ':')
    optarg = NULL;
  else if (optind >= count) {
    optopt = letter;
    return is_quiet ? ':' : '?';
  } else {
    optarg = arguments[optind];
    optind++;
  }
  return letter;
}

int getopt(int count, char *const arguments[], const char *letters) {
  optarg = NULL;
  return comes_to_option(count, arguments, letters) ? next_option(count, arguments, letters) : -1;
}

static int is_same_option(const struct option *one, const struct option *two) {
  return one->has_arg == two->has_arg && one->flag == two->flag && one->val == two->val;
}

#define NO_LONG_OPTION -1

/* The long option in an argument. `is_only`: one hyphen is enough, where that is no option of one letter, and any two
   words that begin so are ambiguous. */
static int long_option(int count, char *const arguments[], const char *letters, const struct option *words, int *index,
                       int is_only) {
  int is_quiet;
  letters = letters_only(letters, &is_quiet);
  int hyphens = arguments[optind][1] == '-' ? 2 : 1;
  char *word = &arguments[optind][hyphens];
  size_t length = strcspn(word, "=");
  int found = -1, is_exact = 0, is_ambiguous = 0;
  for (int n = 0; words[n].name != NULL; n++)
    if (!is_exact && strncmp(words[n].name, word, length) == 0) {
      if (words[n].name[length] == 0) {
        found = n;
        is_exact = 1;
      } else if (found == -1)
        found = n;
      else if (is_only || !is_same_option(&words[found], &words[n]))
        is_ambiguous = 1;
    }
  if (found == -1 && hyphens == 1 && strchr(letters, word[0]) != NULL)
    return NO_LONG_OPTION;
  optind++;
  optopt = 0;
  if (found == -1 || (is_ambiguous && !is_exact))
    return '?';
  if (word[length] == '=') {
    if (words[found].has_arg == no_argument) {
      optopt = words[found].val;
      return '?';
    }
    optarg = &word[length + 1];
  } else if (words[found].has_arg == required_argument) {
    if (optind >= count) {
      optopt = words[found].val;
      return is_quiet ? ':' : '?';
    }
    optarg = arguments[optind];
    optind++;
  }
  if (index != NULL)
    *index = found;
  if (words[found].flag == NULL)
    return words[found].val;
  *words[found].flag = words[found].val;
  return 0;
}

int getopt_long(int count, char *const arguments[], const char *letters, const struct option *words, int *index) {
  optarg = NULL;
  if (!comes_to_option(count, arguments, letters))
    return -1;
  if (next_letter != 0 || arguments[optind][1] != '-')
    return next_option(count, arguments, letters);
  return long_option(count, arguments, letters, words, index, 0);
}
