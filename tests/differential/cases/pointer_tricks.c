/* Pointers as numbers and bytes: comparisons, round trips, punning, bytes, tables of functions, copies. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);

struct item { char tag; short half; int value; struct item *next; };
union word { int whole; unsigned char byte[4]; short half[2]; struct { unsigned low : 12, high : 20; } bits; };
struct __attribute__((packed)) loose { int whole; unsigned short half; };
typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static operation table[3] = { add, sub, mul };
static int numbers[6] = { 10, 11, 12, 13, 14, 15 };

static void swap(void *a, void *b, size_t size)
{
    unsigned char *x = a, *y = b;
    while (size--) {
        unsigned char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}

static void set(int **where, int *what)
{
    *where = what;
}

int main(void)
{
    int n = __VERIFIER_nondet_int() & 3, k = __VERIFIER_nondet_int();
    int *p = numbers + n, *q = &numbers[5], *end = numbers + 6, **pp = &p;
    struct item items[3] = { { 'a', 1, k, &items[1] }, { 'b', 2, n, &items[2] }, { 'c', 3, 7, NULL } }, copy;
    union word w;
    unsigned char raw[12] = { 0 };
    operation chosen = table[n % 3];
    printf("%d %ld %d %d\n", *p, (long)(q - p), p < q, end - numbers == 6);
    printf("%d %d\n", p == numbers, (void *)p != (void *)q);
    int distance = 0;
    for (int *i = numbers; i != end; i++)
        distance += *i > 12;
    uintptr_t address = (uintptr_t)p;
    long signed_address = (long)q;
    int *back = (int *)address, *other = (int *)(signed_address - (long)sizeof(int));
    printf("%d %d %d %d\n", distance, *back, *other, (int)(address - (uintptr_t)numbers));
    *(int *)(address + 4) = k;
    printf("%d %d\n", numbers[n + 1], (address & 3) == 0);
    w.whole = k;
    printf("%d %d %d %u %u\n", w.byte[0], w.byte[3], w.half[1], w.bits.low, w.bits.high);
    w.byte[n] ^= 0x5a;
    w.bits.high++;
    printf("%d\n", w.whole);
    memcpy(raw + 1, &k, sizeof k);
    *(short *)(raw + 6) = (short)n;
    int unaligned;
    memcpy(&unaligned, raw + 1 + (n & 1), sizeof unaligned);
    printf("%d %d %d\n", unaligned, ((struct loose *)(raw + 3))->whole,
           ((struct loose *)(raw + 5 - 4))->half);
    for (unsigned i = 0; i < sizeof raw; i++)
        printf("%02x", raw[i]);
    printf("\n%d %d %d\n", chosen(k & 15, n), chosen == add, table[1] != chosen);
    printf("%d\n", (n ? &sub : add)(9, 4) + (*table[2])(n, 2));
    swap(&items[0], &items[2], sizeof items[0]);
    printf("%c %d %c %d\n", items[0].tag, items[0].value, items[2].tag, items[2].next->value);
    set(pp, q - n);
    printf("%d %d\n", **pp, p == q - n);
    copy = *items[2].next;
    *items[2].next = items[0];
    printf("%c %d %c\n", copy.tag, copy.value, items[1].tag);
    char *bytes = (char *)&items[1];
    ((struct item *)bytes)->value = 99;
    *(int *)(bytes + offsetof(struct item, value)) += n;
    printf("%d\n", items[1].value);
    struct item *walk = &items[n % 3];
    int steps = 0;
    while (walk && steps < 5) {
        steps += walk->half;
        walk = walk->next;
    }
    printf("%d\n", steps);
    int matrix[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, (*row)[3] = matrix + (n & 1), *flat = &matrix[0][0];
    printf("%d %d %d\n", (*row)[2], flat[n + 2], *(*(matrix + 1) + 1));
    const char *names[] = { "zero", "one", "two", "three" };
    printf("%s %c %ld\n", names[n], *(names[3] + n), (long)strlen(names[n]));
    __VERIFIER_assert(numbers[2] != 12 || w.byte[0] != 7);
    {
        static int object;
        char *nowhere = 0;
        printf("%d %d\n", (int)(long)&object != 0, (int)(nowhere - (char *)&object) != 0);
    }
    return 0;
}
