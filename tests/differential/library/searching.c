/* Arrays, tables and lists that are searched; names with versions; options in one text. */
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
  struct node *next;
  struct node *before;
  int value;
};

static int compare(const void *one, const void *other) { return *(const int *)one - *(const int *)other; }

int main(void) {
  int numbers[6] = {5, 2, 9}, key = 9;
  size_t count = 3;
  int *found = lfind(&key, numbers, &count, sizeof key, compare);
  printf("%d\n", (int)(found - numbers));
  key = 4;
  printf("%d\n", lfind(&key, numbers, &count, sizeof key, compare) == NULL);
  found = lsearch(&key, numbers, &count, sizeof key, compare);
  printf("%d %d\n", (int)count, *found);
  ENTRY entry = {"one", &numbers[0]}, *kept;
  printf("%d\n", hcreate(5) != 0);
  hsearch(entry, ENTER);
  entry.key = "two";
  printf("%d\n", hsearch(entry, FIND) == NULL);
  entry.key = "one";
  kept = hsearch(entry, FIND);
  printf("%s %d\n", kept->key, *(int *)kept->data);
  hdestroy();
  struct node first = {NULL, NULL, 1}, second = {NULL, NULL, 2}, third = {NULL, NULL, 3};
  insque(&first, NULL);
  insque(&second, &first);
  insque(&third, &first);
  remque(&second);
  for (struct node *at = &first; at != NULL; at = at->next)
    printf("%d\n", at->value);
  printf("%d %d %d\n", strverscmp("part9", "part10") < 0, strverscmp("1.09", "1.9") < 0, strverscmp("a", "a"));
  char options[] = "ro,size=5,other", *rest = options, *value;
  char *const names[] = {"ro", "size", NULL};
  while (*rest != 0) {
    int which = getsubopt(&rest, names, &value);
    printf("%d %s\n", which, value == NULL ? "-" : value);
  }
  char swapped[7] = "";
  swab("abcdef", swapped, 6);
  puts(swapped);
  memfrob(swapped, 3);
  memfrob(swapped, 3);
  puts(swapped);
  return 0;
}
