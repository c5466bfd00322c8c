#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

/*
 * A stack machine that runs one of three stored programs on two
 * inputs; the answers are compared with what the C text computes.
 */

#define DEPTH  4
#define STEPS 12

typedef unsigned char opcode;
enum { HALT, PUSH, LOAD, ADD, SUB, MUL, DUP, SWAP, OVER, JNEG, JMP, DROP };

struct insn {
    opcode op;
    signed char arg;
};

struct vm {
    int stack[DEPTH];
    int sp;
    int pc;
    int steps;
    int fault;
};

static int memory[2];

static const struct insn absolute_difference[] = {
    { LOAD, 0 }, { LOAD, 1 }, { SUB, 0 }, { DUP, 0 }, { JNEG, 6 }, { HALT, 0 },
    { PUSH, 0 }, { SWAP, 0 }, { SUB, 0 }, { HALT, 0 }
};

static const struct insn maximum[] = {
    { LOAD, 0 }, { LOAD, 1 }, { OVER, 0 }, { OVER, 0 }, { SUB, 0 }, { JNEG, 8 },
    { DROP, 0 }, { HALT, 0 }, { SWAP, 0 }, { DROP, 0 }, { HALT, 0 }
};

static const struct insn polynomial[] = {       /* x * x + 3 * y - 4 */
    { LOAD, 0 }, { DUP, 0 }, { MUL, 0 }, { LOAD, 1 }, { PUSH, 3 }, { MUL, 0 },
    { ADD, 0 }, { PUSH, 4 }, { SUB, 0 }, { HALT, 0 }
};

static void push(struct vm *m, int v)
{
    if (m->sp >= DEPTH) {
        m->fault = 1;
        return;
    }
    m->stack[m->sp++] = v;
}

static int pop(struct vm *m)
{
    if (m->sp <= 0) {
        m->fault = 1;
        return 0;
    }
    return m->stack[--m->sp];
}

static int execute(struct vm *m, const struct insn *code)
{
    int a, b;

    while (m->steps < STEPS && !m->fault) {
        const struct insn *i = &code[m->pc++];
        m->steps++;
        switch (i->op) {
        case PUSH:
            push(m, i->arg);
            break;
        case LOAD:
            push(m, memory[i->arg]);
            break;
        case ADD:
            b = pop(m);
            a = pop(m);
            push(m, a + b);
            break;
        case SUB:
            b = pop(m);
            a = pop(m);
            push(m, a - b);
            break;
        case MUL:
            b = pop(m);
            a = pop(m);
            push(m, a * b);
            break;
        case DUP:
            a = pop(m);
            push(m, a);
            push(m, a);
            break;
        case SWAP:
            b = pop(m);
            a = pop(m);
            push(m, b);
            push(m, a);
            break;
        case OVER:
            b = pop(m);
            a = pop(m);
            push(m, a);
            push(m, b);
            push(m, a);
            break;
        case JNEG:
            if (pop(m) < 0)
                break;
            /* fall through */
        case JMP:
            m->pc = i->arg;
            break;
        case DROP:
            (void)pop(m);
            break;
        case HALT:
            return 1;
        default:
            abort();
        }
    }
    return 0;
}

int main(void)
{
    struct vm m = { { 0 }, 0, 0, 0, 0 };
    unsigned char which = __VERIFIER_nondet_uchar();
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int halted, answer;

    __VERIFIER_assume(which < 3);
    __VERIFIER_assume(x >= -20 && x <= 20);
    __VERIFIER_assume(y >= -20 && y <= 20);
    memory[0] = x;
    memory[1] = y;

    halted = which == 0 ? execute(&m, absolute_difference)
           : which == 1 ? execute(&m, maximum)
           : execute(&m, polynomial);

    assert(halted);
    assert(!m.fault);
    assert(m.sp == 1);
    answer = pop(&m);
    printf("%d\n", answer);
    printf("%d\n", m.steps);

    if (which == 0) {
        assert(answer >= 0);
        assert(answer == (x > y ? x - y : y - x));
    } else if (which == 1) {
        assert(answer >= x && answer >= y);
        assert(answer == x || answer == y);
    } else {
        assert(answer == x * x + 3 * y - 4);
    }
    return 0;
}
