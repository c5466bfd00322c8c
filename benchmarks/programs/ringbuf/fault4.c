#include <assert.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

#define CAPACITY 4
#define STEPS    7

struct ring {
    unsigned char slot[CAPACITY];
    unsigned head;      /* next slot to read  */
    unsigned tail;      /* next slot to write */
    unsigned count;
    unsigned dropped;
};

static struct ring rx;

static void ring_init(struct ring *r)
{
    r->head = 0;
    r->tail = 0;
    r->count = 0;
    r->dropped = 0;
}

static _Bool ring_put(struct ring *r, unsigned char byte)
{
    if (r->count == CAPACITY) {
        r->dropped++;
        return 0;
    }
    r->slot[r->tail] = byte;
    r->tail = (r->tail + 1) % CAPACITY;
    r->count++;
    return 1;
}

static _Bool ring_get(struct ring *r, unsigned char *byte)
{
    if (r->count == 0)
        return 0;
    *byte = r->slot[r->tail];
    r->head++;
    if (r->head == CAPACITY)
        r->head = 0;
    r->count--;
    return 1;
}

int main(void)
{
    unsigned char sent = 0;        /* bytes are numbered when sent */
    unsigned char expected = 0;
    unsigned char got;
    unsigned refused = 0;
    int step;

    ring_init(&rx);
    for (step = 0; step < STEPS; step++) {
        if (__VERIFIER_nondet_bool()) {
            if (ring_put(&rx, sent))
                sent++;
            else
                refused++;
        } else {
            got = 255;
            if (ring_get(&rx, &got)) {
                assert(got == expected);
                expected++;
            } else {
                assert(sent == expected);
            }
        }
        assert(rx.count <= CAPACITY);
        assert(rx.count == (unsigned)(sent - expected));
        assert((rx.head + rx.count) % CAPACITY == rx.tail);
        if (refused > 0)
            assert(sent >= CAPACITY);
    }
    printf("%u\n", rx.count);
    printf("%u\n", rx.dropped);
    assert(rx.dropped == refused);
    return 0;
}
