// Conversions and functions of math.h in the goto program.
#include <math.h>

double average(float a, int n)
{
    double whole;
    int power;
    a += 0.5;
    if (isnan(a) || isless(a, n))
        return frexp(a, &power) * power;
    return modf(sqrt(a) / n, &whole) + (whole > INFINITY ? 1 : fabsf(-a));
}

int main(void)
{
    return (int)average(1.5f, 3) + (int)1e10;
}
