/* Variables of the environment that the program sets and removes. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show(const char *name) {
  char *value = getenv(name);
  printf("%s=%s\n", name, value == NULL ? "(none)" : value);
}

int main(void) {
  static char text[] = "SHARED=put";
  clearenv();
  show("HOME");
  printf("%d %d\n", setenv("ONE", "first", 0), setenv("ONE", "second", 0));
  show("ONE");
  setenv("ONE", "third", 1);
  setenv("ON", "short", 1);
  show("ONE");
  show("ON");
  putenv(text);
  memcpy(text + 7, "PUT", 3);
  show("SHARED");
  for (char **at = environ; at != NULL && *at != NULL; at++)
    puts(*at);
  printf("%d\n", unsetenv("ONE"));
  show("ONE");
  setenv("ONE", "again", 0);
  show("ONE");
  errno = 0;
  printf("%d %d\n", setenv("a=b", "", 1), errno == EINVAL);
  printf("%d\n", unsetenv(""));
  char name[] = "SHARED";
  putenv(name);
  show("SHARED");
  return 0;
}
