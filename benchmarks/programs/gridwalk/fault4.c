#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

/* A robot on a walled floor collects the items it walks over. */

#define H 4
#define W 5
#define MOVES 7

typedef struct { int row, col; } place;
typedef enum { NORTH, EAST, SOUTH, WEST } heading;

typedef struct {
    place at;
    heading facing;
    struct { int bumps, turns, advances; } log;
    int load;
    int battery;
} robot;

static const char plan[H][W + 1] = {
    "..#.i",
    ".i...",
    "..#..",
    "i..#."
};
static _Bool emptied[H][W];
static unsigned char visits[H][W];

static place ahead(const robot *r)
{
    static const int drow[4] = { -1, 0, 1, 0 };
    static const int dcol[4] = { 0, 1, 0, -1 };
    place p = r->at;
    p.row += drow[r->facing];
    p.col += dcol[r->facing];
    return p;
}

static _Bool is_free(place p)
{
    if (p.row < 0 || p.row >= H || p.col < 0 || p.col >= W)
        return 0;
    return plan[p.row][p.col] != '#';
}

static void collect(robot *r)
{
    int i = r->at.row, j = r->at.col;
    visits[i][j]++;
    if (plan[i][j] == 'i' && !emptied[i][j]) {
        emptied[i][j] = 1;
        r->load++;
    }
}

static void turn(robot *r, _Bool right)
{
    r->facing = (heading)((r->facing + (right ? 1 : 2)) % 4);
    r->log.turns++;
}

static void advance(robot *r)
{
    place p = ahead(r);
    if (!is_free(p)) {
        r->log.bumps++;
        return;
    }
    r->at = p;
    r->log.advances++;
    r->battery -= r->load > 1 ? 2 : 1;
    collect(r);
}

int main(void)
{
    robot r = { { 1, 3 }, NORTH, { 0, 0, 0 }, 0, 10 };
    int k, i, j, seen = 0, picked = 0, way;

    collect(&r);
    for (k = 0; k < MOVES && r.battery > 1; k++) {
        unsigned char order = __VERIFIER_nondet_uchar();
        place old = r.at;
        heading was = r.facing;
        __VERIFIER_assume(order < 3);
        switch (order) {
        case 0:
            turn(&r, 0);
            assert((r.facing + 1) % 4 == was % 4);
            break;
        case 1:
            turn(&r, 1);
            assert((was + 1) % 4 == r.facing % 4);
            break;
        default:
            advance(&r);
            way = (r.at.row - old.row) + (r.at.col - old.col);
            assert(way >= -1 && way <= 1);
            if (was == NORTH || was == WEST)
                assert(way <= 0);
            else
                assert(way >= 0);
        }
        assert(is_free(r.at));
        assert(plan[r.at.row][r.at.col] != '#');
    }
    assert(r.log.turns + r.log.bumps + r.log.advances == k);
    for (i = 0; i < H; i++)
        for (j = 0; j < W; j++) {
            seen += visits[i][j];
            if (visits[i][j] > 0 && plan[i][j] == 'i')
                picked++;
        }
    printf("%d %d\n", r.at.row, r.at.col);
    printf("%d\n", r.load);
    assert(seen == r.log.advances + 1);
    assert(picked == r.load);
    assert(r.battery >= 0 && r.battery <= 10 - r.log.advances);
    if (r.load <= 1)
        assert(r.battery == 10 - r.log.advances);
    return 0;
}
