/* What CBMC is told about the names that sfo knows and it does not; it is included before each program.
   A call becomes a property where it stands, so that both tools name the same line. The declarations of the
   names, `void reach_error(void);`, are left alone: the argument tells a call from a declaration. */
#define __NO_CTYPE /* isalpha() and its like are functions */
#include <assert.h>
#include <stdlib.h>

#define SFO_REACH(name) (__CPROVER_assert(0, "reach: " #name), __CPROVER_assume(0))
#define abort(x) SFO_ABORT_##x
#define SFO_ABORT_ SFO_REACH(abort)
#define SFO_ABORT_void abort(void)
#define reach_error(x) SFO_REACH_ERROR_##x
#define SFO_REACH_ERROR_ SFO_REACH(reach_error)
#define SFO_REACH_ERROR_void reach_error(void)
#define __VERIFIER_error(x) SFO_VERIFIER_ERROR_##x
#define SFO_VERIFIER_ERROR_ SFO_REACH(__VERIFIER_error)
#define SFO_VERIFIER_ERROR_void __VERIFIER_error(void)

/* klee/klee.h is there for sfo only. */
#define klee_range(first, end, name) \
  ({ int sfo_n = nondet_klee(); __CPROVER_assume(sfo_n >= (first) && sfo_n < (end)); sfo_n; })
#define klee_int(name) nondet_klee()
#define klee_silent_exit(status) __CPROVER_assume(0)
#define klee_prefer_cex(object, condition) (void)0
#define klee_is_symbolic(value) 0
#define klee_warning(text) (void)0
#define klee_choose(end) ({ unsigned sfo_u = nondet_klee(); __CPROVER_assume(sfo_u < (end)); sfo_u; })
#define klee_get_value_i32(value) (value)
#define klee_stack_trace() (void)0
#define klee_report_error(file, line, text, suffix) SFO_REACH(klee_report_error)
#define klee_check_memory_access(object, size) (((const char *)(object))[0], ((const char *)(object))[(size) - 1])
int nondet_klee(void);
#define klee_make_symbolic(object, size, name) __CPROVER_havoc_slice(object, size)
#define klee_assume(condition) __CPROVER_assume(condition)

/* So are seahorn/seahorn.h and smack.h. */
#define assume(condition) __CPROVER_assume(condition)
#define sassert(condition) __CPROVER_assert(condition, #condition)
unsigned char __VERIFIER_nondet_unsigned_char(void);
