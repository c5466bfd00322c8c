/* The selector is promoted; case values are converted to its type. */
#include <assert.h>
#include <stdio.h>

unsigned char nondet_uchar(void);
long nondet_long(void);
int nondet_int(void);

int main(void)
{
    unsigned char u = nondet_uchar();
    long l = nondet_long();
    unsigned v = nondet_int();
    switch (u) {
    case 255:
        printf("255\n");
        break;
    case -1:
        printf("never\n");
        break;
    case 'b' ... 'f':
        printf("b to f\n");
        break;
    }
    switch (l) {
    case 1L << 40:
        printf("large\n");
        break;
    case -1:
        printf("minus one\n");
        break;
    case 0 ... 9:
        printf("digit\n");
        break;
    default:
        printf("other\n");
    }
    switch (v) {
    case -1:
        printf("all ones\n");
        break;
    case 0:
        printf("zero\n");
    }
    switch (v > 3 && u) {
    case 1:
        printf("yes\n");
        break;
    case 0:
        printf("no\n");
    }
    assert(l != 5 || u < 100);
    return 0;
}
