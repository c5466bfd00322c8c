/* Jumps out of functions: models of <setjmp.h>, to be executed symbolically. Each activation of a function that calls
   setjmp has a number, each of these calls one within its function. While a jump is under way, every function returns
   at once where a call comes back to it, until the activation is found that it leads to (cfrontend.lower.jumps). */
#include <setjmp.h>

/* How many activations there were, and the one that the jump under way leads to: none where it is 0. */
long __sfo_activations;
long __sfo_jump_to;
long __sfo_jump_place;
int __sfo_jump_value;

void __sfo_set_jump(void *environment, long activation, long place) {
  long *kept = environment;
  kept[0] = activation;
  kept[1] = place;
}

/* A place that nobody has set is no valid pointer. */
static void jump(const void *environment, int value) {
  const long *kept = environment;
  if (kept[0] == 0)
    kept = 0;
  __sfo_jump_to = kept[0];
  __sfo_jump_place = kept[1];
  __sfo_jump_value = value == 0 ? 1 : value;
}

/* Where they are called, setjmp and sigsetjmp become code of the calling function. */
int setjmp(jmp_buf environment) {
  __sfo_set_jump(environment, __sfo_activations, 0);
  return 0;
}

int sigsetjmp(sigjmp_buf environment, int mask) {
  __sfo_set_jump(environment, __sfo_activations, mask);
  return 0;
}

void longjmp(jmp_buf environment, int value) {
  jump(environment, value);
}

void siglongjmp(sigjmp_buf environment, int value) {
  jump(environment, value);
}
