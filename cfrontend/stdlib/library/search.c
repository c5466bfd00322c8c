/* Searching in arrays, tables and lists: models of <search.h>, to be executed symbolically. */
#include <errno.h>
#include <search.h>
#include <stddef.h>
#include <stdlib.h>

extern void __sfo_copy(void *target, const void *source, size_t bytes);

#ifdef SFO_NATIVE
extern int *__errno_location(void);
#undef errno
#define errno (*__errno_location())
#endif

void *lfind(const void *key, const void *array, size_t *count, size_t bytes, int (*compare)(const void *, const void *)) {
  const char *element = array;
  for (size_t n = 0; n < *count; n++)
    if (compare(key, element + n * bytes) == 0)
      return (void *)(element + n * bytes);
  return NULL;
}

void *lsearch(const void *key, void *array, size_t *count, size_t bytes, int (*compare)(const void *, const void *)) {
  void *found = lfind(key, array, count, bytes, compare);
  if (found != NULL)
    return found;
  char *place = (char *)array + *count * bytes;
  __sfo_copy(place, key, bytes);
  ++*count;
  return place;
}

/* Nobody sees how a table is ordered. It has room for the next prime number of entries from `count` on, of 3 at least. */
static ENTRY *table;
static size_t table_room;
static size_t table_count;

static int is_same(const char *one, const char *other) {
  size_t n = 0;
  while (one[n] != 0 && one[n] == other[n])
    n++;
  return one[n] == other[n];
}

static int is_prime(size_t odd) {
  for (size_t n = 3; n * n <= odd; n += 2)
    if (odd % n == 0)
      return 0;
  return 1;
}

int hcreate(size_t count) {
  if (table != NULL)
    return 0;
  table_room = (count < 3 ? 3 : count) | 1;
  while (!is_prime(table_room))
    table_room += 2;
  table = malloc(table_room * sizeof *table);
  table_count = 0;
  return 1;
}

ENTRY *hsearch(ENTRY entry, ACTION action) {
  for (size_t n = 0; n < table_count; n++)
    if (is_same(table[n].key, entry.key))
      return &table[n];
  if (action == ENTER && table_count < table_room) {
    table[table_count] = entry;
    return &table[table_count++];
  }
  errno = action == ENTER ? ENOMEM : ESRCH;
  return NULL;
}

void hdestroy(void) {
  free(table);
  table = NULL;
}

void insque(void *element, void *before) {
  struct qelem *new = element, *old = before;
  new->q_back = old;
  new->q_forw = old == NULL ? NULL : old->q_forw;
  if (old == NULL)
    return;
  if (old->q_forw != NULL)
    old->q_forw->q_back = new;
  old->q_forw = new;
}

void remque(void *element) {
  struct qelem *old = element;
  if (old->q_forw != NULL)
    old->q_forw->q_back = old->q_back;
  if (old->q_back != NULL)
    old->q_back->q_forw = old->q_forw;
}
