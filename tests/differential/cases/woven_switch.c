/* A case label inside a loop inside the switch. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

int main(void)
{
    int n = nondet_int() & 15, rounds, sum = 0;
    if (!n)
        n = 5;
    rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        do {
            sum += 1;
    case 3:
            sum += 10;
    case 2:
            sum += 100;
    case 1:
            sum += 1000;
        } while (--rounds > 0);
    }
    printf("%d %d\n", sum, rounds);
    assert(sum != 2211);
    return 0;
}
