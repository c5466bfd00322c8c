/* What a program may call and does not define: its specification. A property that does not hold aborts. */
#include <stdlib.h>

#define WEAK __attribute__((weak))

WEAK void reach_error(void) { abort(); }
WEAK void __VERIFIER_error(void) { abort(); }
WEAK void __VERIFIER_assert(int condition) { if (!condition) abort(); }
WEAK void __CPROVER_assert(_Bool condition, const char *text) { (void)text; if (!condition) abort(); }
WEAK void __VERIFIER_assume(int condition) { if (!condition) _Exit(0); }
WEAK void __CPROVER_assume(_Bool condition) { if (!condition) _Exit(0); }
