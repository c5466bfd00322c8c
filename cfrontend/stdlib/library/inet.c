/* Internet addresses as text: models of <arpa/inet.h>, to be executed symbolically. */
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#ifdef SFO_NATIVE
extern int *__errno_location(void);
#undef errno
#define errno (*__errno_location())
#endif

#define VERSION_4 2
#define VERSION_6 10
#define ANY_TEXT_4 16
#define ANY_TEXT_6 46

struct in_addr {
  unsigned s_addr;
};

static int digit_of(char character) {
  if (character >= '0' && character <= '9')
    return character - '0';
  char lower = character | 32;
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

/* Four decimal numbers without leading zeros. */
static int read_4(const char *text, unsigned char *target) {
  unsigned char bytes[4];
  for (int n = 0; n < 4; n++) {
    unsigned value = 0;
    int digits = 0;
    for (; *text >= '0' && *text <= '9'; text++, digits++) {
      if (digits > 0 && value == 0)
        return 0;
      value = 10 * value + (unsigned)(*text - '0');
      if (value > 255)
        return 0;
    }
    if (digits == 0 || *text != (n < 3 ? '.' : 0))
      return 0;
    text++;
    bytes[n] = (unsigned char)value;
  }
  memcpy(target, bytes, 4);
  return 1;
}

/* Eight groups of up to four hexadecimal digits, the last two also as four numbers, and `::` for some that are zero. */
static int read_6(const char *text, unsigned char *target) {
  unsigned char bytes[16];
  int count = 0, gap = -1;
  if (*text == ':' && *++text != ':')
    return 0;
  while (*text != 0) {
    if (*text == ':') {
      if (gap >= 0)
        return 0;
      gap = count;
      text++;
      continue;
    }
    const char *group = text;
    unsigned value = 0;
    for (; digit_of(*text) < 16; text++) {
      if (text - group == 4)
        return 0;
      value = 16 * value + (unsigned)digit_of(*text);
    }
    if (text == group)
      return 0;
    if (*text == '.') {
      if (count > 12 || !read_4(group, bytes + count))
        return 0;
      count += 4;
      break;
    }
    if (count > 14)
      return 0;
    bytes[count++] = (unsigned char)(value >> 8);
    bytes[count++] = (unsigned char)value;
    if (*text == ':' && *++text == 0)
      return 0;
    else if (*text != 0 && text[-1] != ':')
      return 0;
  }
  if (gap < 0 ? count != 16 : count == 16)
    return 0;
  if (gap < 0)
    gap = count;
  for (int n = 0; n < 16; n++)
    target[n] = n < gap ? bytes[n] : n < gap + 16 - count ? 0 : bytes[n - (16 - count)];
  return 1;
}

int inet_pton(int family, const char *text, void *target) {
  if (family == VERSION_4)
    return read_4(text, target);
  if (family == VERSION_6)
    return read_6(text, target);
  errno = EAFNOSUPPORT;
  return -1;
}

static char *write_number(char *text, unsigned value, unsigned base) {
  unsigned most = 1;
  while (value / most >= base)
    most *= base;
  for (; most > 0; most /= base)
    *text++ = "0123456789abcdef"[value / most % base];
  return text;
}

static char *write_4(char *text, const unsigned char *bytes) {
  for (int n = 0; n < 4; n++) {
    text = write_number(text, bytes[n], 10);
    *text++ = n < 3 ? '.' : 0;
  }
  return text;
}

static unsigned group_of(const unsigned char *bytes, int n) { return (unsigned)(bytes[2 * n] << 8 | bytes[2 * n + 1]); }

/* The first of the longest runs of two groups or more that are zero is `::`. */
static char *write_6(char *text, const unsigned char *bytes) {
  int gap = -1, longest = 1;
  for (int first = 0; first < 8; first++) {
    int n = first;
    while (n < 8 && group_of(bytes, n) == 0)
      n++;
    if (n - first > longest) {
      gap = first;
      longest = n - first;
    }
  }
  for (int n = 0; n < 8; n++) {
    if (n == gap) {
      *text++ = ':';
      n += longest - 1;
      if (n == 7)
        *text++ = ':';
      continue;
    }
    if (n > 0)
      *text++ = ':';
    if (n == 6 && gap == 0 && (longest == 6 || (longest == 5 && group_of(bytes, 5) == 0xffff)))
      return write_4(text, bytes + 12);
    text = write_number(text, group_of(bytes, n), 16);
  }
  *text++ = 0;
  return text;
}

const char *inet_ntop(int family, const void *source, char *target, unsigned bytes) {
  char text[ANY_TEXT_6], *end;
  if (family != VERSION_4 && family != VERSION_6) {
    errno = EAFNOSUPPORT;
    return NULL;
  }
  end = family == VERSION_4 ? write_4(text, source) : write_6(text, source);
  if ((size_t)(end - text) > bytes) {
    errno = ENOSPC;
    return NULL;
  }
  return memcpy(target, text, (size_t)(end - text));
}

char *inet_ntoa(struct in_addr address) {
  static char text[ANY_TEXT_4];
  write_4(text, (const unsigned char *)&address.s_addr);
  return text;
}

/* One number to four, of which the last has the bytes that are left; decimal, octal or hexadecimal. */
static int read_parts(const char *text, unsigned *result) {
  unsigned long long value = 0;
  unsigned above = 0;
  for (int n = 0;; n++) {
    unsigned base = 10;
    if (*text < '0' || *text > '9')
      return 0;
    if (*text == '0') {
      base = 8;
      if ((text[1] | 32) == 'x' && digit_of(text[2]) < 16) {
        base = 16;
        text += 2;
      }
    }
    for (value = 0; digit_of(*text) < (int)base; text++) {
      value = base * value + (unsigned)digit_of(*text);
      if (value > 0xffffffff)
        return 0;
    }
    if (*text != '.') {
      if (value >> 8 * (4 - n) != 0 || (*text != 0 && !isspace((unsigned char)*text)))
        return 0;
      above |= (unsigned)value;
      *result = above >> 24 | (above >> 8 & 0xff00) | (above << 8 & 0xff0000) | above << 24;
      return 1;
    }
    if (n == 3 || value > 255)
      return 0;
    above |= (unsigned)value << 8 * (3 - n);
    text++;
  }
}

int inet_aton(const char *text, struct in_addr *target) {
  unsigned address;
  if (!read_parts(text, &address))
    return 0;
  if (target != NULL)
    target->s_addr = address;
  return 1;
}

unsigned inet_addr(const char *text) {
  unsigned address;
  return read_parts(text, &address) ? address : 0xffffffff;
}
