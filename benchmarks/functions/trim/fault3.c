/* White space at both ends of a string. */
#include <stddef.h>
#include <string.h>

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Removes white space at both ends of s, in place; the length of what is left.
 * @ensures __sfo_result == strlen(s)
 * @ensures __sfo_result == 0 || !is_space(s[0]) && !is_space(s[__sfo_result - 1])
 * @ensures __sfo_result != 0 || __sfo_old(strspn(s, " \t\n") == strlen(s))
 * @ensures __sfo_old(is_space(s[0])) || s[0] == __sfo_old(s[0])
 */
size_t trim(char *s)
{
    size_t start = 0;
    size_t end = strlen(s);
    while (is_space(s[start]))
        start++;
    while (end > start && is_space(s[end - 1]))
        end--;
    memmove(s, s + start, end - start);
    s[end] = '\0';
    return end - start;
}
