/* Functions with variable arguments: all types, lists handed on, copied and walked twice. */
#include <stdarg.h>
#include <stdio.h>

struct pair { int first; long second; };
struct tiny { char c; };
struct triple { int x, y, z; };

static int sum(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  for (int n = 0; n < count; n++)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

static long mixed(const char *kinds, ...) {
  va_list list;
  long total = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'c': total = 3 * total + (char)va_arg(list, int); break;
    case 'h': total = 3 * total + (short)va_arg(list, int); break;
    case 'u': total = 3 * total + va_arg(list, unsigned); break;
    case 'l': total = 3 * total + va_arg(list, long); break;
    case 'q': total = 3 * total + (long)va_arg(list, unsigned long long); break;
    case 's': total = 3 * total + va_arg(list, char *)[0]; break;
    case 'p': total = 3 * total + *va_arg(list, int *); break;
    case 'S': { struct pair p = va_arg(list, struct pair); total = 3 * total + p.first + p.second; break; }
    case 't': total = 3 * total + va_arg(list, struct tiny).c; break;
    case 'T': { struct triple t = va_arg(list, struct triple); total = 3 * total + t.x - t.y + t.z; break; }
    case 'f': total = 3 * total + va_arg(list, int (*)(int, ...))(2, 20, 22); break;
    default: return -1;
    }
  va_end(list);
  return total;
}

static int next(va_list list) { return va_arg(list, int); }

static int through_pointer(va_list *list) { return va_arg(*list, int) + va_arg(*list, int); }

static int twice(int count, ...) {
  va_list one, two;
  int total = 0;
  va_start(one, count);
  va_copy(two, one);
  for (int n = 0; n < count; n++)
    total += va_arg(one, int);
  va_end(one);
  for (int n = 0; n < count; n++)
    total = 2 * total + va_arg(two, int);
  va_end(two);
  va_start(one, count);
  total += 1000 * next(one);
  va_end(one);
  va_start(one, count);
  total += 10000 * through_pointer(&one);
  va_end(one);
  return total;
}

static int count_down(int n, ...) {
  va_list list;
  int given;
  va_start(list, n);
  given = va_arg(list, int);
  va_end(list);
  return n == 0 ? given : count_down(n - 1, given + n, 5) + n;
}

static int outer(const char *format, ...) {
  va_list list, rest;
  int total = 0;
  va_start(list, format);
  va_copy(rest, list);
  while (*format++)
    total += sum(2, va_arg(list, int), *format);
  va_end(list);
  total += va_arg(rest, int);
  va_end(rest);
  return total;
}

int main(void) {
  int seven = 7;
  struct pair p = {1, -2};
  struct tiny t = {'t'};
  struct triple three = {10, 20, 30};
  printf("%d %d %d\n", sum(0), sum(1, 5), sum(6, 1, 2, 3, -4, 5, 6));
  printf("%ld\n", mixed("chulqspStTf", 'x', (short)-3, 4000000000u, 1L << 40, 12345678901ULL, "word", &seven, p, t, three, sum));
  printf("%ld\n", mixed("TSScl", three, p, p, -1, -1L));
  printf("%d %d\n", twice(3, 4, 5, 6), count_down(4, 100));
  printf("%d\n", outer("abc", 1, 2, 3, 4));
  return 0;
}
