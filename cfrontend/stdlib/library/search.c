/* Searching in arrays, tables and lists: models of <search.h>, to be executed symbolically. */
#include <errno.h>
#include <search.h>
#include <stddef.h>
#include <stdlib.h>

extern void __sfo_limit(const char *what);
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

/* -- trees: red and black ones, of the same form as glibc's, which twalk shows -- */

struct branch {
  const void *key;
  struct branch *side[2];
  int is_red;
};

static int is_red(const struct branch *node) { return node != NULL && node->is_red; }

/* Turns the branch at `place` so that its child of that side is on top of it. */
static void turn(struct branch **place, int side) {
  struct branch *top = *place, *raised = top->side[side];
  top->side[side] = raised->side[!side];
  raised->side[!side] = top;
  *place = raised;
}

/* Makes a node red and its children black, `is_new`: or a leaf red; then no red node is below another one. */
static void redden(struct branch **above, int above_side, struct branch *parent, int side, struct branch *node, int is_new) {
  if (!is_new && !(is_red(node->side[0]) && is_red(node->side[1])))
    return;
  node->is_red = 1;
  for (int n = 0; n < 2; n++)
    if (node->side[n] != NULL)
      node->side[n]->is_red = 0;
  if (!is_red(parent))
    return;
  struct branch *top = *above;
  top->is_red = 1;
  if (side != above_side) {
    parent->is_red = 1;
    node->is_red = 0;
    turn(&top->side[above_side], side);
  } else
    parent->is_red = 0;
  turn(above, above_side);
}

void *tsearch(const void *key, void **root, int (*compare)(const void *, const void *)) {
  if (root == NULL)
    return NULL;
  struct branch **place = (struct branch **)root, **parent = NULL, **above = NULL;
  int side = 0, above_side = 0;
  if (*place != NULL)
    (*place)->is_red = 0;
  while (*place != NULL) {
    struct branch *node = *place;
    int order = compare(key, node->key);
    if (order == 0)
      return node;
    redden(above, above_side, parent == NULL ? NULL : *parent, side, node, 0);
    above = parent;
    parent = place;
    above_side = side;
    side = order > 0;
    place = &node->side[side];
  }
  struct branch *made = malloc(sizeof *made);
  *place = made;
  *made = (struct branch){.key = key};
  redden(above, above_side, parent == NULL ? NULL : *parent, side, made, 1);
  return made;
}

void *tfind(const void *key, void *const *root, int (*compare)(const void *, const void *)) {
  const struct branch *node = root == NULL ? NULL : *root;
  while (node != NULL) {
    int order = compare(key, node->key);
    if (order == 0)
      return (void *)node;
    node = node->side[order > 0];
  }
  return NULL;
}

/* The ways to `lacking`, which may be NULL, have one black node too few; `links` lead to the nodes above it. */
static void balance(struct branch **links[], int depth, struct branch *lacking) {
  while (depth > 0 && !is_red(lacking)) {
    struct branch **place = links[depth - 1], *parent = *place;
    int side = parent->side[0] != lacking;
    struct branch *other = parent->side[!side];
    if (other->is_red) {
      other->is_red = 0;
      parent->is_red = 1;
      turn(place, !side);
      links[depth++] = place = &other->side[side];
      other = parent->side[!side];
    }
    int is_far_red = is_red(other->side[!side]);
    if (is_far_red || is_red(other->side[side])) {
      if (is_far_red)
        other->side[!side]->is_red = 0;
      else
        turn(&parent->side[!side], side);
      parent->side[!side]->is_red = parent->is_red;
      parent->is_red = 0;
      turn(place, !side);
      return;
    }
    other->is_red = 1;
    lacking = parent;
    depth--;
  }
  if (lacking != NULL)
    lacking->is_red = 0;
}

#define DEEPEST_BRANCH 40

static void check_depth(int depth) {
  if (depth >= DEEPEST_BRANCH)
    __sfo_limit("deleting in such a deep tree is not supported yet");
}

/* Where both sides of a node go on, the next one goes instead, and leaves its key. */
void *tdelete(const void *key, void **root, int (*compare)(const void *, const void *)) {
  struct branch **place = (struct branch **)root, **links[DEEPEST_BRANCH + 2];
  if (place == NULL || *place == NULL)
    return NULL;
  struct branch *found = *place, *parent = found;
  int depth = 0, order;
  while ((order = compare(key, found->key)) != 0) {
    check_depth(depth);
    parent = found;
    links[depth++] = place;
    place = &parent->side[order > 0];
    found = *place;
    if (found == NULL)
      return NULL;
  }
  if (found->side[0] != NULL && found->side[1] != NULL) {
    links[depth++] = place;
    place = &found->side[1];
    while ((*place)->side[0] != NULL) {
      check_depth(depth);
      links[depth++] = place;
      place = &(*place)->side[0];
    }
  }
  struct branch *gone = *place, *rest = gone->side[gone->side[0] == NULL];
  *place = rest;
  found->key = gone->key;
  if (!gone->is_red)
    balance(links, depth, rest);
  free(gone);
  return parent;
}

static void walk(const struct branch *node, void (*action)(const void *, VISIT, int), int depth) {
  if (node->side[0] == NULL && node->side[1] == NULL) {
    action(node, leaf, depth);
    return;
  }
  action(node, preorder, depth);
  if (node->side[0] != NULL)
    walk(node->side[0], action, depth + 1);
  action(node, postorder, depth);
  if (node->side[1] != NULL)
    walk(node->side[1], action, depth + 1);
  action(node, endorder, depth);
}

void twalk(const void *root, void (*action)(const void *, VISIT, int)) {
  if (root != NULL && action != NULL)
    walk(root, action, 0);
}

void tdestroy(void *root, void (*release)(void *)) {
  struct branch *node = root;
  if (node == NULL)
    return;
  tdestroy(node->side[0], release);
  tdestroy(node->side[1], release);
  release((void *)node->key);
  free(node);
}
