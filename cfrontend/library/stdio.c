/* Characters in and out: models of <stdio.h>, to be executed symbolically.

   Not an implementation. What is read is an input of the program, one for each character, until one is the end of
   the file; that is the end for good. What goes to the standard output is recorded, what goes elsewhere is
   forgotten. A named file is opened or not, with any contents, or refused with SFO_NO_FILES (--files error). With
   SFO_NATIVE this is compiled for a native run, where libc writes to the files that are opened here. With SFO_SEEK what
   was read of a file is kept, because the program goes back in some. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void __sfo_leave_bound(void);
extern void __sfo_refuse(const char *what);
extern void __sfo_print(const char *format, ...);

/* The longest line, and the longest word of scanf, that is followed, with its final zero; what is longer leaves the
   bound, but where the inputs are given. */
#define LONGEST_LINE 64

static char standard[3];

FILE *stdin = (FILE *)&standard[0];
FILE *stdout = (FILE *)&standard[1];
FILE *stderr = (FILE *)&standard[2];

/* How far a file has been read: `is_over` when there is no more of it, `is_at_end` when a read has met that, `back`
   the character that was put back, EOF for none; `is_written`: opened for writing. `bytes` are the first `known` of it,
   `position` is the one that is read next; `is_scanned`: fscanf has read some that are not there. Natively, `file` is
   what the program knows it by. */
struct input {
  int is_over;
  int is_at_end;
  int back;
#ifdef SFO_SEEK
  int is_written;
  int is_scanned;
  unsigned char *bytes;
  long room;
  long known;
  long position;
#endif
#ifdef SFO_NATIVE
  FILE *file;
  struct input *earlier;
#endif
};

static struct input standard_input = {.back = EOF};

#ifdef SFO_NATIVE
static struct input *opened;

static struct input *input_of(FILE *file) {
  char first = *(const char *)file;
  (void)first;
  struct input *input = opened;
  while (input != NULL && input->file != file)
    input = input->earlier;
  return input == NULL ? &standard_input : input;
}
#else
/* The input of a file that was opened is what its pointer points to. */
static struct input *input_of(FILE *file) {
  char first = *(const char *)file;
  (void)first;
  if (file != stdin && file != stdout && file != stderr)
    return (struct input *)file;
  return &standard_input;
}
#endif

/* Whether what is written to a file is seen; no state of ours is looked at, so that natively libc can write. */
int __sfo_is_shown(FILE *file) {
  char first = *(const char *)file;
  (void)first;
  return file == stdout;
}

/* -- in -- */

/* A character of the standard input, and one of a named file. */
static int next_character(void) {
  int character = __VERIFIER_nondet_int();
  __VERIFIER_assume(character >= EOF && character <= 255);
  return character;
}

static int next_in_file(void) {
  int character = __VERIFIER_nondet_int();
  __VERIFIER_assume(character >= EOF && character <= 255);
  return character;
}

#ifdef SFO_SEEK
/* Reads one more byte of a named file, which stands at number `n`. */
static int kept(struct input *from, long n) {
  int character = next_in_file();
  if (character == EOF) {
    from->is_over = 1;
    return EOF;
  }
  if (n == from->room) {
    __sfo_leave_bound();
    from->room *= 2;
    from->bytes = realloc(from->bytes, (size_t)from->room);
  }
  from->bytes[n] = (unsigned char)character;
  from->known = n + 1;
  return character;
}
#endif

static int taken_from(struct input *from) {
  int character = from->back;
  if (character != EOF) {
    from->back = EOF;
    return character;
  }
#ifdef SFO_SEEK
  if (from->position < from->known) {
    character = from->bytes[from->position];
    from->position++;
    return character;
  }
#endif
  if (from->is_over) {
    from->is_at_end = 1;
    return EOF;
  }
#ifdef SFO_SEEK
  if (from != &standard_input) {
    character = kept(from, from->known);
    from->position += character != EOF;
    from->is_at_end = character == EOF;
    return character;
  }
#endif
  character = from == &standard_input ? next_character() : next_in_file();
  from->is_over = from->is_at_end = character == EOF;
  return character;
}

/* Numbers and words that fscanf reads are no characters that could be read again. */
static void scan(struct input *from) {
#ifdef SFO_SEEK
  if (from->position < from->known)
    __sfo_refuse("fscanf where the file was read before is not supported yet");
  from->is_scanned = 1;
#else
  (void)from;
#endif
}

int getchar(void) { return taken_from(&standard_input); }

int getc(FILE *file) { return taken_from(input_of(file)); }

int fgetc(FILE *file) { return taken_from(input_of(file)); }

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
   loop runs to the longest line whatever is read: lines of all lengths meet after each character, not only after
   the last. */
char *fgets(char *target, int bytes, FILE *file) {
  if (bytes <= 0)
    return NULL;
  int more = 1;
  for (int n = 0; n < bytes - 1 && (n < LONGEST_LINE - 1 || more); n++) {
    if (n == LONGEST_LINE - 1)
      __sfo_leave_bound();
    if (more) {
      int character = taken_from(input_of(file));
      if (character == EOF && n == 0)
        return NULL;
      target[n] = character == EOF ? 0 : (char)character;
      if (character == '\n')
        target[n + 1] = 0;
      more = character != EOF && character != '\n';
    }
  }
  if (more)
    target[bytes - 1] = 0;
  return target;
}

/* A line without its newline, however small the target is. */
char *gets(char *target) {
  int more = 1;
  for (int n = 0; n < LONGEST_LINE - 1 || more; n++) {
    if (n == LONGEST_LINE - 1)
      __sfo_leave_bound();
    if (more) {
      int character = taken_from(&standard_input);
      if (character == EOF && n == 0)
        return NULL;
      more = character != EOF && character != '\n';
      target[n] = more ? (char)character : 0;
    }
  }
  return target;
}

/* A line up to the delimiter. */
ssize_t getdelim(char **line, size_t *bytes, int delimiter, FILE *file) {
  if (*line == NULL || *bytes < LONGEST_LINE) {
    *line = realloc(*line, 2 * LONGEST_LINE - 8);
    *bytes = 2 * LONGEST_LINE - 8;
  }
  char *target = *line;
  ssize_t length = 0;
  int more = 1;
  for (int n = 0; n < LONGEST_LINE - 1 || more; n++) {
    if (n == LONGEST_LINE - 1)
      __sfo_leave_bound();
    if (n >= LONGEST_LINE - 1 && (size_t)n + 2 > *bytes) {
      *bytes *= 2;
      target = *line = realloc(*line, *bytes);
    }
    if (more) {
      int character = taken_from(input_of(file));
      if (character == EOF && n == 0)
        return -1;
      more = character != EOF && character != delimiter;
      if (character != EOF) {
        target[n] = (char)character;
        length = n + 1;
      }
    }
  }
  target[length] = 0;
  return length;
}

ssize_t getline(char **line, size_t *bytes, FILE *file) { return getdelim(line, bytes, '\n', file); }

/* Up to the longest line, or one element. */
size_t fread(void *target, size_t bytes, size_t count, FILE *file) {
  size_t most = bytes > LONGEST_LINE ? bytes : LONGEST_LINE;
  unsigned char *to = target;
  size_t found = 0;
  int more = 1;
  for (size_t n = 0; n < bytes * count && (n < most || more); n++) {
    if (n == most)
      __sfo_leave_bound();
    if (more) {
      int character = taken_from(input_of(file));
      more = character != EOF;
      if (more) {
        to[n] = (unsigned char)character;
        found = n + 1;
      }
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

int __sfo_scanned_in(int most, FILE *file) {
  struct input *from = input_of(file);
  scan(from);
  if (from->is_over) {
    from->is_at_end = 1;
    return EOF;
  }
  int stored = __VERIFIER_nondet_int();
  __VERIFIER_assume(stored >= EOF && stored <= most);
  if (stored == EOF)
    from->is_over = from->is_at_end = 1;
  return stored;
}

/* Where it does not look, what there is fits the format; the file has to be one. */
void __sfo_scanned_all(FILE *file) { scan(input_of(file)); }

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
  if (__sfo_is_shown(file))
    __sfo_print("%c", character);
  return (unsigned char)character;
}

int fputs(const char *text, FILE *file) {
  int is_shown = __sfo_is_shown(file);
  for (size_t n = 0; text[n] != 0; n++)
    if (is_shown)
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
  if (!__sfo_is_shown(file)) {
    char last = bytes * count == 0 ? 0 : from[0] + from[bytes * count - 1];
    (void)last;
    return bytes == 0 ? 0 : count;
  }
  for (size_t n = 0; n < bytes * count; n++)
    __sfo_print("%c", from[n]);
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

#ifdef SFO_NATIVE
extern int open(const char *path, int flags, ...);
extern int *__errno_location(void);
#undef errno
#define errno (*__errno_location())
#else
#define MOST_NAMES 16
#define LONGEST_NAME 64

/* The names of the files that were opened so far. */
static char names[MOST_NAMES][LONGEST_NAME];
static int name_count;

/* What was read or written once would have to be the same when it is read again. */
static void note_name(const char *path, int is_read) {
  if (is_read)
    for (int n = 0; n < name_count; n++)
      if (strcmp(names[n], path) == 0)
        __sfo_refuse("reading a named file that was read or written before is not supported yet");
  if (name_count == MOST_NAMES || strlen(path) >= LONGEST_NAME)
    __sfo_refuse("opening more than 16 named files, or one with more than 63 characters, is not supported yet");
  strcpy(names[name_count], path);
  name_count++;
}
#endif

#ifndef SFO_NO_FILES
/* Whether something does not work, for want of the file or of the right to write. */
static int any_failure(void) {
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number == 0 || number == 1);
  return number;
}

static int any_refusal(void) {
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number == 0 || number == 1);
  return number;
}
#endif

/* There is the file or not. One that is made anew has nothing to read. */
FILE *fopen(const char *path, const char *mode) {
#ifdef SFO_NO_FILES
  (void)path;
  (void)mode;
  __sfo_refuse("opening named files is not supported yet (with --files nondet, they have any contents)");
  return NULL;
#else
  char first = path[0];
  (void)first;
  int is_read = mode[0] == 'r' || (mode[0] == 'a' && strchr(mode, '+') != NULL);
  struct input *made = malloc(sizeof *made);
  made->is_over = !is_read;
  made->is_at_end = 0;
  made->back = EOF;
#ifdef SFO_SEEK
  made->is_written = mode[0] != 'r' || strchr(mode, '+') != NULL;
  made->is_scanned = 0;
  made->bytes = malloc(LONGEST_LINE);
  made->room = LONGEST_LINE;
  made->known = made->position = 0;
#endif
  /* Decided last, so that what was written above is the same whichever way it goes. */
  if (mode[0] == 'r' ? any_failure() : any_refusal()) {
    errno = mode[0] == 'r' ? ENOENT : EACCES;
#ifdef SFO_SEEK
    free(made->bytes);
#endif
    free(made);
    return NULL;
  }
#ifdef SFO_NATIVE
  made->file = fdopen(open("/dev/null", 2), "r+");
  made->earlier = opened;
  opened = made;
  return made->file;
#else
  note_name(path, is_read);
  return (FILE *)made;
#endif
#endif
}

/* The standard streams go on; what they are connected with shows nowhere. */
FILE *freopen(const char *path, const char *mode, FILE *file) {
  (void)path;
  (void)mode;
  if (file != stdin && file != stdout && file != stderr)
    __sfo_refuse("reopening a named file is not supported yet");
  return file;
}

int fclose(FILE *file) {
  struct input *from = input_of(file);
#ifdef SFO_NATIVE
  if (from != &standard_input)
    from->is_over = 1;
#else
  if (from != &standard_input) {
#ifdef SFO_SEEK
    free(from->bytes);
#endif
    free(from);
  }
#endif
  return 0;
}

/* -- positions -- */

#ifdef SFO_SEEK
static void check_movable(struct input *from) {
  if (from->is_written)
    __sfo_refuse("moving in a file that is opened for writing is not supported yet");
  if (from->is_scanned)
    __sfo_refuse("moving in a file that fscanf has read is not supported yet");
}

/* Reads on until the byte with number `end` is known, or there is no more. */
static void read_up_to(struct input *from, long end) {
  for (long n = 0; n < end && (n < LONGEST_LINE || !from->is_over); n++) {
    if (n == LONGEST_LINE)
      __sfo_leave_bound();
    if (n >= from->known && !from->is_over)
      kept(from, n);
  }
}
#endif

/* Like a terminal, the standard input has no positions. */
long ftell(FILE *file) {
  struct input *from = input_of(file);
  if (from == &standard_input)
    return -1;
#ifdef SFO_SEEK
  check_movable(from);
  return from->position - (from->back != EOF);
#else
  __sfo_refuse("moving in a file by a call through a pointer is not supported yet");
  return -1;
#endif
}

int fseek(FILE *file, long offset, int whence) {
  struct input *from = input_of(file);
  if (from == &standard_input)
    return -1;
#ifdef SFO_SEEK
  check_movable(from);
  if (whence == SEEK_CUR)
    offset += ftell(file);
  if (whence == SEEK_END) {
    read_up_to(from, 0x7fffffff);
    from->is_over = 1; /* as it is already, but now on all paths */
    offset += from->known;
  }
  if (offset < 0)
    return -1;
  if (!from->is_over)
    read_up_to(from, offset);
  from->position = offset;
  from->back = EOF;
  from->is_at_end = 0;
#else
  (void)offset;
  (void)whence;
  __sfo_refuse("moving in a file by a call through a pointer is not supported yet");
#endif
  return 0;
}

void rewind(FILE *file) { fseek(file, 0, SEEK_SET); }

int remove(const char *path) {
#ifdef SFO_NO_FILES
  (void)path;
  __sfo_refuse("removing named files is not supported yet (with --files nondet, it succeeds or not)");
  return -1;
#else
  char first = path[0];
  (void)first;
  return -any_refusal();
#endif
}

int rename(const char *from, const char *to) {
#ifdef SFO_NO_FILES
  (void)from;
  (void)to;
  __sfo_refuse("renaming named files is not supported yet (with --files nondet, it succeeds or not)");
  return -1;
#else
  char first = from[0];
  first = to[0];
  (void)first;
  return -any_refusal();
#endif
}
