/* Characters in and out: models of <stdio.h>, to be executed symbolically.

   Not an implementation. What is read is an input of the program, one for each character, until one is the end of
   the file; that is the end for good. What goes to the standard output is recorded, what goes elsewhere is
   forgotten. A named file is opened or not, with any contents, or refused with SFO_NO_FILES (--files error). With
   SFO_KEPT what is read of a named file and what is written to it is kept, because the program goes back in some, or
   opens some again. With SFO_NATIVE this is compiled for a native run, where libc formats what goes to the files that
   are opened here. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
#ifdef SFO_CHARACTER /* native executions ask for characters by this name */
extern int SFO_CHARACTER(void);
#else
#define SFO_CHARACTER __VERIFIER_nondet_int
#endif
extern void __VERIFIER_assume(int condition);
extern void __sfo_leave_bound(void);
extern void __sfo_refuse(const char *what);
extern void __sfo_limit(const char *what);
extern void __sfo_fill(void *target, int byte, size_t bytes);
extern void __sfo_copy(void *target, const void *source, size_t bytes);
extern void __sfo_print(const char *format, ...);

#ifdef SFO_NO_FILES
#define NEED_FILES(what, nondet) __sfo_refuse(what " is not supported yet (with --files nondet, " nondet ")")
#else
#define NEED_FILES(what, nondet)
#endif

/* The longest line, and the longest word of scanf, that is followed, with its final zero; what is longer leaves the
   bound, but where the inputs are given. */
#define LONGEST_LINE 64

static char standard[3];

FILE *stdin = (FILE *)&standard[0];
FILE *stdout = (FILE *)&standard[1];
FILE *stderr = (FILE *)&standard[2];

#ifdef SFO_NATIVE
#ifndef SFO_KEPT
extern int open(const char *path, int flags, ...);
#endif
extern int *__errno_location(void);
#undef errno
#define errno (*__errno_location())
#endif

#define MOST_NAMES 16
#define LONGEST_NAME 64

#ifdef SFO_KEPT
#define MOST_BYTES 16384
#define MOST_AT_ONCE 4096
#define LIBRARY_BUFFER 4096

/* What is in a named file: bytes that were there before the program came, of which the first `known` have been read
   (all of them: `is_over`), and `written` ones that the program has put behind these. `is_scanned`: fscanf has read
   some that are not among them; `is_dirty`: behind what was written may be other bytes than zeros.
   `was_missing`: nothing was there before. Of what is pending others than the `writer` see nothing: `flushed` of the bytes written.
   Each change that other streams have not seen makes a new `version`. */
struct contents {
  int is_over;
  int is_scanned;
  int is_dirty;
  int was_missing;
  int version;
  int is_pending;
  struct input *writer;
  long flushed;
  long known;
  long written;
  unsigned char *old;
  unsigned char *new;
};

/* A name that was used, and the file: whether it is missing, and protected, as inputs have said where it `is_asked`.
   What is done to a file is done as if it had succeeded, so that not everything depends on these; where it has not and
   others would have to find the file as it was, it `is_lost`. */
struct name {
  char text[LONGEST_NAME];
  int is_asked;
  int is_missing;
  int is_asked_writable;
  int is_protected;
  int is_lost;
  struct contents *contents;
};

/* Each in an object of its own, so that what is written at an unknown place is in no other. */
#define ROOMS(m) ROOM(m, 0) ROOM(m, 1) ROOM(m, 2) ROOM(m, 3) ROOM(m, 4) ROOM(m, 5) ROOM(m, 6) ROOM(m, 7)
#define ROOM(m, n) static unsigned char old_##m##n[MOST_BYTES], new_##m##n[MOST_BYTES + MOST_AT_ONCE];
ROOMS(0) ROOMS(1)
#undef ROOM
#define ROOM(m, n) {.old = old_##m##n, .new = new_##m##n},
static struct contents all_contents[MOST_NAMES] = {ROOMS(0) ROOMS(1)};
static struct name names[MOST_NAMES];
static int name_count;
#define FORGOTTEN '\1' /* the first character of a name that means no file any more */
#endif

/* How far a file has been read: `is_over` when there is no more of it (SFO_KEPT: of the standard input), `is_at_end`
   when a read has met that, `back` the character that was put back last, EOF for none, on top of `deeper` others.
   `position` is that of the byte that is next, `is_last`: it is behind all others, wherever that is; a stream that `has_read` may have a buffer.
   What descriptors alone read and write is no stream.
   Natively, `file` is what the program knows it by. */
#define MOST_BACK 16
struct input {
  int is_over;
  int is_at_end;
  int back;
  int deeper;
  unsigned char below[MOST_BACK];
#ifdef SFO_KEPT
  int can_read;
  int can_write;
  int appends;
  int is_wrong;
  int is_pending;
  int is_last;
  int is_stream;
  int has_read;
  int is_pipe;
  int version;
  struct contents *contents;
  long position;
#endif
#ifdef SFO_NATIVE
  FILE *file;
  struct input *earlier;
#endif
};

static struct input standard_input = {.back = EOF};

#ifdef SFO_KEPT
/* What is behind each descriptor from FIRST_DESCRIPTOR on, NULL for one that is not open; how many are those of streams. */
#define MOST_DESCRIPTORS 8
#define FIRST_DESCRIPTOR 3
static struct input *behind[MOST_DESCRIPTORS];
#ifdef SFO_ENTERED
static int is_closed[MOST_DESCRIPTORS]; /* by the program: nothing of the outside is behind it any more */
#endif
static int numbered_streams;
#endif

#ifdef SFO_NATIVE
static struct input *opened;
#endif

/* The input of a file that was opened is what its pointer points to; NULL for a standard stream. */
static struct input *named(FILE *file) {
  char first = *(const char *)file;
  (void)first;
#ifdef SFO_NATIVE
  struct input *input = opened;
  while (input != NULL && input->file != file)
    input = input->earlier;
  return input;
#else
  return file != stdin && file != stdout && file != stderr ? (struct input *)file : NULL;
#endif
}

static struct input *input_of(FILE *file) {
  struct input *input = named(file);
  return input == NULL ? &standard_input : input;
}

/* Whether what is written to a file is seen; no state of ours is looked at, so that natively libc can write. */
int __sfo_is_shown(FILE *file) {
  char first = *(const char *)file;
  (void)first;
  if (file == stdin)
    __sfo_refuse("writing to the standard input is not supported yet");
  return file == stdout;
}

/* -- in -- */

/* A character of the standard input, and one of a named file. */
static int next_character(void) {
  int character = SFO_CHARACTER();
  __VERIFIER_assume(character >= EOF && character <= 255);
  return character;
}

static int next_in_file(void) {
  int character = __VERIFIER_nondet_int();
  __VERIFIER_assume(character >= EOF && character <= 255);
  return character;
}

#ifdef SFO_KEPT
/* Reads one more of the bytes that were in a file before, which stands at number `n`. */
static int learned(struct contents *in, long n) {
  int character = next_in_file();
  __VERIFIER_assume(!in->was_missing || character == EOF);
  if (character == EOF) {
    in->is_over = 1;
    return EOF;
  }
  if (n == MOST_BYTES)
    __sfo_limit("a named file of so many bytes is not supported yet");
  in->old[n] = (unsigned char)character;
  in->known = n + 1;
  return character;
}

/* Reads on until the byte with number `end` is known, or there is no more. */
static void learn(struct contents *in, long end) {
  for (long n = 0; n < end && (n < LONGEST_LINE || !in->is_over); n++) {
    if (n == LONGEST_LINE)
      __sfo_leave_bound();
    if (n >= in->known && !in->is_over)
      learned(in, n);
  }
}

/* Where the bytes of a file end that this stream sees, when all that was there before is known. */
static long known_end_of(struct input *from) {
  struct contents *in = from->contents;
  if (!in->is_pending || from->is_pending)
    return in->known + in->written;
  if (in->written - in->flushed >= LIBRARY_BUFFER)
    __sfo_limit("reading a named file while another stream writes so much to it is not supported yet");
  return in->known + in->flushed;
}

static long end_of(struct input *from) {
  struct contents *in = from->contents;
  if (!in->is_over) {
    learn(in, 0x7fffffff);
    in->is_over = 1; /* as it is already, but now on all paths */
  }
  return known_end_of(from);
}

static void check_version(struct input *stream) {
  if (stream->version != stream->contents->version)
    __sfo_limit("going on in a named file that another stream has changed is not supported yet");
}

/* The next byte of a named file. */
static int taken_from_named(struct input *from) {
  struct contents *in = from->contents;
  if (!from->can_read) {
    from->is_wrong = 1;
    return EOF;
  }
  from->has_read = 1;
  check_version(from);
  if (from->is_last) {
    from->is_at_end = 1;
    return EOF;
  }
  long n = from->position;
  int is_old = in->known > 0 && n < in->known;
  if (!is_old && !in->is_over) {
    int character = learned(in, n);
    if (character != EOF) {
      from->position++;
      return character;
    }
  }
  if (!is_old && n >= known_end_of(from)) {
    from->is_at_end = 1;
    return EOF;
  }
  from->position++;
  return is_old ? in->old[n] : in->new[n - in->known];
}
#endif

void __sfo_put_back(int character, struct input *to) {
  if (to->back != EOF) {
    if (to->deeper == MOST_BACK)
      __sfo_limit("putting back more than 17 characters by ungetc is not supported yet");
    to->below[to->deeper] = (unsigned char)to->back;
    to->deeper++;
  }
  to->back = character;
}

/* Nothing is put back any more. */
#define forget_back(from) ((from)->back = EOF, (from)->deeper = 0)

/* The next character of a stream; scanf takes it so where each is an input. */
int __sfo_taken(struct input *from) {
  int character = from->back;
  if (character != EOF) {
    from->back = EOF;
    if (from->deeper > 0) {
      from->deeper--;
      from->back = from->below[from->deeper];
    }
    return character;
  }
#ifdef SFO_KEPT
  if (from != &standard_input)
    return from->is_at_end ? EOF : taken_from_named(from);
#endif
  if (from->is_over) {
    from->is_at_end = 1;
    return EOF;
  }
  character = from == &standard_input ? next_character() : next_in_file();
  from->is_over = from->is_at_end = character == EOF;
  return character;
}

/* Whether what is read is no input, of which long lines would have to be left out. */
static int is_known(struct input *from) {
#ifdef SFO_KEPT
  return from != &standard_input && (from->contents->is_over || !from->can_read);
#else
  (void)from;
  return 0;
#endif
}

/* Numbers and words that fscanf reads are no characters that could be read again. */
static void scan(struct input *from) {
#ifdef SFO_KEPT
  if (from == &standard_input)
    return;
  if (from->position < from->contents->known)
    __sfo_limit("fscanf where the file was read before is not supported yet");
  from->contents->is_scanned = 1;
#else
  (void)from;
#endif
}

struct input *__sfo_input(FILE *file) { return input_of(file); }

int getchar(void) { return __sfo_taken(&standard_input); }

int getc(FILE *file) { return __sfo_taken(input_of(file)); }

int fgetc(FILE *file) { return __sfo_taken(input_of(file)); }

int ungetc(int character, FILE *file) {
  if (character == EOF)
    return EOF;
  struct input *to = input_of(file);
  __sfo_put_back((unsigned char)character, to);
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
    if (n == LONGEST_LINE - 1 && !is_known(input_of(file)))
      __sfo_leave_bound();
    if (more) {
      int character = __sfo_taken(input_of(file));
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
      int character = __sfo_taken(&standard_input);
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
    if (n == LONGEST_LINE - 1 && !is_known(input_of(file)))
      __sfo_leave_bound();
    if (n >= LONGEST_LINE - 1 && (size_t)n + 2 > *bytes) {
      *bytes *= 2;
      target = *line = realloc(*line, *bytes);
    }
    if (more) {
      int character = __sfo_taken(input_of(file));
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

#ifdef SFO_KEPT
/* The next `bytes` of a file all of which is known. */
static void copy_from(struct input *from, unsigned char *target, size_t bytes) {
  struct contents *in = from->contents;
  size_t first = 0;
  if (in->known > 0 && from->position < in->known) {
    first = (size_t)(in->known - from->position);
    if (bytes < first)
      first = bytes;
    __sfo_copy(target, in->old + from->position, first);
  }
  if (bytes > first)
    __sfo_copy(target + first, in->new + (from->position + (long)first - in->known), bytes - first);
  from->position += (long)bytes;
}

/* How many elements there are, which are read at once, each of more than a byte. */
static size_t copied_from(struct input *from, unsigned char *target, size_t bytes, size_t count) {
  check_version(from);
  size_t found = 0;
  for (size_t n = 0; n < count; n++) {
    long left = from->is_last ? 0 : known_end_of(from) - from->position;
    if (left < (long)bytes) {
      if (left > 0)
        copy_from(from, target + n * bytes, (size_t)left);
      from->is_at_end = 1;
      break;
    }
    copy_from(from, target + n * bytes, bytes);
    found = n + 1;
  }
  return found;
}
#endif

/* Up to the longest line, or one element. */
size_t fread(void *target, size_t bytes, size_t count, FILE *file) {
  size_t most = bytes > LONGEST_LINE ? bytes : LONGEST_LINE;
  unsigned char *to = target;
  size_t found = 0;
  int more = 1;
#ifdef SFO_KEPT
  struct input *from = input_of(file);
  if (is_known(from) && from->can_read && from->back == EOF && !from->is_at_end && bytes > 1)
    return copied_from(from, to, bytes, count);
#endif
  for (size_t n = 0; n < bytes * count && (n < most || more); n++) {
    if (n == most && !is_known(input_of(file)))
      __sfo_leave_bound();
    if (more) {
      int character = __sfo_taken(input_of(file));
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
#ifdef SFO_KEPT
  if (from != &standard_input)
    __VERIFIER_assume(!from->contents->was_missing || stored == EOF);
#endif
  if (stored == EOF) {
    from->is_at_end = 1;
#ifdef SFO_KEPT
    if (from != &standard_input)
      from->contents->is_over = 1;
    else
#endif
      from->is_over = 1;
  }
  return stored;
}

/* Where it does not look, what there is fits the format; the file has to be one. */
void __sfo_scanned_all(FILE *file) { scan(input_of(file)); }

#ifdef SFO_KEPT
/* Whether fscanf reads text: all that it can find in the file is known. */
int __sfo_is_text(FILE *file) {
  struct input *from = named(file);
  if (from == NULL)
    return 0;
  struct contents *in = from->contents;
  if (!from->can_read || in->is_over)
    return 1;
  if (from->is_last)
    return 1;
  if (in->written > 0 && from->position >= in->known) {
    /* What was there before ends here or not. */
    int stored = __VERIFIER_nondet_int();
    __VERIFIER_assume(stored == EOF || (stored == 0 && !in->was_missing));
    in->is_over = stored == EOF;
  }
  return in->is_over;
}

/* What is left of a file, as a string; NULL where it cannot be read. */
static const char *rest_of(struct input *from, size_t *length) {
  static char text[2 * MOST_BYTES + 1];
  struct contents *in = from->contents;
  if (!from->can_read) {
    from->is_wrong = 1;
    return NULL;
  }
  check_version(from);
  if (from->back != EOF)
    __sfo_limit("fscanf of what ungetc has put back is not supported here yet");
  if (from->is_last || from->is_at_end) {
    from->is_at_end = 1;
    return NULL;
  }
  long end = known_end_of(from);
  if (from->position >= end) {
    from->is_at_end = 1;
    return NULL;
  }
  *length = (size_t)(end - from->position);
  if (in->known == 0 && (!in->is_pending || from->is_pending)) {
    in->new[in->written] = 0;
    return (const char *)in->new + from->position;
  }
  size_t first = from->position < in->known ? (size_t)(in->known - from->position) : 0;
  if (first > 0)
    __sfo_copy(text, in->old + from->position, first);
  if (*length > first)
    __sfo_copy(text + first, in->new + (from->position + (long)first - in->known), *length - first);
  text[*length] = 0;
  return text;
}

/* Natively, the harness lets libc do it. */
extern int __sfo_scan_text(const char *text, const char *format, va_list arguments, size_t *used, int *met_end);

/* What fscanf makes of a file all of which is known. */
int __sfo_vfscanf(FILE *file, const char *format, va_list arguments) {
  struct input *from = named(file);
  size_t length;
  size_t used;
  int met_end;
  const char *text = rest_of(from, &length);
  if (text == NULL)
    return EOF;
  int stored = __sfo_scan_text(text, format, arguments, &used, &met_end);
  if (met_end && used != length)
    __sfo_limit("fscanf of a file that has a zero in it is not supported yet");
  from->position += (long)used;
  from->is_at_end = met_end;
  return stored;
}

int __sfo_fscanf(FILE *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int stored = __sfo_vfscanf(file, format, arguments);
  va_end(arguments);
  return stored;
}
#endif

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

/* Stores the character that stands at `place` of a word, 0 for whatever ends it; whether the word goes on. */
static int store_of_word(char *target, size_t place, int character, const char *set, size_t end) {
  __VERIFIER_assume(character >= (place == 0) && character <= 255);
  __VERIFIER_assume(character == 0 || is_taken(character, set, end));
  target[place] = (char)character;
  return character != 0;
}

/* A word of 1 to `most` characters, of any number where `most` is 0. One that is longer than its array is seen before
   the bound is left; given inputs go on behind it. */
void __sfo_scan_word(char *target, size_t most, const char *set, size_t end) {
  int more = 1;
  size_t limit = most == 0 ? LONGEST_LINE : most;
  for (size_t n = 0; n < limit; n++)
    if (more)
      more = store_of_word(target, n, __VERIFIER_nondet_int(), set, end);
  if (more)
    target[limit] = 0;
  if (more && most == 0) {
    __sfo_leave_bound();
    for (size_t n = limit; more; n++)
      more = store_of_word(target, n, __VERIFIER_nondet_int(), set, end);
  }
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

#ifdef SFO_KEPT
/* Before a stream writes: whether it can. */
static int begin_writing(struct input *to) {
  struct contents *in = to->contents;
  if (!to->can_write) {
    to->is_wrong = 1;
    return 0;
  }
  check_version(to);
  if (!to->is_pending) {
    if (in->is_pending)
      __sfo_limit("writing to a named file by two streams at a time is not supported yet");
    to->is_pending = in->is_pending = 1;
    in->writer = to;
    in->flushed = in->written;
    in->version++;
    to->version = in->version;
  }
  if (in->written > MOST_BYTES)
    __sfo_limit("a named file of so many bytes is not supported yet");
  forget_back(to);
  return 1;
}

static void append(struct contents *in, int character) {
#ifdef SFO_NATIVE
  if (in->written >= MOST_BYTES + MOST_AT_ONCE - 1)
    __sfo_refuse("a named file of so many bytes is not supported yet");
#endif
  in->new[in->written] = (unsigned char)character;
  in->written++;
}

/* Before a file, all of which is known, is written at a place that need not be its end: what is skipped is zero. */
static long place_in(struct input *to) {
  struct contents *in = to->contents;
  long place = to->position - in->known;
  if (in->is_dirty && place > in->written)
    __sfo_fill(in->new + in->written, 0, (size_t)(place - in->written));
  if (place > MOST_BYTES)
    __sfo_limit("a named file of so many bytes is not supported yet");
  return place;
}

/* Writes a byte, after begin_writing. */
static void put_in(struct input *to, int character) {
  struct contents *in = to->contents;
  if (to->appends || to->is_last) {
    append(in, character);
    to->is_last = 1;
    return;
  }
  if (!in->is_over)
    learn(in, to->position + 1);
  in->version++;
  to->version = in->version;
  if (in->known > 0 && to->position < in->known)
    in->old[to->position] = (unsigned char)character;
  else {
    long place = place_in(to);
    in->new[place] = (unsigned char)character;
    if (place >= in->written)
      in->written = place + 1;
  }
  to->position++;
}

/* What printf writes to a file: whether it is one that keeps it and can be written, and then the characters. */
int __sfo_keeps(FILE *file) {
  struct input *to = named(file);
  return to == NULL ? 0 : begin_writing(to) ? 1 : -1;
}

void __sfo_put(int character, FILE *file) { put_in(named(file), character); }

/* Writes `bytes` at once where they go behind all others; what they have no value for is copied as it is. */
static size_t copied_to(struct input *to, const unsigned char *source, size_t bytes) {
  struct contents *in = to->contents;
  if (!begin_writing(to))
    return 0;
  if (!to->appends && !to->is_last) {
    if (!in->is_over || in->known > 0) {
      for (size_t n = 0; n < bytes; n++)
        put_in(to, source[n]);
      return bytes;
    }
    if (bytes > MOST_AT_ONCE)
      __sfo_limit("a named file of so many bytes is not supported yet");
    in->version++;
    to->version = in->version;
    long place = place_in(to);
    __sfo_copy(in->new + place, source, bytes);
    if (place + (long)bytes > in->written)
      in->written = place + (long)bytes;
    to->position += (long)bytes;
    return bytes;
  }
  if (in->written + (long)bytes > MOST_BYTES)
    __sfo_limit("a named file of so many bytes is not supported yet");
  __sfo_copy(in->new + in->written, source, bytes);
  in->written += (long)bytes;
  to->is_last = 1;
  return bytes;
}

static void flush(struct input *from) {
  if (!from->is_pending)
    return;
  check_version(from);
  from->is_pending = from->contents->is_pending = 0;
}
#endif

int putc(int character, FILE *file) { return fputc(character, file); }

int putchar(int character) { return fputc(character, stdout); }

int fputc(int character, FILE *file) {
  if (__sfo_is_shown(file))
    __sfo_print("%c", character);
#ifdef SFO_KEPT
  struct input *to = named(file);
  if (to != NULL && !begin_writing(to))
    return EOF;
  if (to != NULL)
    put_in(to, character);
#endif
  return (unsigned char)character;
}

int fputs(const char *text, FILE *file) {
  int is_shown = __sfo_is_shown(file);
#ifdef SFO_KEPT
  struct input *to = named(file);
  if (to != NULL && !begin_writing(to))
    return EOF;
#endif
  for (size_t n = 0; text[n] != 0; n++)
    if (is_shown)
      __sfo_print("%c", text[n]);
#ifdef SFO_KEPT
    else if (to != NULL)
      put_in(to, text[n]);
#endif
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
#ifdef SFO_KEPT
  struct input *to = named(file);
  if (to != NULL)
    return bytes == 0 ? 0 : copied_to(to, source, bytes * count) / bytes;
#endif
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
#ifdef SFO_KEPT
  if (file == NULL) {
    for (int n = 0; n < name_count; n++)
      if (all_contents[n].is_pending)
        flush(all_contents[n].writer);
  } else if (named(file) != NULL)
    flush(named(file));
#else
  (void)file;
#endif
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

void perror(const char *text) {
  for (size_t n = 0; text != NULL && text[n] != 0; n++)
    ;
}

/* -- the state of a file -- */

int feof(FILE *file) { return input_of(file)->is_at_end; }

/* Reading and writing never go wrong, but where the file was opened for the other. */
int ferror(FILE *file) {
#ifdef SFO_KEPT
  return input_of(file)->is_wrong;
#else
  (void)input_of(file);
  return 0;
#endif
}

/* After that the input may go on, as that from a terminal does. */
void clearerr(FILE *file) {
  struct input *from = input_of(file);
  from->is_over = from->is_at_end = 0;
#ifdef SFO_KEPT
  from->is_wrong = 0;
#endif
}

#ifndef SFO_KEPT
int fileno(FILE *file) {
  if (file == stdin || file == stdout || file == stderr)
    return file == stdin ? 0 : file == stdout ? 1 : 2;
  return 3;
}
#endif

/* -- named files -- */

#ifdef SFO_KEPT
/* The entry of a name, made where there is none yet. */
static struct name *name_of(const char *path) {
  int n = 0;
  while (path[0] == '.' && path[1] == '/')
    path += 2;
  while (n < name_count && strcmp(names[n].text, path) != 0)
    n++;
  if (n == name_count) {
    if (name_count == MOST_NAMES || strlen(path) >= LONGEST_NAME)
      __sfo_limit("more than 16 named files, or one with more than 63 characters, are not supported yet");
    strcpy(names[n].text, path);
    names[n].contents = &all_contents[n];
    name_count++;
  }
  return &names[n];
}
#else
#ifndef SFO_NATIVE
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
#endif

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

#ifdef SFO_KEPT
/* Whether a file is protected from being changed; what is said of it once holds on. */
static int asked_protected(struct name *entry) {
  if (!entry->is_asked_writable)
    entry->is_protected = any_refusal();
  entry->is_asked_writable = 1;
  return entry->is_protected;
}

static void make_empty(struct contents *in) {
  in->is_over = 1;
  in->is_dirty = in->version > 0;
  in->is_scanned = in->is_pending = in->was_missing = 0;
  in->known = in->written = 0;
  in->version++;
}

/* Why a file cannot be opened, 0 where it can; made empty where it is made anew. */
static int reason_against(struct name *entry, const char *mode, int writes) {
  int is_known = entry->is_asked;
  if (mode[0] == 'r') {
    if (!is_known) {
      entry->is_missing = any_failure();
      entry->is_asked_writable |= writes;
    }
    entry->is_asked = 1;
    if (is_known && writes)
      return entry->is_missing ? ENOENT : asked_protected(entry) ? EACCES : 0;
    return entry->is_missing ? ENOENT : 0;
  }
  int fails = asked_protected(entry);
  struct contents *in = entry->contents;
  if (mode[0] == 'w') {
    entry->is_lost |= is_known;
    make_empty(in);
  } else if (is_known)
    in->was_missing = entry->is_missing;
  entry->is_missing = is_known ? entry->is_missing & fails : fails;
  entry->is_asked = 1;
  return fails ? EACCES : 0;
}

/* Whether a file can be moved or removed, after which nothing has its name. */
static int cannot_move(struct name *entry) {
  int fails = entry->is_asked ? entry->is_missing | asked_protected(entry) : any_refusal();
  if (fails)
    errno = entry->is_asked && !entry->is_missing ? EACCES : ENOENT;
  entry->is_lost |= entry->is_asked;
  entry->is_asked = entry->is_missing = 1;
  return fails;
}
#endif

#ifdef SFO_NATIVE
#ifdef SFO_KEPT
extern FILE *sfo_new_stream(void *made, ssize_t (*write)(void *made, const char *text, size_t bytes));

/* What libc writes to a file that was opened here. */
static ssize_t put_by_libc(void *made, const char *text, size_t bytes) {
  if (!begin_writing(made))
    return -1;
  for (size_t n = 0; n < bytes; n++)
    put_in(made, text[n]);
  return (ssize_t)bytes;
}
#endif

/* What the program knows an open file by. */
static FILE *stream_of(struct input *made) {
#ifdef SFO_KEPT
  made->file = sfo_new_stream(made, put_by_libc);
#else
  made->file = fdopen(open("/dev/null", 2), "r+");
#endif
  made->earlier = opened;
  opened = made;
  return made->file;
}
#endif

#ifdef SFO_KEPT
static struct input *begun_input(struct input *made, struct contents *in, int reads, int writes) {
  made->is_over = made->is_at_end = made->appends = made->is_wrong = made->is_pending = made->is_last = made->is_stream = made->has_read = made->is_pipe = 0;
  forget_back(made);
  made->can_read = reads;
  made->can_write = writes;
  made->contents = in;
  made->position = 0;
  return made;
}

static struct input *new_input(struct contents *in, int reads, int writes) {
  struct input *made = begun_input(malloc(sizeof(struct input)), in, reads, writes);
  made->is_stream = 1;
  return made;
}

static void check_unchanged(const struct input *made, const struct name *entry) {
  if (made->can_read && entry->is_lost && entry->is_protected)
    __sfo_limit("reading a named file that could not be changed before is not supported yet");
}

static void check_not_scanned(const struct input *made) {
  if (made->contents->is_scanned && made->can_read)
    __sfo_refuse("reading a named file again that fscanf has read is not supported yet");
}
#endif

/* There is the file or not. One that is made anew has nothing to read. */
FILE *fopen(const char *path, const char *mode) {
  NEED_FILES("opening named files", "they have any contents");
  char first = path[0];
  (void)first;
  int is_updated = strchr(mode, '+') != NULL;
#ifdef SFO_KEPT
  struct name *entry = name_of(path);
  struct input *made = new_input(entry->contents, mode[0] == 'r' || is_updated, mode[0] != 'r' || is_updated);
  made->appends = mode[0] == 'a';
  made->is_last = mode[0] == 'w' || (made->appends && !is_updated);
  if (mode[0] != 'w')
    check_unchanged(made, entry);
  int reason = reason_against(entry, mode, made->can_write);
  made->version = entry->contents->version;
  /* Decided last, so that what was written above is the same whichever way it goes. */
  if (reason != 0) {
    errno = reason;
    free(made);
    return NULL;
  }
  check_not_scanned(made);
#else
  int is_read = mode[0] == 'r' || (mode[0] == 'a' && is_updated);
  struct input *made = malloc(sizeof *made);
  made->is_over = !is_read;
  made->is_at_end = 0;
  forget_back(made);
  /* Decided last, so that what was written above is the same whichever way it goes. */
  if (mode[0] == 'r' ? any_failure() : any_refusal()) {
    errno = mode[0] == 'r' ? ENOENT : EACCES;
    free(made);
    return NULL;
  }
#endif
#ifdef SFO_NATIVE
  return stream_of(made);
#else
#ifndef SFO_KEPT
  note_name(path, is_read);
#endif
  return (FILE *)made;
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
  if (from != &standard_input) {
#ifdef SFO_KEPT
    flush(from);
    from->can_read = from->can_write = 0;
    for (int n = 0; n < MOST_DESCRIPTORS; n++)
      if (numbered_streams > 0 && behind[n] == from) {
        behind[n] = NULL;
#ifdef SFO_ENTERED
        is_closed[n] = 1;
#endif
      }
#endif
#ifdef SFO_NATIVE
    from->is_over = 1;
#else
    free(from);
#endif
  }
  return 0;
}

/* -- positions -- */

#ifdef SFO_KEPT
static void check_movable(struct input *from) {
  if (from->contents->is_scanned)
    __sfo_refuse("moving in a file that fscanf has read is not supported yet");
}
#endif

/* Like a terminal, the standard input has no positions. */
long ftell(FILE *file) {
  struct input *from = input_of(file);
  if (from == &standard_input) {
    errno = ESPIPE;
    return -1;
  }
#ifdef SFO_KEPT
  if (from->is_pipe) {
    errno = ESPIPE;
    return -1;
  }
  check_movable(from);
  if (from->is_last)
    from->position = end_of(from);
  return from->position - from->deeper - (from->back != EOF);
#else
  __sfo_refuse("moving in a file by a call through a pointer is not supported yet");
  return -1;
#endif
}

int fseek(FILE *file, long offset, int whence) {
  struct input *from = input_of(file);
  if (from == &standard_input) {
    errno = ESPIPE;
    return -1;
  }
#ifdef SFO_KEPT
  if (from->is_pipe) {
    errno = ESPIPE;
    return -1;
  }
  if (whence == SEEK_END && offset == 0)
    from->is_last = 1;
  else {
    check_movable(from);
    if (whence == SEEK_CUR)
      offset += ftell(file);
    if (whence == SEEK_END)
      offset += end_of(from);
    if (offset < 0)
      return -1;
    if (!from->contents->is_over)
      learn(from->contents, offset);
    from->position = offset;
    from->is_last = 0;
  }
  flush(from);
  forget_back(from);
  from->is_at_end = 0;
#else
  (void)offset;
  (void)whence;
  __sfo_refuse("moving in a file by a call through a pointer is not supported yet");
#endif
  return 0;
}

long ftello(FILE *file) { return ftell(file); }
int fseeko(FILE *file, long offset, int whence) { return fseek(file, offset, whence); }

int fgetpos(FILE *file, fpos_t *position) {
  long place = ftell(file);
  if (place < 0)
    return -1;
  *position = place;
  return 0;
}

int fsetpos(FILE *file, const fpos_t *position) { return fseek(file, *position, SEEK_SET); }

void rewind(FILE *file) { fseek(file, 0, SEEK_SET); }

#ifdef SFO_KEPT
/* The contents of a file that no name means. */
static struct contents *without_name(void) {
  if (name_count == MOST_NAMES)
    __sfo_limit("more than 16 named files, or one with more than 63 characters, are not supported yet");
  struct contents *in = &all_contents[name_count];
  names[name_count].text[0] = FORGOTTEN;
  names[name_count].contents = in;
  name_count++;
  return in;
}

/* What an entry function is given as a file: one that only the outside knows, at its beginning. */
FILE *__sfo_outside_file(void) {
  struct contents *in = without_name();
  struct input *made = new_input(in, 1, 1);
  made->version = in->version;
#ifdef SFO_NATIVE
  return stream_of(made);
#else
  return (FILE *)made;
#endif
}

FILE *tmpfile(void) {
  NEED_FILES("opening temporary files", "they are made or not");
  struct contents *in = without_name();
  in->is_over = 1;
  struct input *made = new_input(in, 1, 1);
  made->is_last = 1;
  made->version = in->version;
  if (any_refusal()) {
    errno = EACCES;
    free(made);
    return NULL;
  }
#ifdef SFO_NATIVE
  return stream_of(made);
#else
  return (FILE *)made;
#endif
}

#endif

/* No command runs: what one prints is an input, and so is its status; what it is told shows nowhere. */
FILE *popen(const char *command, const char *mode) {
  NEED_FILES("opening what a command prints", "it prints anything");
  char first = command[0];
  (void)first;
  if (mode[0] != 'r' && mode[0] != 'w') {
    errno = EINVAL;
    return NULL;
  }
  int is_read = mode[0] == 'r';
#ifdef SFO_KEPT
  struct input *made = new_input(without_name(), is_read, !is_read);
  made->contents->is_over = made->is_last = !is_read;
  made->version = made->contents->version;
  made->is_pipe = 1;
#else
  struct input *made = malloc(sizeof *made);
  made->is_over = !is_read;
  made->is_at_end = 0;
  forget_back(made);
#endif
  if (any_refusal()) {
    errno = EAGAIN;
    free(made);
    return NULL;
  }
#ifdef SFO_NATIVE
  return stream_of(made);
#else
  return (FILE *)made;
#endif
}

int pclose(FILE *file) {
  fclose(file);
  return __VERIFIER_nondet_int();
}

static int removed(const char *path) {
  NEED_FILES("removing named files", "it succeeds or not");
  char first = path[0];
  (void)first;
#ifdef SFO_KEPT
  struct name *entry = name_of(path);
  int fails = cannot_move(entry);
  make_empty(entry->contents);
  return -fails;
#else
  return -any_refusal();
#endif
}

int remove(const char *path) { return removed(path); }
int unlink(const char *path) { return removed(path); }

/* Whether a file is there, and may be read, changed or executed; nothing of that is known of one that was not opened. */
int access(const char *path, int mode) {
  NEED_FILES("asking for named files", "they are there or not");
  char first = path[0];
  (void)first;
  int fails = (mode & ~7) != 0;
  errno = fails ? EINVAL : errno;
  if (!fails) {
#ifdef SFO_KEPT
    struct name *entry = name_of(path);
    int is_made = entry->is_asked && entry->contents->version > 0;
    if (reason_against(entry, "r", 0) != 0) {
      fails = 1;
      errno = ENOENT;
    } else if ((mode & 2) != 0 && asked_protected(entry)) {
      fails = 1;
      errno = EACCES;
    } else if ((mode & 1) != 0 || ((mode & 4) != 0 && !is_made)) {
      fails = any_failure();
      errno = fails ? EACCES : errno;
    }
#else
    fails = any_failure();
    errno = fails ? ENOENT : errno;
#endif
  }
  return -fails;
}

int rename(const char *from, const char *to) {
  NEED_FILES("renaming named files", "it succeeds or not");
  char first = from[0];
  first = to[0];
  (void)first;
#ifdef SFO_KEPT
  struct name *source = name_of(from);
  struct name *target = name_of(to);
  if (source == target)
    __sfo_limit("renaming a file to itself is not supported yet");
  int fails = cannot_move(source);
  struct contents *moved = source->contents;
  source->contents = target->contents;
  make_empty(source->contents);
  target->contents = moved;
  target->is_lost |= target->is_asked;
  target->is_missing = target->is_protected = source->is_protected = fails;
  target->is_asked = target->is_asked_writable = source->is_asked_writable = 1;
  return -fails;
#else
  return -any_refusal();
#endif
}

/* -- descriptors: the three standard ones, and those of files that open has opened -- */

#ifdef SFO_KEPT
#define ACCESS 3
#define WRITE_ONLY 1
#define CREATE 0100
#define TRUNCATE 01000
#define APPEND 02000
#define WITHOUT_MEANING (0400 | 0100000 | 02000000) /* O_NOCTTY, O_LARGEFILE, O_CLOEXEC */

static struct input described[MOST_DESCRIPTORS];

#ifdef SFO_ENTERED
/* What is behind a descriptor that the program has not opened: a file that only the outside knows, at its beginning. */
static struct input *of_outside(int n) {
  return begun_input(&described[n], without_name(), 1, 1);
}
#endif

/* What is read and written by a descriptor, NULL for one that is not open. */
static struct input *input_behind(int descriptor) {
  int n = descriptor - FIRST_DESCRIPTOR;
#ifdef SFO_ENTERED
  if (n >= MOST_DESCRIPTORS)
    __sfo_limit("descriptors beyond 10 are not supported yet");
  if (n >= 0 && behind[n] == NULL && !is_closed[n])
    behind[n] = of_outside(n);
#endif
  if (n >= 0 && n < MOST_DESCRIPTORS && behind[n] != NULL)
    return behind[n];
  errno = EBADF;
  return NULL;
}

/* A descriptor by which no stream reads or writes, too: that has a buffer. */
static struct input *input_without_buffer(int descriptor) {
  struct input *in = input_behind(descriptor);
  if (numbered_streams > 0 && in != NULL && in->is_stream)
    __sfo_refuse("a file that is open as a stream by its descriptor is not supported yet");
  return in;
}

/* The standard descriptor that this one is; -1 for all others. */
static int standard_number(int descriptor) {
  return descriptor >= 0 && descriptor < FIRST_DESCRIPTOR ? descriptor : -1;
}

/* The first place for a descriptor that is free, and what can be put there. */
static int free_place(void) {
  int n = 0;
  while (n < MOST_DESCRIPTORS && behind[n] != NULL)
    n++;
  if (n == MOST_DESCRIPTORS)
    __sfo_limit("more than 8 open descriptors of files are not supported yet");
  return n;
}

int fileno(FILE *file) {
  if (file == stdin || file == stdout || file == stderr)
    return file == stdin ? 0 : file == stdout ? 1 : 2;
  struct input *in = named(file);
  int n = 0;
  while (n < MOST_DESCRIPTORS && behind[n] != in)
    n++;
  if (n == MOST_DESCRIPTORS) {
    n = free_place();
    behind[n] = in;
    numbered_streams++;
  }
  return n + FIRST_DESCRIPTOR;
}

/* The first that is free. Decided last, as by fopen. */
int open(const char *path, int flags, ...) {
  NEED_FILES("opening named files", "they have any contents");
  char first = path[0];
  (void)first;
  int n = free_place(), access = flags & ACCESS;
  if (access == ACCESS || (flags & ~(ACCESS | CREATE | TRUNCATE | APPEND | WITHOUT_MEANING)) != 0)
    __sfo_refuse("opening a file with other flags than O_CREAT, O_TRUNC and O_APPEND is not supported yet");
  struct name *entry = name_of(path);
  struct input *made = begun_input(&described[n], entry->contents, access != WRITE_ONLY, access != 0);
  int creates = (flags & CREATE) != 0, empties = (flags & TRUNCATE) != 0;
  made->appends = (flags & APPEND) != 0;
  made->is_last = (creates && empties) || (made->appends && !made->can_read);
  if (!empties)
    check_unchanged(made, entry);
  int reason = reason_against(entry, creates ? empties ? "w" : "a" : "r", creates || made->can_write);
  if (empties && !creates && reason == 0)
    make_empty(entry->contents);
  made->version = entry->contents->version;
  if (reason != 0) {
    errno = reason;
    return -1;
  }
  check_not_scanned(made);
  behind[n] = made;
  return n + FIRST_DESCRIPTOR;
}

int creat(const char *path, mode_t mode) {
  (void)mode;
  return open(path, WRITE_ONLY | CREATE | TRUNCATE);
}

int close(int descriptor) {
  if (descriptor >= 0 && descriptor < FIRST_DESCRIPTOR)
    __sfo_refuse("closing a standard stream is not supported yet");
  if (input_without_buffer(descriptor) == NULL)
    return -1;
  behind[descriptor - FIRST_DESCRIPTOR] = NULL;
#ifdef SFO_ENTERED
  is_closed[descriptor - FIRST_DESCRIPTOR] = 1;
#endif
  return 0;
}

off_t lseek(int descriptor, off_t offset, int whence) {
  int standard = standard_number(descriptor);
  if (standard == 0) {
    errno = ESPIPE;
    return -1;
  }
  if (standard > 0)
    __sfo_refuse("moving in a standard stream is not supported yet");
  struct input *in = input_behind(descriptor);
  if (in == NULL)
    return -1;
  if (numbered_streams > 0 && in->is_stream && (in->is_pending || in->has_read))
    __sfo_refuse("moving by a descriptor in a file whose stream has a buffer is not supported yet");
  check_movable(in);
  long place = in->position;
  if (in->is_last || whence == SEEK_END)
    place = end_of(in);
  if (whence == SEEK_SET)
    place = 0;
  if (whence < SEEK_SET || whence > SEEK_END || place + offset < 0) {
    errno = EINVAL;
    return -1;
  }
  place += offset;
  if (!in->contents->is_over)
    learn(in->contents, place);
  in->position = place;
  in->is_last = 0;
  return place;
}

static ssize_t read_from(struct input *from, unsigned char *target, size_t bytes) {
  if (!from->can_read) {
    errno = EBADF;
    return -1;
  }
  size_t found = 0;
  int more = 1;
  from->is_at_end = 0;
  from->version = from->contents->version;
  for (size_t n = 0; n < bytes && (n < LONGEST_LINE || more); n++) {
    if (n == LONGEST_LINE && !is_known(from))
      __sfo_leave_bound();
    if (more) {
      int character = __sfo_taken(from);
      more = character != EOF;
      if (more) {
        target[n] = (unsigned char)character;
        found = n + 1;
      }
    }
  }
  return (ssize_t)found;
}

static ssize_t write_to(struct input *to, const unsigned char *source, size_t bytes) {
  if (!to->can_write) {
    errno = EBADF;
    return -1;
  }
  to->version = to->contents->version;
  copied_to(to, source, bytes);
  flush(to);
  return (ssize_t)bytes;
}
#endif

ssize_t read(int descriptor, void *target, size_t bytes) {
  char *to = target;
#ifdef SFO_KEPT
  int standard = standard_number(descriptor);
#else
  int standard = descriptor;
#endif
  if (standard != 0) {
#ifdef SFO_KEPT
    if (standard < 0) {
      struct input *from = input_without_buffer(descriptor);
      return from == NULL ? -1 : read_from(from, target, bytes);
    }
#endif
    __sfo_refuse("read from a descriptor other than 0 and those of open is not supported yet");
  }
  long found = __VERIFIER_nondet_long();
  __VERIFIER_assume(found >= 0 && (size_t)found <= bytes);
  for (size_t n = 0; n < bytes && (n < LONGEST_LINE || n < (size_t)found); n++) {
    if (n == LONGEST_LINE)
      __sfo_leave_bound();
    if (n < (size_t)found) {
      int character = __VERIFIER_nondet_int();
      __VERIFIER_assume(character >= 0 && character <= 255);
      to[n] = (char)character;
    }
  }
  return found;
}

#ifdef SFO_KEPT

#endif

ssize_t write(int descriptor, const void *source, size_t bytes) {
  const char *from = source;
#ifdef SFO_KEPT
  int standard = standard_number(descriptor);
#else
  int standard = descriptor;
#endif
  if (standard != 1 && standard != 2) {
#ifdef SFO_KEPT
    if (standard < 0) {
      struct input *to = input_behind(descriptor);
      if (numbered_streams > 0 && to != NULL && to->is_stream && (to->can_read || to->is_pending))
        __sfo_limit("writing by a descriptor to a stream that has a buffer is not supported yet");
      return to == NULL ? -1 : write_to(to, source, bytes);
    }
#endif
    __sfo_refuse("write to a descriptor other than 1, 2 and those of open is not supported yet");
  }
  for (size_t n = 0; n < bytes; n++) {
    char character = from[n];
    if (standard == 1)
      __sfo_print("%c", character);
  }
  return (ssize_t)bytes;
}

/* -- what a file is -- */

static long at_least(long least) {
  long number = __VERIFIER_nondet_long();
  __VERIFIER_assume(number >= least);
  return number;
}

/* The kind of a file and who may do what with it. */
static mode_t any_mode(int may_be_link) {
  int mode = __VERIFIER_nondet_int();
  int kind = mode & S_IFMT;
  __VERIFIER_assume((mode & ~(S_IFMT | 07777)) == 0);
  __VERIFIER_assume(S_ISREG(kind) || S_ISDIR(kind) || S_ISCHR(kind) || S_ISBLK(kind) || S_ISFIFO(kind) || S_ISSOCK(kind) ||
                    (may_be_link && S_ISLNK(kind)));
  return (mode_t)mode;
}

/* What the program cannot know is an input, but for the device, the size of a block and parts of seconds. */
static void describe(struct stat *result, mode_t mode, long size) {
  __sfo_fill(result, 0, sizeof *result);
  result->st_mode = mode;
  result->st_size = size;
  result->st_blksize = 4096;
  result->st_blocks = size / 512 + (size % 512 != 0);
  result->st_ino = (ino_t)at_least(1);
  result->st_nlink = (nlink_t)at_least(1);
  int user = __VERIFIER_nondet_int(), group = __VERIFIER_nondet_int();
  __VERIFIER_assume(user >= 0 && group >= 0);
  result->st_uid = (uid_t)user;
  result->st_gid = (gid_t)group;
  result->st_atim.tv_sec = at_least(0);
  result->st_mtim.tv_sec = at_least(0);
  result->st_ctim.tv_sec = at_least(0);
}

#ifdef SFO_KEPT
/* The number of bytes in a file, of which all are known then. */
static long size_of(struct contents *in) {
  if (in->is_scanned)
    __sfo_refuse("the size of a named file that fscanf has read is not supported yet");
  struct input all = {.contents = in};
  return end_of(&all);
}
#endif

static int asked_of_path(const char *path, struct stat *result, int may_be_link) {
  NEED_FILES("asking for named files", "they are there or not");
  char first = path[0];
  (void)first;
#ifdef SFO_KEPT
  struct name *entry = name_of(path);
  struct contents *in = entry->contents;
  if (reason_against(entry, "r", 0) != 0) {
    errno = ENOENT;
    return -1;
  }
  if (entry->is_lost && entry->is_protected)
    __sfo_limit("asking for a named file that could not be changed before is not supported yet");
  mode_t mode = any_mode(may_be_link);
  __VERIFIER_assume(S_ISREG(mode) || (in->version == 0 && in->known == 0 && !in->is_over));
  long size = S_ISREG(mode) ? size_of(in) : at_least(0);
#else
  if (any_failure()) {
    errno = ENOENT;
    return -1;
  }
  mode_t mode = any_mode(may_be_link);
  long size = at_least(0);
#endif
  describe(result, mode, size);
  return 0;
}

int stat(const char *path, struct stat *result) { return asked_of_path(path, result, 0); }
int lstat(const char *path, struct stat *result) { return asked_of_path(path, result, 1); }

/* A standard stream is no directory. */
int fstat(int descriptor, struct stat *result) {
#ifdef SFO_KEPT
  int standard = standard_number(descriptor);
#else
  int standard = descriptor;
#endif
  if (standard < 0 || standard > 2) {
#ifdef SFO_KEPT
    struct input *in = input_behind(descriptor);
    if (in == NULL)
      return -1;
    mode_t kept = any_mode(0);
    __VERIFIER_assume(S_ISREG(kept));
    describe(result, kept, size_of(in->contents));
    return 0;
#else
    __sfo_refuse("fstat of a descriptor other than 0, 1, 2 and those of open is not supported yet");
#endif
  }
  mode_t mode = any_mode(0);
  __VERIFIER_assume(!S_ISDIR(mode));
  describe(result, mode, at_least(0));
  return 0;
}
