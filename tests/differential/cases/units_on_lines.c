/* Where units stand: several on a line, over several lines, in every kind of statement. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

static int add(int a, int b)
{
    int sum = a; sum += b;
    return sum;
}

int main(void)
{
    int x = nondet_int(), y = 2;
    for (int i = 0;
         i < (x & 3);
         i++)
        y += i;
    if (x > 3) y++; else y--;
    y = add(x,
            y) +
        add(1,
            2);
    if (x > 5 &&
        y > 5)
        y = 0;
    else if (x < 0)
        y = 1;
    do y++; while (y < 3);
    x > 7 ? (y = 8) : (y = 9);
    while (y > 12)
        y -= 5;
    switch (x) { case 1: y = 4; break; case 2: y = 5; }
    assert(add(x, y) != 12);
    return add(x,
               y);
}
