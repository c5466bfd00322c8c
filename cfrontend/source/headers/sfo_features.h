/* Which C library it is, and what of it a program asks for: macros that conditions are about, no declarations. */
#ifdef __has_include
#if defined __x86_64__ && !defined __ILP32__
#if __has_include(<features.h>)
#include <features.h>
#endif
#elif __has_include(<gnu/stubs-32.h>)
#include <features.h>
#endif
#endif
