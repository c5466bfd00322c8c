/* Fall-through, default in the middle, nested switches, declarations before the first case. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);

int main(void)
{
    int x = nondet_int(), y = nondet_int(), count = 0;
    for (int i = 0; i < 3; i++) {
        switch (x & 7) {
            int hidden;
        case 0:
            count += 1;
        case 1:
            count += 10;
            break;
        default:
            count += 100;
        case 2:
            hidden = 7;
            count += hidden;
            if (y > 5)
                break;
            switch (y) {
            case 5:
                count += 1000;
                continue;
            case 3:
                break;
            }
            count += 3;
            break;
        case 6:
        case 7:
            count = -count;
        }
        x++;
        switch (y)
        case 2:
            count *= 2;
        switch (y) {
        }
    }
    printf("%d\n", count);
    assert(count != 6060);
    assert(count < 600);
    return 0;
}
