/* The signs of NaNs: gcc's own in static initialisers, the processor's in the rest. */
#include <stdio.h>
#include <string.h>

static double quotient = 0.0 / 0.0, negated = -(0.0 / 0.0), infinite = 1 / 0.0, product = 0.0 * (1 / 0.0);
static double difference = 1 / 0.0 - 1 / 0.0, kept = 0.0 / 0.0 + 1.0, later = 1.0 - -(0.0 / 0.0), cast = (float)(0.0 / 0.0);
static double table[2] = {0.0 / 0.0, -0.0}, built = -__builtin_nan("");
static float small = 0.0f / 0.0f;
static long double large = 0.0L / 0.0L;
static struct { int n; double d; } part = {1, -(0 / 0.0)};

static void show(double value) {
  unsigned long bits;
  memcpy(&bits, &value, sizeof bits);
  printf("%lx\n", bits);
}

int main(void) {
  static double inside = 0.0 / 0.0;
  double zero = 0, automatic = 0.0 / 0.0;
  show(quotient), show(negated), show(infinite), show(product), show(difference), show(kept), show(later), show(cast);
  show(table[0]), show(table[1]), show(built), show(part.d), show(inside);
  show(automatic), show(zero / zero), show(0.0 / 0.0);
  unsigned bits;
  memcpy(&bits, &small, sizeof bits);
  printf("%x %Lf %f\n", bits, large, quotient);
  return 0;
}
