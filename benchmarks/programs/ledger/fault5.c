#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);

#define ACCOUNTS   3
#define OPERATIONS 4
#define FEE        2L
#define HOUSE      (ACCOUNTS - 1)       /* the bank's own account */

typedef enum { DEPOSIT, WITHDRAW, TRANSFER, FREEZE } op_kind;
typedef enum { DONE, NO_FUNDS, REFUSED, BAD_REQUEST } outcome;

typedef struct {
    long balance;
    long overdraft;
    _Bool frozen;
    struct {
        int credits;
        int debits;
    } count;
} account;

typedef struct {
    op_kind kind;
    int from;
    int to;
    long amount;
} order;

static account book[ACCOUNTS] = {
    { 100, 50, 0, { 0, 0 } },
    { 20, 0, 0, { 0, 0 } },
    { 0, 0, 0, { 0, 0 } }
};
static long cash_in, cash_out;

static void credit(account *a, long amount)
{
    a->balance += amount;
    a->count.credits++;
}

static _Bool debit(account *a, long amount)
{
    if (a->balance + a->overdraft < amount)
        return 0;
    a->balance -= amount;
    a->count.debits++;
    return 1;
}

static outcome transfer(account *src, account *dst, long amount)
{
    if (src == dst)
        return BAD_REQUEST;
    if (src->frozen || dst->frozen)
        return REFUSED;
    if (!debit(src, amount + FEE))
        return NO_FUNDS;
    credit(dst, amount);
    credit(&book[HOUSE], FEE);
    return DONE;
}

static outcome execute(const order *o)
{
    account *src = &book[o->from];

    if (o->amount <= 0 && o->kind != FREEZE)
        return BAD_REQUEST;
    switch (o->kind) {
    case DEPOSIT:
        if (src->frozen)
            return REFUSED;
        credit(src, o->amount);
        cash_in += o->amount;
        return DONE;
    case WITHDRAW:
        if (src->frozen)
            return REFUSED;
        if (!debit(src, o->amount))
            return NO_FUNDS;
        cash_out += o->amount;
        return DONE;
    case TRANSFER:
        return transfer(&book[o->to], src, o->amount);
    case FREEZE:
        if (o->from == HOUSE)
            return REFUSED;
        src->frozen = !src->frozen;
        return DONE;
    }
    return BAD_REQUEST;
}

static long total(void)
{
    const account *a = book;
    long sum = 0;
    while (a < book + ACCOUNTS) {
        sum += a->balance;
        a++;
    }
    return sum;
}

int main(void)
{
    const long opening = total();
    int i, k, moves = 0, refused = 0;

    for (i = 0; i < OPERATIONS; i++) {
        order o;
        account before;
        long sum_before = total();
        outcome r;
        unsigned char kind = __VERIFIER_nondet_uchar();

        __VERIFIER_assume(kind <= FREEZE);
        o.kind = (op_kind)kind;
        o.from = __VERIFIER_nondet_int();
        __VERIFIER_assume(o.from >= 0 && o.from < ACCOUNTS);
        o.to = __VERIFIER_nondet_int();
        __VERIFIER_assume(o.to >= 0 && o.to < ACCOUNTS);
        o.amount = __VERIFIER_nondet_long();
        __VERIFIER_assume(o.amount >= -10 && o.amount <= 200);

        before = book[o.from];
        r = execute(&o);
        if (r != DONE) {
            refused++;
            assert(book[o.from].balance == before.balance);
            assert(total() == sum_before);
            continue;
        }
        if (o.kind == TRANSFER && o.from != HOUSE) {
            moves++;
            assert(book[o.from].balance == before.balance - o.amount - FEE);
            assert(book[o.from].count.debits == before.count.debits + 1);
        }
        if (o.kind != FREEZE)
            assert(!before.frozen);
    }
    for (k = 0; k < ACCOUNTS; k++) {
        assert(book[k].balance >= -book[k].overdraft);
        printf("%ld\n", book[k].balance);
    }
    assert(total() == opening + cash_in - cash_out);
    assert(book[HOUSE].count.credits >= moves);
    assert(!book[HOUSE].frozen);
    if (refused == OPERATIONS) {
        assert(cash_in == 0 && cash_out == 0);
        exit(0);
    }
    return 0;
}
