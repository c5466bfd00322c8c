/* Parts of paths: of <libgen.h>, which writes into them, and of a program's own. */
#include <libgen.h>
#include <stdio.h>
#include <string.h>

static const char *paths[] = {"/usr/lib/x.c", "x.c", "/", "//", "///", "//a", "///a", "a/", "a//b//", "/a/", "", ".", "..", "a/.."};

int main(void) {
  char one[20], two[20];
  for (unsigned n = 0; n < sizeof paths / sizeof *paths; n++) {
    strcpy(one, paths[n]);
    strcpy(two, paths[n]);
    printf("%s: ", paths[n]);
    printf("%s ", dirname(one));
    printf("%s ", basename(two));
    printf("%s %s\n", one, two);
  }
  printf("%s %s\n", dirname(NULL), basename(NULL));
  return 0;
}
