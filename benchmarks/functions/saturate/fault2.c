/* Addition that stops at the ends of its type. */
#include <limits.h>

/* The sum of a and b, or what int has nearest to it.
 * @ensures __sfo_result == ((long)a + b > INT_MAX ? INT_MAX : (long)a + b < INT_MIN ? INT_MIN : (long)a + b)
 */
int saturate(int a, int b)
{
    int sum;
    if (a > 0 && b > INT_MAX - b)
        return INT_MAX;
    if (b < 0 && a < INT_MIN - b)
        return INT_MIN;
    sum = a + b;
    return sum;
}
