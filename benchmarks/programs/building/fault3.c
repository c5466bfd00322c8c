/*
 * Supervisor of the technical plant of a building: heating, cooling,
 * ventilation, hot water, electricity, water, doors, fire detection,
 * lighting, cold room and car park.
 *
 * Each cycle reads one frame of field inputs, runs the modules in a
 * fixed order and checks the invariants of each of them.
 *
 * Units: temperatures in tenths of a degree, power in kilowatts,
 * levels and positions in percent, one cycle is a quarter of an hour.
 */

#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

/* ------------------------------------------------------------------ */
/* Sizes and limits                                                   */
/* ------------------------------------------------------------------ */

#define CYCLES          3
#define ROOMS           6
#define PUMPS           3
#define LAYERS          4
#define DETECTORS       3
#define LOADS           5
#define DOORS           2
#define BLINDS          3
#define LOG_SIZE        8
#define LEAK_POINTS     4

#define QUARTERS_A_DAY  96

#define ROOM_MIN        50
#define ROOM_MAX        350
#define COMFORT_DEFAULT 210
#define ECONOMY_DROP    30
#define FROST_GUARD     80
#define DEADBAND        4

#define VALVE_STROKE    40
#define FULL            100

#define BOILER_MIN_REST 1
#define BOILER_TRIES    2
#define FLOW_MAX        800
#define FLOW_MIN        250

#define TANK_HOT        550
#define TANK_SCALD      650
#define TANK_COLD       100

#define SUPPLY_LIMIT    120
#define PEAK_MARGIN     10

#define WIND_LIMIT      120
#define DARK_LIMIT      200
#define BRIGHT_LIMIT    700

#define MASTER_BADGE    4711
#define DOOR_PATIENCE   2

#define PARK_PLACES     12
#define CO_LIMIT        60

#define COLD_SET        40
#define COLD_ALARM      90

typedef unsigned char byte;
typedef short tenths;

/* ------------------------------------------------------------------ */
/* States                                                             */
/* ------------------------------------------------------------------ */

enum room_mode
{
    ROOM_FROST,
    ROOM_ECONOMY,
    ROOM_COMFORT,
    ROOM_BOOST
};

enum boiler_state
{
    BOILER_OFF,
    BOILER_PURGE,
    BOILER_IGNITE,
    BOILER_RUN,
    BOILER_LOCKOUT
};

enum chiller_state
{
    CHILLER_IDLE,
    CHILLER_START,
    CHILLER_FULL,
    CHILLER_REST
};

enum pump_state
{
    PUMP_STOPPED,
    PUMP_RUNNING,
    PUMP_FAILED
};

enum air_state
{
    AIR_STOP,
    AIR_LOW,
    AIR_HIGH,
    AIR_PURGE
};

enum fire_state
{
    FIRE_QUIET,
    FIRE_PREALARM,
    FIRE_ALARM,
    FIRE_SILENCED
};

enum door_state
{
    DOOR_LOCKED,
    DOOR_RELEASED,
    DOOR_OPENED,
    DOOR_FORCED
};

enum supply_state
{
    SUPPLY_MAINS,
    SUPPLY_BATTERY,
    SUPPLY_GENERATOR,
    SUPPLY_BLACKOUT
};

enum tariff
{
    TARIFF_NIGHT,
    TARIFF_DAY,
    TARIFF_PEAK
};

enum cold_state
{
    COLD_HOLD,
    COLD_COMPRESS,
    COLD_DEFROST,
    COLD_DRIP
};

enum scene
{
    SCENE_DARK,
    SCENE_WORK,
    SCENE_CLEANING,
    SCENE_EMERGENCY
};

enum severity
{
    SEV_INFO = 1,
    SEV_WARNING,
    SEV_ALARM
};

enum event_code
{
    EV_NONE,
    EV_BOILER_LOCKOUT,
    EV_PUMP_FAILURE,
    EV_FIRE,
    EV_DOOR_FORCED,
    EV_LEAK,
    EV_SUPPLY,
    EV_SHED,
    EV_COLD_ROOM,
    EV_FROST,
    EV_COMMAND
};

/* ------------------------------------------------------------------ */
/* Records                                                            */
/* ------------------------------------------------------------------ */

struct field_inputs
{
    tenths outdoor;
    byte presence;              /* one bit a room                 */
    byte smoke;                 /* one bit a detector             */
    byte leaks;                 /* one bit a leak point           */
    short badge;
    short daylight;
    short wind;
    int demand;                 /* of the tenants, kilowatts      */
    byte command;               /* high nibble: what, low: where  */
    _Bool flame;
    _Bool mains;
};

struct room
{
    const char *name;
    enum room_mode mode;
    tenths temperature;
    tenths setpoint;
    byte vacant_for;
    byte boost_left;
    byte heat_valve;
    byte cool_valve;
    _Bool occupied;
};

struct boiler
{
    enum boiler_state state;
    byte tries;
    byte rest;
    tenths flow;
    _Bool gas;
    _Bool called;
};

struct chiller
{
    enum chiller_state state;
    byte timer;
    byte starts;
    byte capacity;
    _Bool called;
};

struct pump
{
    enum pump_state state;
    unsigned hours;
    byte failures;
    byte speed;
};

struct pump_group
{
    struct pump unit[PUMPS];
    int lead;
    int wanted;
};

struct air_unit
{
    enum air_state state;
    byte fresh_damper;
    byte return_damper;
    byte fan;
    byte filter_wear;
    tenths supply;
    _Bool frost_trip;
};

struct tank
{
    tenths layer[LAYERS];       /* from the top down              */
    byte hygiene_age;
    byte hygiene_left;
    byte charge;
    _Bool solar_pump;
    _Bool scald_cut;
};

struct fire_panel
{
    enum fire_state state;
    byte votes;
    byte latched;
    byte prealarm_age;
    _Bool siren;
    _Bool smoke_extract;
    _Bool gas_cut;
};

struct door
{
    enum door_state state;
    byte open_for;
    byte wrong_badges;
    _Bool escape_release;
};

struct load
{
    const char *name;
    byte priority;              /* 0 is never shed                */
    short power;
    _Bool on;
};

struct electricity
{
    enum supply_state supply;
    enum tariff tariff;
    struct load load[LOADS];
    int demand;
    int granted;
    byte battery;
    byte fuel;
    byte transfer_delay;
    long energy;
};

struct water
{
    byte leak_count[LEAK_POINTS];
    byte sump;
    byte rain_tank;
    _Bool main_valve;
    _Bool sump_pump;
    _Bool irrigation;
};

struct light_group
{
    enum scene scene;
    byte level;
    byte delay;
};

struct blind
{
    byte position;              /* 0 is up                        */
    byte slat;
    _Bool wind_lock;
};

struct cold_room
{
    enum cold_state state;
    tenths temperature;
    byte timer;
    byte frost_on_coil;
    _Bool alarm;
};

struct car_park
{
    short inside;
    short refused;
    byte co;
    byte fan_stage;
    _Bool barrier_up;
};

struct log_entry
{
    enum event_code code;
    enum severity severity;
    byte where;
    unsigned short stamp;
};

struct event_log
{
    struct log_entry entry[LOG_SIZE];
    byte next;
    byte used;
    unsigned total;
    unsigned by_severity[SEV_ALARM + 1];
};

struct clock
{
    byte weekday;               /* 0 is Monday                    */
    byte quarter;               /* of the day                     */
    unsigned short stamp;
};

struct plant
{
    struct clock clock;
    struct field_inputs in;
    struct room room[ROOMS];
    struct boiler boiler;
    struct chiller chiller;
    struct pump_group pumps;
    struct air_unit air;
    struct tank tank;
    struct fire_panel fire;
    struct door door[DOORS];
    struct electricity power;
    struct water water;
    struct light_group corridor;
    struct light_group office;
    struct blind blind[BLINDS];
    struct cold_room cold;
    struct car_park park;
    struct event_log log;
    unsigned status_word;
    byte command_errors;
};

/* ------------------------------------------------------------------ */
/* Tables                                                             */
/* ------------------------------------------------------------------ */

/* heating curve: outdoor temperature against flow temperature */
static const tenths curve[][2] = {
    { -200, 700 },
    { -100, 620 },
    {    0, 520 },
    {  100, 420 },
    {  200, 300 }
};
#define CURVE_POINTS ((int)(sizeof curve / sizeof curve[0]))

static const byte room_gain[ROOMS] = { 3, 2, 2, 4, 1, 3 };
static const byte room_loss[ROOMS] = { 2, 1, 1, 2, 1, 3 };
static const byte room_side[ROOMS] = { 0, 0, 1, 1, 2, 2 };      /* blind of the room */

static const char *const room_names[ROOMS] = {
    "hall", "office north", "office south", "canteen", "archive", "workshop"
};

static const byte slat_of_band[4] = { 0, 30, 60, 90 };

static const byte nibble_parity[16] = {
    0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0
};

static struct plant plant;

/* ------------------------------------------------------------------ */
/* Small helpers                                                      */
/* ------------------------------------------------------------------ */

static int clamp(int v, int low, int high)
{
    if (v < low)
        return low;
    if (v > high)
        return high;
    return v;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* One step from a position towards a target, by a limited stroke. */
static byte stroke(byte from, int target, int limit)
{
    int move = target - from;
    if (move > limit)
        move = limit;
    else if (move < -limit)
        move = -limit;
    return (byte)clamp(from + move, 0, FULL);
}

static _Bool bit_of(byte mask, int n)
{
    return (mask >> n) & 1;
}

static int bits_in(byte mask)
{
    int n = 0;
    while (mask != 0)
    {
        mask &= (byte)(mask - 1);
        n++;
    }
    return n;
}

static byte saturating_inc(byte v, byte top)
{
    if (v < top)
        v++;
    return v;
}

static byte down_count(byte v)
{
    return v > 0 ? (byte)(v - 1) : 0;
}

/* ------------------------------------------------------------------ */
/* Event log                                                          */
/* ------------------------------------------------------------------ */

static void log_event(struct plant *p, enum event_code code, enum severity severity, int where)
{
    struct event_log *log = &p->log;
    struct log_entry *e = &log->entry[log->next];

    e->code = code;
    e->severity = severity;
    e->where = (byte)where;
    e->stamp = p->clock.stamp;
    log->next++;
    if (log->next == LOG_SIZE)
        log->next = 0;
    if (log->used < LOG_SIZE)
        log->used++;
    log->total++;
    log->by_severity[severity]++;
}

static int log_contains(const struct event_log *log, enum event_code code)
{
    int i;
    int n = 0;
    for (i = 0; i < log->used; i++)
    {
        if (log->entry[i].code == code)
            n++;
    }
    return n;
}

static void check_log(const struct event_log *log)
{
    unsigned sum = 0;
    int s;

    assert(log->used <= LOG_SIZE);
    assert(log->next < LOG_SIZE);
    if (log->total < LOG_SIZE)
        assert(log->used == log->total && log->next == log->used);
    else
        assert(log->used == LOG_SIZE);
    for (s = SEV_INFO; s <= SEV_ALARM; s++)
        sum += log->by_severity[s];
    assert(sum == log->total);
}

/* ------------------------------------------------------------------ */
/* Clock and schedule                                                 */
/* ------------------------------------------------------------------ */

static void clock_tick(struct clock *c)
{
    c->stamp++;
    c->quarter++;
    if (c->quarter >= QUARTERS_A_DAY)
    {
        c->quarter = 0;
        c->weekday++;
        if (c->weekday > 6)
            c->weekday = 0;
    }
}

static int hour_of(const struct clock *c)
{
    return c->quarter / 4;
}

static _Bool is_weekend(const struct clock *c)
{
    return c->weekday >= 5;
}

static _Bool is_working_time(const struct clock *c)
{
    int h = hour_of(c);
    if (is_weekend(c))
        return 0;
    return h >= 7 && h < 19;
}

static _Bool is_cleaning_time(const struct clock *c)
{
    int h = hour_of(c);
    switch (c->weekday)
    {
    case 0:
    case 2:
    case 4:
        return h == 19 || h == 20;
    case 5:
        return h >= 8 && h <= 11;
    default:
        return 0;
    }
}

static void check_clock(const struct clock *now, const struct clock *before)
{
    assert(now->quarter < QUARTERS_A_DAY);
    assert(now->weekday < 7);
    if (now->quarter != 0)
        assert(now->quarter == before->quarter + 1 && now->weekday == before->weekday);
    else
        assert((before->weekday + 1) % 7 == now->weekday);
    assert(now->stamp == (unsigned short)(before->stamp + 1));
}

/* ------------------------------------------------------------------ */
/* Field inputs                                                       */
/* ------------------------------------------------------------------ */

static void read_weather(struct field_inputs *in)
{
    in->outdoor = __VERIFIER_nondet_short();
    __VERIFIER_assume(in->outdoor >= -300 && in->outdoor <= 450);
    in->daylight = __VERIFIER_nondet_short();
    __VERIFIER_assume(in->daylight >= 0 && in->daylight <= 1000);
    in->wind = __VERIFIER_nondet_short();
    __VERIFIER_assume(in->wind >= 0 && in->wind <= 200);
}

static void read_contacts(struct field_inputs *in)
{
    in->presence = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(in->presence < (1 << ROOMS));
    in->smoke = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(in->smoke < (1 << DETECTORS));
    in->leaks = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(in->leaks < (1 << LEAK_POINTS));
    in->flame = __VERIFIER_nondet_bool();
    in->mains = __VERIFIER_nondet_bool();
}

static void read_requests(struct field_inputs *in)
{
    in->badge = __VERIFIER_nondet_short();
    __VERIFIER_assume(in->badge >= 0 && in->badge <= 9999);
    in->demand = __VERIFIER_nondet_int();
    __VERIFIER_assume(in->demand >= 0 && in->demand <= 200);
    in->command = __VERIFIER_nondet_uchar();
}

static void read_field(struct field_inputs *in)
{
    read_weather(in);
    read_contacts(in);
    read_requests(in);
}

/* ------------------------------------------------------------------ */
/* Rooms                                                              */
/* ------------------------------------------------------------------ */

static void room_track_presence(struct room *r, _Bool present)
{
    r->occupied = present;
    if (present)
        r->vacant_for = 0;
    else
        r->vacant_for = saturating_inc(r->vacant_for, 200);
}

static enum room_mode room_next_mode(const struct room *r, const struct clock *c)
{
    if (r->boost_left > 0)
        return ROOM_BOOST;
    if (r->occupied)
        return ROOM_COMFORT;
    if (is_working_time(c))
        return r->vacant_for > 2 ? ROOM_ECONOMY : ROOM_COMFORT;
    if (is_weekend(c) && r->vacant_for > 4)
        return ROOM_FROST;
    return ROOM_ECONOMY;
}

static tenths room_setpoint(enum room_mode mode)
{
    switch (mode)
    {
    case ROOM_BOOST:
        return COMFORT_DEFAULT + 20;
    case ROOM_COMFORT:
        return COMFORT_DEFAULT;
    case ROOM_ECONOMY:
        return COMFORT_DEFAULT - ECONOMY_DROP;
    case ROOM_FROST:
        break;
    }
    return FROST_GUARD;
}

static void room_drive_valves(struct room *r, _Bool cooling_allowed)
{
    int error = r->setpoint - r->temperature;
    int heat = 0;
    int cool = 0;

    if (error > DEADBAND)
        heat = clamp(error * 4, 0, FULL);
    else if (error < -DEADBAND && cooling_allowed)
        cool = clamp(-error * 3, 0, FULL);

    r->heat_valve = stroke(r->heat_valve, heat, VALVE_STROKE);
    r->cool_valve = stroke(r->cool_valve, cool, VALVE_STROKE);

    /* never both open: the one that is not wanted gives way */
    if (r->heat_valve > 0 && r->cool_valve > 0)
    {
        if (heat > 0)
            r->cool_valve = 0;
        else
            r->heat_valve = 0;
    }
}

static void room_physics(struct room *r, int index, const struct plant *p)
{
    int t = r->temperature;
    int outdoor = p->in.outdoor;

    if (p->boiler.state == BOILER_RUN)
        t += room_gain[index] * r->heat_valve / 20;
    if (p->chiller.state == CHILLER_FULL)
        t -= room_gain[index] * r->cool_valve / 25;
    if (outdoor < t)
        t -= room_loss[index];
    else if (outdoor > t)
        t += room_loss[index];
    if (r->occupied)
        t += 1;
    r->temperature = (tenths)clamp(t, ROOM_MIN, ROOM_MAX);
}

static void run_rooms(struct plant *p)
{
    int i;
    _Bool cooling = p->in.outdoor > 180;

    for (i = 0; i < ROOMS; i++)
    {
        struct room *r = &p->room[i];
        room_physics(r, i, p);
        room_track_presence(r, bit_of(p->in.presence, i));
        r->boost_left = down_count(r->boost_left);
        r->mode = room_next_mode(r, &p->clock);
        r->setpoint = room_setpoint(r->mode);
        room_drive_valves(r, cooling);
        if (r->temperature < FROST_GUARD - DEADBAND)
            log_event(p, EV_FROST, SEV_WARNING, i);
    }
}

static int heat_demand(const struct plant *p)
{
    int i;
    int most = 0;
    for (i = 0; i < ROOMS; i++)
        most = larger(most, p->room[i].heat_valve);
    return most;
}

static int cool_demand(const struct plant *p)
{
    const struct room *r = p->room;
    int sum = 0;
    do
    {
        sum += r->cool_valve;
        r++;
    } while (r != p->room + ROOMS);
    return sum / ROOMS;
}

static void check_rooms(const struct plant *p)
{
    int i;
    for (i = 0; i < ROOMS; i++)
    {
        const struct room *r = &p->room[i];
        assert(r->temperature >= ROOM_MIN && r->temperature <= ROOM_MAX);
        assert(r->heat_valve <= FULL && r->cool_valve <= FULL);
        assert(r->heat_valve == 0 || r->cool_valve == 0);
        assert(r->setpoint >= FROST_GUARD && r->setpoint <= COMFORT_DEFAULT + 20);
        if (r->occupied)
        {
            assert(r->vacant_for == 0);
            assert(r->mode >= ROOM_COMFORT);
            assert(r->setpoint >= COMFORT_DEFAULT);
        }
        else
        {
            assert(r->vacant_for > 0);
        }
        if (r->mode == ROOM_FROST)
            assert(p->clock.weekday >= 5 && !r->occupied);
        if (r->temperature > r->setpoint + DEADBAND && r->heat_valve > 0)
            assert(r->heat_valve <= FULL - VALVE_STROKE);
        if (p->in.outdoor <= 180 && r->cool_valve > 0)
            assert(r->cool_valve <= FULL - VALVE_STROKE);
    }
}

/* ------------------------------------------------------------------ */
/* Boiler                                                             */
/* ------------------------------------------------------------------ */

/* Flow temperature wanted, by interpolation in the heating curve. */
static tenths curve_flow(tenths outdoor)
{
    int i;

    if (outdoor <= curve[0][0])
        return curve[0][1];
    for (i = 1; i < CURVE_POINTS; i++)
    {
        if (outdoor < curve[i][0])
        {
            int span = curve[i][0] - curve[i - 1][0];
            int rise = curve[i][1] - curve[i - 1][1];
            int into = outdoor - curve[i - 1][0];
            return (tenths)(curve[i - 1][1] + rise * into / span);
        }
    }
    return curve[CURVE_POINTS - 1][1];
}

static void boiler_to_off(struct boiler *b)
{
    b->state = BOILER_OFF;
    b->gas = 0;
    b->rest = BOILER_MIN_REST;
}

static void boiler_lock(struct plant *p)
{
    p->boiler.state = BOILER_LOCKOUT;
    p->boiler.gas = 0;
    log_event(p, EV_BOILER_LOCKOUT, SEV_ALARM, p->boiler.tries);
}

static void run_boiler(struct plant *p)
{
    struct boiler *b = &p->boiler;
    tenths wanted = curve_flow(p->in.outdoor);

    b->called = heat_demand(p) > 10 || p->tank.charge > 0;

    switch (b->state)
    {
    case BOILER_OFF:
        b->rest = down_count(b->rest);
        if (b->called && b->rest == 0)
        {
            b->state = BOILER_PURGE;
            b->tries = 0;
        }
        break;
    case BOILER_PURGE:
        if (!b->called)
        {
            boiler_to_off(b);
            break;
        }
        b->state = BOILER_IGNITE;
        b->gas = 1;
        break;
    case BOILER_IGNITE:
        b->tries++;
        if (p->in.flame)
        {
            b->state = BOILER_RUN;
        }
        else if (b->tries >= BOILER_TRIES)
        {
            boiler_lock(p);
        }
        break;
    case BOILER_RUN:
        if (!p->in.flame)
        {
            boiler_lock(p);
            break;
        }
        if (!b->called)
            boiler_to_off(b);
        break;
    case BOILER_LOCKOUT:
        break;
    }

    if (p->fire.gas_cut && b->gas)
        boiler_to_off(b);

    if (b->state == BOILER_RUN)
        b->flow = (tenths)smaller(wanted, b->flow + 150);
    else
        b->flow = (tenths)larger(FLOW_MIN, b->flow - 100);
}

static void check_boiler(const struct plant *p)
{
    const struct boiler *b = &p->boiler;

    assert(b->gas == (b->state == BOILER_IGNITE || b->state == BOILER_RUN));
    assert(b->tries <= BOILER_TRIES);
    assert(b->flow >= FLOW_MIN && b->flow <= FLOW_MAX);
    if (b->state == BOILER_RUN)
        assert(p->in.flame && b->tries > 0);
    if (b->state == BOILER_LOCKOUT)
        assert(log_contains(&p->log, EV_BOILER_LOCKOUT) > 0 || p->log.total >= LOG_SIZE);
    if (p->fire.state == FIRE_ALARM)
        assert(!b->gas);
    if (p->in.outdoor >= 200 && b->state == BOILER_RUN)
        assert(b->flow <= 300);
}

/* ------------------------------------------------------------------ */
/* Chiller                                                            */
/* ------------------------------------------------------------------ */

static void run_chiller(struct plant *p)
{
    struct chiller *c = &p->chiller;
    int demand = cool_demand(p);

    c->called = demand > 3;
    switch (c->state)
    {
    case CHILLER_IDLE:
        if (c->called && p->power.supply == SUPPLY_MAINS)
        {
            c->state = CHILLER_START;
            c->timer = 1;
            c->starts = saturating_inc(c->starts, 250);
        }
        break;
    case CHILLER_START:
        if (c->timer > 0)
            c->timer--;
        if (c->timer == 0)
            c->state = CHILLER_FULL;
        break;
    case CHILLER_FULL:
        if (!c->called || p->power.supply != SUPPLY_MAINS)
        {
            c->state = CHILLER_REST;
            c->timer = 2;
        }
        break;
    case CHILLER_REST:
        c->timer = down_count(c->timer);
        if (c->timer == 0)
            c->state = CHILLER_IDLE;
        break;
    }

    if (c->state == CHILLER_FULL)
        c->capacity = (byte)clamp(20 + demand * 2, 20, FULL);
    else if (c->state == CHILLER_START)
        c->capacity = 10;
    else
        c->capacity = 0;
}

static void check_chiller(const struct plant *p)
{
    const struct chiller *c = &p->chiller;

    switch (c->state)
    {
    case CHILLER_IDLE:
        assert(c->capacity == 0 && c->timer == 0);
        break;
    case CHILLER_START:
        assert(c->capacity == 10 && c->starts > 0);
        break;
    case CHILLER_FULL:
        assert(c->capacity >= 20 && c->capacity <= FULL);
        break;
    case CHILLER_REST:
        assert(c->capacity == 0 && c->timer > 0 && c->timer <= 2);
        break;
    }
}

/* ------------------------------------------------------------------ */
/* Circulation pumps                                                  */
/* ------------------------------------------------------------------ */

static int pumps_available(const struct pump_group *g)
{
    int i;
    int n = 0;
    for (i = 0; i < PUMPS; i++)
        n += g->unit[i].state != PUMP_FAILED;
    return n;
}

static int pumps_running(const struct pump_group *g)
{
    const struct pump *u;
    int n = 0;
    for (u = g->unit; u < g->unit + PUMPS; u++)
        if (u->state == PUMP_RUNNING)
            n++;
    return n;
}

static void pump_start(struct pump *u)
{
    if (u->state != PUMP_STOPPED)
        return;
    u->state = PUMP_RUNNING;
    u->speed = 30;
}

static void pump_stop(struct pump *u)
{
    if (u->state == PUMP_RUNNING)
        u->state = PUMP_STOPPED;
    u->speed = 0;
}

/* The pump that has run the least of those that can start, or -1. */
static int least_used(const struct pump_group *g)
{
    int best = -1;
    int i;
    for (i = 0; i < PUMPS; i++)
    {
        if (g->unit[i].state == PUMP_FAILED)
            continue;
        if (best < 0 || g->unit[i].hours < g->unit[best].hours)
            best = i;
    }
    return best;
}

static void run_pumps(struct plant *p)
{
    struct pump_group *g = &p->pumps;
    int demand = heat_demand(p) + cool_demand(p);
    int i;

    if (demand == 0 && p->tank.charge == 0)
        g->wanted = 0;
    else if (demand < 60)
        g->wanted = 1;
    else
        g->wanted = 2;
    g->wanted = smaller(g->wanted, pumps_available(g));

    /* stop what is too many, from the last */
    for (i = PUMPS - 1; i >= 0; i--)
    {
        if (pumps_running(g) <= g->wanted)
            break;
        if (i != g->lead || g->wanted == 0)
            pump_stop(&g->unit[i]);
    }

    g->lead = least_used(g);
    if (g->lead >= 0 && g->wanted > pumps_running(g))
        pump_start(&g->unit[g->lead]);
    for (i = 0; i < PUMPS && pumps_running(g) < g->wanted; i++)
        pump_start(&g->unit[i]);

    for (i = 0; i < PUMPS; i++)
    {
        struct pump *u = g->unit + i;
        if (u->state != PUMP_RUNNING)
            continue;
        u->hours++;
        u->speed = (byte)clamp(30 + demand / 2, 30, FULL);
    }
}

static void pump_fault(struct plant *p, int index)
{
    struct pump *u = &p->pumps.unit[index];

    if (u->state == PUMP_FAILED)
        return;
    u->state = PUMP_FAILED;
    u->speed = 0;
    u->failures = saturating_inc(u->failures, 9);
    log_event(p, EV_PUMP_FAILURE, SEV_ALARM, index);
}

static void check_pumps(const struct plant *p)
{
    const struct pump_group *g = &p->pumps;
    int i;

    assert(pumps_running(g) == g->wanted);
    assert(pumps_running(g) <= pumps_available(g));
    assert(g->wanted <= 2);
    for (i = 0; i < PUMPS; i++)
    {
        const struct pump *u = &g->unit[i];
        if (u->state == PUMP_RUNNING)
            assert(u->speed >= 30 && u->speed <= FULL && u->hours > 0);
        else
            assert(u->speed == 0);
        assert(u->state != PUMP_FAILED || u->failures > 0);
    }
    if (heat_demand(p) > 0 && pumps_available(g) > 0)
        assert(pumps_running(g) > 0);
}

/* ------------------------------------------------------------------ */
/* Air handling                                                       */
/* ------------------------------------------------------------------ */

static enum air_state air_wanted(const struct plant *p)
{
    int people = bits_in(p->in.presence);

    if (p->fire.smoke_extract)
        return AIR_PURGE;
    if (people == 0 && !is_working_time(&p->clock))
        return AIR_STOP;
    if (people > ROOMS / 2)
        return AIR_HIGH;
    return AIR_LOW;
}

static void air_dampers(struct air_unit *a, tenths outdoor)
{
    int fresh;

    switch (a->state)
    {
    case AIR_STOP:
        fresh = 0;
        break;
    case AIR_PURGE:
        fresh = FULL;
        break;
    case AIR_HIGH:
        fresh = outdoor < 0 ? 40 : 80;
        break;
    default:
        fresh = 30;
        break;
    }
    if (a->frost_trip && a->state != AIR_PURGE)
        fresh = smaller(fresh, 10);
    a->fresh_damper = (byte)fresh;
    a->return_damper = (byte)(FULL - fresh);
}

static void run_air(struct plant *p)
{
    struct air_unit *a = &p->air;
    int mixed;

    a->state = air_wanted(p);
    air_dampers(a, p->in.outdoor);
    mixed = (p->in.outdoor * a->fresh_damper + 210 * a->return_damper) / FULL;

    if (mixed < 50)
        a->frost_trip = 1;
    else if (mixed > 80)
        a->frost_trip = 0;

    switch (a->state)
    {
    case AIR_STOP:
        a->fan = 0;
        break;
    case AIR_LOW:
        a->fan = 40;
        break;
    case AIR_HIGH:
        a->fan = a->frost_trip ? 40 : 80;
        break;
    case AIR_PURGE:
        a->fan = FULL;
        break;
    }
    if (a->fan > 50)
        a->filter_wear = saturating_inc(a->filter_wear, FULL);
    a->supply = (tenths)clamp(larger(mixed, 160), 160, 260);
}

static void check_air(const struct plant *p)
{
    const struct air_unit *a = &p->air;

    assert(a->fresh_damper + a->return_damper == FULL);
    assert((a->fan == 0) == (a->state == AIR_STOP));
    assert(a->supply >= 160 && a->supply <= 260);
    assert(a->filter_wear <= FULL);
    if (p->fire.state == FIRE_ALARM)
        assert(a->state == AIR_PURGE && a->fan == FULL && a->fresh_damper == FULL);
    if (a->state == AIR_LOW)
        assert(a->fan == 40 && a->fresh_damper <= 30);
    if (a->frost_trip && a->state == AIR_HIGH)
        assert(a->fan <= 40);
}

/* ------------------------------------------------------------------ */
/* Hot water tank                                                     */
/* ------------------------------------------------------------------ */

static tenths tank_mean(const struct tank *t)
{
    int i;
    int sum = 0;
    for (i = 0; i < LAYERS; i++)
        sum += t->layer[i];
    return (tenths)(sum / LAYERS);
}

/* Warm water rises: the layers are put back in order. */
static void tank_settle(struct tank *t)
{
    int i, j;
    for (i = 1; i < LAYERS; i++)
    {
        tenths x = t->layer[i];
        for (j = i; j > 0 && t->layer[j - 1] < x; j--)
            t->layer[j] = t->layer[j - 1];
        t->layer[j] = x;
    }
}

static void tank_draw(struct tank *t, int users)
{
    int i;
    if (users > 3)
    {
        /* a whole layer is drawn from the top, cold water comes below */
        for (i = 0; i < LAYERS - 1; i++)
            t->layer[i] = t->layer[i + 1];
        t->layer[LAYERS - 1] = TANK_COLD;
    }
    else
    {
        t->layer[LAYERS - 1] = (tenths)larger(TANK_COLD, t->layer[LAYERS - 1] - 15 * users);
    }
}

static void tank_heat(struct tank *t, int from, int amount)
{
    int i;
    for (i = from; i < LAYERS; i++)
        t->layer[i] = (tenths)smaller(t->layer[i] + amount, TANK_SCALD);
}

static void run_tank(struct plant *p)
{
    struct tank *t = &p->tank;
    int target = TANK_HOT;

    tank_draw(t, bits_in(p->in.presence));

    /* once in a while everything is heated against germs */
    if (t->hygiene_left > 0)
    {
        t->hygiene_left--;
        target = TANK_HOT + 60;
        if (t->hygiene_left == 0)
            t->hygiene_age = 0;
    }
    else
    {
        t->hygiene_age = saturating_inc(t->hygiene_age, 100);
        if (t->hygiene_age == 100)
            t->hygiene_left = 2;
    }

    t->solar_pump = p->in.daylight > BRIGHT_LIMIT && t->layer[LAYERS - 1] < TANK_HOT;
    if (t->solar_pump)
        tank_heat(t, LAYERS / 2, 40);
    if (p->boiler.state == BOILER_RUN && t->charge > 0)
        tank_heat(t, 0, 20 + t->charge / 2);
    tank_settle(t);

    t->scald_cut = t->layer[0] >= TANK_SCALD;
    if (t->scald_cut)
        t->charge = 0;
    else
        t->charge = (byte)clamp((target - tank_mean(t)) / 2, 0, FULL);
}

static void check_tank(const struct plant *p)
{
    const struct tank *t = &p->tank;
    int i;

    for (i = 0; i < LAYERS; i++)
    {
        assert(t->layer[i] >= TANK_COLD && t->layer[i] <= TANK_SCALD);
        if (i > 0)
            assert(t->layer[i - 1] >= t->layer[i]);
    }
    assert(t->charge <= FULL);
    assert(!t->scald_cut || t->charge == 0);
    assert(t->hygiene_left == 0 || t->hygiene_age == 100);
    assert(tank_mean(t) <= t->layer[0] && tank_mean(t) >= t->layer[LAYERS - 1]);
    if (t->layer[0] < TANK_HOT)
        assert(!t->scald_cut);
    if (tank_mean(t) < TANK_HOT - 10)
        assert(t->charge > 0 || t->scald_cut);
}

/* ------------------------------------------------------------------ */
/* Fire panel                                                         */
/* ------------------------------------------------------------------ */

static void fire_raise(struct plant *p)
{
    struct fire_panel *f = &p->fire;

    f->state = FIRE_ALARM;
    f->siren = 1;
    f->smoke_extract = 1;
    f->gas_cut = 1;
    log_event(p, EV_FIRE, SEV_ALARM, f->latched);
}

static void fire_clear(struct fire_panel *f)
{
    f->state = FIRE_QUIET;
    f->siren = 0;
    f->smoke_extract = 0;
    f->gas_cut = 0;
    f->latched = 0;
    f->prealarm_age = 0;
}

static void run_fire(struct plant *p)
{
    struct fire_panel *f = &p->fire;

    f->votes = (byte)bits_in(p->in.smoke);
    f->latched |= p->in.smoke;

    switch (f->state)
    {
    case FIRE_QUIET:
        if (f->votes >= 2)
        {
            fire_raise(p);
        }
        else if (f->votes == 1)
        {
            f->state = FIRE_PREALARM;
            f->prealarm_age = 1;
        }
        break;
    case FIRE_PREALARM:
        if (f->votes >= 2)
        {
            fire_raise(p);
        }
        else if (f->votes == 0)
        {
            fire_clear(f);
        }
        else
        {
            f->prealarm_age++;
            if (f->prealarm_age > 2)
                fire_raise(p);
        }
        break;
    case FIRE_SILENCED:
        if (f->votes >= 2)
        {
            fire_raise(p);
            break;
        }
        if (f->votes == 0)
            fire_clear(f);
        break;
    case FIRE_ALARM:
        break;
    }
}

/* The operator silences the siren; the rest of the alarm remains. */
static _Bool fire_silence(struct fire_panel *f)
{
    if (f->state != FIRE_ALARM)
        return 0;
    if (f->votes >= 2)
        return 0;
    f->state = FIRE_SILENCED;
    f->siren = 0;
    return 1;
}

static void check_fire(const struct plant *p)
{
    const struct fire_panel *f = &p->fire;

    assert(f->votes <= DETECTORS);
    if (f->votes >= 2)
        assert(f->state == FIRE_ALARM);
    assert(f->siren == (f->state == FIRE_ALARM));
    assert(f->gas_cut == f->smoke_extract);
    if (f->state == FIRE_QUIET)
        assert(!f->gas_cut && f->latched == 0 && p->in.smoke == 0);
    if (f->state == FIRE_PREALARM)
        assert(f->votes == 1 && f->prealarm_age >= 1 && f->prealarm_age <= 2);
    if (f->state == FIRE_ALARM)
        assert(f->gas_cut && log_contains(&p->log, EV_FIRE) + (int)(p->log.total / LOG_SIZE) > 0);
}

/* ------------------------------------------------------------------ */
/* Doors                                                              */
/* ------------------------------------------------------------------ */

static _Bool badge_opens(short badge, int which, const struct clock *c)
{
    if (badge == MASTER_BADGE)
        return 1;
    if (badge < 1000)
        return 0;
    /* the first digit tells the door, odd ones are for working time */
    if (badge / 1000 != which + 1)
        return 0;
    return badge % 2 == 0 || is_working_time(c);
}

static void door_step(struct plant *p, int which, _Bool contact)
{
    struct door *d = &p->door[which];
    short badge = p->in.badge;

    switch (d->state)
    {
    case DOOR_LOCKED:
        if (contact)
        {
            d->state = DOOR_FORCED;
            log_event(p, EV_DOOR_FORCED, SEV_ALARM, which);
            break;
        }
        if (badge == 0)
            break;
        if (badge_opens(badge, which, &p->clock))
        {
            d->state = DOOR_RELEASED;
            d->open_for = 0;
            d->wrong_badges = 0;
        }
        else
        {
            d->wrong_badges = saturating_inc(d->wrong_badges, 5);
        }
        break;
    case DOOR_RELEASED:
        if (contact)
            d->state = DOOR_OPENED;
        else
            d->state = DOOR_LOCKED;
        break;
    case DOOR_OPENED:
        if (!contact)
        {
            d->state = DOOR_LOCKED;
            d->open_for = 0;
            break;
        }
        d->open_for = saturating_inc(d->open_for, 100);
        if (d->open_for > DOOR_PATIENCE)
            log_event(p, EV_DOOR_FORCED, SEV_WARNING, which);
        break;
    case DOOR_FORCED:
        if (!contact && badge == MASTER_BADGE)
            d->state = DOOR_LOCKED;
        break;
    }

    d->escape_release = p->fire.state == FIRE_ALARM;
    if (d->escape_release && d->state == DOOR_LOCKED)
        d->state = DOOR_RELEASED;
}

static void run_doors(struct plant *p)
{
    /* the hall has the first door, the workshop the second */
    door_step(p, 0, bit_of(p->in.presence, 0) && p->in.badge != 0);
    door_step(p, 1, bit_of(p->in.presence, 5) && p->in.wind < 20);
}

static void check_doors(const struct plant *p)
{
    int i;
    for (i = 0; i < DOORS; i++)
    {
        const struct door *d = &p->door[i];
        assert(d->wrong_badges <= 5);
        if (p->fire.state == FIRE_ALARM)
            assert(d->state != DOOR_LOCKED && d->escape_release);
        else
            assert(!d->escape_release);
        if (d->state == DOOR_LOCKED || d->state == DOOR_RELEASED)
            assert(d->open_for == 0);
        if (d->state == DOOR_RELEASED && !d->escape_release)
            assert(p->in.badge == MASTER_BADGE || p->in.badge / 1000 == i + 1);
        if (d->state == DOOR_RELEASED && !d->escape_release && is_weekend(&p->clock))
            assert(p->in.badge == MASTER_BADGE || p->in.badge % 2 == 0);
    }
}

/* ------------------------------------------------------------------ */
/* Electricity                                                        */
/* ------------------------------------------------------------------ */

static enum tariff tariff_of(const struct clock *c)
{
    int h = hour_of(c);

    if (h < 6 || h >= 22)
        return TARIFF_NIGHT;
    if (!is_weekend(c) && (h == 11 || h == 12 || h == 18))
        return TARIFF_PEAK;
    return TARIFF_DAY;
}

static void supply_step(struct plant *p)
{
    struct electricity *e = &p->power;
    enum supply_state old = e->supply;

    switch (e->supply)
    {
    case SUPPLY_MAINS:
        if (!p->in.mains)
        {
            e->supply = SUPPLY_BATTERY;
            e->transfer_delay = 1;
        }
        break;
    case SUPPLY_BATTERY:
        if (p->in.mains)
        {
            e->supply = SUPPLY_MAINS;
            break;
        }
        if (e->transfer_delay > 0)
            e->transfer_delay--;
        if (e->transfer_delay == 0 && e->fuel > 0)
            e->supply = SUPPLY_GENERATOR;
        else if (e->battery == 0)
            e->supply = SUPPLY_BLACKOUT;
        break;
    case SUPPLY_GENERATOR:
        if (p->in.mains)
            e->supply = SUPPLY_MAINS;
        else if (e->fuel == 0)
            e->supply = e->battery > 0 ? SUPPLY_BATTERY : SUPPLY_BLACKOUT;
        break;
    case SUPPLY_BLACKOUT:
        if (p->in.mains)
            e->supply = SUPPLY_MAINS;
        break;
    }

    switch (e->supply)
    {
    case SUPPLY_MAINS:
        e->battery = (byte)smaller(e->battery + 10, FULL);
        break;
    case SUPPLY_BATTERY:
        e->battery = (byte)larger(e->battery - 25, 0);
        break;
    case SUPPLY_GENERATOR:
        e->fuel = down_count(e->fuel);
        break;
    case SUPPLY_BLACKOUT:
        break;
    }
    if (e->supply != old)
        log_event(p, EV_SUPPLY, e->supply == SUPPLY_MAINS ? SEV_INFO : SEV_WARNING, e->supply);
}

static int supply_capacity(const struct electricity *e)
{
    switch (e->supply)
    {
    case SUPPLY_MAINS:
        return e->tariff == TARIFF_PEAK ? SUPPLY_LIMIT - 2 * PEAK_MARGIN : SUPPLY_LIMIT;
    case SUPPLY_GENERATOR:
        return SUPPLY_LIMIT / 2;
    case SUPPLY_BATTERY:
        return SUPPLY_LIMIT / 6;
    default:
        return 0;
    }
}

static int loads_power(const struct electricity *e)
{
    int i;
    int sum = 0;
    for (i = 0; i < LOADS; i++)
    {
        if (e->load[i].on)
            sum += e->load[i].power;
    }
    return sum;
}

/*
 * The loads are shed from the least important (greatest number) on,
 * until the rest fits.  Loads of priority 0 stay.
 */
static int shed(struct electricity *e, int capacity)
{
    int level;
    int dropped = 0;

    for (level = 3; level > 0; level--)
    {
        int i;
        for (i = 0; i < LOADS; i++)
        {
            struct load *l = &e->load[i];
            if (loads_power(e) <= capacity)
                goto fits;
            if (l->on && l->priority == level)
            {
                l->on = 0;
                dropped++;
            }
        }
    }
fits:
    return dropped;
}

static void run_electricity(struct plant *p)
{
    struct electricity *e = &p->power;
    int capacity;
    int rest;
    int i;

    e->tariff = tariff_of(&p->clock);
    supply_step(p);
    capacity = supply_capacity(e);

    e->load[0].power = 5;
    e->load[1].power = (short)(p->chiller.capacity / 4);
    e->load[2].power = (short)(p->air.fan / 5);
    e->load[3].power = (short)(pumps_running(&p->pumps) * 4);
    e->load[4].power = (short)(p->corridor.level / 10 + p->office.level / 10);
    for (i = 0; i < LOADS; i++)
        e->load[i].on = 1;
    if (shed(e, capacity) > 0)
        log_event(p, EV_SHED, SEV_WARNING, capacity);

    /* what remains is granted to the tenants */
    rest = capacity - loads_power(e);
    e->demand = p->in.demand;
    e->granted = clamp(e->demand, 0, larger(rest, 0));
    e->energy += (e->granted + loads_power(e) + 2) / 4;
}

static void check_electricity(const struct plant *p)
{
    const struct electricity *e = &p->power;
    int capacity = supply_capacity(e);
    int i, j;

    assert(e->granted >= 0 && e->granted <= e->demand);
    assert(e->battery <= FULL);
    assert((e->supply == SUPPLY_MAINS) == p->in.mains);
    assert(e->load[0].on);
    if (capacity > 0)
        assert(e->granted + loads_power(e) <= capacity);
    if (e->granted < e->demand && capacity > 0)
        assert(e->granted + loads_power(e) == capacity);
    for (i = 0; i < LOADS; i++)
        for (j = 0; j < LOADS; j++)
            if (!e->load[i].on && e->load[j].on)
                assert(e->load[i].priority >= e->load[j].priority);
    if (e->tariff == TARIFF_PEAK)
        assert(!is_weekend(&p->clock) && capacity <= SUPPLY_LIMIT - 2 * PEAK_MARGIN);
    assert(e->energy >= 0 && e->energy <= (long)CYCLES * (SUPPLY_LIMIT / 4 + 1));
}

/* ------------------------------------------------------------------ */
/* Water                                                              */
/* ------------------------------------------------------------------ */

static void run_water(struct plant *p)
{
    struct water *w = &p->water;
    int inflow = 0;
    int i;

    for (i = 0; i < LEAK_POINTS; i++)
    {
        if (!bit_of(p->in.leaks, i))
        {
            w->leak_count[i] = 0;
            continue;
        }
        w->leak_count[i] = saturating_inc(w->leak_count[i], 50);
        inflow += 10;
        if (w->leak_count[i] == 2)
        {
            w->main_valve = 0;
            log_event(p, EV_LEAK, SEV_ALARM, i);
        }
    }

    if (w->sump_pump)
        w->sump = (byte)larger(w->sump - 30, 0);
    w->sump = (byte)smaller(w->sump + inflow, FULL);
    if (w->sump > 50)
        w->sump_pump = 1;
    else if (w->sump <= 10)
        w->sump_pump = 0;

    if (w->irrigation)
        w->rain_tank = (byte)larger(w->rain_tank - 20, 0);
    else if (p->in.daylight < DARK_LIMIT && p->in.outdoor > 0)
        w->rain_tank = (byte)smaller(w->rain_tank + 5, FULL);
    w->irrigation = w->rain_tank >= 20 && p->in.outdoor > 150 && hour_of(&p->clock) < 6;
}

static void check_water(const struct plant *p)
{
    const struct water *w = &p->water;
    int i;

    assert(w->sump <= FULL && w->rain_tank <= FULL);
    assert(w->sump < 50 || w->sump_pump);
    assert(w->sump > 10 || !w->sump_pump);
    for (i = 0; i < LEAK_POINTS; i++)
    {
        if (w->leak_count[i] >= 2)
            assert(!w->main_valve);
        assert((w->leak_count[i] > 0) == bit_of(p->in.leaks, i));
    }
    if (w->irrigation)
        assert(w->rain_tank >= 20 && p->in.outdoor > 0);
}

/* ------------------------------------------------------------------ */
/* Lighting                                                           */
/* ------------------------------------------------------------------ */

static byte daylight_complement(short daylight)
{
    if (daylight >= BRIGHT_LIMIT)
        return 0;
    if (daylight <= DARK_LIMIT)
        return FULL;
    return (byte)((BRIGHT_LIMIT - daylight) / 5);
}

static void light_step(struct light_group *g, _Bool present, const struct plant *p)
{
    if (p->fire.state == FIRE_ALARM || p->power.supply == SUPPLY_BLACKOUT)
    {
        g->scene = SCENE_EMERGENCY;
    }
    else if (is_cleaning_time(&p->clock))
    {
        g->scene = SCENE_CLEANING;
        g->delay = 0;
    }
    else if (present)
    {
        g->scene = SCENE_WORK;
        g->delay = 2;
    }
    else if (g->delay > 0)
    {
        g->delay--;
    }
    else
    {
        g->scene = SCENE_DARK;
    }

    switch (g->scene)
    {
    case SCENE_EMERGENCY:
        g->level = 60;
        break;
    case SCENE_CLEANING:
        g->level = FULL;
        break;
    case SCENE_WORK:
        g->level = daylight_complement(p->in.daylight);
        break;
    case SCENE_DARK:
        g->level = 0;
        break;
    }
}

static void run_lights(struct plant *p)
{
    light_step(&p->corridor, p->in.presence != 0, p);
    light_step(&p->office, bit_of(p->in.presence, 1) || bit_of(p->in.presence, 2), p);
}

static void check_lights(const struct plant *p)
{
    const struct light_group *c = &p->corridor;
    const struct light_group *o = &p->office;

    assert(c->level <= FULL && o->level <= FULL);
    if (p->fire.state == FIRE_ALARM)
        assert(c->level == 60 && o->level == 60);
    if (p->in.presence != 0 && p->in.daylight <= DARK_LIMIT)
        assert(c->level >= 60);
    if (o->scene == SCENE_WORK && p->in.daylight >= BRIGHT_LIMIT)
        assert(o->level == 0);
    if (c->scene == SCENE_DARK)
        assert(p->in.presence == 0 && c->level == 0);
    if (o->scene == SCENE_CLEANING)
        assert(c->scene == SCENE_CLEANING && hour_of(&p->clock) <= 20);
}

/* ------------------------------------------------------------------ */
/* Blinds                                                             */
/* ------------------------------------------------------------------ */

static _Bool side_wants_shade(const struct plant *p, int side)
{
    int i;
    if (p->in.daylight < BRIGHT_LIMIT)
        return 0;
    for (i = 0; i < ROOMS; i++)
    {
        if (room_side[i] != side)
            continue;
        if (p->room[i].temperature > p->room[i].setpoint)
            return 1;
    }
    return 0;
}

static void run_blinds(struct plant *p)
{
    int side;
    for (side = 0; side < BLINDS; side++)
    {
        struct blind *b = &p->blind[side];
        int target = b->position;

        if (p->in.wind > WIND_LIMIT)
            b->wind_lock = 1;
        else if (p->in.wind < WIND_LIMIT - 30)
            b->wind_lock = 0;

        if (b->wind_lock || p->fire.state == FIRE_ALARM)
        {
            b->position = 0;
            b->slat = 0;
            continue;
        }
        if (side_wants_shade(p, side))
            target = FULL;
        else if (p->in.daylight < DARK_LIMIT)
            target = 0;
        b->position = stroke(b->position, target, 50);
        if (b->position == 0)
            b->slat = 0;
        else
            b->slat = slat_of_band[clamp(p->in.daylight / 250, 0, 3)];
    }
}

static void check_blinds(const struct plant *p)
{
    int side;
    for (side = 0; side < BLINDS; side++)
    {
        const struct blind *b = p->blind + side;
        assert(b->position <= FULL && b->slat <= 90);
        assert(!b->wind_lock || b->position == 0);
        if (p->in.wind > WIND_LIMIT)
            assert(b->position == 0);
        if (b->position == 0)
            assert(b->slat == 0);
    }
}

/* ------------------------------------------------------------------ */
/* Cold room                                                          */
/* ------------------------------------------------------------------ */

static void run_cold_room(struct plant *p)
{
    struct cold_room *c = &p->cold;
    int t = c->temperature;

    /* canteen staff open the door */
    t += bit_of(p->in.presence, 3) ? 6 : 2;
    if (c->state == COLD_COMPRESS)
        t -= 12;
    if (c->state == COLD_DEFROST)
        t += 4;
    c->temperature = (tenths)clamp(t, 0, 300);

    switch (c->state)
    {
    case COLD_HOLD:
        if (c->temperature > COLD_SET + 10)
            c->state = COLD_COMPRESS;
        break;
    case COLD_COMPRESS:
        c->frost_on_coil = saturating_inc(c->frost_on_coil, 20);
        if (c->frost_on_coil >= 10)
        {
            c->state = COLD_DEFROST;
            c->timer = 2;
            break;
        }
        if (c->temperature < COLD_SET - 10)
            c->state = COLD_HOLD;
        break;
    case COLD_DEFROST:
        c->timer = down_count(c->timer);
        if (c->timer > 0)
            break;
        c->frost_on_coil = 0;
        c->state = COLD_DRIP;
        c->timer = 1;
        break;
    case COLD_DRIP:
        c->timer = down_count(c->timer);
        if (c->timer == 0)
            c->state = COLD_HOLD;
        break;
    }
    if (p->power.supply == SUPPLY_BLACKOUT && c->state == COLD_COMPRESS)
        c->state = COLD_HOLD;

    if (c->temperature > COLD_ALARM)
    {
        if (!c->alarm)
            log_event(p, EV_COLD_ROOM, SEV_ALARM, c->state);
        c->alarm = 1;
    }
    else if (c->temperature < COLD_ALARM - 20)
    {
        c->alarm = 0;
    }
}

static void check_cold_room(const struct plant *p)
{
    const struct cold_room *c = &p->cold;

    assert(c->temperature >= 0 && c->temperature <= 300);
    assert(c->frost_on_coil <= 20);
    assert(c->state == COLD_DEFROST || c->frost_on_coil < 10);
    assert(c->temperature <= COLD_ALARM || c->alarm);
    assert(c->temperature >= COLD_ALARM - 20 || !c->alarm);
    if (c->state == COLD_DEFROST)
        assert(c->timer >= 1 && c->timer <= 2);
    if (c->state == COLD_DRIP)
        assert(c->timer == 1);
}

/* ------------------------------------------------------------------ */
/* Car park                                                           */
/* ------------------------------------------------------------------ */

static void park_enter(struct car_park *k)
{
    if (k->inside >= PARK_PLACES)
    {
        k->refused++;
        return;
    }
    k->inside++;
    k->barrier_up = 1;
}

static void park_leave(struct car_park *k)
{
    if (k->inside == 0)
        return;
    k->inside--;
    k->barrier_up = 1;
}

static void run_car_park(struct plant *p)
{
    struct car_park *k = &p->park;
    int arrivals = p->in.badge % 4;
    int departures = p->in.badge / 100 % 3;
    int co;

    k->barrier_up = 0;
    while (departures-- > 0)
        park_leave(k);
    for (; arrivals > 0; arrivals--)
        park_enter(k);

    co = k->co + (k->barrier_up ? 25 : 0) - k->fan_stage * 20;
    k->co = (byte)clamp(co, 0, 200);

    if (k->co > CO_LIMIT * 2)
        k->fan_stage = 3;
    else if (k->co > CO_LIMIT)
        k->fan_stage = 2;
    else if (k->co > CO_LIMIT / 2)
        k->fan_stage = 1;
    else
        k->fan_stage = 0;

    if (p->fire.state == FIRE_ALARM)
    {
        k->barrier_up = 1;
        k->fan_stage = 3;
    }
}

static void check_car_park(const struct plant *p)
{
    const struct car_park *k = &p->park;

    assert(k->inside >= 0 && k->inside <= PARK_PLACES);
    assert(k->refused >= 0);
    assert(k->fan_stage <= 3 && k->co <= 200);
    if (k->co > CO_LIMIT)
        assert(k->fan_stage >= 2);
    if (p->fire.state == FIRE_ALARM)
        assert(k->barrier_up);
    if (p->in.badge == 0 && p->fire.state != FIRE_ALARM)
        assert(!k->barrier_up);
}

/* ------------------------------------------------------------------ */
/* Operator commands                                                  */
/* ------------------------------------------------------------------ */

enum command
{
    CMD_NOTHING,
    CMD_BOOST,
    CMD_BOILER_RESET,
    CMD_SILENCE,
    CMD_PUMP_FAULT,
    CMD_PUMP_REPAIRED,
    CMD_WATER_OPEN,
    CMD_LOG_CLEAR
};

static void log_clear(struct event_log *log)
{
    int i;
    for (i = 0; i < LOG_SIZE; i++)
    {
        log->entry[i].code = EV_NONE;
        log->entry[i].severity = SEV_INFO;
        log->entry[i].where = 0;
        log->entry[i].stamp = 0;
    }
    log->next = 0;
    log->used = 0;
    log->total = 0;
    for (i = 0; i <= SEV_ALARM; i++)
        log->by_severity[i] = 0;
}

static _Bool cmd_boost(struct plant *p, int where)
{
    if (where >= ROOMS)
        return 0;
    if (p->room[where].boost_left > 0)
        return 0;
    p->room[where].boost_left = 4;
    return 1;
}

static _Bool cmd_boiler_reset(struct plant *p)
{
    if (p->boiler.state != BOILER_LOCKOUT)
        return 0;
    boiler_to_off(&p->boiler);
    p->boiler.tries = 0;
    return 1;
}

static _Bool cmd_pump_repaired(struct plant *p, int where)
{
    struct pump *u;

    if (where >= PUMPS)
        return 0;
    u = &p->pumps.unit[where];
    if (u->state != PUMP_FAILED)
        return 0;
    u->state = PUMP_STOPPED;
    return 1;
}

static _Bool cmd_water_open(struct plant *p)
{
    int i;
    for (i = 0; i < LEAK_POINTS; i++)
    {
        if (p->water.leak_count[i] > 0)
            return 0;
    }
    p->water.main_valve = 1;
    return 1;
}

/* No lockout, alarm or fire may be forgotten by clearing the log. */
static _Bool cmd_log_clear(struct plant *p)
{
    if (p->boiler.state == BOILER_LOCKOUT || p->fire.state == FIRE_ALARM)
        return 0;
    if (p->cold.alarm)
        return 0;
    log_clear(&p->log);
    return 1;
}

static void run_command(struct plant *p)
{
    int what = p->in.command >> 4;
    int where = p->in.command & 15;
    _Bool done = 0;

    switch (what)
    {
    case CMD_NOTHING:
        return;
    case CMD_BOOST:
        done = cmd_boost(p, where);
        break;
    case CMD_BOILER_RESET:
        done = cmd_boiler_reset(p);
        break;
    case CMD_SILENCE:
        done = fire_silence(&p->fire);
        break;
    case CMD_PUMP_FAULT:
        if (where < PUMPS)
        {
            pump_fault(p, where);
            done = 1;
        }
        break;
    case CMD_PUMP_REPAIRED:
        done = cmd_pump_repaired(p, where);
        break;
    case CMD_WATER_OPEN:
        done = cmd_water_open(p);
        break;
    case CMD_LOG_CLEAR:
        done = cmd_log_clear(p);
        break;
    default:
        break;
    }
    if (!done)
        p->command_errors = saturating_inc(p->command_errors, 99);
    else
        log_event(p, EV_COMMAND, SEV_INFO, what);
}

/* ------------------------------------------------------------------ */
/* Status word                                                        */
/* ------------------------------------------------------------------ */

/*
 * bits 0-2   boiler            bits 3-4   chiller
 * bits 5-6   pumps running     bits 7-8   air
 * bits 9-10  fire              bits 11-12 supply
 * bit  13    main water valve  bits 14-15 cold room
 * bits 16-22 tank charge       bits 23-28 rooms occupied
 * bit  31    parity of all the others
 */
static unsigned parity_of(unsigned w)
{
    unsigned parity = 0;
    int i;
    for (i = 0; i < 8; i++)
    {
        parity ^= nibble_parity[w & 15u];
        w >>= 4;
    }
    return parity;
}

static unsigned pack_status(const struct plant *p)
{
    unsigned w = 0;
    int i;

    w |= (unsigned)p->boiler.state;
    w |= (unsigned)p->chiller.state << 3;
    w |= (unsigned)pumps_running(&p->pumps) << 5;
    w |= (unsigned)p->air.state << 7;
    w |= (unsigned)p->fire.state << 9;
    w |= (unsigned)p->power.supply << 11;
    if (p->water.main_valve)
        w |= 1u << 13;
    w |= (unsigned)p->cold.state << 14;
    w |= (unsigned)p->tank.charge << 16;
    for (i = 0; i < ROOMS; i++)
    {
        if (p->room[i].occupied)
            w |= 1u << (23 + i);
    }
    w |= parity_of(w) << 31;
    return w;
}

static void check_status(const struct plant *p)
{
    unsigned w = p->status_word;

    assert(parity_of(w) == 0);
    assert((w & 7u) == (unsigned)p->boiler.state);
    assert(((w >> 3) & 3u) == (unsigned)p->chiller.state);
    assert(((w >> 9) & 3u) == (unsigned)p->fire.state);
    assert(((w >> 11) & 3u) == (unsigned)p->power.supply);
    assert(((w >> 16) & 127u) == p->tank.charge);
    assert(((w >> 23) & 63u) == p->in.presence);
}

/* ------------------------------------------------------------------ */
/* Reports                                                            */
/* ------------------------------------------------------------------ */

static const char *boiler_text(enum boiler_state s)
{
    switch (s)
    {
    case BOILER_OFF:
        return "off";
    case BOILER_PURGE:
        return "purging";
    case BOILER_IGNITE:
        return "igniting";
    case BOILER_RUN:
        return "running";
    case BOILER_LOCKOUT:
        return "locked out";
    }
    return "?";
}

static const char *event_text(enum event_code code)
{
    static const char *const text[] = {
        "nothing",
        "boiler locked out",
        "pump failed",
        "fire",
        "door",
        "leak",
        "supply changed",
        "loads shed",
        "cold room too warm",
        "frost in a room",
        "command"
    };
    return text[code];
}

static void report_rooms(const struct plant *p)
{
    int i;
    for (i = 0; i < ROOMS; i++)
    {
        const struct room *r = &p->room[i];
        printf("%s: %d (wanted %d) heat %d cool %d%s\n",
               r->name, r->temperature, r->setpoint,
               r->heat_valve, r->cool_valve,
               r->occupied ? " occupied" : "");
    }
}

static void report_plant(const struct plant *p)
{
    printf("boiler %s, flow %d\n", boiler_text(p->boiler.state), p->boiler.flow);
    printf("chiller %d%%\n", p->chiller.capacity);
    printf("pumps %d of %d\n", pumps_running(&p->pumps), pumps_available(&p->pumps));
    printf("tank %d\n", tank_mean(&p->tank));
    printf("granted %d of %d\n", p->power.granted, p->power.demand);
    printf("%ld\n", p->power.energy);
    printf("%u\n", p->status_word);
}

static void report_log(const struct event_log *log)
{
    int i;
    int at = log->next;
    for (i = 0; i < log->used; i++)
    {
        const struct log_entry *e;
        at = at == 0 ? LOG_SIZE - 1 : at - 1;
        e = &log->entry[at];
        printf("%d: %s (%d)\n", (int)e->stamp, event_text(e->code), (int)e->where);
    }
}

/* ------------------------------------------------------------------ */
/* Start                                                              */
/* ------------------------------------------------------------------ */

static void init_rooms(struct plant *p, tenths base)
{
    int i;
    for (i = 0; i < ROOMS; i++)
    {
        struct room *r = &p->room[i];
        r->name = room_names[i];
        r->mode = ROOM_ECONOMY;
        r->temperature = (tenths)clamp(base + 5 * i, ROOM_MIN, ROOM_MAX);
        r->setpoint = room_setpoint(ROOM_ECONOMY);
        r->vacant_for = (byte)(i + 1);
    }
}

static void init_machines(struct plant *p, tenths water)
{
    int i;

    p->boiler.state = BOILER_OFF;
    p->boiler.flow = FLOW_MIN;
    p->chiller.state = CHILLER_IDLE;
    for (i = 0; i < PUMPS; i++)
    {
        p->pumps.unit[i].state = PUMP_STOPPED;
        p->pumps.unit[i].hours = (unsigned)(10 * i + 5);
    }
    p->pumps.lead = 0;
    p->air.return_damper = FULL;
    p->air.supply = 180;
    for (i = 0; i < LAYERS; i++)
        p->tank.layer[i] = (tenths)(water - 30 * i);
    p->tank.hygiene_age = 99;
    p->water.main_valve = 1;
    p->water.sump = 20;
    p->water.rain_tank = 40;
    p->cold.state = COLD_HOLD;
    p->cold.frost_on_coil = 8;
    p->park.inside = PARK_PLACES - 2;
}

static void init_electricity(struct electricity *e)
{
    static const struct load initial[LOADS] = {
        { "controls", 0, 5, 1 },
        { "chiller", 3, 0, 1 },
        { "fans", 2, 0, 1 },
        { "pumps", 1, 0, 1 },
        { "lights", 2, 0, 1 }
    };
    int i;

    for (i = 0; i < LOADS; i++)
        e->load[i] = initial[i];
    e->supply = SUPPLY_MAINS;
    e->tariff = TARIFF_DAY;
    e->battery = 20;
    e->fuel = 1;
}

static void init_plant(struct plant *p)
{
    tenths base, water;

    p->clock.weekday = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(p->clock.weekday < 7);
    p->clock.quarter = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(p->clock.quarter < QUARTERS_A_DAY);
    base = __VERIFIER_nondet_short();
    __VERIFIER_assume(base >= 60 && base <= 300);
    water = __VERIFIER_nondet_short();
    __VERIFIER_assume(water >= 300 && water <= TANK_SCALD);

    log_clear(&p->log);
    init_rooms(p, base);
    init_machines(p, water);
    p->cold.temperature = (tenths)(base / 3);
    init_electricity(&p->power);
}

/* ------------------------------------------------------------------ */
/* One cycle                                                          */
/* ------------------------------------------------------------------ */

static void run_cycle(struct plant *p)
{
    read_field(&p->in);
    clock_tick(&p->clock);
    run_command(p);
    run_fire(p);
    run_rooms(p);
    run_tank(p);
    run_boiler(p);
    run_chiller(p);
    run_pumps(p);
    run_air(p);
    run_doors(p);
    run_lights(p);
    run_electricity(p);
    run_blinds(p);
    run_water(p);
    run_cold_room(p);
    run_car_park(p);
    p->status_word = pack_status(p);
}

static void check_plant(const struct plant *p)
{
    check_rooms(p);
    check_boiler(p);
    check_chiller(p);
    check_pumps(p);
    check_air(p);
    check_tank(p);
    check_fire(p);
    check_doors(p);
    check_electricity(p);
    check_water(p);
    check_lights(p);
    check_blinds(p);
    check_cold_room(p);
    check_car_park(p);
    check_log(&p->log);
    check_status(p);
}

int main(void)
{
    int cycle;

    init_plant(&plant);
    for (cycle = 0; cycle < CYCLES; cycle++)
    {
        struct clock before = plant.clock;
        run_cycle(&plant);
        check_clock(&plant.clock, &before);
        check_plant(&plant);
    }
    report_rooms(&plant);
    report_plant(&plant);
    report_log(&plant.log);
    return 0;
}
