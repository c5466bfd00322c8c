/* Trees of <search.h>: what is found, and the form of the tree that a walk shows. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *one, const void *other) {
  int a = *(const int *)one, b = *(const int *)other;
  return (a > b) - (a < b);
}

static int by_text(const void *one, const void *other) { return strcmp(one, other); }

static void show(const void *node, VISIT which, int depth) {
  if (which == postorder || which == leaf)
    printf("%d@%d%c ", **(const int *const *)node, depth, which == leaf ? 'l' : 'i');
}

static void show_text(const void *node, VISIT which, int depth) {
  (void)depth;
  if (which == postorder || which == leaf)
    printf("%s ", *(const char *const *)node);
}

static int released;
static void release(void *key) {
  free(key);
  released++;
}

static int keys[] = {5, 2, 8, 1, 9, 3, 7, 4, 6, 0, 12, 11, 10};

int main(void) {
  void *root = NULL;
  for (unsigned n = 0; n < sizeof keys / sizeof *keys; n++) {
    int **found = tsearch(&keys[n], &root, by_number);
    printf("%d ", **found == keys[n]);
  }
  int other = 8;
  printf("%d\n", *(int **)tsearch(&other, &root, by_number) == &keys[2]);
  twalk(root, show);
  printf("\n");
  for (int n = 0; n < 14; n += 3)
    printf("%d ", tfind(&n, &root, by_number) != NULL);
  for (int n = 3; n < 13; n += 2)
    printf("%d ", tdelete(&n, &root, by_number) != NULL);
  printf("%d\n", tdelete(&(int){44}, &root, by_number) == NULL);
  twalk(root, show);
  printf("\n");
  while (root != NULL)
    tdelete(*(int **)root, &root, by_number);

  void *words = NULL;
  const char *given[] = {"pear", "apple", "fig", "apple", "quince"};
  for (int n = 0; n < 5; n++) {
    char *copy = strdup(given[n]);
    char **found = tsearch(copy, &words, by_text);
    if (*found != copy)
      free(copy);
  }
  twalk(words, show_text);
  tdestroy(words, release);
  printf("%d\n", released);
  return 0;
}
