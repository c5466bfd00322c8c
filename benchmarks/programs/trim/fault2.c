#include <assert.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);

#define ROOM 6

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Takes the blanks off both ends. */
static void trim(char *s)
{
    size_t first = 0;
    size_t end = strlen(s);

    while (end > 0 && is_blank(s[end]))
        end--;
    while (first < end && is_blank(s[first]))
        first++;
    memmove(s, s + first, end - first);
    s[end - first] = '\0';
}

/* Makes one space of every run of blanks. */
static void squeeze(char *s)
{
    char *to = s;
    int pending = 0;

    for (; *s != '\0'; s++) {
        if (is_blank(*s)) {
            pending = 1;
            continue;
        }
        if (pending)
            *to++ = ' ';
        pending = 0;
        *to++ = *s;
    }
    if (pending)
        *to++ = ' ';
    *to = '\0';
}

static int count_words(const char *s)
{
    int words = 0;
    int inside = 0;

    for (; *s != '\0'; s++) {
        if (is_blank(*s)) {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            words++;
        }
    }
    return words;
}

static int count_letters(const char *s)
{
    int n = 0;

    for (; *s != '\0'; s++)
        if (!is_blank(*s))
            n++;
    return n;
}

int main(void)
{
    char line[ROOM];
    int i, words, letters;
    size_t n;

    for (i = 0; i < ROOM - 1; i++) {
        line[i] = __VERIFIER_nondet_char();
        __VERIFIER_assume(line[i] == 'a' || line[i] == 'b' || line[i] == ' ' || line[i] == '\t' ||
                          line[i] == '\0');
    }
    line[ROOM - 1] = '\0';
    words = count_words(line);
    letters = count_letters(line);

    trim(line);
    n = strlen(line);
    assert(count_letters(line) == letters);
    assert(count_words(line) == words);
    assert(n == 0 || (!is_blank(line[0]) && !is_blank(line[n - 1])));

    squeeze(line);
    n = strlen(line);
    assert(count_letters(line) == letters);
    assert(words == 0 || (int)n == letters + words - 1);
    for (i = 0; line[i] != '\0'; i++)
        assert(line[i] != '\t');
    return 0;
}
