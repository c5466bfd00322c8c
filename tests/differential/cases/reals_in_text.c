/* Numbers with a point written into text and read from it, where inputs choose among a few. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nondet_int(void);

int main(void) {
  int a = nondet_int(), b = nondet_int();
  double written = a > 3 ? 1.5 : a < 0 ? -22.75 : 1e30, read = 0;
  char text[40] = "", digits[] = "2.?5e1x";
  int length = sprintf(text, "%g", written);
  assert(length != 3 || strcmp(text, "1.5") == 0);
  printf("%d %s\n", length, text);
  length = snprintf(text, 5, "%08.2f", b == 2 ? 3.14159 : -0.5);
  assert(length == 8 && text[4] == 0);
  printf("%s\n", text);
  digits[2] = b > 2 ? '2' : '7';
  int count = sscanf(digits, "%lf%c", &read, text);
  assert(count == 2 && text[0] == 'x');
  assert(read != 22.5 || b > 2);
  assert(read != 27.5 || a != 0);
  char *rest, special[] = "-NaN(1_z?)";
  special[8] = b > 2 ? '?' : '2';
  assert(strtod(special, &rest) != 0 && *rest == (b > 2 ? '(' : 0));
  return a == 5 ? printf("%.1f\n", written) : 0;
}
