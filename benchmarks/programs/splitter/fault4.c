#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);

#define TEXT   5
#define FIELDS 3

static int live;

static char *copy_of(const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    size_t i;

    if (copy == NULL)
        exit(1);
    live++;
    for (i = 0; i < n; i++)
        copy[i] = text[i];
    copy[n] = '\0';
    return copy;
}

static void drop(char *copy)
{
    if (copy != NULL) {
        free(copy);
        live--;
    }
}

/* Fills `fields`; what is beyond FIELDS is left out. Returns how many there are. */
static int split(const char *text, char **fields)
{
    int n = 0;
    size_t begin = 0;
    size_t i = 0;

    for (;;) {
        if (text[i] == ';' || text[i] == '\0') {
            fields[n] = copy_of(text + begin, i - begin);
            n++;
            begin = i + 1;
            if (text[i] == '\0' || n > FIELDS)
                return n;
        }
        i++;
    }
}

static const char *field_or(char **fields, int n, int wanted, const char *otherwise)
{
    if (wanted < 0 || wanted >= n)
        return otherwise;
    return fields[wanted][0] == '\0' ? otherwise : fields[wanted];
}

int main(void)
{
    char text[TEXT + 1];
    char *fields[FIELDS] = {NULL, NULL, NULL};
    int separators = 0;
    int wanted;
    int i, n;
    size_t total = 0;
    const char *found;

    for (i = 0; i < TEXT; i++) {
        text[i] = __VERIFIER_nondet_char();
        __VERIFIER_assume(text[i] == ';' || (text[i] >= 'x' && text[i] <= 'z'));
        if (text[i] == ';')
            separators++;
    }
    text[TEXT] = '\0';

    n = split(text, fields);
    assert(n == (separators < FIELDS ? separators + 1 : FIELDS));
    for (i = 0; i < n; i++) {
        assert(strchr(fields[i], ';') == NULL);
        total += strlen(fields[i]);
    }
    if (separators < FIELDS)
        assert(total == (size_t)(TEXT - separators));
    if (n > 0)
        assert(strncmp(text, fields[0], strlen(fields[0])) == 0);

    wanted = __VERIFIER_nondet_char();
    found = field_or(fields, n, wanted, "-");
    assert(found[0] != '\0');
    for (i = 0; i < n; i++)
        drop(fields[i]);
    assert(live == 0);
    return 0;
}
