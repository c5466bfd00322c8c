/* Characters in and out: models of <stdio.h>, to be executed symbolically.

   Not an implementation: there are no files. What is read is an input of the program, one for each
   character and the same whatever the stream; what is written here is forgotten (putchar, puts and printf,
   whose output is recorded, are not here). Any read may meet the end of the file, also one before a read
   that does not. */
#include <stddef.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

/* The longest line that gets reads, with its final zero. */
#define LONGEST_LINE 64

/* -- in -- */

static int next_character(void) {
  int character = __VERIFIER_nondet_int();
  __VERIFIER_assume(character >= EOF && character <= 255);
  return character;
}

int getchar(void) { return next_character(); }

int getc(FILE *file) {
  (void)file;
  return next_character();
}

int fgetc(FILE *file) {
  (void)file;
  return next_character();
}

/* A line with its newline, or what there is of it; the target is left alone where there is nothing. The
   loop runs to its end whatever is read: lines of all lengths meet after each character, not only after
   the last. */
char *fgets(char *target, int bytes, FILE *file) {
  (void)file;
  if (bytes <= 0)
    return NULL;
  int more = 1;
  for (int n = 0; n < bytes - 1; n++)
    if (more) {
      int character = next_character();
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
      int character = next_character();
      if (character == EOF && n == 0)
        return NULL;
      more = character != EOF && character != '\n';
      target[n] = more ? (char)character : 0;
    }
  if (more)
    target[LONGEST_LINE - 1] = 0;
  return target;
}

/* -- out -- */

int putc(int character, FILE *file) {
  (void)file;
  return (unsigned char)character;
}

int fputc(int character, FILE *file) {
  (void)file;
  return (unsigned char)character;
}

int fputs(const char *text, FILE *file) {
  (void)text;
  (void)file;
  return 1;
}

int fflush(FILE *file) {
  (void)file;
  return 0;
}

void setbuf(FILE *file, char *buffer) {
  (void)file;
  (void)buffer;
}

int setvbuf(FILE *file, char *buffer, int mode, size_t bytes) {
  (void)file;
  (void)buffer;
  (void)mode;
  (void)bytes;
  return 0;
}

int fclose(FILE *file) {
  (void)file;
  return 0;
}

void perror(const char *text) { (void)text; }
