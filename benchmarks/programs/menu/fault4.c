#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE   6
#define ROUNDS 2
#define LIMIT  50

struct account {
    int balance;
    int drawn;
    int refused;
    int inserted;
};

/* The number in a text of digits, -1 where there is none or something else. */
static int number_in(const char *text)
{
    int value = 0;
    int digits = 0;

    while (*text == ' ')
        text++;
    for (; isdigit((unsigned char)*text); text++) {
        value = 10 * value + (*text - '0');
        digits++;
    }
    if (*text != '\0' && digits == 0)
        return -1;
    return value;
}

static void chop(char *line)
{
    size_t n = strlen(line);

    if (n > 0 && line[n - 1] == '\n')
        line[n - 1] = '\0';
}

/* Whether the machine goes on. */
static int obey(struct account *a, const char *line)
{
    int amount = number_in(line + (line[0] != '\0'));

    switch (line[0]) {
    case 'i':
        if (amount < 0) {
            a->refused++;
            break;
        }
        a->balance += amount;
        a->inserted += amount;
        break;
    case 'd':
        if (amount < 0 || amount > a->balance || a->drawn + amount > LIMIT) {
            printf("not possible\n");
            a->refused++;
            break;
        }
        a->balance -= amount;
        a->drawn += amount;
        break;
    case 's':
        printf("%d\n", a->balance);
        break;
    case 'q':
        return 0;
    default:
        a->refused++;
        break;
    }
    return 1;
}

int main(void)
{
    struct account a = {20, 0, 0, 0};
    char line[LINE];
    int round;

    for (round = 0; round < ROUNDS; round++) {
        int before = a.balance;
        int refused = a.refused;
        int goes_on;

        printf("> ");
        if (fgets(line, sizeof line, stdin) == NULL)
            break;
        chop(line);
        goes_on = obey(&a, line);
        assert(strchr(line, '\n') == NULL);
        assert(a.balance >= 0);
        assert(a.drawn >= 0 && a.drawn <= LIMIT);
        assert(a.balance == 20 + a.inserted - a.drawn);
        if (a.refused != refused)
            assert(a.balance == before);
        if (line[0] == 'd' && line[1] == '7' && line[2] == '\0' && before >= 7 && a.drawn >= 7)
            assert(a.balance == before - 7 || a.refused != refused);
        if (line[0] == 'i' && line[1] == '1' && line[2] == '2' && line[3] == '\0')
            assert(a.balance == before + 12);
        if (line[0] == 'i' && line[1] == '\0')
            assert(a.refused == refused + 1);
        if (line[0] == 'q')
            assert(!goes_on);
        if (!goes_on)
            break;
    }
    return 0;
}
