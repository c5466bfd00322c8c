/* GNU's attribute alias: second names of functions and variables, also before and without their definitions. */
#include <stdio.h>

int nondet_int(void);

extern int second(int x) __attribute__((alias("first")));
int first(int x) { return 2 * x + 1; }
static int hidden(void) { return 41; }
int shown(void) __attribute__((__alias__("hidden"), weak));
int overridden(void) __attribute__((unused));
int overridden(void) { return 5; }

int numbers[3] = {1, 2, 3};
extern int same[3] __attribute__((alias("numbers")));
static int kept = 7;
extern int open_to_all __attribute__((alias("kept")));

int main(void)
{
    int k = nondet_int() & 3;

    if (k < 3)
        same[k] = 9;
    open_to_all += k;
    printf("%d %d %d\n", numbers[0], numbers[1] + numbers[2], kept);
    printf("%d %d %d %d\n", second(k), first(k) == second(k), shown(), overridden());
    return second == first && &same[0] == numbers;
}
