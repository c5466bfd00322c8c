#include <assert.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define FLOORS 4
#define TICKS  7
#define ALL    ((1u << FLOORS) - 1u)

enum door { DOOR_CLOSED, DOOR_OPEN, DOOR_BLOCKED };
enum way { STAND, UP, DOWN };

struct cabin {
    int floor;
    enum door door;
    enum way way;
    unsigned calls;         /* one bit a floor */
    int open_for;           /* ticks the door has been open */
    int travelled;
    int served;
};

static unsigned bit(int floor)
{
    return 1u << floor;
}

static unsigned above(int floor)
{
    return ALL & ~(bit(floor) | (bit(floor) + 1u));
}

static unsigned below(int floor)
{
    return bit(floor) - 1u;
}

static enum way choose_way(const struct cabin *c)
{
    if (c->calls == 0)
        return STAND;
    switch (c->way) {
    case UP:
        if (c->calls & above(c->floor))
            return UP;
        return DOWN;
    case DOWN:
        if (c->calls & below(c->floor))
            return DOWN;
        return UP;
    default:
        return (c->calls & above(c->floor)) ? UP : DOWN;
    }
}

static void open_door(struct cabin *c)
{
    c->door = DOOR_OPEN;
    c->open_for = 0;
    if (c->calls & bit(c->floor)) {
        c->calls &= ~bit(c->floor);
        c->served++;
    }
}

static void tick(struct cabin *c, _Bool obstacle)
{
    if (c->door != DOOR_CLOSED) {
        c->open_for++;
        c->calls &= ~bit(c->floor);
        if (obstacle) {
            c->door = DOOR_BLOCKED;
        } else if (c->door == DOOR_BLOCKED) {
            c->door = DOOR_OPEN;
        } else if (c->open_for >= 2) {
            c->door = DOOR_CLOSED;
            c->open_for = 0;
        }
        return;
    }
    if (c->calls & bit(c->floor)) {
        open_door(c);
        return;
    }
    c->way = choose_way(c);
    switch (c->way) {
    case UP:
        c->floor++;
        c->travelled++;
        break;
    case DOWN:
        c->floor--;
        c->travelled++;
        break;
    case STAND:
        break;
    }
}

int main(void)
{
    struct cabin c = { 0, DOOR_CLOSED, STAND, 0, 0, 0, 0 };
    unsigned asked = 0;
    int t, start;
    int quiet = 0;

    start = __VERIFIER_nondet_int();
    __VERIFIER_assume(start >= 0 && start < FLOORS);
    c.floor = start;

    for (t = 0; t < TICKS; t++) {
        unsigned char call = __VERIFIER_nondet_uchar();
        _Bool obstacle = __VERIFIER_nondet_bool();
        int floor_before = c.floor;
        enum door door_before = c.door;
        unsigned calls_before;

        __VERIFIER_assume(call <= FLOORS);      /* FLOORS: nobody calls */
        if (call < FLOORS) {
            c.calls |= bit(call);
            asked |= bit(call);
            quiet = 0;
        } else {
            quiet++;
        }
        calls_before = c.calls;
        tick(&c, obstacle);

        assert(c.floor >= 0 && c.floor < FLOORS);
        assert((c.calls & ~asked) == 0);
        if (c.floor != floor_before) {
            assert(door_before == DOOR_CLOSED && c.door == DOOR_CLOSED);
            /* never away from the only call */
            if (calls_before == bit(FLOORS - 1))
                assert(c.floor > floor_before);
            if (calls_before == bit(0))
                assert(c.floor < floor_before);
        }
        if (calls_before != 0 && door_before == DOOR_CLOSED)
            assert(c.floor != floor_before || c.door == DOOR_OPEN);
        if (c.door != DOOR_CLOSED)
            assert(!(c.calls & bit(c.floor)));
        if (door_before != DOOR_CLOSED && obstacle)
            assert(c.door != DOOR_CLOSED);
        /* a passed floor was not a called one */
        if (c.floor != floor_before)
            assert(!(calls_before & bit(floor_before)));
        assert(c.door != DOOR_CLOSED || c.open_for == 0);
    }
    assert(c.travelled >= (c.floor > start ? c.floor - start : start - c.floor));
    if (quiet == TICKS)
        assert(c.travelled == 0 && c.served == 0);
    printf("%d\n", c.floor);
    printf("%d\n", c.travelled);
    printf("%d\n", c.served);
    return 0;
}
