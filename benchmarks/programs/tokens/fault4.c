#include <assert.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

/*
 * Tokens of a line of at most seven characters: numbers, words,
 * one-character operators, and the two-character operator "<=".
 */

#define LINE 7

enum kind { T_NUMBER, T_WORD, T_OPERATOR, T_LESS_EQUAL, T_BAD };

struct token {
    enum kind kind;
    int start;
    int length;
    int value;          /* of a number */
};

static const char alphabet[] = "a7 0<=+(";
static char line[LINE + 2];     /* two places for the end mark */
static struct token tokens[LINE];
static int ntokens;

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || c == '_';
}

static int is_operator(char c)
{
    static const char all[] = "+-<)=";
    int i;
    for (i = 0; all[i] != '\0'; i++)
        if (all[i] == c)
            return 1;
    return 0;
}

static int scan_number(int at, struct token *t)
{
    t->kind = T_NUMBER;
    t->value = 0;
    while (is_digit(line[at])) {
        t->value = t->value * 10 + (line[at] - '0');
        at++;
    }
    return at;
}

static int scan_word(int at, struct token *t)
{
    t->kind = T_WORD;
    do
        at++;
    while (is_letter(line[at]) || is_digit(line[at]));
    return at;
}

static int scan_operator(int at, struct token *t)
{
    if (line[at] == '<' && line[at + 1] == '=') {
        t->kind = T_LESS_EQUAL;
        return at + 2;
    }
    t->kind = T_OPERATOR;
    return at + 1;
}

static int scan(void)
{
    int at = 0;
    int bad = 0;

    ntokens = 0;
    for (;;) {
        struct token *t;

        while (line[at] == ' ')
            at++;
        if (line[at] == '\0')
            break;
        t = &tokens[ntokens++];
        t->start = at;
        t->value = -1;
        if (is_digit(line[at])) {
            at = scan_number(at, t);
        } else if (is_letter(line[at])) {
            at = scan_word(at, t);
        } else if (is_operator(line[at])) {
            at = scan_operator(at, t);
        } else {
            t->kind = T_BAD;
            bad++;
            at++;
        }
        t->length = at - t->start;
    }
    return bad;
}

int main(void)
{
    int i, n, bad;
    int blanks = 0, length = 0, covered = 0, sevens_expected = 0, sevens_seen = 0;

    n = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n <= LINE);
    for (i = 0; i < n; i++) {
        unsigned char pick = __VERIFIER_nondet_uchar();
        char c;
        __VERIFIER_assume(pick < sizeof alphabet - 1);
        c = alphabet[pick];
        line[i] = c;
        length++;
        if (c == ' ')
            blanks++;
        else if (c == '7' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '+'))
            sevens_expected++;
    }
    line[length] = '\0';

    bad = scan();
    printf("%d\n", ntokens);
    printf("%d\n", bad);

    assert(bad == 0);
    assert(ntokens <= length);
    for (i = 0; i < ntokens; i++) {
        struct token *t = &tokens[i];
        covered += t->length;
        assert(t->length > 0);
        assert(t->start + t->length <= length);
        if (i > 0)
            assert(t->start >= tokens[i - 1].start + tokens[i - 1].length);
        switch (t->kind) {
        case T_NUMBER:
            assert(t->value >= 0);
            assert(line[t->start] != '7' || t->value >= 7);
            if (t->length == 2 && line[t->start] == '7')
                assert(t->value == 70 || t->value == 77);
            assert(!is_digit(line[t->start + t->length]));
            if (line[t->start] == '7')
                sevens_seen++;
            break;
        case T_LESS_EQUAL:
            assert(t->length == 2);
            /* fall through */
        case T_OPERATOR:
            assert(t->value == -1);
            assert(t->kind == T_LESS_EQUAL || t->length == 1);
            assert(t->kind == T_LESS_EQUAL || line[t->start] != '<' || line[t->start + 1] != '=');
            break;
        case T_WORD:
            assert(line[t->start] == 'a');
            assert(line[t->start + t->length] != 'a');
            break;
        default:
            assert(0);
        }
    }
    assert(covered + blanks == length);
    assert(sevens_seen >= sevens_expected);
    return 0;
}
