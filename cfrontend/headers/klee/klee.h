#ifndef SFO_KLEE_H
#define SFO_KLEE_H
#include <stddef.h>
#include <stdint.h>
void klee_make_symbolic(void *object, size_t bytes, const char *name);
void klee_assume(uintptr_t condition);
#define klee_assert(condition) __CPROVER_assert((condition), #condition)
void __CPROVER_assert(_Bool condition, const char *description);
#endif
