#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_schar(void);
extern void __VERIFIER_assume(int);

#define DEPTH 3
#define STEPS 4

enum operation { PUSH, ADD, SUBTRACT, SWAP, DUPLICATE, DROP, OPERATIONS };

struct machine {
    int stack[DEPTH];
    int top;
    int operand;
    int failed;
};

static void push(struct machine *m)
{
    m->stack[m->top++] = m->operand;
}

static void add(struct machine *m)
{
    m->stack[m->top - 2] += m->stack[m->top - 1];
    m->top--;
}

static void subtract(struct machine *m)
{
    m->stack[m->top - 2] -= m->stack[m->top - 1];
    m->top--;
}

static void swap(struct machine *m)
{
    int upper = m->stack[m->top - 1];

    m->stack[m->top - 1] = m->stack[m->top - 2];
    m->stack[m->top - 2] = upper;
}

static void duplicate(struct machine *m)
{
    m->stack[m->top] = m->stack[m->top - 1];
    m->top++;
}

static void drop(struct machine *m)
{
    m->top--;
}

struct rule {
    void (*act)(struct machine *m);
    int takes;
    int gives;
};

static struct rule rules[OPERATIONS];

static void set_rule(enum operation op, void (*act)(struct machine *), int takes, int gives)
{
    rules[op].act = act;
    rules[op].takes = takes;
    rules[op].gives = gives;
}

static void make_rules(void)
{
    set_rule(PUSH, push, 0, 1);
    set_rule(ADD, add, 2, 1);
    set_rule(SUBTRACT, subtract, 2, 1);
    set_rule(SWAP, swap, 2, 2);
    set_rule(DUPLICATE, duplicate, 1, 1);
    set_rule(DROP, drop, 1, 0);
}

static void step(struct machine *m, enum operation op)
{
    const struct rule *r = &rules[op];

    if (m->top < r->takes || m->top - r->takes + r->gives > DEPTH) {
        m->failed++;
        return;
    }
    r->act(m);
}

int main(void)
{
    struct machine m = {{0}, 0, 0, 0};
    int i, k;

    make_rules();
    for (i = 0; i < STEPS; i++) {
        unsigned char op = __VERIFIER_nondet_uchar();
        int before = m.top;
        int failed = m.failed;
        int last = m.top > 0 ? m.stack[m.top - 1] : 0;
        int second = m.top > 1 ? m.stack[m.top - 2] : 0;
        int sum = 0;

        __VERIFIER_assume(op < OPERATIONS);
        m.operand = __VERIFIER_nondet_schar();
        step(&m, op);
        assert(m.top >= 0 && m.top <= DEPTH);
        if (m.failed != failed) {
            assert(m.top == before);
            continue;
        }
        for (k = 0; k < m.top; k++)
            sum += m.stack[k];
        if (op == PUSH)
            assert(m.stack[m.top - 1] == m.operand && m.top == before + 1);
        if (op == ADD)
            assert(m.stack[m.top - 1] == second + last && m.top == before - 1);
        if (op == SUBTRACT)
            assert(m.stack[m.top - 1] == second - last && m.top == before - 1);
        if (op == SWAP)
            assert(m.stack[m.top - 1] == second && m.stack[m.top - 2] == last);
        if (op == DUPLICATE)
            assert(m.top == before + 1 && m.stack[m.top - 1] == last);
        assert(m.top > 0 || sum == 0);
    }
    return 0;
}
