/* What is around the program: there is a shell, the locale is C. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void) {
  char *locale = setlocale(LC_ALL, NULL);
  printf("%s %d %d\n", locale, setlocale(LC_ALL, "xx_YY") == NULL, setlocale(LC_NUMERIC, "POSIX") != NULL);
  printf("%d %d\n", strcmp(setlocale(LC_CTYPE, "C"), "C"), setlocale(99, "C") == NULL);
  printf("%d\n", system(NULL) != 0);
  printf("%d %d\n", difftime(8, 5) == 3, difftime(5, 8) == -3);
  return 0;
}
