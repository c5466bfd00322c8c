/* Patterns of file names, and options that are words behind one hyphen. */
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>

static const struct option WORDS[] = {{"all", no_argument, NULL, 'a'}, {"out", required_argument, NULL, 'o'}, {NULL, 0, NULL, 0}};

int main(void) {
  static const char *const names[] = {"main.c", "main.h", ".profile", "src/main.c", "a[b", "README", ""};
  static const char *const patterns[] = {"*.[ch]", "*", "[!.]*", "*/*.c", "?ain.?", "a\\[b", "[[:upper:]]*", ""};
  static const int all_flags[] = {0, FNM_PATHNAME, FNM_PERIOD, FNM_PATHNAME | FNM_PERIOD, FNM_NOESCAPE};
  for (int p = 0; p < 8; p++)
    for (int n = 0; n < 7; n++)
      for (int f = 0; f < 5; f++)
        printf("%d", fnmatch(patterns[p], names[n], all_flags[f]));
  printf("\n");
  char *arguments[] = {"tool", "-v", "-al", "-out", "x", "-o=y", "-vq", "--all", "end", NULL};
  int option;
  opterr = 0;
  while ((option = getopt_long_only(9, arguments, "+vq", WORDS, NULL)) != -1)
    printf("%c%s ", option, optarg != NULL ? optarg : "");
  printf("%d\n", optind);
  return 0;
}
