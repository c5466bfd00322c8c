/* Classes of characters: models of <ctype.h> in the C locale, to be executed symbolically.

   Not an implementation: glibc looks a character up in a table, here a class is a formula over its number,
   because a formula without branches costs the solver little. True is the bit that the class has in the tables
   of glibc, as programs see it that compare with 1, add such values or keep them in a char. No class has EOF
   or a character above 127. */
#include <ctype.h>

int isupper(int character) { return (character >= 'A' && character <= 'Z') ? 256 : 0; }

int islower(int character) { return (character >= 'a' && character <= 'z') ? 512 : 0; }

int isdigit(int character) { return (character >= '0' && character <= '9') ? 2048 : 0; }

int isalpha(int character) {
  return ((character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')) ? 1024 : 0;
}

int isalnum(int character) {
  return ((character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
          (character >= 'A' && character <= 'Z')) ? 8 : 0;
}

int isxdigit(int character) {
  return ((character >= '0' && character <= '9') || (character >= 'a' && character <= 'f') ||
          (character >= 'A' && character <= 'F')) ? 4096 : 0;
}

int isspace(int character) { return (character == ' ' || (character >= '\t' && character <= '\r')) ? 8192 : 0; }

int isblank(int character) { return character == ' ' || character == '\t'; }

int isprint(int character) { return (character >= ' ' && character <= '~') ? 16384 : 0; }

int isgraph(int character) { return (character > ' ' && character <= '~') ? 32768 : 0; }

int iscntrl(int character) { return ((character >= 0 && character < ' ') || character == 127) ? 2 : 0; }

/* What is left of isgraph without letters and digits. */
int ispunct(int character) {
  return ((character >= '!' && character <= '/') || (character >= ':' && character <= '@') ||
          (character >= '[' && character <= '`') || (character >= '{' && character <= '~')) ? 4 : 0;
}

/* The tables of glibc also take a negative char, as a careless caller gives it, and answer for its
   unsigned twin. */
static int twin(int character) { return character >= -128 && character < -1 ? character + 256 : character; }

int toupper(int character) {
  return character >= 'a' && character <= 'z' ? character - ('a' - 'A') : twin(character);
}

int tolower(int character) {
  return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : twin(character);
}

int isascii(int character) { return character >= 0 && character <= 127; }

int toascii(int character) { return character & 127; }
