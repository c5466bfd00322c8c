/* May be asked for single names by other headers, so each definition may repeat. */
#ifndef SFO_STDDEF_H
#define SFO_STDDEF_H
#ifdef __LP64__
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
#else
typedef unsigned int size_t;
typedef int ptrdiff_t;
typedef long wchar_t;
#endif
typedef struct {
  long long integer;
  long double floating;
#ifndef __LP64__
  char quadruple[16] __attribute__((aligned(16)));
#endif
} max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#undef NULL
#define NULL ((void *)0)
