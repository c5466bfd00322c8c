/* Functions of complex numbers, also by type-generic macros, of arguments that gcc does not fold. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void show(double complex z) {
  unsigned long bits[2];
  memcpy(bits, &z, sizeof bits);
  for (int n = 0; n < 2; n++)
    printf(n[(double *)&z] != n[(double *)&z] ? " nan" : " %016lx", bits[n]);
}

static void showf(float complex z) {
  unsigned bits[2];
  memcpy(bits, &z, sizeof bits);
  for (int n = 0; n < 2; n++)
    printf(n[(float *)&z] != n[(float *)&z] ? " nan" : " %08x", bits[n]);
}

static double numbers[] = {0.0, -0.0, 1.0, -1.5, 0.7, 0.72, 3.0, 720.0, -1e300, 4e-310, DBL_MAX, INFINITY, -INFINITY, NAN};

#define COUNT (int)(sizeof numbers / sizeof *numbers)

int main(void) {
  for (int n = 0; n < 5 * COUNT; n++) {
    double complex z = __builtin_complex(numbers[n % COUNT], numbers[(n + n / COUNT * n) % COUNT]);
    float complex f = z;
    show(cexp(z)), show(csqrt(z)), show(clog(z)), show(csin(z)), show(ccos(z)), show(csinh(z)), show(ccosh(z));
    showf(cexpf(f)), showf(csqrtf(f)), showf(clogf(f)), showf(csinf(f)), showf(ccosf(f)), showf(csinhf(f)), showf(ccoshf(f));
    show(cpow(z, 2.5 - I)), showf(cpowf(f, numbers[n % 5]));
    puts("");
  }
  double complex sum = 0;
  for (int n = 0; n < 8; n++)
    sum += (n + 1) * cexp(-2.0 * I * 3.14159265358979323846 * n * 3 / 8);
  show(sum);
  puts("");
  return 0;
}
