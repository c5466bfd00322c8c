/* What the functions of ctype.h return where a character is of the class: a bit of glibc's tables, not 1. */
#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

int nondet_int(void);

int main(void)
{
    int c = 'a' + 3 * (nondet_int() & 15) - 20;
    int letters = isalpha(c) + isalpha('x');
    char narrow = isspace(' ');
    bool is_digit = isdigit('7');
    int (*asked)(int) = isupper;
    printf("%d %d %d %d %d\n", letters, narrow, is_digit, isdigit('7') == true, isxdigit(c) == 1);
    printf("%d %d %d %d %d\n", isalnum(c), isblank('\t'), iscntrl('\n'), isgraph(c), islower(c));
    printf("%d %d %d %d\n", isprint(c), ispunct(c), isspace(c), asked('Q'));
    assert(isalpha(c) || c == '[' || c == '^');
    return 0;
}
