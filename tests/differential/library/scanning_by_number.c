/* sscanf with numbered arguments, and into words that it allocates. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int a = 0, b = 0, at = 0;
  char word[8], *made = NULL, *other = NULL;
  printf("%d ", sscanf("5,6", "%2$d,%1$d", &a, &b));
  printf("%d %d\n", a, b);
  a = sscanf("7 seven", "%2$d %1$7s", word, &b);
  printf("%d %s %d\n", a, word, b);
  a = sscanf("key=some value;rest", "%m[a-z]=%m[^;]%n", &made, &other, &at);
  printf("%d [%s] [%s] %d\n", a, made, other, at);
  free(made);
  free(other);
  a = sscanf("  alone", "%ms %ms", &made, &other);
  printf("%d [%s]\n", a, made);
  free(made);
  a = sscanf("abcdef", "%3ms%ms", &made, &other);
  printf("%d [%s] [%s]\n", a, made, other);
  free(made);
  free(other);
  printf("%d\n", sscanf("", "%ms", &made));
  return 0;
}
