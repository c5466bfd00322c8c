/* Numbers in text: strtod and its kin. */
#include <stdio.h>
#include <stdlib.h>

static void show(const char *text)
{
    char *end;
    double d = strtod(text, &end);
    printf("%.17g %d", d, (int)(end - text));
    printf(" %.9g", strtof(text, &end));
    printf(" %.21Lg %s|\n", strtold(text, &end), end);
}

int main(void)
{
    static const char *const texts[] = {
        "0", "1.5", "  -2.25e1x", "+.5", "7.", "1e3", "1e", "1e+", "-0.0", ".", "", "x", "-", "3.14159", "0.1",
        "123456e-3", "Infinity", "-inf!", "nano", "9.5E-4",
    };
    for (unsigned k = 0; k < sizeof texts / sizeof *texts; k++)
        show(texts[k]);
    printf("%.17g\n", atof("2.50") + strtod("nan", 0) * 0 == 0 ? 1 : atof("-1e-3"));
    return 0;
}
