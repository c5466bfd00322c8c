/* Models of gcc's built-in functions on bits and small words, for programs that call them by name. */

#include <stdint.h>

#define LONG_BITS (8 * (int)sizeof(long))

static int ones(unsigned long long value, int width) {
  int count = 0;
  for (int n = 0; n < width; n++)
    count += (int)(value >> n & 1);
  return count;
}

static int trailing_zeros(unsigned long long value, int width) {
  int count = 0;
  int running = 1;
  for (int n = 0; n < width; n++) {
    running = running && !(value >> n & 1);
    count += running;
  }
  return count;
}

static int leading_zeros(unsigned long long value, int width) {
  int count = 0;
  int running = 1;
  for (int n = width - 1; n >= 0; n--) {
    running = running && !(value >> n & 1);
    count += running;
  }
  return count;
}

int __builtin_popcount(unsigned value) { return ones(value, 32); }
int __builtin_popcountl(unsigned long value) { return ones(value, LONG_BITS); }
int __builtin_popcountll(unsigned long long value) { return ones(value, 64); }
int __builtin_parity(unsigned value) { return ones(value, 32) & 1; }
int __builtin_parityl(unsigned long value) { return ones(value, LONG_BITS) & 1; }
int __builtin_parityll(unsigned long long value) { return ones(value, 64) & 1; }
int __builtin_ctz(unsigned value) { return trailing_zeros(value, 32); }
int __builtin_ctzl(unsigned long value) { return trailing_zeros(value, LONG_BITS); }
int __builtin_ctzll(unsigned long long value) { return trailing_zeros(value, 64); }
int __builtin_clz(unsigned value) { return leading_zeros(value, 32); }
int __builtin_clzl(unsigned long value) { return leading_zeros(value, LONG_BITS); }
int __builtin_clzll(unsigned long long value) { return leading_zeros(value, 64); }
int __builtin_clrsb(int value) { return leading_zeros((unsigned)(value < 0 ? ~value : value), 32) - 1; }
int __builtin_clrsbl(long value) {
  return leading_zeros((unsigned long)(value < 0 ? ~value : value), LONG_BITS) - 1;
}
int __builtin_clrsbll(long long value) {
  return leading_zeros((unsigned long long)(value < 0 ? ~value : value), 64) - 1;
}
int __builtin_ffs(int value) { return value == 0 ? 0 : trailing_zeros((unsigned)value, 32) + 1; }
int __builtin_ffsl(long value) { return value == 0 ? 0 : trailing_zeros((unsigned long)value, LONG_BITS) + 1; }
int __builtin_ffsll(long long value) { return value == 0 ? 0 : trailing_zeros((unsigned long long)value, 64) + 1; }
unsigned short __builtin_bswap16(unsigned short value) { return (unsigned short)(value << 8 | value >> 8); }
unsigned int __builtin_bswap32(unsigned int value) {
  return value << 24 | (value << 8 & 0xff0000u) | (value >> 8 & 0xff00u) | value >> 24;
}
uint64_t __builtin_bswap64(uint64_t value) {
  return (uint64_t)__builtin_bswap32((unsigned)value) << 32 | __builtin_bswap32((unsigned)(value >> 32));
}
int __builtin_isnanf(float x) { return __builtin_isnan(x); }
int __builtin_isnanl(long double x) { return __builtin_isnan(x); }
int __builtin_isinff(float x) { return __builtin_isinf_sign(x); }
int __builtin_isinfl(long double x) { return __builtin_isinf_sign(x); }
int __builtin_finite(double x) { return __builtin_isfinite(x); }
int __builtin_finitef(float x) { return __builtin_isfinite(x); }
int __builtin_finitel(long double x) { return __builtin_isfinite(x); }
int __builtin_signbitf(float x) { return __builtin_signbit(x); }
int __builtin_signbitl(long double x) { return __builtin_signbit(x); }
