// scanf of floating values, variable arguments, and printf with flags, widths and precisions.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static double sum(int count, ...)
{
    va_list list;
    long double total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        total += va_arg(list, double);
        total -= va_arg(list, long double);
        total += va_arg(list, int);
    }
    va_end(list);
    return total;
}

int main(void)
{
    float f;
    double d;
    long double l;
    if (scanf("%f %lf %Lf", &f, &d, &l) != 3)
        return 1;
    printf("%8.2f|%-12e|%+g|% G|%#.0f|%012.3f\n", f, d, (double)l, d, d, (double)f);
    printf("%a %.3A %Lg %.0Le\n", d, d, l, l);
    printf("%*.*f|%-*g|\n", 10, 3, d, 9, f);
    printf("%f\n", sum(2, d, l, 3, f, 0.5L, -1));
    assert(f != 2 || d < 2);
    return 0;
}
