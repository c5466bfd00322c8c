// Complex numbers.
#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdarg.h>
int nondet_int(void);
float nondet_float(void);
double nondet_double(void);

//# parts_safe
int main(void) {
  double complex z = nondet_double();
  __imag__ z = 2;
  assert(cimag(z) == 2 && __imag__ z == 2);
  double x = creal(z);
  if (x == x)
    assert(z == x + 2 * I && __real__ z == x);
}

//# parts_violated
int main(void) {
  double complex z = nondet_int() + 3.0i;
  assert(__real__ z < __imag__ z); //! assert
}

//# addition_safe
int main(void) {
  int a = nondet_int(), b = nondet_int();
  double complex z = CMPLX(a, b), w = 1 - I;
  assert(creal(z + w) == a + 1.0 && cimag(z + w) == b - 1.0);
  assert(creal(z - w) == a - 1.0 && cimag(z - w) == b + 1.0);
}

//# multiplication_safe
int main(void) {
  double complex z = 2 + 3 * I, w = z * z;
  assert(creal(w) == -5 && cimag(w) == 12 && I * I == -1);
}

//# multiplication_violated
int main(void) {
  int a = nondet_int();
  if (a < -9 || a > 9) return 0;
  double complex z = a + 2 * I;
  assert(creal(z * z) != 5); //! assert
}

//# infinities_of_a_product_safe
int main(void) {
  double complex z, w;
  __real__ z = INFINITY;
  __imag__ z = NAN;
  w = z * (1 + I);
  assert(isinf(creal(w)) && isinf(cimag(w)));
}

//# division_safe
int main(void) {
  double complex z = (5 + 10 * I) / (1 + 2 * I), w = 5 + 10 * I;
  assert(z == 5 && w / 2 == 2.5 + 5 * I && 1 / (w - w + 2) == 0.5);
}

//# division_by_zero_violated
int main(void) {
  double complex z = 1 + I, zero = nondet_int() ? 1 : 0;
  z /= zero;
  assert(isfinite(creal(z))); //! assert
}

//# signed_zero_safe
int main(void) {
  double complex z = 1;
  assert(signbit(cimag(1 - z * 1.0)) && !signbit(cimag(1 + z)));
  assert(signbit(cimag(conj(z))) && signbit(cimag(-z)) && signbit(cimag(~z)));
}

//# equality_safe
int main(void) {
  double complex z = nondet_int() + 1.0 * I, w = z;
  assert(z == w && !(z != w) && z && !!z && (z ? 1 : 0) && (z || 0) && (_Bool)z);
  w -= 1.0 * I;
  assert(z != w);
}

//# equality_violated
int main(void) {
  double complex z = nondet_int();
  assert(z); //! assert
}

//# conversions_safe
int main(void) {
  float complex f = 1.5f + 2.5f * I;
  double complex d = f;
  long double complex l = d;
  int i = f;
  _Bool b = 0.5 * I;
  assert(d == 1.5 + 2.5 * I && l == d && i == 1 && b && (double)d == 1.5);
  assert(sizeof f == 8 && sizeof d == 16 && sizeof l == 32 && _Alignof(double complex) == 8);
  assert(sizeof(f + d) == sizeof d && sizeof(f + 1) == sizeof f && sizeof(f + 1.0) == sizeof d);
}

//# assignments_safe
static int calls;
static int next(void) { return calls++; }
int main(void) {
  double complex a[3] = { 1, I }, z = 2;
  a[next()] += 3 * I;
  a[next()] *= a[0]++;
  assert(calls == 2 && a[0] == 2 + 3 * I && a[1] == I * (1 + 3 * I) && a[2] == 0);
  assert(z++ == 2 && --z == 2 && (z -= 1) == 1 && (z /= I) == -I);
  double x = 1;
  x += 2 + 5 * I;
  assert(x == 3);
}

//# initializers_safe
static double complex z = 1 + 2 * I, w = { 3 }, table[] = { I, 2, -I * I, (1 + I) * (1 - I) / 2 };
static struct { int n; float complex z; } s = { 1, 4 - 2 * I };
int main(void) {
  static const double complex c = CMPLX(0.0, -0.0);
  assert(z == 1 + 2 * I && w == 3 && table[0] == I && table[2] == 1 && table[3] == 1);
  assert(s.z == 4 - 2 * I && signbit(cimag(c)) && sizeof table == 64);
}

//# functions_safe
static double complex turned(double complex z, int n) { return n ? I * turned(z, n - 1) : z; }
static double complex (*pointer)(double complex, int) = turned;
static double sum(int n, ...) {
  va_list list;
  va_start(list, n);
  double complex s = 0;
  while (n--) s += va_arg(list, double complex);
  va_end(list);
  return creal(s) + cimag(s);
}
int main(void) {
  int x = nondet_int();
  double complex z = CMPLX(x, -7);
  assert(turned(z, 4) == z && pointer(z, 2) == -z && sum(2, z, 7.0 + 7 * I) == x + 7.0);
}

//# function_without_a_body_violated
double complex nondet_complex(void);
int main(void) {
  double complex z = nondet_complex();
  assert(creal(z) != 3 || cimag(z) != 4); //! assert
}

//# uninitialised_violated
int main(void) {
  double complex z;
  assert(creal(z) != 3 || cimag(z) != 4); //! assert
}

//# entry_violated --entry f
int f(double complex z) {
  assert(z != 2 - I); //! assert
  return 0;
}

//# entry_with_an_array_violated --entry f
double f(const float complex *z) {
  assert(z[0] != 2 - I); //! assert
  return creal(z[0]);
}

//# memory_safe
int main(void) {
  double complex a[2] = { 1 + 2 * I, 3 + 4 * I };
  double *p = (double *)a, *q = &__imag__ a[1];
  assert(p[0] == 1 && p[1] == 2 && p[2] == 3 && q == p + 3 && *q == 4);
  *q = 5;
  assert(a[1] == 3 + 5 * I);
}

//# memory_violated
int main(void) {
  double complex a[2] = { 0, 0 };
  int n = nondet_int();
  if (n < 0 || n > 2) return 0;
  a[n] += 1; //! bounds
  return 0;
}

//# integers_safe
int main(void) {
  _Complex int z = 3 + 4i, w = z * ~z;
  _Complex unsigned char c = 200;
  c += c;
  assert(w == 25 && __imag__ z == 4 && -z == -3 - 4i && (z + 1.5) == 4.5 + 4i && __real__ c == 144);
}

//# integers_violated --check +overflow
int main(void) {
  _Complex int z = nondet_int();
  z = z + 1; //! overflow
  return 0;
}

//# generic_safe
int main(void) {
  float complex f = 0;
  double complex d = 0;
  __typeof__(f + d) s = d;
  assert(_Generic(f, float complex: 1, double complex: 2) == 1 && _Generic(s, float complex: 1, double complex: 2) == 2);
  assert(_Generic(1.0fi, float complex: 1, default: 0) && _Generic(1i, _Complex int: 1, default: 0));
}

//# functions_of_the_header_safe
int main(void) {
  double complex z = 3 - 4 * I;
  assert(cabs(z) == 5 && carg(1 + 0 * I) == 0 && conj(z) == 3 + 4 * I && cproj(z) == z && cabsf(z) == 5);
  __imag__ z = -INFINITY;
  assert(creal(cproj(z)) == INFINITY && cimag(cproj(z)) == 0 && signbit(cimag(cproj(z))));
}

//# loop_violated --unwind 4
static int steps(double complex c) {
  double complex z = 0;
  int n = 0;
  while (n < 3 && creal(z) * creal(z) + cimag(z) * cimag(z) <= 4) {
    z = z * z + c;
    n++;
  }
  return n;
}
int main(void) {
  int a = nondet_int();
  if (a < -2 || a > 2) return 0;
  assert(steps(a + I) == 3); //! assert
}
