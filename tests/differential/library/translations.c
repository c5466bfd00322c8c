/* Messages in the locale C, in which nothing is translated. */
#include <libintl.h>
#include <locale.h>
#include <stdio.h>

#define _(text) gettext(text)

int main(void) {
  char name[] = "tool", directory[] = "/usr/share/locale";
  setlocale(LC_ALL, "");
  printf("%s ", textdomain(NULL));
  char *current = textdomain(name), *bound = bindtextdomain(name, directory);
  name[0] = 'f';
  directory[1] = '.';
  printf("%s %s %s ", current, bound, bind_textdomain_codeset("tool", "UTF-8"));
  printf("%s %d\n", textdomain(""), bindtextdomain("", "/") == NULL);
  for (unsigned long n = 0; n < 3; n++)
    printf(ngettext("%lu file ", "%lu files ", n), n);
  printf("%s %s %s\n", _("no such file"), dgettext("tool", "a"), dcgettext("tool", "b", LC_MESSAGES));
  printf("%s %s\n", dngettext("tool", "one", "many", 1), dcngettext("tool", "one", "many", 2, LC_MESSAGES));
  return 0;
}
