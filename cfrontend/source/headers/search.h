#ifndef SFO_SEARCH_H
#define SFO_SEARCH_H
#include <sfo_features.h>
#include <stddef.h>
typedef int (*__compar_fn_t)(const void *left, const void *right);
#ifdef _GNU_SOURCE
typedef __compar_fn_t comparison_fn_t;
#endif
typedef enum { FIND, ENTER } ACTION;
typedef struct entry {
  char *key;
  void *data;
} ENTRY;
typedef enum { preorder, postorder, endorder, leaf } VISIT;
struct qelem {
  struct qelem *q_forw;
  struct qelem *q_back;
  char q_data[1];
};
void *lfind(const void *key, const void *array, size_t *count, size_t bytes, int (*compare)(const void *, const void *));
void *lsearch(const void *key, void *array, size_t *count, size_t bytes, int (*compare)(const void *, const void *));
int hcreate(size_t count);
ENTRY *hsearch(ENTRY entry, ACTION action);
void hdestroy(void);
void insque(void *element, void *before);
void remque(void *element);
void *tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
void *tfind(const void *key, void *const *root, int (*compare)(const void *, const void *));
void *tdelete(const void *key, void **root, int (*compare)(const void *, const void *));
void twalk(const void *root, void (*action)(const void *node, VISIT which, int depth));
void tdestroy(void *root, void (*release)(void *key));
#endif
