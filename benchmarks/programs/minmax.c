#include <assert.h>

/*
 * Least and greatest of three inputs.  The inputs are the three
 * uninitialised locals: any value is possible.
 */
int main(void)
{
    int input1, input2, input3;

    int least = input1; int most = input1;      /* C1 */

    if (most < input2)
        most = input2;                          /* C2 */
    if (most < input3)
        most = input3;                          /* C3 */
    if (least > input2)
        most = input2;                         /* C4 */
    if (least > input3)
        least = input3;                         /* C5 */

    assert(least <= most);                      /* E */
    return 0;
}
