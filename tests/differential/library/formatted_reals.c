/* Numbers with a point written into text and read from it, and the lengths that printf returns for them. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void write(double value) {
  static const char *const formats[] = {"%f",    "%e",   "%g",      "%a",    "%8.3f", "%-12.2e|", "%+G",
                                        "% .0f", "%#g",  "%010.3f", "%.17g", "%F",    "%.3A",     "%-9E|"};
  char text[400];
  for (int n = 0; n < (int)(sizeof formats / sizeof *formats); n++) {
    int length = sprintf(text, formats[n], value);
    printf("%s:%d ", text, length);
    if (length != (int)strlen(text))
      printf("wrong ");
  }
  printf("\n");
}

static void read(const char *text) {
  double d = 99;
  float f = 98;
  long double l = 97;
  char rest[20] = "#";
  int at = -1;
  int count = sscanf(text, "%lf%n%10s", &d, &at, rest);
  printf("%s: %d %g %d %s;", text, count, d, at, rest);
  count = sscanf(text, "%3f%s", &f, rest);
  printf(" %d %g %s;", count, f, rest);
  count = sscanf(text, "%*e%s", rest);
  printf(" %d %s;", count, rest);
  count = sscanf(text, "%Lg%s", &l, rest);
  printf(" %d %Lg %s\n", count, l, rest);
}

int main(void) {
  static const double values[] = {0.0, -0.0, 1.5, -2.5, 0.1, 1e-5, 123456789.0, 1e100, DBL_MIN, 4.9e-324, INFINITY, -INFINITY};
  static const char *const texts[] = {"1.5x", "1e",  "1ex", "+",   "-.5e3 7", "inf",  "infinit", "infi", "nan",
                                      "1e+x", ".",   "5.",  "  7e-2z", "",     "  ",   "-inf",    "--1",  "1.2.3",
                                      "nano", "na",  "in",  "00.100e+01 ", "Infinity!"};
  char text[80];
  for (int n = 0; n < (int)(sizeof values / sizeof *values); n++)
    write(values[n]);
  for (int n = 0; n < (int)(sizeof texts / sizeof *texts); n++)
    read(texts[n]);
  printf("%d ", sprintf(text, "%Lf|%La|%*.*f|%d", 1.25L, 0.1L, 9, 2, 2.71828, 7));
  printf("%s\n", text);
  printf("%d %s\n", snprintf(text, 6, "%f", 123.456), text);
  printf("%d\n", printf("%.3f %s\n", 1.0 / 3, "third"));
  const char *format = text;
  strcpy(text, "%g %d\n");
  printf(format, 0.5f, 3);
  return 0;
}
