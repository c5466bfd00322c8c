#ifndef SFO_SETJMP_H
#define SFO_SETJMP_H
#include <sfo_features.h>
typedef long jmp_buf[25];
typedef long sigjmp_buf[25];
int setjmp(jmp_buf environment);
_Noreturn void longjmp(jmp_buf environment, int value);
int sigsetjmp(sigjmp_buf environment, int mask);
_Noreturn void siglongjmp(sigjmp_buf environment, int value);
#endif
