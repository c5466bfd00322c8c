/* A descriptor that moves below a stream of it, which has written all that it was given and read nothing. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char line[9] = "";
  int number = open("moved", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (number < 0)
    return 1;
  FILE *file = fdopen(number, "w+");
  fputs("abcd", file);
  fflush(file);
  printf("%d ", (int)lseek(number, 0, SEEK_CUR));
  printf("%d ", (int)lseek(number, -3, SEEK_END));
  fputc('x', file);
  fflush(file);
  printf("%d ", (int)ftell(file));
  printf("%d ", (int)lseek(number, 0, SEEK_SET));
  printf("%s ", fgets(line, sizeof line, file) == NULL ? "" : line);
  return fclose(file);
}
