#ifndef SFO_SMACK_H
#define SFO_SMACK_H
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);
_Noreturn void __VERIFIER_error(void);
#define assume(condition) __VERIFIER_assume(condition)
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
signed char __VERIFIER_nondet_signed_char(void);
unsigned char __VERIFIER_nondet_unsigned_char(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_unsigned_short(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_unsigned(void);
unsigned int __VERIFIER_nondet_unsigned_int(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_unsigned_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_long_long(void);
unsigned long long __VERIFIER_nondet_unsigned_long_long(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
#endif
