#ifndef SFO_SEAHORN_H
#define SFO_SEAHORN_H
void __VERIFIER_assume(int condition);
_Noreturn void __VERIFIER_error(void);
#define assume(condition) __VERIFIER_assume(condition)
#define sassert(condition) __CPROVER_assert((condition), #condition)
void __CPROVER_assert(_Bool condition, const char *description);
#endif
