"""The models of the C library compared with glibc on many random calls, natively.

A model is compiled against our headers, then all its symbols get a prefix, so that both libraries are in one
program: ``strlen`` is glibc's, ``sfo_strlen`` ours. One driver for each file calls both. Objects end where a page
that must not be touched begins: a model that reads or writes a byte too many crashes.
"""

import re
import subprocess
from pathlib import Path

import pytest

from cfrontend import goto
from cfrontend.elaborate import elaborate_files
from cfrontend.goto import check_goto
from cfrontend.lower import lower_program
from cfrontend.program import ALL_CHECKS
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import HEADERS, PreprocessOptions, preprocess
from tests.conftest import require_tool
from tests.places import ROOT

LIBRARY = ROOT / "cfrontend" / "stdlib" / "library"

FUNCTIONS = {
    "calendar": "asctime asctime_r ctime ctime_r gmtime gmtime_r localtime localtime_r mktime strftime timegm tzset",
    "ctype_tables": "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc",
    "ctype": "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit "
    "tolower toupper isascii toascii",
    "format": "__fprintf_chk __printf_chk __snprintf_chk __sprintf_chk asprintf dprintf fprintf printf snprintf sprintf "
    "vasprintf vdprintf vfprintf vprintf vsnprintf vsprintf",
    "environment": "clearenv getenv putenv secure_getenv setenv unsetenv",
    "err": "err error errx verr verrx vwarn vwarnx warn warnx",
    "fortified": "__fgets_chk __memcpy_chk __memmove_chk __mempcpy_chk __memset_chk __stpcpy_chk __stpncpy_chk "
    "__strcat_chk __strcpy_chk __strncat_chk __strncpy_chk",
    "getopt": "getopt getopt_long",
    "klee": "klee_int klee_range klee_silent_exit klee_is_symbolic klee_is_replay klee_prefer_cex klee_print_expr "
    "klee_warning klee_warning_once klee_open_merge klee_close_merge",
    "libgen": "__xpg_basename basename dirname",
    "libintl": "bind_textdomain_codeset bindtextdomain dcgettext dcngettext dgettext dngettext gettext ngettext textdomain",
    "pthread": "pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal pthread_equal "
    "pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_trylock "
    "pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_gettype pthread_mutexattr_init pthread_mutexattr_settype "
    "pthread_once",
    "scan": "__sfo_scan_text sscanf vsscanf",
    "signal": "kill pthread_sigmask raise sigaction sigaddset sigdelset sigemptyset sigfillset sigismember signal sigpending sigprocmask",
    "stdio": "__sfo_is_shown __sfo_scan_characters __sfo_scan_word __sfo_scanned __sfo_scanned_all __sfo_scanned_in clearerr fclose feof ferror fflush fgetc fgetpos fgets fileno "
    "fopen fputc fputs fread freopen fseek fseeko fsetpos ftell ftello fwrite getc getchar getdelim getline gets perror putc putchar puts remove rename rewind setbuf "
    "access pclose popen read setlinebuf setvbuf ungetc unlink write",
    "unistd": "getpagesize localeconv sched_yield sysconf "
    "clock clock_gettime difftime getegid geteuid getgid getpid getppid getuid gettimeofday isatty nanosleep "
    "pthread_self setlocale sleep time timespec_get usleep",
    "stdlib": "__errno_location __sfo_run_handlers atexit imaxabs imaxdiv posix_memalign strtoimax strtoumax abs aligned_alloc atoi atol atoll bsearch calloc div drand48 labs ldiv llabs lldiv lrand48 mrand48 qsort rand rand_r "
    "random realloc reallocarray srand srand48 srandom strtol strtoll strtoul strtoull system",
    "string": "memccpy memmem strcasestr strchrnul ffs ffsl ffsll bcmp bcopy explicit_bzero index mempcpy memrchr rindex stpncpy strlcat "
    "strlcpy strsep strxfrm bzero memchr memcmp memcpy memmove memset stpcpy strcasecmp strcat strchr strcmp strcoll strcpy "
    "strcspn strdup strerror strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn "
    "strstr strtok strtok_r strerror_r __xpg_strerror_r",
}
"""What each file models."""

CONVERSIONS = {"strtod", "strtof", "strtold"}
"""What reals.c models."""

SANITIZED = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
"""A model must not do what C leaves undefined; a trap needs no run-time library, whose names would be prefixed."""

COMMON = r"""
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#define CHECK(c) \
  do { \
    if (!(c)) { \
      fprintf(stderr, "line %d, round %d: %s\n", __LINE__, round_number, #c); \
      abort(); \
    } \
  } while (0)
#define MODEL(name) extern __typeof__(name) sfo_##name;

enum { ROOM = 4096, ARENAS = 8 };
static int round_number;

static unsigned random_bits(void) {
  static uint64_t state = 20240229;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33);
}

static unsigned below(unsigned limit) { return random_bits() % limit; }

/* Memory that ends before a page without access; each arena is one object at a time. */
static char *object(int arena, size_t bytes) {
  static char *ends[ARENAS];
  if (ends[arena] == NULL) {
    char *pages = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + ROOM, ROOM, PROT_NONE) != 0)
      abort();
    ends[arena] = pages + ROOM;
  }
  memset(ends[arena] - ROOM, 0x5a, ROOM);
  return ends[arena] - bytes;
}

static char *copy_of(int arena, const void *source, size_t bytes) {
  return memcpy(object(arena, bytes), source, bytes);
}

/* Whether two objects hold the same, with what is before them. */
static int same(const char *one, const char *two, size_t bytes) { return memcmp(one - 64, two - 64, bytes + 64) == 0; }

static int sign(int value) { return (value > 0) - (value < 0); }

/* Allocated blocks know their size and that nothing was written behind them. */
static int live;

void *sfo_malloc(size_t bytes) {
  char *block = aligned_alloc(64, (bytes + 64 + 8 + 63) / 64 * 64) + 48;
  memcpy(block, &bytes, sizeof bytes);
  memset(block + 16, 0x77, bytes + 8);
  live++;
  return block + 16;
}

size_t sfo___sfo_object_size(const void *start) {
  size_t bytes;
  memcpy(&bytes, (const char *)start - 16, sizeof bytes);
  return bytes;
}

void sfo_free(void *start) {
  if (start == NULL)
    return;
  CHECK(memcmp((char *)start + sfo___sfo_object_size(start), "wwwwwwww", 8) == 0);
  live--;
  free((char *)start - 64);
}

/* What is an instruction in the models. */
void sfo___sfo_copy(void *target, const void *source, size_t bytes) { memmove(target, source, bytes); }

void sfo___sfo_fill(void *target, int byte, size_t bytes) { memset(target, byte, bytes); }

void sfo___sfo_no_overlap(int holds) { CHECK(holds); }

__attribute__((weak)) void sfo___sfo_apart(const void *target, size_t written, const void *source, size_t read) {
  (void)target, (void)written, (void)source, (void)read;
}

/* Real numbers are written by the front end itself; its own tests hold that against glibc. */
int sfo___sfo_real_length(double v, int letter, int flags, int width, int precision) { abort(); }
int sfo___sfo_real_length_long(long double v, int letter, int flags, int width, int precision) { abort(); }
int sfo___sfo_real_character(double v, int letter, int flags, int width, int precision, int n) { abort(); }
int sfo___sfo_real_character_long(long double v, int letter, int flags, int width, int precision, int n) { abort(); }

void sfo___sfo_leave_bound(void) {}

static int refusals;

void sfo___sfo_refuse(const char *what) {
  CHECK(strstr(what, "not supported yet") != NULL);
  refusals++;
}

void sfo___sfo_limit(const char *what) { sfo___sfo_refuse(what); }

/* What goes to the standard output. */
static char printed[64];
static int printed_length;

void sfo___sfo_print(const char *format, int character) {
  if (printed_length < (int)sizeof printed)
    printed[printed_length++] = strcmp(format, "%c") == 0 ? (char)character : format[0];
}

/* Inputs: a queue, and then the end of the file for ever. */
static const int *given;
static int given_count, given_next, last_input;
static jmp_buf refused;

long sfo___VERIFIER_nondet_long(void) { abort(); }
int sfo___VERIFIER_nondet_int(void) { return last_input = given_next < given_count ? given[given_next++] : EOF; }

void sfo___VERIFIER_assume(int condition) {
  if (!condition)
    longjmp(refused, 1);
}
"""

DRIVERS = {
    "calendar": r"""
#include <time.h>
MODEL(asctime) MODEL(ctime) MODEL(gmtime) MODEL(localtime) MODEL(mktime) MODEL(strftime) MODEL(timegm)

static const char *FORMATS[] = {"%a %A %b %B %h", "%c", "%C|%d|%D|%e|%F", "%H %I %j %k %l", "%m%M%n%p%P", "%r %R %S %t %T",
                                "%u %U %w %W", "%V %g %G", "%x %X %y %Y", "%z %Z %%", "", "%-d %_m %0e %-H %_H %^a %^B %-j %_S %0k",
                                "%Ey %Od, text", "%s"};
static int the_same(const struct tm *one, const struct tm *two) {
  return one->tm_sec == two->tm_sec && one->tm_min == two->tm_min && one->tm_hour == two->tm_hour &&
         one->tm_mday == two->tm_mday && one->tm_mon == two->tm_mon && one->tm_year == two->tm_year &&
         one->tm_wday == two->tm_wday && one->tm_yday == two->tm_yday && one->tm_isdst == two->tm_isdst &&
         one->tm_gmtoff == two->tm_gmtoff && strcmp(one->tm_zone, two->tm_zone) == 0;
}

int main(void) {
  setenv("TZ", "UTC0", 1);
  tzset();
  for (round_number = 0; round_number < 300000; round_number++) {
    time_t any = (time_t)(((uint64_t)random_bits() << 31 | random_bits()) % 315569520000) - 62167219200;
    time_t near = (time_t)below(2 * 86400) - 86400 + (time_t)below(200) * 31536000;
    time_t times[] = {any, near, below(3) ? (time_t)random_bits() : 253402300799};
    time_t now = times[below(3)];
    struct tm theirs = *gmtime(&now), ours = *sfo_gmtime(&now);
    CHECK(the_same(&theirs, &ours));
    CHECK(sfo_timegm(&ours) == now && timegm(&theirs) == now);
    theirs = *localtime(&now), ours = *sfo_localtime(&now);
    CHECK(the_same(&theirs, &ours));
    CHECK(strcmp(asctime(&theirs), sfo_asctime(&ours)) == 0 && strcmp(ctime(&now), sfo_ctime(&now)) == 0);
    if (theirs.tm_year > -900) {
      char one[100] = "", two[100] = "";
      size_t room = below(4) ? sizeof one : below(30);
      const char *format = FORMATS[below(sizeof FORMATS / sizeof *FORMATS)];
      size_t count = strftime(one, room, format, &theirs);
      CHECK(sfo_strftime(two, room, format, &ours) == count);
      CHECK(count == 0 || strcmp(one, two) == 0);
    }
    struct tm parts = {.tm_sec = (int)below(200) - 100, .tm_min = (int)below(200) - 100, .tm_hour = (int)below(100) - 50,
                       .tm_mday = (int)below(1000) - 500, .tm_mon = (int)below(100) - 50,
                       .tm_year = (int)below(9000) - 1000, .tm_isdst = (int)below(2) - 1};
    theirs = ours = parts;
    CHECK(mktime(&theirs) == sfo_mktime(&ours) && the_same(&theirs, &ours));
    theirs = ours = parts;
    CHECK(timegm(&theirs) == sfo_timegm(&ours) && the_same(&theirs, &ours));
  }
  return 0;
}
""",
    "format": r"""
#include <stdarg.h>
extern int sfo_snprintf(char *target, size_t bytes, const char *format, ...);
extern int sfo_sprintf(char *target, const char *format, ...);
extern int sfo_asprintf(char **target, const char *format, ...);
extern int sfo_printf(const char *format, ...);
FILE *sfo_stdin, *sfo_stdout, *sfo_stderr;

static long any_number(void) {
  long value = (long)(((uint64_t)random_bits() << 40) ^ ((uint64_t)random_bits() << 20) ^ random_bits());
  return below(4) == 0 ? (long)below(3) - 1 : below(2) ? value >> below(64) : value;
}

/* A conversion that C defines; returns its letter. */
static char conversion(char *format, int *is_long) {
  static const char letters[] = "diuxXocs";
  char letter = letters[below(8)];
  const char *flags = letter == 'd' || letter == 'i' ? "-0+ " : letter == 'u' ? "-0" : strchr("xXo", letter) ? "-0#" : "-";
  char *at = format + sprintf(format, "<%%");
  for (int n = (int)below(3); n > 0; n--)
    *at++ = flags[below((unsigned)strlen(flags))];
  if (below(2))
    at += sprintf(at, "%u", 1 + below(25));
  if (letter != 'c' && below(3) == 0)
    at += sprintf(at, ".%u", below(25));
  static const char *const sizes[] = {"", "", "hh", "h", "l", "ll", "j", "z", "t"};
  const char *size = letter == 'c' || letter == 's' ? "" : sizes[below(9)];
  *is_long = size[0] != 0 && size[0] != 'h';
  sprintf(at, "%s%c>", size, letter);
  return letter;
}

int main(void) {
  for (round_number = 0; round_number < 100000; round_number++) {
    char format[64], text[8];
    int is_long, length = (int)below(8);
    char letter = conversion(format, &is_long);
    for (int n = 0; n < length; n++)
      text[n] = (char)('a' + below(26));
    text[length] = 0;
    long value = any_number();
    size_t room = below(2) ? 128 : below(12);
    char *one = object(0, room), *two = object(1, room);
    int ours, theirs;
    if (letter == 's') {
      char *given_text = below(20) ? text : NULL;
      ours = sfo_snprintf(one, room, format, given_text), theirs = snprintf(two, room, format, given_text);
    } else if (is_long)
      ours = sfo_snprintf(one, room, format, value), theirs = snprintf(two, room, format, value);
    else
      ours = sfo_snprintf(one, room, format, (int)value), theirs = snprintf(two, room, format, (int)value);
    CHECK(ours == theirs && same(one, two, room));
  }
  char *made, whole[32];
  sfo_stdout = (FILE *)&made;
  CHECK(sfo_asprintf(&made, "%d-%*d%%", 12, -3, 4) == 7 && strcmp(made, "12-4  %") == 0);
  sfo_free(made);
  CHECK(sfo_sprintf(whole, "%.*s|%p|%p", 2, "word", NULL, (void *)255) == 13 && strcmp(whole, "wo|(nil)|0xff") == 0);
  CHECK(sfo_printf("%d,%s", 7, "x") == 3 && printed_length == 3 && memcmp(printed, "7,x", 3) == 0);
  char theirs[80], ours[80];
  int counted = 0;
  CHECK(sfo_sprintf(ours, "%2$*1$d|%5$s|%4$c|%3$lld|%2$x%6$n", 7, 42, -5LL, 'c', "text", &counted) ==
        sprintf(theirs, "%2$*1$d|%5$s|%4$c|%3$lld|%2$x", 7, 42, -5LL, 'c', "text"));
  CHECK(strcmp(ours, theirs) == 0 && counted == (int)strlen(theirs));
  CHECK(refusals == 0);
  sfo_sprintf(ours, "%3$d %1$d", 1, 2, 3);
  CHECK(refusals == 1);
  sfo_sprintf(ours, "%m");
  sfo_sprintf(ours, "%ls", L"");
  CHECK(refusals == 3);
  return 0;
}
""",
    "scan": r"""
extern int sfo_sscanf(const char *text, const char *format, ...);

int main(void) {
  static const char *const formats[] = {"%d", "%i %u", "%x%n", "%o,%d", "%ld:%hd", "%hhd%c", "%s", "%3s%s", "%[0-9a]%n",
                                        "%[^,:],%d", "%*d %d", "%2d%2d", "a%d", " %c %c", "%c%c", "%lu", "%4x", "%d%%"};
  static const char alphabet[] = "0012789-+xXaf ,:\t%";
  for (round_number = 0; round_number < 200000; round_number++) {
    char text[16];
    int length = (int)below(14);
    for (int n = 0; n < length; n++)
      text[n] = below(12) == 0 ? alphabet[below(sizeof alphabet - 1)] : alphabet[below(7 + below(12))];
    text[length] = 0;
    const char *format = formats[below(sizeof formats / sizeof *formats)];
    /* glibc takes the x of 0x without a digit behind it, sfo leaves both: C wants neither. */
    const char *prefix = strpbrk(text, "xX");
    if (prefix != NULL && (strchr(format, 'x') || strchr(format, 'i')))
      continue;
    char *one = object(0, 48), *two = object(1, 48);
    int ours = sfo_sscanf(text, format, one, one + 16, one + 32), theirs = sscanf(text, format, two, two + 16, two + 32);
    if (ours != theirs || !same(one, two, 48))
      fprintf(stderr, "'%s' by '%s': %d, glibc %d\n", text, format, ours, theirs);
    CHECK(ours == theirs && same(one, two, 48));
  }
  int number = 0;
  CHECK(sfo_sscanf("0x1f", "%i", &number) == 1 && number == 31 && sfo_sscanf("0XfF", "%x", &number) == 1 && number == 255);
  float real = 0;
  CHECK(sfo_sscanf("1.5", "%f", &real) == 1 && real == 1.5f && refusals == 0);
  sfo_sscanf("x", "%lc", &number);
  CHECK(refusals == 1);
  return 0;
}
""",
    "ctype_tables": r"""
extern const unsigned short **sfo___ctype_b_loc(void);
extern const int **sfo___ctype_tolower_loc(void), **sfo___ctype_toupper_loc(void);

int main(void) {
  for (round_number = -128; round_number < 256; round_number++) {
    CHECK((*sfo___ctype_b_loc())[round_number] == (*__ctype_b_loc())[round_number]);
    CHECK((*sfo___ctype_tolower_loc())[round_number] == (*__ctype_tolower_loc())[round_number]);
    CHECK((*sfo___ctype_toupper_loc())[round_number] == (*__ctype_toupper_loc())[round_number]);
  }
  return 0;
}
""",
    "ctype": r"""
#define CLASSES(X) X(isalnum) X(isalpha) X(isblank) X(iscntrl) X(isdigit) X(isgraph) X(islower) X(isprint) \
  X(ispunct) X(isspace) X(isupper) X(isxdigit)
CLASSES(MODEL) MODEL(tolower) MODEL(toupper) MODEL(isascii) MODEL(toascii)

int main(void) {
  for (round_number = -128; round_number < 256; round_number++) {
#define COMPARE(name) CHECK(sfo_##name(round_number) == name(round_number));
    CLASSES(COMPARE)
    CHECK(sfo_tolower(round_number) == tolower(round_number));
    CHECK(sfo_isascii(round_number) == isascii(round_number) && sfo_toascii(round_number) == toascii(round_number));
    CHECK(sfo_toupper(round_number) == toupper(round_number));
  }
  return 0;
}
""",
    "getopt": r"""
#include <getopt.h>
#include <unistd.h>
MODEL(getopt) MODEL(getopt_long) MODEL(optarg) MODEL(optind) MODEL(optopt)

static const char *LETTERS[] = {"ab:c::", "+ab:c", ":ab:c", "+:a:b", "abc", ""};
static const char *ARGUMENTS[] = {"-a", "-b", "-c", "-ab", "-bx", "-cx", "-d", "-ad", "-", "--", "x", "-:", "--all", "--al",
                                  "--alter", "--alter=3", "--alter=", "--all=3", "--file", "--file=x", "--flag", "--fl",
                                  "--f", "--nothing", "--b", "-a-", "-aab1",
                                  "-all", "-al", "-alter=3", "-file", "-fl", "-f", "-bb", "-bbb", "-nothing"};
static int flag;
static const struct option WORDS[] = {{"all", no_argument, NULL, 'a'}, {"alter", required_argument, NULL, 1},
                                      {"file", optional_argument, NULL, 'f'}, {"flag", no_argument, &flag, 7},
                                      {"bb", no_argument, NULL, 'b'}, {"bbb", no_argument, NULL, 'b'}, {NULL, 0, NULL, 0}};

int main(void) {
  opterr = 0;
  for (round_number = 0; round_number < 200000; round_number++) {
    char *given[6] = {"program"}, *mine[6] = {"program"};
    const char *letters = LETTERS[below(6)];
    int count = 1 + (int)below(5), words = (int)below(2);
    for (int n = 1; n < count; n++)
      given[n] = mine[n] = (char *)ARGUMENTS[below(sizeof ARGUMENTS / sizeof *ARGUMENTS)];
    optind = 0;
    sfo_optind = 0;
    int before = refusals;
    for (int n = 0; n < 12; n++) {
      int one = -2, two = -2;
      flag = 0;
      int theirs = words ? getopt_long(count, given, letters, WORDS, &one) : getopt(count, given, letters);
      char *their_argument = optarg;
      int their_flag = flag;
      flag = 0;
      int ours = words ? sfo_getopt_long(count, mine, letters, WORDS, &two) : sfo_getopt(count, mine, letters);
      if (refusals != before)
        break;
      CHECK(ours == theirs && one == two && flag == their_flag && sfo_optarg == their_argument);
      CHECK(sfo_optind == optind && (ours != '?' || sfo_optopt == optopt));
      if (ours == -1)
        break;
    }
  }
  return 0;
}
""",
    "libgen": r"""
char *dirname(char *path);
char *__xpg_basename(char *path);
MODEL(dirname) MODEL(__xpg_basename) MODEL(basename)

int main(void) {
  for (round_number = 0; round_number < 200000; round_number++) {
    char given[8], mine[8];
    unsigned length = below(7);
    for (unsigned n = 0; n <= length; n++)
      given[n] = n < length ? "//a."[below(4)] : 0;
    char *const ends[] = {sfo_basename(given), basename(given)};
    CHECK(ends[0] == ends[1]);
    memcpy(mine, given, sizeof mine);
    int whole = below(2);
    char *theirs = whole ? dirname(given) : __xpg_basename(given);
    char *ours = whole ? sfo_dirname(mine) : sfo___xpg_basename(mine);
    CHECK(strcmp(theirs, ours) == 0 && strcmp(given, mine) == 0);
    CHECK((theirs >= given && theirs < given + 8) == (ours >= mine && ours < mine + 8));
    CHECK(ours < mine || ours >= mine + 8 || ours - mine == theirs - given);
  }
  return 0;
}
""",
    "environment": r"""
MODEL(getenv) MODEL(setenv) MODEL(unsetenv) MODEL(putenv) MODEL(clearenv)

/* Names are few, so that they meet; what nobody has set is not set. */
static void change(void) {
  static const char *const names[] = {"A", "AB", "B", "", "A=B"};
  static const char *const values[] = {"", "1", "x=y", "longer"};
  static char texts[4][8] = {"A=put", "AB=", "B=b=c", "A"};
  const char *name = names[below(5)], *value = values[below(4)];
  int overwrite = (int)below(2);
  switch (below(4)) {
  case 0:
    errno = 0;
    int theirs = setenv(name, value, overwrite), error = errno;
    errno = 0;
    CHECK(sfo_setenv(name, value, overwrite) == theirs && (theirs == 0 || error == EINVAL));
    break;
  case 1:
    CHECK(sfo_unsetenv(name) == unsetenv(name));
    break;
  case 2: {
    char *text = texts[below(4)];
    CHECK(sfo_putenv(text) == putenv(text));
    texts[below(3)][2] ^= below(8) == 0; /* both see it */
    break;
  }
  default:
    if (below(50) == 0)
      CHECK(sfo_clearenv() == clearenv());
  }
  for (int n = 0; n < 3; n++) {
    char *ours = sfo_getenv(names[n]), *other = getenv(names[n]);
    CHECK((ours == NULL) == (other == NULL) && (ours == NULL || strcmp(ours, other) == 0));
  }
}

int main(void) {
  const int values[] = {0, 1, 'v', 200, 0, 1, 'w', 0};
  given = values, given_count = 8, given_next = 0;
  CHECK(sfo_getenv("PATH") == NULL);
  CHECK(strcmp(sfo_getenv("PATH"), "v\310") == 0);
  CHECK(sfo_setenv("PATH", "new", 0) == 0 && strcmp(sfo_getenv("PATH"), "w") == 0);
  CHECK(given_next == 8);
  clearenv();
  sfo_clearenv();
  for (round_number = 0; round_number < 2500; round_number++)
    change();
  CHECK(refusals == 0);
  return 0;
}
""",
    "string": r"""
MODEL(bzero) MODEL(memchr) MODEL(memcmp) MODEL(memcpy) MODEL(memmove) MODEL(memset) MODEL(stpcpy) MODEL(strcasecmp)
MODEL(strcat) MODEL(strchr) MODEL(strcmp) MODEL(strcoll) MODEL(strcpy) MODEL(strcspn) MODEL(strdup) MODEL(strerror)
MODEL(strerror_r) extern int __xpg_strerror_r(int number, char *target, size_t bytes);
MODEL(__xpg_strerror_r)
MODEL(strlen) MODEL(strncasecmp) MODEL(strncat) MODEL(strncmp) MODEL(strncpy) MODEL(strndup) MODEL(strnlen)
MODEL(strpbrk) MODEL(strrchr) MODEL(strspn) MODEL(strstr) MODEL(strtok) MODEL(strtok_r)
MODEL(ffs) MODEL(ffsl) MODEL(ffsll) MODEL(bcmp) MODEL(bcopy) MODEL(explicit_bzero) MODEL(index) MODEL(mempcpy) MODEL(memrchr)
MODEL(memccpy) MODEL(memmem) MODEL(rindex) MODEL(stpncpy) MODEL(strcasestr) MODEL(strchrnul) MODEL(strsep) MODEL(strxfrm)
extern size_t sfo_strlcpy(char *target, const char *source, size_t bytes);
extern size_t sfo_strlcat(char *target, const char *source, size_t bytes);

static const char *alphabet;

static char any_character(void) { return below(40) == 0 ? (char)(1 + below(255)) : alphabet[below(4)]; }

/* A string of up to `longest` characters, at the end of its object. */
static char *text(int arena, unsigned longest) {
  unsigned length = below(longest + 1);
  char *made = object(arena, length + 1);
  for (unsigned n = 0; n < length; n++)
    made[n] = any_character();
  made[length] = 0;
  return made;
}

/* What strncpy and its like may be given: up to `bytes` characters, without a zero if there are as many. */
static char *open_text(int arena, unsigned bytes) {
  unsigned length = below(bytes + 3);
  unsigned size = length < bytes ? length + 1 : bytes;
  char *made = object(arena, size);
  for (unsigned n = 0; n < size; n++)
    made[n] = n < length ? any_character() : 0;
  return made;
}

static char *bytes_at(int arena, size_t bytes) {
  char *made = object(arena, bytes);
  for (size_t n = 0; n < bytes; n++)
    made[n] = below(3) ? (char)below(3) : (char)below(256);
  return made;
}

static void reading(void) {
  char *one = text(0, 8), *two = text(1, below(2) ? 8 : 3);
  if (below(3) == 0)
    two = copy_of(1, one, strlen(one) + 1);
  int character = below(5) == 0 ? 0 : below(5) == 0 ? (int)random_bits() : any_character();
  CHECK(sfo_strlen(one) == strlen(one));
  CHECK(sign(sfo_strcmp(one, two)) == sign(strcmp(one, two)));
  CHECK(sign(sfo_strcoll(one, two)) == sign(strcoll(one, two)));
  CHECK(sign(sfo_strcasecmp(one, two)) == sign(strcasecmp(one, two)));
  CHECK(sfo_strchr(one, character) == strchr(one, character));
  CHECK(sfo_strrchr(one, character) == strrchr(one, character));
  CHECK(sfo_strstr(one, two) == strstr(one, two));
  CHECK(sfo_strpbrk(one, two) == strpbrk(one, two));
  CHECK(sfo_strspn(one, two) == strspn(one, two));
  CHECK(sfo_strcspn(one, two) == strcspn(one, two));
  int word = (int)(random_bits() << below(32)) & -(int)below(2);
  CHECK(sfo_ffs(word) == ffs(word) && sfo_ffsl((long)word << 20) == ffsl((long)word << 20));
  CHECK(sfo_ffsll(word) == ffsll(word));
  CHECK(sfo_index(one, character) == index(one, character));
  CHECK(sfo_rindex(one, character) == rindex(one, character));
  CHECK(sfo_strchrnul(one, character) == strchrnul(one, character));
  CHECK(sfo_strcasestr(one, two) == strcasestr(one, two));
  int number = below(4) ? (int)below(82) - 40 : 134 + (int)(random_bits() >> 1);
  CHECK(strcmp(sfo_strerror(number), strerror(number)) == 0);
  size_t room = below(4) ? 64 : below(20);
  char *first = object(4, room), *second = object(5, room);
  CHECK(sfo___xpg_strerror_r(number, first, room) == __xpg_strerror_r(number, second, room) && same(first, second, room));
  char *ours = sfo_strerror_r(number, first, room), *theirs = strerror_r(number, second, room);
  CHECK((theirs == second) == (ours == first) && same(first, second, room) && (theirs == second || strcmp(ours, theirs) == 0));
  char *copy = sfo_strdup(one);
  CHECK(strcmp(copy, one) == 0 && sfo___sfo_object_size(copy) == strlen(one) + 1);
  sfo_free(copy);

  unsigned bytes = below(8);
  one = open_text(0, bytes), two = open_text(1, bytes);
  if (below(3) == 0)
    two = copy_of(1, one, strnlen(one, bytes) + (strnlen(one, bytes) < bytes));
  CHECK(sfo_strnlen(one, bytes) == strnlen(one, bytes));
  CHECK(sign(sfo_strncmp(one, two, bytes)) == sign(strncmp(one, two, bytes)));
  CHECK(sign(sfo_strncasecmp(one, two, bytes)) == sign(strncasecmp(one, two, bytes)));
  copy = sfo_strndup(one, bytes);
  CHECK(strlen(copy) == strnlen(one, bytes) && memcmp(copy, one, strlen(copy)) == 0);
  CHECK(sfo___sfo_object_size(copy) == strlen(copy) + 1);
  sfo_free(copy);
  CHECK(live == 0);
}

static void writing(void) {
  char *source = text(0, 8);
  size_t length = strlen(source);
  char *one = object(1, length + 1), *two = object(2, length + 1);
  CHECK(sfo_strcpy(one, source) == one);
  strcpy(two, source);
  CHECK(same(one, two, length + 1));
  one = object(1, length + 1), two = object(2, length + 1);
  CHECK(sfo_stpcpy(one, source) - one == stpcpy(two, source) - two && same(one, two, length + 1));

  char *before = text(3, 5);
  size_t all = strlen(before) + length + 1;
  one = strcpy(object(1, all), before), two = strcpy(object(2, all), before);
  CHECK(sfo_strcat(one, source) == one);
  strcat(two, source);
  CHECK(same(one, two, all));

  unsigned bytes = below(10);
  source = open_text(0, bytes);
  one = object(1, bytes), two = object(2, bytes);
  CHECK(sfo_strncpy(one, source, bytes) == one);
  strncpy(two, source, bytes);
  CHECK(same(one, two, bytes));
  one = object(1, bytes), two = object(2, bytes);
  CHECK(sfo_stpncpy(one, source, bytes) - one == stpncpy(two, source, bytes) - two && same(one, two, bytes));

  /* The same by way of snprintf, as glibc has no strlcpy of its own before 2.38. */
  char *whole = text(0, 8);
  one = object(1, bytes), two = object(2, bytes);
  CHECK(sfo_strlcpy(one, whole, bytes) == (size_t)snprintf(two, bytes, "%s", whole) && same(one, two, bytes));
  one = object(1, bytes), two = object(2, bytes);
  CHECK(sfo_strxfrm(one, whole, bytes) == strxfrm(two, whole, bytes));
  CHECK(strlen(whole) >= bytes || same(one, two, strlen(whole) + 1));
  size_t room = strlen(before) + 1 + below(6);
  one = strcpy(object(1, room), before), two = strcpy(object(2, room), before);
  size_t wanted = (size_t)snprintf(two + strlen(before), room - strlen(before), "%s", whole) + strlen(before);
  CHECK(sfo_strlcat(one, whole, room) == wanted && same(one, two, room));
  source = open_text(0, bytes);

  all = strlen(before) + strnlen(source, bytes) + 1;
  one = strcpy(object(1, all), before), two = strcpy(object(2, all), before);
  CHECK(sfo_strncat(one, source, bytes) == one);
  strncat(two, source, bytes);
  CHECK(same(one, two, all));
}

static void tokens(void) {
  char *first = text(0, 12);
  size_t bytes = strlen(first) + 1;
  char *one = copy_of(1, first, bytes), *two = copy_of(2, first, bytes);
  char *left_one = NULL, *left_two = NULL;
  int reentrant = below(2);
  for (int n = 0; n < 8; n++) {
    char *separators = text(3, 3);
    char *in_one = n == 0 ? one : NULL, *in_two = n == 0 ? two : NULL;
    char *token_one = reentrant ? sfo_strtok_r(in_one, separators, &left_one) : sfo_strtok(in_one, separators);
    char *token_two = reentrant ? strtok_r(in_two, separators, &left_two) : strtok(in_two, separators);
    CHECK((token_one == NULL) == (token_two == NULL));
    CHECK(token_one == NULL || token_one - one == token_two - two);
    CHECK(!reentrant || left_one - one == left_two - two);
    CHECK(same(one, two, bytes));
  }
}

static void empty_tokens(void) {
  char *first = text(0, 12);
  size_t bytes = strlen(first) + 1;
  char *one = copy_of(1, first, bytes), *two = copy_of(2, first, bytes);
  char *rest_one = one, *rest_two = two;
  for (int n = 0; n < 5; n++) {
    char *separators = text(3, 2);
    char *token_one = sfo_strsep(&rest_one, separators), *token_two = strsep(&rest_two, separators);
    CHECK((token_one == NULL) == (token_two == NULL) && (rest_one == NULL) == (rest_two == NULL));
    CHECK(token_one == NULL || token_one - one == token_two - two);
    CHECK(rest_one == NULL || rest_one - one == rest_two - two);
    CHECK(same(one, two, bytes));
  }
}

static void blocks(void) {
  size_t bytes = below(9);
  char *source = bytes_at(0, bytes);
  char *one = object(1, bytes), *two = object(2, bytes);
  CHECK(sfo_memcpy(one, source, bytes) == one && same(one, memcpy(two, source, bytes), bytes));
  int byte = (int)random_bits();
  CHECK(sfo_memset(one, byte, bytes) == one && same(one, memset(two, byte, bytes), bytes));
  memset(one, 1, bytes), memset(two, 0, bytes);
  sfo_bzero(one, bytes);
  CHECK(same(one, two, bytes));
  memset(one, 1, bytes);
  sfo_explicit_bzero(one, bytes);
  CHECK(same(one, two, bytes));
  int last = bytes > 0 && below(2) ? source[below((unsigned)bytes)] : (int)below(256);
  memset(one, 1, bytes), memset(two, 1, bytes);
  char *ours = sfo_memccpy(one, source, last, bytes), *theirs = memccpy(two, source, last, bytes);
  CHECK((ours ? ours - one : -1) == (theirs ? theirs - two : -1) && same(one, two, bytes));
  size_t from_here = below((unsigned)bytes + 1), wanted = below((unsigned)(bytes - from_here) + 1);
  char *part = copy_of(3, source + from_here, wanted);
  if (wanted > 0 && below(2))
    part[below((unsigned)wanted)] ^= 1;
  CHECK(sfo_memmem(source, bytes, part, wanted) == memmem(source, bytes, part, wanted));
  CHECK(sfo_mempcpy(one, source, bytes) == one + bytes && same(one, memcpy(two, source, bytes), bytes));
  memset(one, 1, bytes);
  sfo_bcopy(source, one, bytes);
  CHECK(same(one, two, bytes));

  size_t all = bytes + below(8);
  one = bytes_at(1, all), two = copy_of(2, one, all);
  size_t from = below((unsigned)(all - bytes) + 1), to = below((unsigned)(all - bytes) + 1);
  CHECK(sfo_memmove(one + to, one + from, bytes) == one + to);
  memmove(two + to, two + from, bytes);
  CHECK(same(one, two, all));

  one = bytes_at(1, bytes), two = below(2) ? copy_of(2, one, bytes) : bytes_at(2, bytes);
  if (bytes > 0)
    two[below((unsigned)bytes)] ^= (char)(below(2) << below(8));
  CHECK(sign(sfo_memcmp(one, two, bytes)) == sign(memcmp(one, two, bytes)));
  CHECK(!sfo_bcmp(one, two, bytes) == !bcmp(one, two, bytes));
  byte = below(2) ? (int)random_bits() : (int)below(3) - 256;
  CHECK(sfo_memchr(one, byte, bytes) == memchr(one, byte, bytes));
  CHECK(sfo_memrchr(one, byte, bytes) == memrchr(one, byte, bytes));
  if (bytes > 0)
    CHECK(sfo_memchr(one, one[bytes - 1], SIZE_MAX) == memchr(one, one[bytes - 1], bytes));
}

int main(void) {
  static const char *const alphabets[] = {"aabb", "abAB", "a,, ", "a\200\377Z"};
  for (round_number = 0; round_number < 60000; round_number++) {
    alphabet = alphabets[below(4)];
    reading();
    writing();
    tokens();
    empty_tokens();
    blocks();
  }
  CHECK(strlen(sfo_strerror(ENOMEM)) > 0);
  return 0;
}
""",
    "stdlib": r"""
MODEL(abs) MODEL(aligned_alloc) MODEL(atoi) MODEL(atol) MODEL(atoll) MODEL(bsearch) MODEL(calloc) MODEL(div)
MODEL(drand48) MODEL(lrand48) MODEL(mrand48) MODEL(srand48)
MODEL(labs) MODEL(ldiv) MODEL(llabs) MODEL(lldiv) MODEL(qsort) MODEL(rand) MODEL(rand_r) MODEL(random)
MODEL(realloc) MODEL(reallocarray) MODEL(srand) MODEL(srandom) MODEL(strtol) MODEL(strtoll) MODEL(strtoul)
MODEL(strtoull) MODEL(system) MODEL(atexit) MODEL(posix_memalign)
extern void sfo___sfo_run_handlers(void);
extern int sfo_errno;

void *sfo_memset(void *target, int byte, size_t bytes) { return memset(target, byte, bytes); }

static const char *const edges[] = {
    "9223372036854775807", "9223372036854775808", "9223372036854775809", "18446744073709551615",
    "18446744073709551616", "2147483648", "4294967296", "99999999999999999999999", "7fffffffffffffff",
    "8000000000000000", "ffffffffffffffff", "10000000000000000", "0777777777777777777777",
    "01000000000000000000000", "01777777777777777777777", "02000000000000000000000", "1y2p0ij32e8e7",
    "1y2p0ij32e8e8", "3w5e11264sgsf", "3w5e11264sgsg", "00000000000000000000000000000000000000012"};

/* Something like a number, at the end of its object. */
static char *number(void) {
  char made[120] = "";
  size_t n = 0;
  while (below(4) == 0)
    made[n++] = " \t\n\v\f\r"[below(6)];
  while (below(3) == 0)
    made[n++] = "+-"[below(2)];
  if (below(8) == 0)
    made[n++] = ' ';
  if (below(4) == 0) {
    made[n++] = '0';
    if (below(4) != 0)
      made[n++] = "xXbB"[below(3)];
  }
  if (below(3) == 0)
    n += (size_t)sprintf(made + n, "%s", edges[below(sizeof edges / sizeof *edges)]);
  static const char *const digits[] = {"01", "01234567", "0123456789", "0123456789abcdefABCDEF",
                                       "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"};
  const char *among = digits[below(5)];
  for (unsigned left = below(below(3) ? 6 : 25); left > 0; left--)
    made[n++] = among[below((unsigned)strlen(among))];
  while (below(4) == 0)
    made[n++] = (char)(below(2) ? 32 + below(95) : 1 + below(255));
  made[n] = 0;
  return copy_of(0, made, n + 1);
}

#define COMPARE(name) \
  do { \
    char *end = text - 1, *sfo_end = text - 1; \
    errno = sfo_errno = 7; \
    __typeof__(name("", NULL, 10)) value = name(text, &end, base); \
    CHECK(sfo_##name(text, &sfo_end, base) == value && sfo_end == end && sfo_errno == errno); \
    CHECK(sfo_##name(text, NULL, base) == value); \
  } while (0)

#define COMPARE_DECIMAL(name) \
  do { \
    errno = sfo_errno = 7; \
    CHECK(sfo_##name(text) == name(text) && sfo_errno == errno); \
  } while (0)

static void numbers(void) {
  static const int bases[] = {0, 0, 2, 8, 10, 10, 16, 16, 36, 1, -1, 37};
  char *text = number();
  int base = below(4) ? bases[below(12)] : (int)below(38);
  COMPARE(strtol);
  COMPARE(strtoll);
  COMPARE(strtoul);
  COMPARE(strtoull);
  COMPARE_DECIMAL(atoi);
  COMPARE_DECIMAL(atol);
  COMPARE_DECIMAL(atoll);
}

static long long any_number(void) {
  long long value = (long long)(((uint64_t)random_bits() << 40) ^ ((uint64_t)random_bits() << 20) ^ random_bits());
  value = below(3) ? value >> below(64) : (below(2) ? LLONG_MAX : LLONG_MIN + 1) + (below(3) == 0);
  return value == LLONG_MIN ? value + 1 : value;
}

static void arithmetic(void) {
  long long value = any_number(), divisor = any_number();
  divisor += divisor == 0;
  int small = (int)value, small_divisor = (int)divisor;
  small += small == INT_MIN;
  small_divisor += small_divisor == 0;
  CHECK(sfo_abs(small) == abs(small) && sfo_labs((long)value) == labs((long)value));
  CHECK(sfo_llabs(value) == llabs(value));
  CHECK(sfo_div(small, small_divisor).quot == div(small, small_divisor).quot);
  CHECK(sfo_div(small, small_divisor).rem == div(small, small_divisor).rem);
  CHECK(sfo_ldiv((long)value, (long)divisor).quot == ldiv((long)value, (long)divisor).quot);
  CHECK(sfo_ldiv((long)value, (long)divisor).rem == ldiv((long)value, (long)divisor).rem);
  CHECK(sfo_lldiv(value, divisor).quot == lldiv(value, divisor).quot);
  CHECK(sfo_lldiv(value, divisor).rem == lldiv(value, divisor).rem);
}

static int by_first_byte(const void *left, const void *right) {
  return *(const unsigned char *)left - *(const unsigned char *)right;
}

static void sorting(void) {
  size_t bytes = 1 + below(9), count = below(9);
  char *one = object(1, bytes * count);
  for (size_t n = 0; n < bytes * count; n++)
    one[n] = (char)(n % bytes == 0 ? below(5) * 60 : below(256));
  char *two = copy_of(2, one, bytes * count);
  sfo_qsort(one, count, bytes, by_first_byte);
  qsort(two, count, bytes, by_first_byte);
  CHECK(same(one, two, bytes * count));
  unsigned char key = (unsigned char)(below(6) * 60);
  CHECK(sfo_bsearch(&key, one, count, bytes, by_first_byte) == bsearch(&key, one, count, bytes, by_first_byte));
}

static void memory(void) {
  size_t count = below(6), bytes = below(6);
  char *zero = sfo_calloc(count, bytes);
  CHECK(sfo___sfo_object_size(zero) == count * bytes);
  for (size_t n = 0; n < count * bytes; n++)
    CHECK(zero[n] == 0);
  char *block = sfo_realloc(NULL, bytes + 1);
  CHECK(sfo___sfo_object_size(block) == bytes + 1);
  for (size_t n = 0; n <= bytes; n++)
    block[n] = (char)(n + 1);
  size_t now = 1 + below(9);
  char *moved = below(2) ? sfo_realloc(block, now) : sfo_reallocarray(block, now, 1);
  CHECK(sfo___sfo_object_size(moved) == now);
  for (size_t n = 0; n < now; n++)
    CHECK(moved[n] == (n <= bytes ? (char)(n + 1) : 0x77));
  CHECK(live == 2);
  CHECK(sfo_realloc(moved, 0) == NULL && live == 1);
  sfo_free(zero);
  char *aligned = sfo_aligned_alloc(16, bytes);
  CHECK(sfo___sfo_object_size(aligned) == bytes);
  sfo_free(aligned);

  volatile size_t huge = SIZE_MAX / 3, times = 4 + below(9);
  sfo_errno = 0;
  CHECK(sfo_calloc(huge, times) == NULL && sfo_errno == ENOMEM);
  sfo_errno = 0;
  CHECK(sfo_reallocarray(NULL, times, huge) == NULL && sfo_errno == ENOMEM);
  zero = sfo_calloc(huge, 0);
  CHECK(sfo___sfo_object_size(zero) == 0);
  sfo_free(zero);
  CHECK(live == 0);
}

static void outside(void) {
  const int numbers[] = {(int)(random_bits() & INT_MAX), RAND_MAX, 0};
  unsigned seed = random_bits();
  given = numbers, given_count = 3, given_next = 0;
  sfo_srand(seed);
  sfo_srandom(seed);
  CHECK(sfo_rand() == numbers[0] && sfo_random() == RAND_MAX && sfo_rand_r(&seed) == 0);
  if (setjmp(refused) == 0) {
    sfo_rand(); /* the input is -1 */
    CHECK(0);
  }
  const int halves[] = {numbers[0], numbers[0], numbers[0], -numbers[0], RAND_MAX, RAND_MAX};
  given = halves, given_count = 6, given_next = 0;
  sfo_srand48(seed);
  double real = sfo_drand48();
  CHECK(real >= numbers[0] / 2147483648.0 && real < (numbers[0] + 1.0) / 2147483648.0);
  CHECK(sfo_lrand48() == numbers[0] && sfo_mrand48() == -numbers[0] && sfo_drand48() == 1 - 0x1p-48);
  const int statuses[] = {256};
  given = statuses, given_count = 1, given_next = 0;
  CHECK(sfo_system(NULL) != 0 && sfo_system("true") == 256);
  void *block = NULL;
  CHECK(sfo_posix_memalign(&block, 48, 8) == EINVAL && block == NULL && sfo_posix_memalign(&block, 64, 8) == 0);
  sfo_free(block);
}

static char handled[3];
static int handlers_run;

static void handler_a(void) { handled[handlers_run++] = 'a'; }
static void handler_b(void) { handled[handlers_run++] = 'b'; }

static void ending(void) {
  handlers_run = 0;
  sfo_atexit(handler_a), sfo_atexit(handler_a), sfo_atexit(handler_b);
  sfo___sfo_run_handlers();
  CHECK(handlers_run == 3 && memcmp(handled, "baa", 3) == 0);
}

int main(void) {
  for (round_number = 0; round_number < 100000; round_number++) {
    numbers();
    arithmetic();
    sorting();
    memory();
    outside();
    ending();
  }
  return 0;
}
""",
    "stdio": r"""
char *gets(char *target);
MODEL(fclose) MODEL(fflush) MODEL(fgetc) MODEL(fgets) MODEL(fputc) MODEL(fputs) MODEL(getc)
MODEL(getchar) MODEL(gets) MODEL(perror) MODEL(putc) MODEL(setbuf) MODEL(setvbuf) MODEL(ungetc) MODEL(getline)
MODEL(fread) MODEL(fwrite) MODEL(feof) MODEL(clearerr) MODEL(fopen) MODEL(puts) MODEL(putchar)
extern FILE *sfo_stdin, *sfo_stdout;
extern void sfo___sfo_scan_word(char *target, size_t most, const char *set, size_t end);
int sfo_errno;

void *sfo_realloc(void *old, size_t bytes) { return realloc(old, bytes); }

static int inputs[200];
static char bytes[200];

/* The same characters for both; returns the stream. */
static FILE *prepare(unsigned count) {
  for (unsigned n = 0; n < count; n++) {
    inputs[n] = below(5) == 0 ? '\n' : below(9) == 0 ? (int)below(256) : 'a' + (int)below(26);
    bytes[n] = (char)inputs[n];
  }
  given = inputs, given_count = (int)count, given_next = 0;
  sfo_clearerr(sfo_stdin);
  return fmemopen(bytes, count + (count == 0), count == 0 ? "w+" : "r");
}

static void lines(void) {
  FILE *file = prepare(below(20));
  char *ours, *theirs;
  do {
    int size = (int)below(9) - 1;
    size_t room = size > 0 ? (size_t)size : 0;
    char *one = object(0, room), *two = object(1, room);
    ours = sfo_fgets(one, size, file), theirs = fgets(two, size, file);
    CHECK((ours == NULL) == (theirs == NULL) && (ours == NULL || ours == one));
    if (size == 1)
      theirs = ours = NULL;
    if (theirs == two)
      CHECK(memcmp(one, two, room) == 0);
  } while (theirs != NULL);
  fclose(file);
}

static void unbounded_lines(void) {
  FILE *keyboard = stdin;
  stdin = prepare(below(20));
  char *theirs;
  do {
    char *one = object(0, 64), *two = object(1, 64);
    char *ours = sfo_gets(one);
    theirs = gets(two);
    CHECK(ours == (theirs == NULL ? NULL : one) && memcmp(one, two, 64) == 0);
  } while (theirs != NULL);
  fclose(stdin);
  stdin = keyboard;
}

static void characters(void) {
  FILE *file = prepare(below(10));
  int theirs;
  do {
    theirs = fgetc(file);
    switch (below(3)) {
    case 0: CHECK(sfo_getchar() == theirs); break;
    case 1: CHECK(sfo_getc(file) == theirs); break;
    default: CHECK(sfo_fgetc(file) == theirs);
    }
  } while (theirs != EOF);
  fclose(file);
}

static void whole_lines(void) {
  FILE *file = prepare(below(40));
  char *one = NULL, *two = NULL;
  size_t room_one = 0, room_two = 0;
  ssize_t ours, theirs;
  do {
    ours = sfo_getline(&one, &room_one, file), theirs = getline(&two, &room_two, file);
    CHECK(ours == theirs && (ours < 0 || strcmp(one, two) == 0));
  } while (theirs >= 0);
  CHECK(sfo_feof(file) == feof(file));
  free(one), free(two);
  fclose(file);
}

static void pieces(void) {
  FILE *file = prepare(below(20));
  size_t theirs;
  do {
    size_t bytes = 1 + below(3), count = below(4) + 1;
    char *one = object(0, bytes * count), *two = object(1, bytes * count);
    size_t ours = sfo_fread(one, bytes, count, file);
    theirs = fread(two, bytes, count, file);
    CHECK(ours == theirs && memcmp(one, two, bytes * count) == 0);
    if (below(3) == 0 && !feof(file))
      CHECK(sfo_ungetc('x', file) == ungetc('x', file) && sfo_getc(file) == getc(file));
  } while (!feof(file));
  CHECK(sfo_feof(file) && sfo_fgetc(file) == EOF);
  sfo_clearerr(file);
  CHECK(!sfo_feof(file));
  fclose(file);
}

static void words(void) {
  static const int letters[] = {'a', 'b', 0, '7', '-', 'x', 0};
  given = letters, given_count = 7, given_next = 0;
  char *one = object(0, 3);
  sfo___sfo_scan_word(one, 5, NULL, 0);
  CHECK(strcmp(one, "ab") == 0 && given_next == 3);
  one = object(0, 3);
  sfo___sfo_scan_word(one, 2, "0-9-", 4);
  CHECK(strcmp(one, "7-") == 0 && given_next == 5);
  if (setjmp(refused) == 0) {
    sfo___sfo_scan_word(one, 2, "^w-z", 4);
    CHECK(0);
  }
}

static void recorded(void) {
  printed_length = 0;
  CHECK(sfo_puts("ab") == 3 && sfo_putchar('c' + 256) == 'c' && sfo_fputc('d', sfo_stdout) == 'd');
  CHECK(sfo_fwrite("efg", 1, 2, sfo_stdout) == 2 && sfo_fputs("h", sfo_stdout) == 1);
  CHECK(printed_length == 8 && memcmp(printed, "ab\ncdefh", 8) == 0);
  int before = refusals;
  CHECK(sfo_fopen("name", "r") == NULL && refusals == before + 1);
}

static void output(FILE *file) {
  int character = below(2) ? (int)random_bits() : -(int)below(300);
  CHECK(sfo_fputc(character, file) == fputc(character, file));
  CHECK(sfo_putc(character, file) == putc(character, file));
  CHECK(sfo_fputs("text", file) == fputs("text", file));
  CHECK(sfo_fflush(file) == fflush(file));
}

int main(void) {
  FILE *file = fopen("/dev/null", "w");
  for (round_number = 0; round_number < 20000; round_number++) {
    lines();
    unbounded_lines();
    characters();
    whole_lines();
    pieces();
    words();
    recorded();
    output(file);
  }
  for (int n = 0; n < 100; n++)
    inputs[n] = 'a';
  given = inputs, given_count = 100, given_next = 0;
  sfo_clearerr(sfo_stdin);
  inputs[99] = '\n';
  CHECK(strlen(sfo_gets(object(0, 128))) == 99 && given_next == 100);
  for (int n = 0; n < 2; n++) {
    inputs[0] = n == 0 ? 256 : -2;
    given_next = 0;
    if (setjmp(refused) == 0) {
      sfo_getchar();
      CHECK(0);
    }
  }
  CHECK(sfo_setvbuf(file, NULL, _IONBF, 0) == setvbuf(file, NULL, _IONBF, 0));
  sfo_setbuf(file, NULL);
  sfo_perror("nothing");
  CHECK(sfo_fclose(file) == fclose(file));
  return 0;
}
""",
}


def call(tool: str, *arguments: str) -> None:
    done = subprocess.run([require_tool(tool), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def native(name: str, directory: Path, *, text: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the driver of the model ``name``, or of ``text`` in its place."""
    model = directory / "model.c"
    model.write_text(
        (LIBRARY / f"{name}.c").read_text(encoding="utf-8") if text is None else text, encoding="utf-8"
    )
    driver = directory / "driver.c"
    driver.write_text(COMMON + DRIVERS[name], encoding="utf-8")
    ours = str(directory / "model.o")
    program = str(directory / "driver")
    headers = ("-nostdinc", "-I", str(HEADERS))
    options = ("-std=c11", "-O1", "-fno-builtin", "-DSFO_NATIVE", "-DSFO_NO_FILES")
    call("gcc", *options, *SANITIZED, *headers, "-Wall", "-Wextra", "-Werror", "-c", str(model), "-o", ours)
    call("objcopy", "--prefix-symbols=sfo_", ours)
    others = {function for functions in FUNCTIONS.values() for function in functions.split()} | CONVERSIONS
    listed = subprocess.run([require_tool("nm"), "-u", ours], capture_output=True, text=True, check=True)
    for needed in listed.stdout.split():
        own = needed.removeprefix("sfo_")
        if own in others and own not in DRIVERS[name]:  # what another model does, glibc does here
            call("objcopy", f"--redefine-sym={needed}={own}", ours)
    call("gcc", *options, "-w", "-fwrapv", str(driver), ours, "-o", program, "-lm")
    return subprocess.run([program], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("name", sorted(DRIVERS))
def test_model_agrees_with_glibc(name: str, tmp_path: Path) -> None:
    done = native(name, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        (
            "string",
            "(unsigned char)left[n] - (unsigned char)right[n];\n    n++",
            "left[n] - right[n];\n    n++",
        ),
        ("string", "if (character != 0) {\n      character", "{\n      character"),
        ("string", "n = bytes; n > 0", "n = bytes; n > 1"),
        ("stdlib", "#define SAFE_DIGITS 12", "#define SAFE_DIGITS 13"),
        ("stdlib", "<= 0)\n        break", "< 0)\n        break"),
        ("stdio", "target[n + 1] = 0", "(void)0"),
        ("ctype", "character == 127", "character == 128"),
        ("format", "how->left && how->precision < 0", "how->left"),
        ("format", "n < 20; n++", "n < 18; n++"),
        ("calendar", "of_cycle / 146096", "0"),
        ("calendar", "int next = since_first_week(parts->tm_yday - 365", "int next = since_first_week(-365"),
        ("getopt", "optind++;\n    return 0", "return 0"),
        ("scan", "is_over && stored == 0 ? EOF : stored", "stored"),
    ],
)
def test_a_wrong_model_is_found(name: str, right: str, wrong: str, tmp_path: Path) -> None:
    text = (LIBRARY / f"{name}.c").read_text(encoding="utf-8")
    assert right in text
    assert native(name, tmp_path, text=text.replace(right, wrong)).returncode != 0


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_model_is_read_by_our_own_front_end(name: str) -> None:
    unit = elaborate_files([parse_file(preprocess(str(LIBRARY / f"{name}.c"), PreprocessOptions()))])
    lowered = lower_program(unit, ALL_CHECKS, "statement")
    assert check_goto(lowered) == []
    assert set(FUNCTIONS[name].split()) <= set(lowered.functions)
    refused = [
        instruction.message
        for function in lowered.functions.values()
        for instruction in function.instructions
        if isinstance(instruction, goto.RefuseInstruction) and instruction.unsupported
    ]
    by_name = set(
        re.findall(r'__sfo_(?:refuse|limit)\("([^"]*)"', (LIBRARY / f"{name}.c").read_text(encoding="utf-8"))
    )
    unknown = [m for m in refused if "the library function" not in m and m not in by_name]
    assert unknown == []
