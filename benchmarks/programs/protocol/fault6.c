#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

/*
 * A small connection-oriented link: one side, driven by the frames it
 * receives and by the commands of its user.  The window is of two
 * frames, the sequence numbers are modulo 8.
 */

#define STEPS       6
#define MODULUS     8u
#define WINDOW      2u
#define MAX_RETRY   2

typedef enum {
    ST_CLOSED, ST_OPENING, ST_OPEN, ST_CLOSING, ST_BROKEN
} state_t;

typedef enum {
    EV_CONNECT, EV_ACCEPTED, EV_SEND, EV_ACK, EV_TIMEOUT, EV_RELEASE, EV_RESET
} event_t;

typedef struct {
    state_t state;
    unsigned next;          /* next sequence number to send    */
    unsigned oldest;        /* oldest one not acknowledged     */
    int retries;
    int timer;              /* 1 when the timer is running     */
    long sent, confirmed;
} link_t;

static unsigned in_flight(const link_t *l)
{
    return (l->next - l->oldest) % MODULUS;
}

static void drop(link_t *l, state_t to)
{
    l->state = to;
    l->oldest = l->next;
    l->confirmed = l->sent;
    l->timer = 0;
    l->retries = 0;
}

static int on_ack(link_t *l, unsigned upto)
{
    unsigned covered = (upto - l->oldest) % MODULUS;

    if (covered == 0 || covered > in_flight(l))
        return 0;                       /* old or nonsense */
    l->oldest = upto % MODULUS;
    l->confirmed += (long)covered;
    l->retries = 0;
    l->timer = in_flight(l) != 0;
    return 1;
}

static void on_timeout(link_t *l)
{
    if (!l->timer)
        return;
    l->retries++;
    if (l->retries > MAX_RETRY + 1)
        drop(l, ST_BROKEN);
}

static void step(link_t *l, event_t ev, unsigned arg)
{
    switch (l->state) {
    case ST_CLOSED:
        if (ev == EV_CONNECT) {
            l->state = ST_OPENING;
            l->timer = 1;
        }
        break;
    case ST_OPENING:
        if (ev == EV_ACCEPTED) {
            l->state = ST_OPEN;
            l->next = arg;
            l->oldest = arg;
            l->retries = 0;
            l->timer = 0;
            break;
        }
        if (ev == EV_RELEASE) {
            drop(l, ST_CLOSED);
            break;
        }
        if (ev == EV_TIMEOUT)
            on_timeout(l);
        else if (ev == EV_RESET)
            drop(l, ST_BROKEN);
        break;
    case ST_OPEN:
        if (ev == EV_SEND) {
            if (in_flight(l) < WINDOW) {
                l->next = (l->next + 1) % MODULUS;
                l->sent++;
                l->timer = 1;
            }
            break;
        }
        if (ev == EV_RELEASE) {
            if (in_flight(l) == 0)
                drop(l, ST_CLOSED);
            else
                l->state = ST_CLOSING;
            break;
        }
        /* fall through */
    case ST_CLOSING:
        if (ev == EV_ACK) {
            if (on_ack(l, arg) && l->state == ST_CLOSING && in_flight(l) == 0)
                drop(l, ST_CLOSED);
        } else if (ev == EV_TIMEOUT) {
            on_timeout(l);
        } else if (ev == EV_RESET) {
            drop(l, ST_BROKEN);
        }
        break;
    case ST_BROKEN:
        if (ev == EV_RELEASE)
            l->state = ST_CLOSED;
        break;
    }
}

static void check(const link_t *l)
{
    if (in_flight(l) > WINDOW)
        reach_error();
    if (l->sent - l->confirmed != (long)in_flight(l))
        reach_error();
    if (l->retries > MAX_RETRY)
        reach_error();
    if ((l->state == ST_CLOSED || l->state == ST_BROKEN) && (l->timer || in_flight(l) != 0))
        reach_error();
    if (l->state == ST_CLOSING && in_flight(l) == 0)
        reach_error();
    if (l->state == ST_OPEN && l->timer != (in_flight(l) > 0))
        reach_error();
    if (!l->timer && l->retries != 0)
        reach_error();
    if (l->next >= MODULUS || l->oldest >= MODULUS)
        reach_error();
}

int main(void)
{
    link_t link = { ST_CLOSED, 0, 0, 0, 0, 0, 0 };
    int i = 0;

    do {
        unsigned char ev = __VERIFIER_nondet_uchar();
        unsigned arg = __VERIFIER_nondet_uint();
        __VERIFIER_assume(ev <= EV_RESET && arg < MODULUS);
        step(&link, (event_t)ev, arg);
        check(&link);
        i++;
    } while (i < STEPS);

    printf("%d\n", (int)link.state);
    printf("%ld\n", link.sent);
    printf("%ld\n", link.confirmed);
    return 0;
}
