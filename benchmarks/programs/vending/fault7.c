#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define PRODUCTS 3
#define KINDS    4
#define STEPS    5

enum key { KEY_COIN_5, KEY_COIN_10, KEY_COIN_20, KEY_COIN_50,
           KEY_BUY_0, KEY_BUY_1, KEY_BUY_2, KEY_REFUND };

enum mood { IDLE, PAYING, EMPTY_SHELF };

static const int price[PRODUCTS] = { 15, 40, 65 };
static const int value[KINDS] = { 5, 10, 20, 50 };

struct machine {
    enum mood mood;
    int credit;
    int takings;                /* price of everything sold         */
    int stock[PRODUCTS];
    int box[KINDS];             /* coins in the machine, by kind    */
};

static int box_value(const struct machine *m)
{
    int k, v = 0;
    for (k = 0; k < KINDS; k++)
        v += m->box[k] * value[k];
    return v;
}

/* Gives change greedily from the box; answers what could not be given. */
static int give_change(struct machine *m, int amount)
{
    int k = KINDS - 1;
    while (k >= 0) {
        int wanted = amount / value[k];
        int coins = wanted < m->box[k] ? wanted : m->box[k];
        m->box[k] -= coins;
        amount -= coins * value[k];
        k--;
    }
    return amount;
}

static void insert_coin(struct machine *m, int kind)
{
    m->box[kind]++;
    m->credit += value[KINDS - 1 - kind];
    m->mood = PAYING;
}

static _Bool buy(struct machine *m, int product)
{
    if (m->stock[product] == 0) {
        m->mood = EMPTY_SHELF;
        return 0;
    }
    if (m->credit < price[product])
        return 0;
    m->stock[product]--;
    m->credit -= price[product];
    m->takings += price[product];
    m->mood = m->credit > 0 ? PAYING : IDLE;
    return 1;
}

static void refund(struct machine *m)
{
    int owed = give_change(m, m->credit);
    m->credit = owed;
    if (owed == 0)
        m->mood = IDLE;
}

static int press(struct machine *m, enum key key)
{
    switch (key) {
    case KEY_COIN_5:
    case KEY_COIN_10:
    case KEY_COIN_20:
    case KEY_COIN_50:
        insert_coin(m, (int)key - KEY_COIN_5);
        return 0;
    case KEY_BUY_0:
    case KEY_BUY_1:
    case KEY_BUY_2:
        return buy(m, (int)key - KEY_BUY_0);
    case KEY_REFUND:
        refund(m);
        break;
    }
    return 0;
}

int main(void)
{
    struct machine m = { IDLE, 0, 0, { 1, 2, 1 }, { 2, 1, 0, 0 } };
    int first_float = box_value(&m);
    int sold = 0;
    int step, i, left;

    for (step = 0; step < STEPS; step++) {
        unsigned char key = __VERIFIER_nondet_uchar();
        int credit_before = m.credit;
        __VERIFIER_assume(key <= KEY_REFUND);
        sold += press(&m, (enum key)key);

        /* the box holds the first float, the takings and the credit */
        if (box_value(&m) != first_float + m.takings + m.credit)
            reach_error();
        if (m.credit < 0)
            reach_error();
        if (m.mood == IDLE && m.credit != 0)
            reach_error();
        if (key <= KEY_COIN_50 && m.credit <= credit_before)
            reach_error();
    }
    left = 0;
    for (i = 0; i < PRODUCTS; i++) {
        if (m.stock[i] < 0)
            reach_error();
        left += m.stock[i];
    }
    for (i = 0; i < KINDS; i++)
        assert(m.box[i] >= 0);
    printf("%d\n", m.takings);
    printf("%d\n", m.credit);
    assert(left + sold == 4);
    assert(m.takings >= 15 * sold);
    return 0;
}
