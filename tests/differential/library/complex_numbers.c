/* Complex arithmetic bit by bit: what gcc folds, what its library computes, and the parts that are left alone. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(a) (int)(sizeof(a) / sizeof *(a))

static void show_double(double x) {
  unsigned long bits;
  memcpy(&bits, &x, sizeof bits);
  if (x != x)
    printf(" nan");
  else
    printf(" %016lx", bits);
}

static void show_float(float x) {
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  if (x != x)
    printf(" nan");
  else
    printf(" %08x", bits);
}

static void show(double complex z) {
  show_double(creal(z));
  show_double(cimag(z));
}

static void showf(float complex z) {
  show_float(crealf(z));
  show_float(cimagf(z));
}

static const double numbers[] = {0.0, -0.0, 1.0, -2.5, 1e-310, 1.7e308, -3e200, 1e-170, INFINITY, -INFINITY, NAN};
static const float small[] = {0.0f, -0.0f, 3.0f, 0.1f, -1e-40f, 3e38f, -INFINITY, NAN};

static double complex number(int n) {
  double complex z;
  __real__ z = numbers[n % COUNT(numbers)];
  __imag__ z = numbers[n * 7 / 3 % COUNT(numbers)];
  return z;
}

static float complex small_number(int n) {
  return __builtin_complex(small[n % COUNT(small)], small[n * 5 / 3 % COUNT(small)]);
}

static double complex folded[] = {
  (1.1 + 2.2 * I) * (3.3 + 4.4 * I), (1.1 + 2.2 * I) / (3.3 - 4.4 * I), 1 / (0.1 + 0.3 * I), (2 + 3 * I) * (0.1 + 0.7 * I),
  I * I, -I, ~(1.0 - 2.0 * I), (1 + I) / (1 - I) - 1.0, (0.1f + 0.2f * I) * (0.3f - 0.7f * I), 3, 2.5i, __builtin_complex(-0.0, 0.0),
};

int main(void) {
  for (int n = 0; n < COUNT(folded); n++)
    show(folded[n]);
  puts("");
  show((1e-200 + 1e-200 * I) * (1e-200 - 3e-120 * I));
  show((1e300 + 1e300 * I) * (1e300 - I));
  show((1e300 + 1e300 * I) / (1e-300 - 1e-20 * I));
  puts("");
  for (int n = 0; n < 44; n++) {
    double complex z = number(n), w = number(3 * n + n / 5 + 1);
    double x = numbers[(n + 4) % COUNT(numbers)];
    show(z + w), show(z - w), show(z * w), show(z / w);
    show(z + x), show(x - z), show(z * x), show(x * z), show(z / x), show(x / z);
    show(-z), show(~z), show(conj(z)), show(cproj(z));
    printf(" %d %d %d %d\n", z == w, z != w, !z, z == x);
  }
  for (int n = 0; n < 24; n++) {
    float complex z = small_number(n), w = small_number(2 * n + n / 5 + 1);
    double complex d = z;
    showf(z * w), showf(z / w), showf(z * small[n % 5]), show(z * 0.1), show(d), showf(d);
    z += w, w *= z, w /= 3, z -= I;
    showf(z), showf(w), showf(z++), showf(--z);
    puts("");
  }
  long double complex l = 1 + 2.0L * I;
  l = (l * l + 3) / (l - 5.5L);
  printf("%La %La\n", creall(l), cimagl(l));
  for (int n = 1; n < 8; n++)
    show_double(cabs(n - 2.5 * n * I)), show_double(carg(n - 2.5 * n * I)), show_float(cabsf(n + 0.1f * I));
  puts("");
  return 0;
}
