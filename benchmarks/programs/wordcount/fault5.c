#include <assert.h>
#include <ctype.h>
#include <stdio.h>

extern void __VERIFIER_assume(int);

#define MOST 5

static int lines, words, characters;
static int longest;

/* Everything up to the end of the file, or as much as there is room for. */
static int count(char *kept)
{
    int c;
    int inside = 0;
    int length = 0;
    int last = '\n';

    while (characters < MOST && (c = getchar()) != EOF) {
        kept[characters++] = (char)c;
        if (c == '\n')
            lines++;
        if (isspace(c)) {
            if (length > longest)
                longest = length;
            inside = 0;
            length = 0;
        } else {
            if (!inside)
                words++;
            inside = 1;
            length++;
        }
        last = c;
    }
    if (length > longest)
        longest = length;
    if (inside)
        lines++;
    kept[characters] = '\0';
    return characters;
}

static int starts_word(const char *text, int i)
{
    if (isspace((unsigned char)text[i]))
        return 0;
    return i == 0 || isspace((unsigned char)text[i - 1]);
}

int main(void)
{
    char text[MOST + 1];
    int i, k, n;
    int begun = 0, ends = 0, widest = 0;

    n = count(text);
    printf("%d %d %d (longest word %d)\n", lines, words, characters, longest);
    assert(n >= 0 && n <= MOST);

    for (i = 0; i < n; i++) {
        if (text[i] == '\n')
            ends++;
        if (!starts_word(text, i))
            continue;
        begun++;
        for (k = i; k < n && !isspace((unsigned char)text[k]); k++)
            ;
        if (k - i > widest)
            widest = k - i;
    }
    assert(words == begun);
    assert(longest == widest);
    assert(lines == ends || lines == ends + 1);
    if (n > 0)
        assert((lines == ends) == (text[n - 1] == '\n'));
    else
        assert(lines == 0);
    return 0;
}
