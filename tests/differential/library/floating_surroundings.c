/* The surroundings of floating point, which stay as they are. */
#include <fenv.h>
#include <stdio.h>

int main(void) {
  printf("%d %d\n", fegetround() == FE_TONEAREST, fesetround(FE_TONEAREST));
  fenv_t kept;
  printf("%d %d\n", fegetenv(&kept), feholdexcept(&kept));
  printf("%d %d\n", fesetenv(&kept), feupdateenv(&kept));
  printf("%d %d\n", feclearexcept(FE_ALL_EXCEPT), feraiseexcept(FE_INEXACT));
  return 0;
}
