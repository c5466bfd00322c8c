/* assert stays a call, so that its condition keeps its place in the source. */
#include <sfo_features.h>
#undef assert
#ifdef NDEBUG
#define assert(ignored) ((void)0)
#else
extern void assert(int condition);
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif
