/* Wide characters and strings of all three kinds, as pointers and as initialisers. */
#include <stddef.h>
#include <stdio.h>
#include <uchar.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);

static const wchar_t *text = L"ab\xe9\u20ac" L"z";
static wchar_t room[8] = L"four";
static char16_t halves[] = u"x\U0001F600y";
static const char32_t full[3] = { U'a', U'\u1234', U'\n' };

static size_t length(const wchar_t *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

int main(void)
{
    int k = __VERIFIER_nondet_int() & 3;
    wchar_t local[] = { L"hi" };
    printf("%zu %zu %zu %zu\n", length(text), length(room), sizeof halves, sizeof local);
    printf("%d %d %d\n", text[k], room[k], local[k & 1]);
    printf("%x %x %x\n", halves[1], halves[2], halves[k]);
    printf("%x %x %x %d\n", full[0], full[1], full[2], L'\xff' + L'a');
    printf("%zu %zu %zu\n", sizeof L'a', sizeof u'a', sizeof U"abc");
    room[k] = L'é';
    __VERIFIER_assert(text[k] != 0x20ac || room[3] == 'r');
    return 0;
}
