/* May be asked for single names by other headers, so each definition may repeat. */
#ifndef SFO_STDDEF_H
#define SFO_STDDEF_H
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
typedef struct {
  long long integer;
  long double floating;
} max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#undef NULL
#define NULL ((void *)0)
