#ifndef SFO_KLEE_H
#define SFO_KLEE_H
#include <stddef.h>
#include <stdint.h>
void klee_make_symbolic(void *object, size_t bytes, const char *name);
void klee_assume(uintptr_t condition);
int klee_int(const char *name);
int klee_range(int first, int end, const char *name);
void klee_silent_exit(int status);
unsigned klee_is_symbolic(uintptr_t value);
unsigned klee_is_replay(void);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_print_expr(const char *text, ...);
void klee_warning(const char *text);
void klee_warning_once(const char *text);
void klee_open_merge(void);
void klee_close_merge(void);
#define klee_assert(condition) __CPROVER_assert((condition), #condition)
void __CPROVER_assert(_Bool condition, const char *description);
#endif
