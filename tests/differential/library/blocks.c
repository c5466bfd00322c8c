/* Blocks of memory: pointers that are copied whole, byte by byte and by realloc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; char tag; struct node *next; const char *name; };

static void copy_bytes(void *target, const void *source, size_t bytes) {
  char *to = target;
  const char *from = source;
  while (bytes--)
    *to++ = *from++;
}

static void swap(void *one, void *two, size_t bytes) {
  unsigned char *a = one, *b = two;
  for (size_t n = 0; n < bytes; n++) {
    unsigned char byte = a[n];
    a[n] = b[n];
    b[n] = byte;
  }
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static int by_value(const void *a, const void *b) {
  return ((const struct node *)a)->value - ((const struct node *)b)->value;
}

static int total(const struct node *list) {
  int sum = 0;
  for (; list != NULL; list = list->next)
    sum = 10 * sum + list->value;
  return sum;
}

int main(void) {
  struct node nodes[3] = {{3, 'c', &nodes[1], "three"}, {1, 'a', &nodes[2], "one"}, {2, 'b', NULL, "two"}};
  struct node copies[3], single;
  memcpy(copies, nodes, sizeof nodes);
  printf("%d %d %s %c\n", total(nodes), total(copies), copies[1].name, copies[2].tag);
  copy_bytes(&single, &nodes[1], sizeof single);
  printf("%d %s\n", total(&single), single.name);
  swap(&copies[0], &copies[2], sizeof copies[0]);
  printf("%d %s %d\n", copies[0].value, copies[2].name, total(&copies[2]));
  qsort(copies, 3, sizeof copies[0], by_value);
  for (int n = 0; n < 3; n++)
    printf("%s%c", copies[n].name, n < 2 ? ' ' : '\n');

  const char *words[] = {"pear", "apple", "fig", "date"};
  qsort(words, 4, sizeof *words, by_name);
  for (int n = 0; n < 4; n++)
    printf("%s%c", words[n], n < 3 ? ' ' : '\n');

  char **names = NULL;
  for (int n = 0; n < 6; n++) {
    names = realloc(names, (n + 1) * sizeof *names);
    names[n] = malloc(8);
    strcpy(names[n], "n0"), names[n][1] += n;
  }
  names = realloc(names, 3 * sizeof *names);
  for (int n = 0; n < 3; n++) {
    printf("%s\n", names[n]);
    free(names[n]);
  }
  free(names);

  struct node *list = calloc(2, sizeof *list), *other = malloc(2 * sizeof *other);
  memset(other, 0, 2 * sizeof *other);
  list[0].next = other;
  printf("%d %d %d\n", list->name == NULL, other->next == NULL, total(list));
  memset(nodes, 0xff, sizeof(int) + 1);
  printf("%d %d\n", nodes[0].value, nodes[0].tag);

  int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  memmove(numbers + 2, numbers, 5 * sizeof *numbers);
  memmove(numbers, numbers + 1, 4 * sizeof *numbers);
  memcpy((char *)numbers + 1, "\x11\x22", 2);
  for (int n = 0; n < 8; n++)
    printf("%x ", (unsigned)numbers[n]);
  printf("\n");

  char *text = malloc(12);
  memset(text, '-', 11);
  text[11] = 0;
  memcpy(text + 3, numbers, 0);
  memmove(text + 1, "ab", 2);
  bcopy(text, text + 4, 3);
  printf("%s\n", text);
  static char big[4096], bigger[8192];
  memset(big, 'x', sizeof big);
  memcpy(bigger + 100, big, sizeof big);
  printf("%d %d %d\n", bigger[99], bigger[100], bigger[4195]);
  int (*call)(const void *, const void *) = by_name, (*again)(const void *, const void *);
  copy_bytes(&again, &call, sizeof again);
  printf("%d\n", again(&words[0], &words[1]) < 0);
  return 0;
}
