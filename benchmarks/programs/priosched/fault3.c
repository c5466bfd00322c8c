#include <assert.h>
#include <stdio.h>
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

/*
 * A run queue: a list of tasks linked through pointers, ordered by
 * decreasing priority, first come first served inside a priority.
 */

#define TASKS    4
#define ROUNDS   5
#define TOP      7
#define PATIENCE 2

struct task {
    unsigned char id;
    unsigned char base;         /* priority when it enters the queue */
    unsigned char prio;         /* with ageing                       */
    unsigned char left;         /* time still wanted                 */
    unsigned char waited;
    struct task *next;
};

struct queue {
    struct task *first;
    int length;
};

static struct task table[TASKS];
static struct queue ready;
static struct task *running;

static void enqueue(struct queue *q, struct task *t)
{
    struct task **link = &q->first;

    while (*link != NULL && (*link)->prio >= t->prio)
        link = &(*link)->next;
    t->next = *link;
    *link = t;

}

static struct task *dequeue(struct queue *q)
{
    struct task *t = q->first;

    if (t != NULL) {
        q->first = t->next;
        t->next = NULL;
        q->length--;
    }
    return t;
}

/* Those that wait for too long go up; the order is then restored. */
static void age(struct queue *q)
{
    struct queue fresh = { NULL, 0 };
    struct task *t;

    while ((t = dequeue(q)) != NULL) {
        t->waited++;
        if (t->waited >= PATIENCE && t->prio < TOP) {
            t->prio++;
            t->waited = 0;
        }
        enqueue(&fresh, t);
    }
    *q = fresh;
}

static int run_one(struct queue *q)
{
    int done = 0;

    running = dequeue(q);
    if (running == NULL)
        return 0;
    running->left--;
    running->prio = running->base;
    running->waited = 0;
    age(q);
    if (running->left > 0)
        enqueue(q, running);
    else
        done = 1;
    return done;
}

static void check_queue(const struct queue *q)
{
    const struct task *t;
    int n = 0;

    for (t = q->first; t != NULL; t = t->next) {
        n++;
        assert(t->left > 0);
        assert(t->prio >= t->base && t->prio <= TOP);
        assert(t->waited < PATIENCE || t->prio == TOP);
        if (t->next != NULL)
            assert(t->prio >= t->next->prio);
    }
    assert(n == q->length);
}

int main(void)
{
    int i, round;
    int wanted = 0, finished = 0, used = 0, left = 0;

    for (i = 0; i < TASKS; i++) {
        struct task *t = table + i;
        t->id = (unsigned char)i;
        t->base = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(t->base <= TOP);
        t->left = __VERIFIER_nondet_uchar();
        __VERIFIER_assume(t->left >= 1 && t->left <= 3);
        t->prio = t->base;
        wanted += t->left;
        enqueue(&ready, t);
    }
    check_queue(&ready);
    assert(ready.length == TASKS);

    for (round = 0; round < ROUNDS; round++) {
        const struct task *head = ready.first;
        finished += run_one(&ready);
        assert(running == head);
        if (running != NULL)
            used++;
        check_queue(&ready);
        for (i = 0; i < TASKS; i++)
            if (running != NULL && round == 0)
                assert(table[i].base <= running->base);
        assert(ready.length + finished == TASKS);
    }
    for (i = 0; i < TASKS; i++)
        left += table[i].left;
    printf("%d\n", finished);
    printf("%d\n", used);
    assert(left + used == wanted);
    return 0;
}
