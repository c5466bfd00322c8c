/* Arrays of pointers, pointers to pointers, pointers kept in structures and reached through inputs. */
#include <assert.h>
#include <stdio.h>

int nondet_int(void);
unsigned char nondet_uchar(void);

struct link {
    int value;
    struct link *next, **slot;
};

static int a = 1, b = 2, c[3] = { 3, 4, 5 };
static int *const table[4] = { &a, &b, &c[1], c + 2 };
static char words[3][4] = { "ab", "cde", { 'x' } };
static const char *names[] = { "left", "right" }, **cursor = names;

static void insert(struct link **head, struct link *item)
{
    while (*head && (*head)->value < item->value)
        head = &(*head)->next;
    item->next = *head;
    *head = item;
}

static void both(int **p, int **q)
{
    int *t = *p;
    *p = *q;
    *q = t;
}

int main(void)
{
    unsigned char n = nondet_uchar();
    struct link items[3] = { { nondet_int() }, { 5 }, { n } }, *head = 0;
    int *p = table[n & 3], *q = table[n >> 6], **pp = n & 1 ? &p : &q;
    **pp += 10;
    *table[1] += *p;
    both(&p, &q);
    printf("%d %d %d %d %d\n", a, b, c[1], c[2], *p);
    printf("%d %d\n", p == q, pp == &p);
    for (int i = 0; i < 3; i++)
        insert(&head, &items[i]);
    for (struct link *l = head; l; l = l->next)
        printf("%d ", l->value);
    head->slot = &head->next;
    (*head->slot)->value = -1;
    printf("\n%d %d\n", head->next->value, head->next - items == 1);
    words[n % 3][n & 1]++;
    cursor += n & 1;
    printf("%s %s %s %c\n", words[0], words[1], *cursor, (*cursor)[2]);
    printf("%d\n", *words[n % 3] == *(*(words + n % 3)));
    assert(head->value != 5 || b != 12);
    return 0;
}
