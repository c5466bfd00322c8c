#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

#define TEXT 6

enum kind { NOTHING, FLAG, NUMBER, WORD };

struct variant {
    enum kind kind;
    union {
        _Bool flag;
        int number;
        char word[TEXT];
    } as;
};

static struct variant of_number(int number)
{
    struct variant v;

    v.kind = NUMBER;
    v.as.number = number;
    return v;
}

static struct variant of_flag(_Bool flag)
{
    struct variant v;

    v.kind = FLAG;
    v.as.flag = flag;
    return v;
}

static struct variant of_word(const char *text)
{
    struct variant v;

    v.kind = WORD;
    strncpy(v.as.word, text, TEXT - 1);
    v.as.word[TEXT - 1] = '\0';
    return v;
}

/* Flags count as 0 and 1, words as their length, nothing as 0. */
static int value_of(const struct variant *v)
{
    switch (v->kind) {
    case FLAG:
        return v->as.flag;
    case NUMBER:
        return v->as.number;
    case WORD:
        return (int)strlen(v->as.word);
    default:
        return 0;
    }
}

static int equal(const struct variant *a, const struct variant *b)
{
    if (a->kind != b->kind)
        return 0;
    switch (a->kind) {
    case FLAG:
        return a->as.flag == b->as.flag;
    case NUMBER:
        return a->as.number == b->as.number;
    case WORD:
        return strcmp(a->as.word, b->as.word) == 0;
    default:
        return 1;
    }
}

/* Two words are joined as far as they fit; everything else is added. */
static struct variant add(struct variant a, struct variant b)
{
    if (a.kind == WORD && b.kind == WORD) {
        size_t n = strlen(a.as.word);
        size_t k = 1;
        while (n < TEXT - 1 && b.as.word[k] != '\0')
            a.as.word[n++] = b.as.word[k++];
        a.as.word[n] = '\0';
        return a;
    }
    return of_number(value_of(&a) + value_of(&b));
}

static struct variant any(void)
{
    static const char *const words[4] = {"", "up", "down", "across"};
    struct variant v = {NOTHING, {0}};
    unsigned char choice = __VERIFIER_nondet_uchar();
    int number = __VERIFIER_nondet_int();

    __VERIFIER_assume(number > -1000 && number < 1000);
    if (choice == 0)
        v = of_flag(number > 0);
    else if (choice < 10)
        v = of_number(number);
    else if (choice < 20)
        v = of_word(words[choice % 4]);
    return v;
}

int main(void)
{
    struct variant a = any();
    struct variant b = any();
    struct variant c = add(a, b);
    struct variant d;

    assert(equal(&a, &a));
    assert(equal(&a, &b) == equal(&b, &a));
    if (a.kind == WORD && b.kind == WORD) {
        assert(c.kind == WORD);
        assert(value_of(&c) <= TEXT - 1);
        assert(value_of(&c) == value_of(&a) + value_of(&b) || value_of(&c) == TEXT - 1);
    } else {
        assert(c.kind == NUMBER);
        assert(c.as.number == value_of(&a) + value_of(&b));
    }
    if (equal(&a, &b))
        assert(value_of(&a) == value_of(&b));
    d = of_number(value_of(&a));
    assert(value_of(&d) == value_of(&a));
    return 0;
}
