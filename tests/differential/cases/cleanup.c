/* GNU's attribute cleanup: called wherever a variable's block is left, in the order opposite to the declarations. */
#include <stdio.h>
#include <stdlib.h>

int nondet_int(void);

static void bye(int *p) { printf("bye %d\n", *p); }
static void release(void *p) { free(*(void **)p); }

#define CLEAN __attribute__((__cleanup__(bye)))

static int leave(int k)
{
    CLEAN int outer = 1;
    int result CLEAN = 7;

    for (int n = 0; n < 3; n++) {
        int inner CLEAN = 10 + n;
        if (k == n)
            continue;
        if (k == n + 1)
            break;
        if (k == 4)
            return result++;
        outer++;
    }
    if (k == 5)
        goto out;
    result = 8;
out:
    return result;
}

static void again(void)
{
    int rounds = 0;
back:;
    CLEAN int x = rounds;
    if (rounds++ < 2)
        goto back;
}

static void say(const char **p) { printf("end of %s\n", *p); }

static const char *behind_stars(int k)
{
    const char *__attribute__((cleanup(say))) word = "word";
    const char *const __attribute__((cleanup(say))) fixed = "fixed", *plain = "plain";
    {
        const char *__attribute__((cleanup(say))) word = "inner";
        if (k > 2)
            return plain;
    }
    return word;
}

int main(void)
{
    int k = nondet_int();
    printf("%s\n", behind_stars(k));
    char *text __attribute__((cleanup(release))) = malloc(4);

    text[0] = (char)(k & 7);
    printf("%d\n", leave(text[0]));
    again();
    if (k == 6) {
        CLEAN int never = 3;
        exit(1);
    }
    return text[0];
}
