/* What KLEE offers besides klee_make_symbolic and klee_assume, to be executed symbolically. What only says how KLEE
   searches or reports does nothing. */
#include <klee/klee.h>

extern int __VERIFIER_nondet_int(void);
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

void klee_prefer_cex(void *object, uintptr_t condition) {
  (void)object;
  (void)condition;
}

void klee_print_expr(const char *text, ...) { (void)text; }

void klee_warning(const char *text) { (void)text; }

void klee_warning_once(const char *text) { (void)text; }

void klee_open_merge(void) {}

void klee_close_merge(void) {}
