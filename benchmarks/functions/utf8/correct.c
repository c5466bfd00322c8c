/* One character of a text in UTF-8 (RFC 3629). */
#include <stddef.h>

#define BAD 0xFFFFFFFFu

/* The first character of the n bytes at s, whose length goes to *length; BAD and 0 where there is none.
 * @requires n <= 4
 * @ensures (__sfo_result == BAD) == (*length == 0) && *length <= n
 * @ensures __sfo_result == BAD || __sfo_result <= 0x10FFFF && (__sfo_result < 0xD800 || __sfo_result > 0xDFFF)
 * @ensures *length != 1 || __sfo_result == s[0] && s[0] < 0x80
 * @ensures *length != 2 || __sfo_result >= 0x80 && s[0] == (0xC0 | __sfo_result >> 6) && s[1] == (0x80 | __sfo_result & 0x3F)
 * @ensures *length != 3 || __sfo_result >= 0x800 && s[0] == (0xE0 | __sfo_result >> 12) && s[2] == (0x80 | __sfo_result & 0x3F)
 * @ensures *length != 4 || __sfo_result >= 0x10000 && s[0] == (0xF0 | __sfo_result >> 18) && s[3] == (0x80 | __sfo_result & 0x3F)
 * @ensures n == 0 || s[0] >= 0x80 || *length == 1
 * @ensures n < 2 || s[0] < 0xC2 || s[0] > 0xDF || (s[1] & 0xC0) != 0x80 || *length == 2
 */
unsigned decode(const unsigned char *s, size_t n, size_t *length)
{
    unsigned least;
    unsigned code;
    size_t more;
    *length = 0;
    if (n == 0)
        return BAD;
    code = s[0];
    if (code < 0x80) {
        *length = 1;
        return code;
    }
    if ((code & 0xE0) == 0xC0) {
        more = 1;
        least = 0x80;
        code &= 0x1F;
    } else if ((code & 0xF0) == 0xE0) {
        more = 2;
        least = 0x800;
        code &= 0x0F;
    } else if ((code & 0xF8) == 0xF0) {
        more = 3;
        least = 0x10000;
        code &= 0x07;
    } else {
        return BAD;
    }
    if (n <= more)
        return BAD;
    for (size_t i = 1; i <= more; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return BAD;
        code = code << 6 | (s[i] & 0x3F);
    }
    if (code < least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return BAD;
    *length = more + 1;
    return code;
}
