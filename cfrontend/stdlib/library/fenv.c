/* fenv.h: models, to be executed symbolically. Rounding is to nearest; which exceptions were raised is not followed, so
   that asking for them is refused. */
#include <fenv.h>

extern void __sfo_refuse(const char *what);

int fegetround(void) { return FE_TONEAREST; }

int fesetround(int direction) {
  if (direction == FE_UPWARD || direction == FE_DOWNWARD || direction == FE_TOWARDZERO)
    __sfo_refuse("rounding in another direction than to nearest is not supported yet");
  return direction != FE_TONEAREST;
}

int feclearexcept(int exceptions) {
  (void)exceptions;
  return 0;
}

int feraiseexcept(int exceptions) {
  (void)exceptions;
  return 0;
}

int fegetenv(fenv_t *environment) {
  *environment = (fenv_t){.mxcsr = 0x1f80};
  return 0;
}

int feholdexcept(fenv_t *environment) { return fegetenv(environment); }

int fesetenv(const fenv_t *environment) {
  (void)environment;
  return 0;
}

int feupdateenv(const fenv_t *environment) {
  (void)environment;
  return 0;
}
