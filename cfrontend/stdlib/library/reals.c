/* Numbers with a point or an exponent in text. What one exact multiplication or division by a power of ten gives is
   rounded as the library rounds it (Clinger 1990); longer numbers are refused. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

extern void __sfo_limit(const char *what);

static const long double powers_of_ten[] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
    1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

/* A decimal number is digits * 10**power; special is 1 for an infinity, 2 for a NaN. What can be modelled is decided
   by the count of the digits, not by their value, which may depend on inputs. */
struct decimal {
  unsigned long long digits;
  int count;
  int power;
  int special;
  int negative;
};

static int sign_at(const char **text) {
  int negative = **text == '-';
  if (**text == '-' || **text == '+')
    ++*text;
  return negative;
}

/* The exponent behind e, where there is one; the text stays before an e without a number. */
static int exponent_at(const char **text) {
  const char *here = *text;
  int negative, value = 0;
  if (*here != 'e' && *here != 'E')
    return 0;
  here++;
  negative = sign_at(&here);
  if (!isdigit((unsigned char)*here))
    return 0;
  for (; isdigit((unsigned char)*here); here++)
    if (value < 10000)
      value = value * 10 + (*here - '0');
  *text = here;
  return negative ? -value : value;
}

/* The length of the letters, digits and underscores in parentheses that a NaN may have behind it; 0 for anything else. */
static int sequence_at(const char *text) {
  int length = 1;
  if (*text != '(')
    return 0;
  while (isalnum((unsigned char)text[length]) || text[length] == '_')
    length++;
  return text[length] == ')' ? length + 1 : 0;
}

static struct decimal decimal_at(const char *text, char **end) {
  struct decimal found = {0, 0, 0, 0, 0};
  const char *start = text;
  int point = 0;
  while (isspace((unsigned char)*text))
    text++;
  found.negative = sign_at(&text);
  if (!strncasecmp(text, "inf", 3)) {
    found.special = 1;
    text += strncasecmp(text, "infinity", 8) ? 3 : 8;
  } else if (!strncasecmp(text, "nan", 3)) {
    found.special = 2;
    text += 3 + sequence_at(text + 3);
  } else {
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
      __sfo_limit("a hexadecimal number in text is not supported yet");
    for (; isdigit((unsigned char)*text) || (*text == '.' && !point); text++) {
      if (*text == '.') {
        point = 1;
        continue;
      }
      if (++found.count > 19)
        __sfo_limit("a number of more than 19 digits in text is not supported yet");
      found.digits = found.digits * 10 + (unsigned long long)(*text - '0');
      found.power -= point;
    }
    if (found.count)
      found.power += exponent_at(&text);
    else {
      text = start;
      found.negative = 0;
    }
  }
  if (end)
    *end = (char *)text;
  return found;
}

long double strtold(const char *text, char **end) {
  struct decimal number = decimal_at(text, end);
  long double value = (long double)number.digits;
  if (number.special)
    value = number.special == 1 ? (long double)INFINITY : (long double)NAN;
  else if (number.power > 27 || number.power < -27)
    __sfo_limit("a number with an exponent beyond 27 in text is not supported yet");
  else
    value = number.power < 0 ? value / powers_of_ten[-number.power] : value * powers_of_ten[number.power];
  return number.negative ? -value : value;
}

double strtod(const char *text, char **end) {
  struct decimal number = decimal_at(text, end);
  double value = (double)number.digits;
  if (number.special)
    value = number.special == 1 ? (double)INFINITY : (double)NAN;
  else if (number.power != 0 && (number.count > 15 || number.power > 22 || number.power < -22))
    __sfo_limit("a number of more than 15 digits or with an exponent beyond 22 in text is not supported yet");
  else if (number.power)
    value = number.power < 0 ? value / (double)powers_of_ten[-number.power]
                             : value * (double)powers_of_ten[number.power];
  return number.negative ? -value : value;
}

float strtof(const char *text, char **end) {
  struct decimal number = decimal_at(text, end);
  float value = (float)number.digits;
  if (number.special)
    value = number.special == 1 ? INFINITY : NAN;
  else if (number.power != 0 && (number.count > 7 || number.power > 10 || number.power < -10))
    __sfo_limit("a number of more than 7 digits or with an exponent beyond 10 in text is not supported yet");
  else if (number.power)
    value = number.power < 0 ? value / (float)powers_of_ten[-number.power]
                             : value * (float)powers_of_ten[number.power];
  return number.negative ? -value : value;
}

double atof(const char *text) { return strtod(text, 0); }
