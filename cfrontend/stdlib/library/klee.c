/* What KLEE offers besides klee_make_symbolic and klee_assume, to be executed symbolically. What only says how KLEE
   searches or reports does nothing. */
#include <klee/klee.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int condition);

int klee_int(const char *name) {
  (void)name;
  return __VERIFIER_nondet_int();
}

/* From `first` to below `end`. */
int klee_range(int first, int end, const char *name) {
  (void)name;
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number >= first && number < end);
  return number;
}

/* There is no test for such a run. */
void klee_silent_exit(int status) {
  (void)status;
  __VERIFIER_assume(0);
}

/* As where a test is replayed. */
unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return 0;
}

unsigned klee_is_replay(void) { return 1; }

/* Some value of an input, which is one wherever an execution comes. */
float klee_get_valuef(float value) { return value; }

double klee_get_valued(double value) { return value; }

long klee_get_valuel(long value) { return value; }

long long klee_get_valuell(long long value) { return value; }

int32_t klee_get_value_i32(int32_t value) { return value; }

int64_t klee_get_value_i64(int64_t value) { return value; }

/* From 0 to below `end`. */
uintptr_t klee_choose(uintptr_t end) {
  uintptr_t number = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(number < end);
  return number;
}

/* Reading the first and the last byte violates what reading all of them would. */
void klee_check_memory_access(const void *object, size_t bytes) {
  const char *first = object;
  if (bytes > 0) {
    char ends = first[0] ^ first[bytes - 1];
    (void)ends;
  }
}

void klee_abort(void) { abort(); }

void klee_report_error(const char *file, int line, const char *text, const char *suffix) {
  (void)file;
  (void)line;
  (void)text;
  (void)suffix;
  abort();
}

void klee_prefer_cex(void *object, uintptr_t condition) {
  (void)object;
  (void)condition;
}

void klee_posix_prefer_cex(void *object, uintptr_t condition) {
  (void)object;
  (void)condition;
}

void klee_mark_global(void *object) { (void)object; }

void klee_set_forking(unsigned enabled) { (void)enabled; }

void klee_stack_trace(void) {}

void klee_print_range(const char *text, int value) {
  (void)text;
  (void)value;
}

void klee_print_expr(const char *text, ...) { (void)text; }

void klee_warning(const char *text) { (void)text; }

void klee_warning_once(const char *text) { (void)text; }

void klee_open_merge(void) {}

void klee_close_merge(void) {}
