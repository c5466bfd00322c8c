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
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);
uintptr_t klee_choose(uintptr_t end);
void klee_check_memory_access(const void *object, size_t bytes);
_Noreturn void klee_abort(void);
_Noreturn void klee_report_error(const char *file, int line, const char *text, const char *suffix);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_mark_global(void *object);
void klee_set_forking(unsigned enabled);
void klee_stack_trace(void);
void klee_print_range(const char *text, int value);
void klee_print_expr(const char *text, ...);
void klee_warning(const char *text);
void klee_warning_once(const char *text);
void klee_open_merge(void);
void klee_close_merge(void);
#define klee_assert(condition) __CPROVER_assert((condition), #condition)
void __CPROVER_assert(_Bool condition, const char *description);
#endif
