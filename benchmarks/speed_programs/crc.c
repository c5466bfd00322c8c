/* Table-driven checksum: shifts, masks, a static table, a call for each byte. */
#include <assert.h>
static unsigned table[256];
static unsigned context = 0xffffffffu;

static void make_table(void)
{
    for (int i = 0; i < 256; i++) {
        unsigned c = i;
        for (int j = 0; j < 8; j++)
            c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
        table[i] = c;
    }
}

static void add(unsigned char byte)
{
    context = context >> 8 ^ table[(context ^ byte) & 255];
}

int main(void)
{
    make_table();
    for (int k = 0; k < 10000; k++)
        add(k);
    assert(context != 0);
    return 0;
}
