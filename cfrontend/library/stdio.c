/* Characters in and out: models of <stdio.h>, to be executed symbolically.

   Not an implementation. What is read is an input of the program, one for each character, until one is the end of
   the file; that is the end for good. What goes to the standard output is recorded, what goes elsewhere is
   forgotten. Named files are refused, or with SFO_FILES (--files nondet) opened or not, with any contents. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void __sfo_refuse(const char *what);
extern void __sfo_print(const char *format, ...);

/* The longest line, and the longest word of scanf, that is read without a limit of the program's own; with its
   final zero. */
#define LONGEST_LINE 64

static char standard[3];

FILE *stdin = (FILE *)&standard[0];
FILE *stdout = (FILE *)&standard[1];
FILE *stderr = (FILE *)&standard[2];

/* How far a file has been read: `is_over` when there is no more of it, `is_at_end` when a read has met that, `back`
   the character that was put back, EOF for none. */
struct input {
  int is_over;
  int is_at_end;
  int back;
};

static struct input standard_input = {0, 0, EOF};

/* The input of a file that was opened is what its pointer points to. */
static struct input *input_of(FILE *file) {
  char first = *(const char *)file;
  (void)first;
#ifdef SFO_FILES
  if (file != stdin && file != stdout && file != stderr)
    return (struct input *)file;
#endif
  return &standard_input;
}

/* -- in -- */

static int next_character(struct input *from) {
  int character = from->back;
  if (character != EOF) {
    from->back = EOF;
    return character;
  }
  if (from->is_over) {
    from->is_at_end = 1;
    return EOF;
  }
  character = __VERIFIER_nondet_int();
  __VERIFIER_assume(character >= EOF && character <= 255);
  from->is_over = from->is_at_end = character == EOF;
  return character;
}

int getchar(void) { return next_character(&standard_input); }

int getc(FILE *file) { return next_character(input_of(file)); }

int fgetc(FILE *file) { return next_character(input_of(file)); }

int ungetc(int character, FILE *file) {
  if (character == EOF)
    return EOF;
  struct input *to = input_of(file);
  if (to->back != EOF)
    __sfo_refuse("putting back a second character by ungetc is not supported yet");
  to->back = (unsigned char)character;
  to->is_at_end = 0;
  return to->back;
}

/* A line with its newline, or what there is of it; the target is left alone where there is nothing. The
   loop runs to its end whatever is read: lines of all lengths meet after each character, not only after
   the last. */
char *fgets(char *target, int bytes, FILE *file) {
  if (bytes <= 0)
    return NULL;
  int more = 1;
  for (int n = 0; n < bytes - 1; n++)
    if (more) {
      int character = next_character(input_of(file));
      if (character == EOF && n == 0)
        return NULL;
      target[n] = character == EOF ? 0 : (char)character;
      if (character == '\n')
        target[n + 1] = 0;
      more = character != EOF && character != '\n';
    }
  if (more)
    target[bytes - 1] = 0;
  return target;
}

/* A line without its newline, however small the target is. */
char *gets(char *target) {
  int more = 1;
  for (int n = 0; n < LONGEST_LINE - 1; n++)
    if (more) {
      int character = next_character(&standard_input);
      if (character == EOF && n == 0)
        return NULL;
      more = character != EOF && character != '\n';
      target[n] = more ? (char)character : 0;
    }
  if (more)
    target[LONGEST_LINE - 1] = 0;
  return target;
}

/* A line up to the delimiter, as long as gets would read. */
ssize_t getdelim(char **line, size_t *bytes, int delimiter, FILE *file) {
  if (*line == NULL || *bytes < LONGEST_LINE) {
    *line = realloc(*line, 2 * LONGEST_LINE - 8);
    *bytes = 2 * LONGEST_LINE - 8;
  }
  char *target = *line;
  ssize_t length = 0;
  int more = 1;
  for (int n = 0; n < LONGEST_LINE - 1; n++)
    if (more) {
      int character = next_character(input_of(file));
      if (character == EOF && n == 0)
        return -1;
      more = character != EOF && character != delimiter;
      if (character != EOF) {
        target[n] = (char)character;
        length = n + 1;
      }
    }
  target[length] = 0;
  return length;
}

ssize_t getline(char **line, size_t *bytes, FILE *file) { return getdelim(line, bytes, '\n', file); }

size_t fread(void *target, size_t bytes, size_t count, FILE *file) {
  unsigned char *to = target;
  size_t found = 0;
  int more = 1;
  for (size_t n = 0; n < bytes * count; n++)
    if (more) {
      int character = next_character(input_of(file));
      more = character != EOF;
      if (more) {
        to[n] = (unsigned char)character;
        found = n + 1;
      }
    }
  return bytes == 0 ? 0 : found / bytes;
}

/* -- what scanf reads: its conversions of numbers are inputs; these are called for the rest -- */

/* How many of `most` conversions succeed, where the program looks. */
int __sfo_scanned(int most) {
  if (standard_input.is_over)
    return EOF;
  int stored = __VERIFIER_nondet_int();
  __VERIFIER_assume(stored >= EOF && stored <= most);
  if (stored == EOF)
    standard_input.is_over = standard_input.is_at_end = 1;
  return stored;
}

/* Whether a conversion takes a character: %s (no set) all but white space, %[ what its set says. */
static int is_taken(int character, const char *set, size_t end) {
  if (set == NULL)
    return !(character == ' ' || (character >= '\t' && character <= '\r'));
  int inverted = set[0] == '^';
  int found = 0;
  for (size_t n = (size_t)inverted; n < end; n++)
    if (n + 2 < end && set[n + 1] == '-') {
      found |= (char)character >= set[n] && (char)character <= set[n + 2];
      n += 2;
    } else
      found |= (char)character == set[n];
  return found != inverted;
}

/* A word of 1 to `most` characters, or to LONGEST_LINE - 1 where `most` is 0. The character that ends it is read
   as 0, whatever it is. */
void __sfo_scan_word(char *target, size_t most, const char *set, size_t end) {
  int more = 1;
  size_t limit = most == 0 ? LONGEST_LINE - 1 : most;
  for (size_t n = 0; n < limit; n++)
    if (more) {
      int character = __VERIFIER_nondet_int();
      __VERIFIER_assume(character >= (n == 0) && character <= 255);
      __VERIFIER_assume(character == 0 || is_taken(character, set, end));
      more = character != 0;
      target[n] = (char)character;
    }
  if (more)
    target[limit] = 0;
}

/* Exactly `count` characters. */
void __sfo_scan_characters(char *target, size_t count) {
  for (size_t n = 0; n < count; n++) {
    int character = __VERIFIER_nondet_int();
    __VERIFIER_assume(character >= 0 && character <= 255);
    target[n] = (char)character;
  }
}

/* -- out -- */

int putc(int character, FILE *file) { return fputc(character, file); }

int putchar(int character) { return fputc(character, stdout); }

int fputc(int character, FILE *file) {
  if (file == stdout)
    __sfo_print("%c", character);
  return (unsigned char)character;
}

int fputs(const char *text, FILE *file) {
  for (size_t n = 0; text[n] != 0; n++)
    if (file == stdout)
      __sfo_print("%c", text[n]);
  return 1;
}

int puts(const char *text) {
  int length = 1;
  for (size_t n = 0; text[n] != 0; n++) {
    __sfo_print("%c", text[n]);
    length++;
  }
  __sfo_print("\n");
  return length;
}

size_t fwrite(const void *source, size_t bytes, size_t count, FILE *file) {
  const char *from = source;
  for (size_t n = 0; n < bytes * count; n++) {
    char character = from[n];
    if (file == stdout)
      __sfo_print("%c", character);
  }
  return bytes == 0 ? 0 : count;
}

int fflush(FILE *file) {
  (void)file;
  return 0;
}

void setbuf(FILE *file, char *buffer) {
  (void)file;
  (void)buffer;
}

void setlinebuf(FILE *file) { (void)file; }

int setvbuf(FILE *file, char *buffer, int mode, size_t bytes) {
  (void)file;
  (void)buffer;
  (void)mode;
  (void)bytes;
  return 0;
}

void perror(const char *text) { (void)text; }

/* -- the state of a file -- */

int feof(FILE *file) { return input_of(file)->is_at_end; }

/* Reading and writing never go wrong. */
int ferror(FILE *file) {
  (void)input_of(file);
  return 0;
}

/* After that the input may go on, as that from a terminal does. */
void clearerr(FILE *file) {
  struct input *from = input_of(file);
  from->is_over = from->is_at_end = 0;
}

int fileno(FILE *file) { return file == stdin ? 0 : file == stdout ? 1 : file == stderr ? 2 : 3; }

/* -- named files -- */

#ifdef SFO_FILES
static int any_below(int limit) {
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number >= 0 && number < limit);
  return number;
}
#endif

/* With SFO_FILES there is the file or not. */
FILE *fopen(const char *path, const char *mode) {
#ifdef SFO_FILES
  char first = path[0];
  (void)first;
  first = mode[0];
  (void)first;
  if (any_below(2)) {
    errno = ENOENT;
    return NULL;
  }
  struct input *made = malloc(sizeof *made);
  made->is_over = made->is_at_end = 0;
  made->back = EOF;
  return (FILE *)made;
#else
  (void)path;
  (void)mode;
  __sfo_refuse("opening named files is not supported yet (with --files nondet, they have any contents)");
  return NULL;
#endif
}

int fclose(FILE *file) {
  (void)input_of(file);
#ifdef SFO_FILES
  if (file != stdin && file != stdout && file != stderr)
    free(file);
#endif
  return 0;
}

int remove(const char *path) {
  (void)path;
#ifdef SFO_FILES
  return -any_below(2);
#else
  __sfo_refuse("removing named files is not supported yet (with --files nondet, it succeeds or not)");
  return -1;
#endif
}

int rename(const char *from, const char *to) {
  (void)from;
  (void)to;
#ifdef SFO_FILES
  return -any_below(2);
#else
  __sfo_refuse("renaming named files is not supported yet (with --files nondet, it succeeds or not)");
  return -1;
#endif
}
