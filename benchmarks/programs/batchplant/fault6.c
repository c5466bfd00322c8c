/*
 * Controller of a batch plant: one stirred and jacketed vessel with two
 * inlets (water and concentrate), steam and cooling water on the jacket,
 * a discharge line with a pump, and a cleaning line.
 *
 * A batch follows a recipe: a table of steps, each of which is carried out
 * by a phase (fill, dose, heat, mix, cool, discharge).  The unit can be
 * held, resumed and aborted by the operator or by an alarm.  Whatever the
 * phases demand goes through interlocks before it gets to the outputs.
 *
 * The main loop runs every ten seconds; all times are in such cycles.
 * Levels are in litres, temperatures in tenths of a degree, pressures in
 * hundredths of a bar, doses in pulses of the flow meter.
 *
 * After each cycle, check_plant() asserts what has to hold whatever the
 * sensors and the operator do.
 */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_assume(int);

/* ================================================================== */
/* Constants                                                          */
/* ================================================================== */

#define CYCLES              10

/* vessel, litres */
#define LEVEL_EMPTY         40
#define LEVEL_AGITATE_MIN   120
#define LEVEL_HEAT_MIN      180
#define LEVEL_HIHI          900
#define FINE_BAND           80

/* jacket, tenths of a degree */
#define TEMP_HIHI           950
#define TEMP_HYSTERESIS     15
#define TEMP_SAFE_TO_OPEN   400

/* hundredths of a bar */
#define PRESSURE_HIGH       350

/* operator trims */
#define TRIM_STEP           5
#define TRIM_LIMIT          20

/* supervision, cycles */
#define AGITATOR_REST       2
#define RUNBACK_LIMIT       3
#define VALVE_TRAVEL_LIMIT  2
#define HOST_PATIENCE       4
#define WATCHDOG_PATIENCE   2
#define ABORT_COOLING       2
#define DRAIN_DOWN          1
#define SETTLE_TIME         1

#define DOSE_AFTERRUN       2
#define PULSES_MAX          9

#define LOG_SIZE            12
#define TREND_SIZE          4
#define MAX_STEPS           6
#define RECIPES             4
#define CLEAN_STAGES        4

#define ARRAY_LENGTH(a)     (sizeof(a) / sizeof((a)[0]))

/* ================================================================== */
/* Identifiers                                                        */
/* ================================================================== */

enum channel_id {
    CH_LEVEL,
    CH_TEMPERATURE,
    CH_PRESSURE,
    CH_COUNT
};

enum contact_id {
    DI_ESTOP_HEALTHY,
    DI_MANHOLE_SHUT,
    DI_AGITATOR_RUNS,
    DI_INLET_OPEN,
    DI_OUTLET_SHUT,
    DI_MOTOR_COLD,
    DI_STEAM_READY,
    DI_HOST_BEAT,
    DI_COUNT
};

enum actuator {
    ACT_WATER,
    ACT_DOSE,
    ACT_STEAM,
    ACT_COOL,
    ACT_AGITATOR,
    ACT_OUTLET,
    ACT_PUMP,
    ACT_CLEAN,
    ACT_COUNT
};

#define BIT(n)      (1u << (n))

#define WATER       BIT(ACT_WATER)
#define DOSE        BIT(ACT_DOSE)
#define STEAM       BIT(ACT_STEAM)
#define COOL        BIT(ACT_COOL)
#define AGITATOR    BIT(ACT_AGITATOR)
#define OUTLET      BIT(ACT_OUTLET)
#define PUMP        BIT(ACT_PUMP)
#define CLEAN       BIT(ACT_CLEAN)
#define INLETS      (WATER | DOSE | CLEAN)
#define EVERYTHING  0xffu

enum timer_id {
    TM_SETTLE,
    TM_SOAK,
    TM_STIR,
    TM_DRAIN,
    TM_CLEAN,
    TM_ABORT,
    TM_AGITATOR_REST,
    TM_COUNT
};

enum alarm_id {
    AL_ESTOP,
    AL_LEVEL_HIHI,
    AL_TEMP_HIHI,
    AL_PRESSURE_HIGH,
    AL_LEVEL_SENSOR,
    AL_TEMP_SENSOR,
    AL_PRESSURE_SENSOR,
    AL_AGITATOR,
    AL_INLET_VALVE,
    AL_OUTLET_VALVE,
    AL_STEP_TIMEOUT,
    AL_HOST_LOST,
    AL_SERVICE_DUE,
    AL_COUNT
};

enum task_id {
    TASK_INPUTS,
    TASK_ALARMS,
    TASK_COMMANDS,
    TASK_UNIT,
    TASK_OUTPUTS,
    TASK_UPKEEP,
    TASK_COUNT
};

/* ================================================================== */
/* States                                                             */
/* ================================================================== */

enum quality {
    QUALITY_SUSPECT,
    QUALITY_GOOD,
    QUALITY_BAD
};

enum filter {
    FILTER_NONE,
    FILTER_SMOOTH,
    FILTER_MEDIAN
};

enum alarm_state {
    ALARM_NORMAL,
    ALARM_DELAYED,
    ALARM_UNACKED,          /* there, nobody has seen it            */
    ALARM_ACKED,            /* there, seen                          */
    ALARM_RETURNED          /* gone, but nobody has seen it         */
};

enum reaction {
    REACT_TELL,
    REACT_HOLD,
    REACT_ABORT
};

enum alarm_group {
    GROUP_PROCESS,
    GROUP_INSTRUMENTS,
    GROUP_EQUIPMENT,
    GROUP_SYSTEM,
    GROUP_COUNT
};

enum unit_state {
    UNIT_IDLE,
    UNIT_RUNNING,
    UNIT_HELD,
    UNIT_ABORTING,
    UNIT_ABORTED,
    UNIT_COMPLETE,
    UNIT_CLEANING,
    UNIT_DRAINING
};

enum operation {
    OP_FILL,
    OP_DOSE,
    OP_HEAT,
    OP_MIX,
    OP_COOL,
    OP_DISCHARGE,
    OP_COUNT
};

enum fill_state {
    FILL_COARSE,
    FILL_FINE,
    FILL_SETTLE
};

enum heat_state {
    HEAT_RAMP,
    HEAT_SOAK
};

enum mix_state {
    MIX_FORWARD,
    MIX_PAUSE,
    MIX_REVERSE
};

enum discharge_state {
    DISCHARGE_OPEN,
    DISCHARGE_PUMP,
    DISCHARGE_DRAIN,
    DISCHARGE_SHUT
};

enum direction {
    DIRECTION_NONE,
    DIRECTION_FORWARD,
    DIRECTION_REVERSE
};

enum family {
    FAMILY_CLEAN,
    FAMILY_FOOD,
    FAMILY_CHEMICAL
};

enum command {
    CMD_NONE,
    CMD_SELECT,
    CMD_START,
    CMD_HOLD,
    CMD_RESUME,
    CMD_ABORT,
    CMD_RESET,
    CMD_ACKNOWLEDGE,
    CMD_SILENCE,
    CMD_CLEAN,
    CMD_DRAIN,
    CMD_TRIM,
    CMD_SERVICED,
    CMD_COUNT
};

enum event_code {
    EV_NONE,
    EV_POWER_UP,
    EV_ALARM,
    EV_ACKNOWLEDGED,
    EV_BATCH_STARTED,
    EV_STEP_DONE,
    EV_BATCH_COMPLETE,
    EV_BATCH_ABORTED,
    EV_HELD,
    EV_RESUMED,
    EV_CLEANED,
    EV_REFUSED,
    EV_TRIMMED,
    EV_SERVICED,
    EV_WATCHDOG
};

/* ================================================================== */
/* Records                                                            */
/* ================================================================== */

struct frame {              /* what is read in a cycle              */
    uint16_t level_raw;
    uint16_t temperature_raw;
    uint16_t pressure_raw;
    uint8_t pulses;
    uint8_t contacts;
    uint8_t command;
    uint8_t argument;
};

struct channel_def {
    const char *tag;
    int16_t raw_low;        /* a broken wire is below                */
    int16_t raw_high;       /* a short circuit is above              */
    int16_t gain;           /* in 1/256                             */
    int16_t low;
    int16_t high;
    int16_t max_change;     /* in a cycle                           */
    int16_t substitute;
    uint8_t tolerate;       /* wrong samples before it is bad       */
    enum filter filter;
};

struct channel {
    int16_t last;           /* latest sample, engineering units     */
    int16_t history[2];     /* the two before, for the median       */
    int16_t value;          /* what the control uses                */
    uint8_t strikes;
    bool primed;
    enum quality quality;
};

struct contact_def {
    const char *tag;
    uint8_t confirm_on;     /* samples until a 1 is believed        */
    uint8_t confirm_off;
};

struct contact {
    bool state;
    uint8_t against;        /* samples in a row that disagree       */
};

struct timer_def {
    uint8_t limit;
    bool process;           /* stands still while the unit is held  */
};

struct alarm_def {
    const char *text;
    enum alarm_group group;
    uint8_t delay;
    bool latching;
    bool horn;
    enum reaction reaction;
};

struct alarm {
    enum alarm_state state;
    uint8_t wait;
    uint8_t times;
    uint16_t stamp;
};

struct cause_row {
    const char *text;
    bool (*present)(void);
    uint8_t blocks;         /* actuators                            */
};

struct step {
    enum operation operation;
    int16_t target;
    uint8_t duration;
    uint8_t timeout;
};

struct recipe {
    const char *name;
    enum family family;
    uint8_t steps;
    struct step step[MAX_STEPS];
};

struct clean_stage {
    const char *name;
    uint8_t demand;
    uint8_t cycles;
};

struct phase {              /* what the running phase remembers     */
    enum fill_state fill;
    enum heat_state heat;
    enum mix_state mix;
    enum discharge_state discharge;
    bool steam_wanted;
    bool pulse;
};

struct unit {
    enum unit_state state;
    uint8_t recipe;
    uint8_t step;
    uint8_t step_age;
    bool entered;           /* the phase of the step has begun      */
    struct phase phase;
    uint8_t clean_stage;
    enum alarm_id cause;    /* of the hold or abort, or AL_COUNT    */
};

struct vessel {
    enum family residue;
    bool in_use;            /* something is or was in it            */
    uint8_t dosed;
    uint8_t dose_target;
};

struct batch {
    uint16_t number;
    uint16_t started;
    uint16_t ended;
    uint8_t recipe;
    uint8_t steps_done;     /* one bit a step                       */
    int16_t hottest;
    bool open;
};

struct output_stage {
    uint8_t demand;
    uint8_t blocked;
    uint8_t now;
    uint8_t before;
    enum direction wanted_direction;
    enum direction direction;
    enum direction last_direction;
};

struct supervision {
    uint8_t agitator_silent;
    uint8_t inlet_late;
    uint8_t outlet_late;
    uint8_t host_silent;
    bool host_beat;
};

struct watchdog {
    uint8_t seen;           /* tasks of this cycle                  */
    uint8_t missed;
    bool tripped;
};

struct wear {
    uint16_t starts;
    uint16_t cycles;
    bool due;
};

struct wear_limit {
    uint16_t starts;
    uint16_t cycles;
};

struct parameters {
    int16_t trim[CH_COUNT];
    uint8_t changes;
    uint16_t seal;
};

struct event {
    enum event_code code;
    uint8_t detail;
    uint16_t stamp;
};

struct event_log {
    struct event entry[LOG_SIZE];
    uint8_t head;           /* where the next one goes              */
    uint8_t count;
    uint16_t lost;
    uint16_t total;
};

struct trend {
    int16_t sample[TREND_SIZE];
    uint8_t at;
    uint8_t filled;
    int32_t sum;
};

struct totals {
    uint16_t started;
    uint16_t completed;
    uint16_t aborted;
    uint16_t cleanings;
    uint16_t refused;
};

/* ================================================================== */
/* Configuration                                                      */
/* ================================================================== */

static const struct channel_def channel_defs[CH_COUNT] = {
    [CH_LEVEL] = {
        .tag = "LT-101", .raw_low = 20, .raw_high = 1000, .gain = 256,
        .low = 0, .high = 1000, .max_change = 300, .substitute = 0,
        .tolerate = 2, .filter = FILTER_NONE
    },
    [CH_TEMPERATURE] = {
        .tag = "TT-102", .raw_low = 16, .raw_high = 1008, .gain = 288,
        .low = 0, .high = 1200, .max_change = 250, .substitute = 1200,
        .tolerate = 3, .filter = FILTER_SMOOTH
    },
    [CH_PRESSURE] = {
        .tag = "PT-103", .raw_low = 4, .raw_high = 252, .gain = 512,
        .low = 0, .high = 500, .max_change = 400, .substitute = 500,
        .tolerate = 2, .filter = FILTER_MEDIAN
    }
};

static const struct contact_def contact_defs[DI_COUNT] = {
    [DI_ESTOP_HEALTHY] = { "ES-001", 3, 1 },
    [DI_MANHOLE_SHUT]  = { "GS-110", 2, 1 },
    [DI_AGITATOR_RUNS] = { "NS-120", 1, 2 },
    [DI_INLET_OPEN]    = { "GS-131", 1, 1 },
    [DI_OUTLET_SHUT]   = { "GS-141", 2, 1 },
    [DI_MOTOR_COLD]    = { "TS-121", 2, 2 },
    [DI_STEAM_READY]   = { "PS-150", 2, 1 },
    [DI_HOST_BEAT]     = { "HOST",   1, 1 }
};

static const struct timer_def timer_defs[TM_COUNT] = {
    [TM_SETTLE]        = { SETTLE_TIME, true },
    [TM_SOAK]          = { 3, true },
    [TM_STIR]          = { 3, true },
    [TM_DRAIN]         = { DRAIN_DOWN, true },
    [TM_CLEAN]         = { 2, true },
    [TM_ABORT]         = { ABORT_COOLING, false },
    [TM_AGITATOR_REST] = { AGITATOR_REST, false }
};

static const struct alarm_def alarm_defs[AL_COUNT] = {
    [AL_ESTOP]           = { "emergency stop",       GROUP_PROCESS,     0, true,  true,  REACT_ABORT },
    [AL_LEVEL_HIHI]      = { "vessel overfull",      GROUP_PROCESS,     0, true,  true,  REACT_HOLD },
    [AL_TEMP_HIHI]       = { "vessel too hot",       GROUP_PROCESS,     0, true,  true,  REACT_ABORT },
    [AL_PRESSURE_HIGH]   = { "pressure high",        GROUP_PROCESS,     1, true,  true,  REACT_HOLD },
    [AL_LEVEL_SENSOR]    = { "level sensor",         GROUP_INSTRUMENTS, 0, false, true,  REACT_HOLD },
    [AL_TEMP_SENSOR]     = { "temperature sensor",   GROUP_INSTRUMENTS, 0, false, true,  REACT_HOLD },
    [AL_PRESSURE_SENSOR] = { "pressure sensor",      GROUP_INSTRUMENTS, 0, false, false, REACT_TELL },
    [AL_AGITATOR]        = { "agitator stands",      GROUP_EQUIPMENT,   0, true,  true,  REACT_HOLD },
    [AL_INLET_VALVE]     = { "inlet does not open",  GROUP_EQUIPMENT,   0, true,  false, REACT_HOLD },
    [AL_OUTLET_VALVE]    = { "outlet does not shut", GROUP_EQUIPMENT,   0, true,  true,  REACT_HOLD },
    [AL_STEP_TIMEOUT]    = { "step takes too long",  GROUP_PROCESS,     0, false, false, REACT_HOLD },
    [AL_HOST_LOST]       = { "host does not answer", GROUP_SYSTEM,      1, false, false, REACT_TELL },
    [AL_SERVICE_DUE]     = { "service due",          GROUP_SYSTEM,      0, false, false, REACT_TELL }
};

static const struct recipe recipes[RECIPES] = {
    {
        "water", FAMILY_CLEAN, 2,
        {
            { OP_FILL,      200, 0, 5 },
            { OP_DISCHARGE,   0, 0, 6 }
        }
    },
    {
        "brine", FAMILY_FOOD, 4,
        {
            { OP_FILL,      240, 0, 5 },
            { OP_DOSE,        7, 0, 4 },
            { OP_MIX,         0, 1, 7 },
            { OP_DISCHARGE,   0, 0, 6 }
        }
    },
    {
        "syrup", FAMILY_FOOD, 4,
        {
            { OP_FILL,      300, 0, 5 },
            { OP_HEAT,      600, 2, 8 },
            { OP_MIX,         0, 2, 8 },
            { OP_DISCHARGE,   0, 0, 6 }
        }
    },
    {
        "detergent", FAMILY_CHEMICAL, 6,
        {
            { OP_FILL,      220, 0, 5 },
            { OP_DOSE,       12, 0, 4 },
            { OP_HEAT,      450, 1, 8 },
            { OP_MIX,         0, 3, 9 },
            { OP_COOL,      350, 0, 9 },
            { OP_DISCHARGE,   0, 0, 6 }
        }
    }
};

static const struct clean_stage clean_stages[CLEAN_STAGES] = {
    { "rinse",   CLEAN,         1 },
    { "drain",   OUTLET,        1 },
    { "caustic", CLEAN | STEAM, 2 },
    { "flush",   OUTLET,        2 }
};

static const struct wear_limit wear_limits[ACT_COUNT] = {
    [ACT_WATER]    = { 100, 1000 },
    [ACT_DOSE]     = { 100,  800 },
    [ACT_STEAM]    = {  80,  900 },
    [ACT_COOL]     = {  80,  900 },
    [ACT_AGITATOR] = {  50,  600 },
    [ACT_OUTLET]   = { 100,  800 },
    [ACT_PUMP]     = {  60,  400 },
    [ACT_CLEAN]    = { 100,  500 }
};

/* as kept in the non-volatile memory when the power came back */
static const struct wear wear_at_power_up[ACT_COUNT] = {
    [ACT_WATER]    = { 97, 420, false },
    [ACT_DOSE]     = { 40, 120, false },
    [ACT_STEAM]    = { 12,  88, false },
    [ACT_COOL]     = {  9, 101, false },
    [ACT_AGITATOR] = { 31, 597, false },
    [ACT_OUTLET]   = { 71, 333, false },
    [ACT_PUMP]     = { 44, 398, false },
    [ACT_CLEAN]    = {  6,  30, false }
};

/* ================================================================== */
/* State of the plant                                                 */
/* ================================================================== */

static struct frame frame;
static struct channel channels[CH_COUNT];
static struct contact contacts[DI_COUNT];
static uint8_t timers[TM_COUNT];
static struct alarm alarms[AL_COUNT];
static bool horn;
static struct unit unit;
static struct vessel vessel;
static struct batch batch;
static struct output_stage outputs;
static struct supervision supervision;
static struct watchdog watchdog;
static struct wear wear[ACT_COUNT];
static struct parameters parameters;
static struct event_log event_log;
static struct trend trend;
static struct totals totals;
static uint16_t now;
static uint32_t status_word;

/* ================================================================== */
/* Small helpers                                                      */
/* ================================================================== */

static int limit(int value, int low, int high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

static int distance(int a, int b)
{
    return a > b ? a - b : b - a;
}

static int median(int a, int b, int c)
{
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
    if (c <= a)
        return a;
    return c < b ? c : b;
}

static uint16_t count_up(uint16_t counter)
{
    return counter == UINT16_MAX ? counter : (uint16_t)(counter + 1);
}

static bool is_on(uint8_t mask, enum actuator which)
{
    return (mask >> which) & 1u;
}

/* ================================================================== */
/* Event log                                                          */
/* ================================================================== */

static void log_event(enum event_code code, unsigned detail)
{
    struct event *e = &event_log.entry[event_log.head];

    e->code = code;
    e->detail = (uint8_t)detail;
    e->stamp = now;

    event_log.head = (uint8_t)((event_log.head + 1) % LOG_SIZE);
    if (event_log.count < LOG_SIZE)
        event_log.count++;
    else
        event_log.lost = count_up(event_log.lost);
    event_log.total = count_up(event_log.total);
}

/* The n-th latest event; 0 is the last one. */
static const struct event *log_recall(unsigned n)
{
    unsigned at = event_log.head + LOG_SIZE - 1 - n;

    if (n >= event_log.count)
        return NULL;
    return &event_log.entry[at % LOG_SIZE];
}

static void check_log(void)
{
    assert(event_log.head < LOG_SIZE);
    assert(event_log.count <= LOG_SIZE);
    assert(event_log.total == event_log.count + event_log.lost);
    if (event_log.count < LOG_SIZE)
        assert(event_log.head == event_log.count && event_log.lost == 0);
    if (event_log.count > 0) {
        const struct event *latest = log_recall(0);
        assert(latest != NULL && latest->code != EV_NONE);
        assert(latest->stamp <= now);
    }
}

/* ================================================================== */
/* Watchdog                                                           */
/* ================================================================== */

static void check_in(enum task_id task)
{
    watchdog.seen |= (uint8_t)BIT(task);
}

static void watchdog_end_of_cycle(void)
{
    const uint8_t all = (uint8_t)(BIT(TASK_COUNT) - 1);

    if (watchdog.seen == all) {
        watchdog.missed = 0;
    } else if (watchdog.missed < WATCHDOG_PATIENCE) {
        watchdog.missed++;
        if (watchdog.missed == WATCHDOG_PATIENCE) {
            watchdog.tripped = true;
            log_event(EV_WATCHDOG, watchdog.seen);
        }
    }
    watchdog.seen = 0;
}

/* ================================================================== */
/* Timers                                                             */
/* ================================================================== */

static void timer_start(enum timer_id id, uint8_t cycles)
{
    timers[id] = cycles;
}

static void timer_cancel(enum timer_id id)
{
    timers[id] = 0;
}

static bool timer_ended(enum timer_id id)
{
    return timers[id] == 0;
}

static void tick_timers(void)
{
    int i;

    for (i = 0; i < TM_COUNT; i++) {
        if (timer_defs[i].process && unit.state == UNIT_HELD)
            continue;
        if (timers[i] > 0)
            timers[i]--;
    }
}

static void check_timers(void)
{
    int i;

    for (i = 0; i < TM_COUNT; i++)
        assert(timers[i] <= timer_defs[i].limit);
}

/* ================================================================== */
/* Parameters                                                         */
/* ================================================================== */

static uint16_t seal_of(const struct parameters *p)
{
    uint16_t seal = 0x5aa5;
    int i;

    for (i = 0; i < CH_COUNT; i++) {
        seal = (uint16_t)((seal << 3) | (seal >> 13));
        seal ^= (uint16_t)p->trim[i];
    }
    return (uint16_t)(seal + p->changes);
}

static bool parameters_intact(void)
{
    return parameters.seal == seal_of(&parameters);
}

/*
 * The lower bits of the argument choose the channel, the third one the
 * direction.
 */
static bool change_trim(uint8_t argument)
{
    unsigned which = argument & 3u;
    int wanted;

    if (which >= CH_COUNT)
        return false;
    wanted = parameters.trim[which];
    if (argument & 4u)
        wanted -= TRIM_STEP;
    else
        wanted += TRIM_STEP;
    if (wanted < -TRIM_LIMIT || wanted > TRIM_LIMIT)
        return false;

    parameters.trim[which] = (int16_t)wanted;
    parameters.changes++;
    parameters.seal = seal_of(&parameters);
    log_event(EV_TRIMMED, which);
    return true;
}

static void check_parameters(void)
{
    int i;

    assert(parameters_intact());
    for (i = 0; i < CH_COUNT; i++)
        assert(distance(parameters.trim[i], 0) <= TRIM_LIMIT);
}

/* ================================================================== */
/* Analogue inputs                                                    */
/* ================================================================== */

static int16_t to_engineering(const struct channel_def *def, int raw, int trim)
{
    int value = (raw - def->raw_low) * def->gain / 256 + trim;

    return (int16_t)limit(value, def->low, def->high);
}

static bool sample_plausible(const struct channel *c, const struct channel_def *def, int raw, int value)
{
    if (raw < def->raw_low || raw > def->raw_high)
        return false;
    if (!c->primed)
        return true;
    return distance(value, c->last) <= def->max_change;
}

static int16_t filtered(const struct channel *c, enum filter filter, int16_t sample)
{
    switch (filter) {
    case FILTER_SMOOTH:
        return (int16_t)((c->value + sample) / 2);
    case FILTER_MEDIAN:
        return (int16_t)median(c->history[0], c->history[1], sample);
    case FILTER_NONE:
        break;
    }
    return sample;
}

static void channel_prime(struct channel *c, int16_t sample)
{
    c->history[0] = sample;
    c->history[1] = sample;
    c->value = sample;
    c->quality = QUALITY_GOOD;
    c->primed = true;
}

static void channel_accept(struct channel *c, const struct channel_def *def, int16_t sample)
{
    if (c->quality == QUALITY_BAD) {
        /* it has to earn its trust again */
        c->strikes--;
        if (c->strikes == 0)
            channel_prime(c, sample);
        return;
    }

    c->strikes = 0;
    if (!c->primed) {
        channel_prime(c, sample);
        return;
    }
    c->quality = QUALITY_GOOD;
    c->value = filtered(c, def->filter, sample);
    c->history[1] = c->history[0];
    c->history[0] = sample;
}

static void channel_strike(struct channel *c, const struct channel_def *def)
{
    if (c->strikes < def->tolerate)
        c->strikes++;
    if (c->strikes < def->tolerate && c->quality != QUALITY_BAD) {
        c->quality = QUALITY_SUSPECT;
        return;
    }
    c->quality = QUALITY_BAD;
    c->value = def->substitute;
}

static void channel_sample(enum channel_id id, uint16_t raw)
{
    struct channel *c = &channels[id];
    const struct channel_def *def = &channel_defs[id];
    int16_t value = to_engineering(def, raw, parameters.trim[id]);

    if (sample_plausible(c, def, raw, value))
        channel_accept(c, def, value);
    else
        channel_strike(c, def);
    c->last = value;
}

static int value_of(enum channel_id id)
{
    return channels[id].value;
}

static bool is_bad(enum channel_id id)
{
    return channels[id].quality == QUALITY_BAD;
}

static void check_channels(void)
{
    int i;

    for (i = 0; i < CH_COUNT; i++) {
        const struct channel *c = &channels[i];
        const struct channel_def *def = channel_defs + i;

        assert(c->value >= def->low && c->value <= def->high);
        assert(c->strikes <= def->tolerate);
        if (c->quality == QUALITY_BAD)
            assert(c->value == def->substitute && c->strikes > 0);
        if (c->quality == QUALITY_GOOD)
            assert(c->strikes == 0 && c->primed);
    }
}

/* ================================================================== */
/* Contacts                                                           */
/* ================================================================== */

static void contact_sample(enum contact_id id, bool closed)
{
    struct contact *c = &contacts[id];
    const struct contact_def *def = &contact_defs[id];
    uint8_t needed = closed ? def->confirm_on : def->confirm_off;

    if (closed == c->state) {
        c->against = 0;
        return;
    }
    c->against++;
    if (c->against >= needed) {
        c->state = closed;
        c->against = 0;
    }
}

static bool contact(enum contact_id id)
{
    return contacts[id].state;
}

static void check_contacts(void)
{
    int i;

    for (i = 0; i < DI_COUNT; i++) {
        const struct contact_def *def = &contact_defs[i];
        bool raw = (frame.contacts >> i) & 1u;

        if (contacts[i].state)
            assert(contacts[i].against < def->confirm_off);
        else
            assert(contacts[i].against < def->confirm_on);
        if (raw == contacts[i].state)
            assert(contacts[i].against == 0);
    }
    /* an open circuit of the emergency stop counts at once */
    assert((frame.contacts & BIT(DI_ESTOP_HEALTHY)) || !contact(DI_ESTOP_HEALTHY));
}

/* ================================================================== */
/* Reading the frame                                                  */
/* ================================================================== */

static void read_frame(void)
{
    frame.level_raw = __VERIFIER_nondet_ushort();
    __VERIFIER_assume(frame.level_raw < 1024);
    frame.temperature_raw = __VERIFIER_nondet_ushort();
    __VERIFIER_assume(frame.temperature_raw < 1024);
    frame.pressure_raw = __VERIFIER_nondet_ushort();
    __VERIFIER_assume(frame.pressure_raw < 256);
    frame.pulses = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(frame.pulses <= PULSES_MAX);
    frame.contacts = __VERIFIER_nondet_uchar();
    frame.command = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(frame.command < CMD_COUNT);
    frame.argument = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(frame.argument < 8);
}

static void condition_inputs(void)
{
    int i;

    channel_sample(CH_LEVEL, frame.level_raw);
    channel_sample(CH_TEMPERATURE, frame.temperature_raw);
    channel_sample(CH_PRESSURE, frame.pressure_raw);

    for (i = 0; i < DI_COUNT; i++)
        contact_sample((enum contact_id)i, (frame.contacts >> i) & 1u);
    check_in(TASK_INPUTS);
}

/* The first sample after power-up is believed as it is. */
static void preset_contacts(void)
{
    int i;

    for (i = 0; i < DI_COUNT; i++) {
        contacts[i].state = (frame.contacts >> i) & 1u;
        contacts[i].against = 0;
    }
    supervision.host_beat = contact(DI_HOST_BEAT);
}

/* ================================================================== */
/* Alarms                                                             */
/* ================================================================== */

static void alarm_raise(enum alarm_id id)
{
    struct alarm *a = &alarms[id];

    a->state = ALARM_UNACKED;
    a->stamp = now;
    if (a->times < 99)
        a->times++;
    if (alarm_defs[id].horn)
        horn = true;
    log_event(EV_ALARM, id);
}

static void alarm_update(enum alarm_id id, bool condition)
{
    struct alarm *a = &alarms[id];
    const struct alarm_def *def = &alarm_defs[id];

    switch (a->state) {
    case ALARM_NORMAL:
        if (!condition)
            break;
        if (def->delay == 0) {
            alarm_raise(id);
        } else {
            a->state = ALARM_DELAYED;
            a->wait = def->delay;
        }
        break;
    case ALARM_DELAYED:
        if (!condition) {
            a->state = ALARM_NORMAL;
            break;
        }
        a->wait--;
        if (a->wait == 0)
            alarm_raise(id);
        break;
    case ALARM_UNACKED:
        if (!condition)
            a->state = def->latching ? ALARM_RETURNED : ALARM_NORMAL;
        break;
    case ALARM_ACKED:
        if (!condition)
            a->state = ALARM_NORMAL;
        break;
    case ALARM_RETURNED:
        if (condition)
            alarm_raise(id);
        break;
    }
}

static bool alarm_stands(enum alarm_id id)
{
    return alarms[id].state == ALARM_UNACKED || alarms[id].state == ALARM_ACKED;
}

static bool alarm_shown(enum alarm_id id)
{
    return alarms[id].state >= ALARM_UNACKED;
}

static bool acknowledge(enum alarm_id id)
{
    struct alarm *a = &alarms[id];

    switch (a->state) {
    case ALARM_UNACKED:
        a->state = ALARM_ACKED;
        return true;
    case ALARM_RETURNED:
        a->state = ALARM_NORMAL;
        return true;
    default:
        return false;
    }
}

static bool acknowledge_group(uint8_t group)
{
    unsigned seen = 0;
    int i;

    if (group >= GROUP_COUNT)
        return false;
    for (i = 0; i < AL_COUNT; i++) {
        if (alarm_defs[i].group == (enum alarm_group)group && acknowledge((enum alarm_id)i))
            seen++;
    }
    if (seen == 0)
        return false;
    horn = false;
    log_event(EV_ACKNOWLEDGED, seen);
    return true;
}

static bool silence(uint8_t argument)
{
    (void)argument;
    if (!horn)
        return false;
    horn = false;
    return true;
}

/* The first alarm of a reaction that has not been dealt with, or AL_COUNT. */
static enum alarm_id first_with(enum reaction reaction)
{
    int i;

    for (i = 0; i < AL_COUNT; i++) {
        if (alarm_defs[i].reaction == reaction && alarm_shown((enum alarm_id)i))
            return (enum alarm_id)i;
    }
    return AL_COUNT;
}

static bool step_overdue(void);
static bool any_service_due(void);

static void evaluate_alarms(void)
{
    alarm_update(AL_ESTOP, !contact(DI_ESTOP_HEALTHY));
    alarm_update(AL_LEVEL_HIHI, !is_bad(CH_LEVEL) && value_of(CH_LEVEL) >= LEVEL_HIHI);
    alarm_update(AL_TEMP_HIHI, !is_bad(CH_TEMPERATURE) && value_of(CH_TEMPERATURE) >= TEMP_HIHI);
    alarm_update(AL_PRESSURE_HIGH, value_of(CH_PRESSURE) > PRESSURE_HIGH);

    alarm_update(AL_LEVEL_SENSOR, is_bad(CH_LEVEL));
    alarm_update(AL_TEMP_SENSOR, is_bad(CH_TEMPERATURE));
    alarm_update(AL_PRESSURE_SENSOR, is_bad(CH_PRESSURE));

    alarm_update(AL_AGITATOR, supervision.agitator_silent >= RUNBACK_LIMIT);
    alarm_update(AL_INLET_VALVE, supervision.inlet_late >= VALVE_TRAVEL_LIMIT);
    alarm_update(AL_OUTLET_VALVE, supervision.outlet_late >= VALVE_TRAVEL_LIMIT);

    alarm_update(AL_STEP_TIMEOUT, step_overdue());
    alarm_update(AL_HOST_LOST, supervision.host_silent >= HOST_PATIENCE);
    alarm_update(AL_SERVICE_DUE, any_service_due());
    check_in(TASK_ALARMS);
}

static void check_alarms(const struct alarm *before)
{
    int i;
    bool fresh = false;

    for (i = 0; i < AL_COUNT; i++) {
        const struct alarm *a = &alarms[i];
        const struct alarm_def *def = &alarm_defs[i];

        assert(a->wait <= def->delay);
        if (alarm_shown((enum alarm_id)i))
            assert(a->times > 0 && a->stamp <= now);

        /* a latching alarm stays until somebody has seen it */
        if (def->latching && (before[i].state == ALARM_UNACKED || before[i].state == ALARM_RETURNED)) {
            if (frame.command != CMD_ACKNOWLEDGE || frame.argument != def->group)
                assert(a->state == ALARM_UNACKED || a->state == ALARM_RETURNED);
        }
        if (def->horn && a->state == ALARM_UNACKED && a->stamp == now)
            fresh = true;
    }
    if (fresh && frame.command != CMD_SILENCE && frame.command != CMD_ACKNOWLEDGE)
        assert(horn);
    if (!contact(DI_ESTOP_HEALTHY))
        assert(alarm_stands(AL_ESTOP));
}

/* ================================================================== */
/* Interlocks                                                         */
/* ================================================================== */

static bool cause_estop(void)
{
    return !contact(DI_ESTOP_HEALTHY);
}

static bool cause_watchdog(void)
{
    return watchdog.tripped || !parameters_intact();
}

static bool cause_manhole(void)
{
    return !contact(DI_MANHOLE_SHUT);
}

static bool cause_level_heat(void)
{
    return value_of(CH_LEVEL) < LEVEL_HEAT_MIN && unit.state != UNIT_CLEANING;
}

static bool cause_level_agitate(void)
{
    return value_of(CH_LEVEL) < LEVEL_AGITATE_MIN;
}

static bool cause_overfull(void)
{
    return value_of(CH_LEVEL) >= LEVEL_HIHI;
}

static bool cause_level_unknown(void)
{
    return is_bad(CH_LEVEL);
}

static bool cause_too_hot(void)
{
    return value_of(CH_TEMPERATURE) >= TEMP_HIHI;
}

static bool cause_pressure(void)
{
    return value_of(CH_PRESSURE) > PRESSURE_HIGH;
}

static bool cause_motor(void)
{
    return !contact(DI_MOTOR_COLD);
}

static bool cause_no_steam(void)
{
    return !contact(DI_STEAM_READY);
}

static bool cause_outlet_open(void)
{
    return !contact(DI_OUTLET_SHUT);
}

static bool cause_too_hot_to_open(void)
{
    return value_of(CH_TEMPERATURE) > TEMP_SAFE_TO_OPEN && unit.state == UNIT_DRAINING;
}

static const struct cause_row causes[] = {
    { "emergency stop",         cause_estop,            EVERYTHING },
    { "watchdog",               cause_watchdog,         EVERYTHING },
    { "manhole open",           cause_manhole,          AGITATOR | STEAM | DOSE | CLEAN },
    { "level too low to heat",  cause_level_heat,       STEAM },
    { "level too low to stir",  cause_level_agitate,    AGITATOR },
    { "overfull",               cause_overfull,         INLETS },
    { "level unknown",          cause_level_unknown,    INLETS | STEAM },
    { "too hot",                cause_too_hot,          STEAM },
    { "pressure",               cause_pressure,         STEAM | INLETS },
    { "motor too warm",         cause_motor,            AGITATOR },
    { "no steam",               cause_no_steam,         STEAM },
    { "outlet not shut",        cause_outlet_open,      INLETS },
    { "too hot to be drained",  cause_too_hot_to_open,  OUTLET | PUMP }
};

static uint8_t blocked_now(void)
{
    unsigned mask = 0;
    unsigned i;

    for (i = 0; i < ARRAY_LENGTH(causes); i++) {
        if (causes[i].present())
            mask |= causes[i].blocks;
    }
    return (uint8_t)mask;
}

/* ================================================================== */
/* Outputs                                                            */
/* ================================================================== */

static void demand(unsigned what)
{
    outputs.demand |= (uint8_t)what;
}

static void demand_agitator(enum direction direction)
{
    demand(AGITATOR);
    outputs.wanted_direction = direction;
}

/* What may not be on together, whoever asks for it. */
static unsigned exclude(unsigned mask)
{
    if ((mask & INLETS) && (mask & OUTLET))
        mask &= ~INLETS;
    if ((mask & STEAM) && (mask & COOL))
        mask &= ~STEAM;
    if ((mask & PUMP) && !((mask & OUTLET) && is_on(outputs.before, ACT_OUTLET)))
        mask &= ~PUMP;
    return mask;
}

/* After each stop, and so before each change of direction, the agitator rests. */
static unsigned guard_agitator(unsigned mask)
{
    bool was_on = is_on(outputs.before, ACT_AGITATOR);

    if (!(mask & AGITATOR)) {
        if (was_on)
            timer_start(TM_AGITATOR_REST, AGITATOR_REST);
        return mask;
    }
    if (was_on && outputs.wanted_direction != outputs.direction) {
        timer_start(TM_AGITATOR_REST, AGITATOR_REST);
        return mask & ~AGITATOR;
    }
    if (!was_on && !timer_ended(TM_AGITATOR_REST))
        return mask & ~AGITATOR;
    return mask;
}

static void drive_outputs(void)
{
    unsigned mask;

    outputs.before = outputs.now;
    outputs.last_direction = outputs.direction;
    outputs.blocked = blocked_now();

    mask = outputs.demand & ~(unsigned)outputs.blocked;
    mask = exclude(mask);
    mask = guard_agitator(mask);

    outputs.now = (uint8_t)mask;
    if (is_on(outputs.now, ACT_AGITATOR))
        outputs.direction = outputs.wanted_direction;
    else
        outputs.direction = DIRECTION_NONE;
    check_in(TASK_OUTPUTS);
}

static void check_outputs(void)
{
    const uint8_t on = outputs.now;

    /* heating */
    if (is_on(on, ACT_STEAM)) {
        assert(unit.state == UNIT_CLEANING || value_of(CH_LEVEL) >= LEVEL_HEAT_MIN);
        assert(value_of(CH_TEMPERATURE) < TEMP_HIHI);
        assert(!is_on(on, ACT_COOL));
        assert(contact(DI_STEAM_READY));
    }
    /* what comes in must not run out */
    assert(!(on & INLETS) || !is_on(on, ACT_OUTLET));
    if (on & INLETS)
        assert(contact(DI_OUTLET_SHUT) && value_of(CH_LEVEL) < LEVEL_HIHI && !is_bad(CH_LEVEL));

    /* agitator */
    if (is_on(on, ACT_AGITATOR)) {
        assert(value_of(CH_LEVEL) >= LEVEL_AGITATE_MIN);
        assert(contact(DI_MANHOLE_SHUT));
        assert(outputs.direction != DIRECTION_NONE);
        if (is_on(outputs.before, ACT_AGITATOR))
            assert(outputs.direction == outputs.last_direction);
    }
    if (is_on(on, ACT_PUMP))
        assert(is_on(on, ACT_OUTLET) && is_on(outputs.before, ACT_OUTLET));

    if (!contact(DI_ESTOP_HEALTHY) || watchdog.tripped)
        assert(on == 0);
    assert((on & ~outputs.demand) == 0);
}

/* Cycles since the agitator was stopped, as the motor's maker wants them. */
static uint8_t agitator_off_for = AGITATOR_REST;

static void check_agitator_rest(void)
{
    if (is_on(outputs.now, ACT_AGITATOR)) {
        if (!is_on(outputs.before, ACT_AGITATOR))
            assert(agitator_off_for >= AGITATOR_REST);
        agitator_off_for = 0;
    } else if (agitator_off_for < AGITATOR_REST) {
        agitator_off_for++;
    }
}

/* ================================================================== */
/* Supervision of feedbacks and of the host                           */
/* ================================================================== */

static uint8_t late(uint8_t counter, bool wrong, uint8_t top)
{
    if (!wrong)
        return 0;
    return counter < top ? (uint8_t)(counter + 1) : top;
}

static void supervise(void)
{
    bool agitator_on = is_on(outputs.now, ACT_AGITATOR);
    bool inlet_on = (outputs.now & (WATER | CLEAN)) != 0;
    bool outlet_on = is_on(outputs.now, ACT_OUTLET);

    supervision.agitator_silent =
        late(supervision.agitator_silent, agitator_on && !contact(DI_AGITATOR_RUNS), RUNBACK_LIMIT);
    supervision.inlet_late =
        late(supervision.inlet_late, inlet_on && !contact(DI_INLET_OPEN), VALVE_TRAVEL_LIMIT);
    supervision.outlet_late =
        late(supervision.outlet_late, !outlet_on && !contact(DI_OUTLET_SHUT), VALVE_TRAVEL_LIMIT);

    if (contact(DI_HOST_BEAT) != supervision.host_beat) {
        supervision.host_beat = contact(DI_HOST_BEAT);
        supervision.host_silent = 0;
    } else if (supervision.host_silent < HOST_PATIENCE) {
        supervision.host_silent++;
    }
}

static void check_supervision(void)
{
    assert(supervision.agitator_silent <= RUNBACK_LIMIT);
    assert(supervision.inlet_late <= VALVE_TRAVEL_LIMIT && supervision.outlet_late <= VALVE_TRAVEL_LIMIT);
    assert(supervision.host_silent <= HOST_PATIENCE);
    if (contact(DI_AGITATOR_RUNS) || !is_on(outputs.now, ACT_AGITATOR))
        assert(supervision.agitator_silent == 0);
}

/* ================================================================== */
/* Phases                                                             */
/* ================================================================== */

static const struct recipe *active_recipe(void)
{
    return &recipes[unit.recipe];
}

static const struct step *active_step(void)
{
    return &active_recipe()->step[unit.step];
}

/*
 * Each phase has a function that is called once when its step begins and
 * one that is called in each cycle and says when the step is done.
 */

/* ---- fill: coarse, then in pulses, then let it settle ---- */

static void fill_enter(const struct step *step)
{
    (void)step;
    unit.phase.fill = FILL_COARSE;
    unit.phase.pulse = true;
    vessel.in_use = true;
}

static bool fill_run(const struct step *step)
{
    int level = value_of(CH_LEVEL);

    switch (unit.phase.fill) {
    case FILL_COARSE:
        if (level >= step->target - FINE_BAND) {
            unit.phase.fill = FILL_FINE;
            return false;
        }
        demand(WATER);
        return false;
    case FILL_FINE:
        if (level >= step->target) {
            unit.phase.fill = FILL_SETTLE;
            timer_start(TM_SETTLE, SETTLE_TIME);
            return false;
        }
        if (unit.phase.pulse)
            demand(WATER);
        unit.phase.pulse = !unit.phase.pulse;
        return false;
    case FILL_SETTLE:
        return timer_ended(TM_SETTLE);
    }
    return false;
}

/* ---- dose: count the pulses of the concentrate ---- */

static void dose_enter(const struct step *step)
{
    vessel.dosed = 0;
    vessel.dose_target = (uint8_t)step->target;
}

static bool dose_run(const struct step *step)
{
    if (is_on(outputs.now, ACT_DOSE) || is_on(outputs.before, ACT_DOSE))
        vessel.dosed += frame.pulses;
    if (vessel.dosed + DOSE_AFTERRUN >= step->target)
        return !is_on(outputs.now, ACT_DOSE);
    demand(DOSE);
    return false;
}

static void check_dose(void)
{
    assert(vessel.dosed < vessel.dose_target + 2 * PULSES_MAX);
    if (is_on(outputs.now, ACT_DOSE))
        assert(vessel.dosed + DOSE_AFTERRUN < vessel.dose_target);
}

/* ---- heat: up to the temperature, then keep it ---- */

static void heat_enter(const struct step *step)
{
    (void)step;
    unit.phase.heat = HEAT_RAMP;
    unit.phase.steam_wanted = true;
}

static void heat_control(int target)
{
    int temperature = value_of(CH_TEMPERATURE);

    if (temperature >= target)
        unit.phase.steam_wanted = false;
    else if (temperature < target - TEMP_HYSTERESIS)
        unit.phase.steam_wanted = true;
    if (unit.phase.steam_wanted)
        demand(STEAM);
    demand_agitator(DIRECTION_FORWARD);
}

static bool heat_run(const struct step *step)
{
    heat_control(step->target);
    if (unit.phase.heat == HEAT_RAMP) {
        if (value_of(CH_TEMPERATURE) >= step->target - TEMP_HYSTERESIS) {
            unit.phase.heat = HEAT_SOAK;
            timer_start(TM_SOAK, step->duration);
        }
        return false;
    }
    if (value_of(CH_TEMPERATURE) < step->target - 3 * TEMP_HYSTERESIS) {
        /* lost: the soak begins again */
        timer_cancel(TM_SOAK);
        unit.phase.heat = HEAT_RAMP;
        return false;
    }
    return timer_ended(TM_SOAK);
}

/* ---- mix: one way, a rest, the other way ---- */

static void mix_enter(const struct step *step)
{
    unit.phase.mix = MIX_FORWARD;
    timer_start(TM_STIR, step->duration);
}

static bool mix_run(const struct step *step)
{
    switch (unit.phase.mix) {
    case MIX_FORWARD:
        if (timer_ended(TM_STIR)) {
            unit.phase.mix = MIX_PAUSE;
            timer_start(TM_STIR, AGITATOR_REST);
            break;
        }
        demand_agitator(DIRECTION_FORWARD);
        break;
    case MIX_PAUSE:
        if (!timer_ended(TM_STIR))
            break;
        unit.phase.mix = MIX_REVERSE;
        timer_start(TM_STIR, step->duration);
        demand_agitator(DIRECTION_REVERSE);
        break;
    case MIX_REVERSE:
        if (timer_ended(TM_STIR))
            return true;
        demand_agitator(DIRECTION_REVERSE);
        break;
    }
    return false;
}

/* ---- cool ---- */

static void cool_enter(const struct step *step)
{
    (void)step;
    unit.phase.steam_wanted = false;
}

static bool cool_run(const struct step *step)
{
    if (value_of(CH_TEMPERATURE) <= step->target && !is_bad(CH_TEMPERATURE))
        return true;
    demand(COOL);
    demand_agitator(DIRECTION_FORWARD);
    return false;
}

/* ---- discharge: open, pump, let it drain, shut ---- */

static void discharge_enter(const struct step *step)
{
    (void)step;
    unit.phase.discharge = DISCHARGE_OPEN;
}

static bool discharge_run(const struct step *step)
{
    int level = value_of(CH_LEVEL);

    (void)step;
    switch (unit.phase.discharge) {
    case DISCHARGE_OPEN:
        demand(OUTLET);
        if (!contact(DI_OUTLET_SHUT))
            unit.phase.discharge = DISCHARGE_PUMP;
        break;
    case DISCHARGE_PUMP:
        demand(OUTLET);
        if (level < LEVEL_EMPTY && !is_bad(CH_LEVEL)) {
            unit.phase.discharge = DISCHARGE_DRAIN;
            timer_start(TM_DRAIN, DRAIN_DOWN);
            break;
        }
        demand(PUMP);
        break;
    case DISCHARGE_DRAIN:
        if (timer_ended(TM_DRAIN)) {
            unit.phase.discharge = DISCHARGE_SHUT;
            break;
        }
        demand(OUTLET);
        break;
    case DISCHARGE_SHUT:
        if (!contact(DI_OUTLET_SHUT))
            break;
        vessel.in_use = false;
        return true;
    }
    return false;
}

struct phase_functions {
    void (*enter)(const struct step *);
    bool (*run)(const struct step *);
};

static const struct phase_functions phases[OP_COUNT] = {
    [OP_FILL]      = { fill_enter,      fill_run },
    [OP_DOSE]      = { dose_enter,      dose_run },
    [OP_HEAT]      = { heat_enter,      heat_run },
    [OP_MIX]       = { mix_enter,       mix_run },
    [OP_COOL]      = { cool_enter,      cool_run },
    [OP_DISCHARGE] = { discharge_enter, discharge_run }
};

/* Begins or goes on with the phase of a step; true when it is done. */
static bool carry_out(const struct step *step)
{
    const struct phase_functions *f = &phases[step->operation];

    if (!unit.entered) {
        f->enter(step);
        unit.entered = true;
    }
    return f->run(step);
}

/* ================================================================== */
/* Batch record                                                       */
/* ================================================================== */

static void batch_open(void)
{
    totals.started = count_up(totals.started);
    batch.number = totals.started;
    batch.recipe = unit.recipe;
    batch.started = now;
    batch.ended = 0;
    batch.steps_done = 0;
    batch.hottest = INT16_MIN;
    batch.open = true;
    log_event(EV_BATCH_STARTED, unit.recipe);
}

static void batch_close(bool complete)
{
    if (!batch.open)
        return;
    batch.open = false;
    batch.ended = now;
    if (complete) {
        totals.completed = count_up(totals.completed);
        log_event(EV_BATCH_COMPLETE, batch.recipe);
    } else {
        totals.aborted = count_up(totals.aborted);
        log_event(EV_BATCH_ABORTED, batch.steps_done);
    }
}

static void batch_record(void)
{
    int temperature = value_of(CH_TEMPERATURE);

    if (batch.open && temperature > batch.hottest)
        batch.hottest = (int16_t)temperature;
}

static void check_batch(void)
{
    const struct recipe *recipe = &recipes[batch.recipe];
    unsigned all = BIT(recipe->steps) - 1;

    assert(batch.open == (unit.state == UNIT_RUNNING || unit.state == UNIT_HELD));
    assert(totals.started == totals.completed + totals.aborted + (batch.open ? 1 : 0));
    if (batch.open) {
        assert(batch.number == totals.started && batch.recipe == unit.recipe);
        assert(batch.steps_done == BIT(unit.step) - 1);
        assert(batch.hottest >= value_of(CH_TEMPERATURE));
    }
    /* a batch is complete after all of its steps, not before */
    if (unit.state == UNIT_COMPLETE)
        assert(batch.steps_done == all && batch.ended > batch.started);
}

/* ================================================================== */
/* The unit                                                           */
/* ================================================================== */

static const struct step drain_step = { OP_DISCHARGE, 0, 0, 0 };

static bool step_overdue(void)
{
    return unit.state == UNIT_RUNNING && unit.step_age > active_step()->timeout;
}

static void step_begin(uint8_t number)
{
    unit.step = number;
    unit.step_age = 0;
    unit.entered = false;
}

static void unit_hold(enum alarm_id cause)
{
    unit.state = UNIT_HELD;
    unit.cause = cause;
    log_event(EV_HELD, cause);
}

static void unit_abort(enum alarm_id cause)
{
    batch_close(false);
    unit.state = UNIT_ABORTING;
    unit.cause = cause;
    timer_start(TM_ABORT, ABORT_COOLING);
}

static bool unit_at_work(void)
{
    switch (unit.state) {
    case UNIT_RUNNING:
    case UNIT_HELD:
    case UNIT_CLEANING:
    case UNIT_DRAINING:
        return true;
    default:
        return false;
    }
}

/* Alarms come before whatever the operator or the recipe want. */
static void react_to_alarms(void)
{
    enum alarm_id cause = first_with(REACT_ABORT);

    if (cause != AL_COUNT) {
        if (unit_at_work())
            unit_abort(cause);
        return;
    }
    cause = first_with(REACT_HOLD);
    if (cause == AL_COUNT)
        return;
    if (unit.state == UNIT_RUNNING)
        unit_hold(cause);
    else if (unit.state == UNIT_CLEANING)
        unit_abort(cause);
}

static void run_recipe(void)
{
    const struct recipe *recipe = active_recipe();

    if (unit.step_age < UINT8_MAX)
        unit.step_age++;
    if (!carry_out(active_step()))
        return;

    batch.steps_done |= (uint8_t)BIT(unit.step);
    log_event(EV_STEP_DONE, unit.step);
    if (unit.step + 1 < recipe->steps) {
        step_begin((uint8_t)(unit.step + 1));
        return;
    }
    batch_close(true);
    unit.state = UNIT_COMPLETE;
}

static void run_cleaning(void)
{
    const struct clean_stage *stage = &clean_stages[unit.clean_stage];

    if (timer_ended(TM_CLEAN)) {
        if (unit.clean_stage + 1 == CLEAN_STAGES) {
            vessel.residue = FAMILY_CLEAN;
            totals.cleanings = count_up(totals.cleanings);
            log_event(EV_CLEANED, 0);
            unit.state = UNIT_IDLE;
            return;
        }
        unit.clean_stage++;
        stage = &clean_stages[unit.clean_stage];
        timer_start(TM_CLEAN, stage->cycles);
    }
    /* nothing is let in before the outlet has been shut */
    if ((stage->demand & INLETS) && !contact(DI_OUTLET_SHUT)) {
        timer_start(TM_CLEAN, stage->cycles);
        return;
    }
    demand(stage->demand);
}

static void run_draining(void)
{
    if (carry_out(&drain_step))
        unit.state = UNIT_IDLE;
}

static void run_unit(void)
{
    outputs.demand = 0;
    outputs.wanted_direction = DIRECTION_NONE;
    react_to_alarms();

    switch (unit.state) {
    case UNIT_RUNNING:
        run_recipe();
        break;
    case UNIT_CLEANING:
        run_cleaning();
        break;
    case UNIT_DRAINING:
        run_draining();
        break;
    case UNIT_ABORTING:
        if (timer_ended(TM_ABORT)) {
            unit.state = UNIT_ABORTED;
            break;
        }
        if (value_of(CH_TEMPERATURE) > TEMP_SAFE_TO_OPEN)
            demand(COOL);
        break;
    case UNIT_HELD:
        /* a hot product must not settle */
        if (active_step()->operation == OP_HEAT)
            demand_agitator(DIRECTION_FORWARD);
        break;
    case UNIT_IDLE:
    case UNIT_ABORTED:
    case UNIT_COMPLETE:
        break;
    }
    batch_record();
    check_in(TASK_UNIT);
}

static void check_unit(const struct vessel *before, uint16_t cleanings_before)
{
    const unsigned hot_or_wet = WATER | DOSE | STEAM | OUTLET | CLEAN;

    assert(unit.step < active_recipe()->steps);
    assert(unit.step_age <= active_step()->timeout + 1);
    assert(unit.clean_stage < CLEAN_STAGES);
    if (unit.state == UNIT_HELD)
        assert((outputs.now & hot_or_wet) == 0);
    if (unit.state == UNIT_IDLE || unit.state == UNIT_ABORTED || unit.state == UNIT_COMPLETE)
        assert(outputs.demand == 0);
    if (unit.state == UNIT_CLEANING)
        assert(!vessel.in_use);
    if (unit.state == UNIT_RUNNING && first_with(REACT_HOLD) != AL_COUNT)
        assert(0);

    /* products of different families never meet without a cleaning */
    if (before->residue != FAMILY_CLEAN && vessel.residue != before->residue)
        assert(vessel.residue == FAMILY_CLEAN && totals.cleanings == cleanings_before + 1);
}

/* ================================================================== */
/* Operator commands                                                  */
/* ================================================================== */

static bool do_select(uint8_t number)
{
    if (number >= RECIPES)
        return false;
    unit.recipe = number;
    step_begin(0);
    return true;
}

static bool family_fits(enum family wanted)
{
    return vessel.residue == FAMILY_CLEAN || vessel.residue == wanted;
}

static bool instruments_good(void)
{
    return !is_bad(CH_LEVEL) && !is_bad(CH_TEMPERATURE);
}

static bool do_start(uint8_t argument)
{
    const struct recipe *recipe = active_recipe();

    (void)argument;
    if (vessel.in_use || value_of(CH_LEVEL) >= LEVEL_EMPTY)
        return false;
    if (!instruments_good() || !family_fits(recipe->family))
        return false;
    if (first_with(REACT_ABORT) != AL_COUNT || first_with(REACT_HOLD) != AL_COUNT)
        return false;

    step_begin(0);
    unit.state = UNIT_RUNNING;
    if (recipe->family != FAMILY_CLEAN)
        vessel.residue = recipe->family;
    batch_open();
    return true;
}

static bool do_hold(uint8_t argument)
{
    (void)argument;
    unit_hold(AL_COUNT);
    return true;
}

static bool do_resume(uint8_t argument)
{
    (void)argument;
    if (first_with(REACT_HOLD) != AL_COUNT)
        return false;
    unit.state = UNIT_RUNNING;
    unit.step_age = 0;
    log_event(EV_RESUMED, unit.step);
    return true;
}

static bool do_abort(uint8_t argument)
{
    (void)argument;
    unit_abort(AL_COUNT);
    return true;
}

static bool do_reset(uint8_t argument)
{
    (void)argument;
    if (first_with(REACT_ABORT) != AL_COUNT)
        return false;
    unit.state = UNIT_IDLE;
    unit.cause = AL_COUNT;
    return true;
}

static bool do_clean(uint8_t argument)
{
    (void)argument;
    if (vessel.in_use || value_of(CH_LEVEL) >= LEVEL_EMPTY || !instruments_good())
        return false;
    unit.state = UNIT_CLEANING;
    unit.clean_stage = 0;
    timer_start(TM_CLEAN, clean_stages[0].cycles);
    return true;
}

static bool do_drain(uint8_t argument)
{
    (void)argument;
    if (first_with(REACT_ABORT) != AL_COUNT)
        return false;
    unit.state = UNIT_DRAINING;
    unit.entered = false;
    return true;
}

static bool do_serviced(uint8_t which)
{
    /* nobody works at a machine that runs */
    if (which >= ACT_COUNT || is_on(outputs.now, (enum actuator)which))
        return false;
    wear[which].starts = 0;
    wear[which].cycles = 0;
    wear[which].due = false;
    log_event(EV_SERVICED, which);
    return true;
}

struct command_rule {
    unsigned states;
    bool (*run)(uint8_t argument);
};

#define ANYTIME     0xffu
#define RESTING     (BIT(UNIT_IDLE) | BIT(UNIT_COMPLETE))
#define BUSY        (BIT(UNIT_RUNNING) | BIT(UNIT_HELD) | BIT(UNIT_CLEANING) | BIT(UNIT_DRAINING))

static const struct command_rule command_rules[CMD_COUNT] = {
    [CMD_SELECT]      = { RESTING, do_select },
    [CMD_START]       = { RESTING, do_start },
    [CMD_HOLD]        = { BIT(UNIT_RUNNING), do_hold },
    [CMD_RESUME]      = { BIT(UNIT_HELD), do_resume },
    [CMD_ABORT]       = { BUSY, do_abort },
    [CMD_RESET]       = { BIT(UNIT_ABORTED) | BIT(UNIT_COMPLETE), do_reset },
    [CMD_ACKNOWLEDGE] = { ANYTIME, acknowledge_group },
    [CMD_SILENCE]     = { ANYTIME, silence },
    [CMD_CLEAN]       = { RESTING, do_clean },
    [CMD_DRAIN]       = { RESTING | BIT(UNIT_ABORTED), do_drain },
    [CMD_TRIM]        = { BIT(UNIT_IDLE), change_trim },
    [CMD_SERVICED]    = { ANYTIME, do_serviced }
};

static void run_command(void)
{
    const struct command_rule *rule = &command_rules[frame.command];

    check_in(TASK_COMMANDS);
    if (frame.command == CMD_NONE)
        return;
    if ((rule->states & BIT(unit.state)) && rule->run(frame.argument))
        return;
    totals.refused = count_up(totals.refused);
    log_event(EV_REFUSED, frame.command);
}

/* ================================================================== */
/* Upkeep: wear and trend                                             */
/* ================================================================== */

static bool any_service_due(void)
{
    const struct wear *w = wear;

    do {
        if (w->due)
            return true;
    } while (++w < wear + ACT_COUNT);
    return false;
}

static void count_wear(void)
{
    unsigned risen = outputs.now & ~(unsigned)outputs.before;
    int i;

    for (i = 0; i < ACT_COUNT; i++) {
        struct wear *w = &wear[i];
        const struct wear_limit *top = &wear_limits[i];

        if (!is_on(outputs.now, (enum actuator)i))
            continue;
        w->cycles = count_up(w->cycles);
        if (risen & BIT(i))
            w->starts = count_up(w->starts);
        if (w->cycles >= top->cycles || w->starts >= top->starts)
            w->due = true;
    }
}

static void trend_add(int16_t sample)
{
    if (trend.filled == TREND_SIZE)
        trend.sum -= trend.sample[trend.at];
    else
        trend.filled++;
    trend.sample[trend.at] = sample;
    trend.sum += sample;
    if (++trend.at == TREND_SIZE)
        trend.at = 0;
}

static void do_upkeep(void)
{
    count_wear();
    trend_add(channels[CH_TEMPERATURE].value);
    check_in(TASK_UPKEEP);
}

static void check_upkeep(const struct wear *before)
{
    int32_t sum = 0;
    int i;

    for (i = 0; i < ACT_COUNT; i++) {
        const struct wear *w = &wear[i];
        bool over = w->starts >= wear_limits[i].starts || w->cycles >= wear_limits[i].cycles;

        assert(w->due == over);
        if (frame.command != CMD_SERVICED)
            assert(w->starts >= before[i].starts && w->cycles - before[i].cycles <= 1);
        assert(w->starts == before[i].starts || w->starts == 0 || is_on(outputs.now, (enum actuator)i));
    }

    assert(trend.at < TREND_SIZE && trend.filled <= TREND_SIZE);
    for (i = 0; i < trend.filled; i++)
        sum += trend.sample[i];
    assert(sum == trend.sum);
}

/* ================================================================== */
/* Status word for the host                                           */
/* ================================================================== */

/*
 * bits 0-2    state of the unit      bits 3-5    step
 * bits 6-13   outputs                bits 14-17  alarms shown
 * bit  18     horn                   bits 19-21  bad channels
 * bit  22     service due            bits 23-24  recipe
 * bit  31     even parity
 */
#define STATUS_STEP     3
#define STATUS_OUTPUTS  6
#define STATUS_ALARMS   14
#define STATUS_HORN     18
#define STATUS_BAD      19
#define STATUS_SERVICE  22
#define STATUS_RECIPE   23
#define STATUS_PARITY   31

static uint32_t parity(uint32_t word)
{
    word ^= word >> 16;
    word ^= word >> 8;
    word ^= word >> 4;
    word ^= word >> 2;
    word ^= word >> 1;
    return word & 1u;
}

static unsigned alarms_shown(void)
{
    unsigned n = 0;
    int i;

    for (i = 0; i < AL_COUNT; i++)
        n += alarm_shown((enum alarm_id)i);
    return n;
}

static uint32_t pack_status(void)
{
    uint32_t word = (uint32_t)unit.state;
    int i;

    word |= (uint32_t)unit.step << STATUS_STEP;
    word |= (uint32_t)outputs.now << STATUS_OUTPUTS;
    word |= (uint32_t)alarms_shown() << STATUS_ALARMS;
    if (horn)
        word |= BIT(STATUS_HORN);
    for (i = 0; i < CH_COUNT; i++) {
        if (is_bad((enum channel_id)i))
            word |= BIT(STATUS_BAD + i);
    }
    if (any_service_due())
        word |= BIT(STATUS_SERVICE);
    word |= (uint32_t)unit.recipe << STATUS_RECIPE;
    return word | parity(word) << STATUS_PARITY;
}

static void check_status(void)
{
    assert(parity(status_word) == 0);
    assert((status_word & 7u) == (uint32_t)unit.state);
    assert(((status_word >> STATUS_OUTPUTS) & EVERYTHING) == outputs.now);
    assert(((status_word >> STATUS_ALARMS) & 15u) == alarms_shown());
    assert(((status_word >> STATUS_RECIPE) & 3u) == unit.recipe);
}

/* ================================================================== */
/* Report                                                             */
/* ================================================================== */

static const char *state_text(enum unit_state state)
{
    switch (state) {
    case UNIT_IDLE:
        return "idle";
    case UNIT_RUNNING:
        return "running";
    case UNIT_HELD:
        return "held";
    case UNIT_ABORTING:
        return "aborting";
    case UNIT_ABORTED:
        return "aborted";
    case UNIT_COMPLETE:
        return "complete";
    case UNIT_CLEANING:
        return "being cleaned";
    case UNIT_DRAINING:
        return "being drained";
    }
    return "?";
}

static const char *const event_texts[] = {
    [EV_NONE]           = "nothing",
    [EV_POWER_UP]       = "power up",
    [EV_ALARM]          = "alarm",
    [EV_ACKNOWLEDGED]   = "alarms acknowledged",
    [EV_BATCH_STARTED]  = "batch started",
    [EV_STEP_DONE]      = "step done",
    [EV_BATCH_COMPLETE] = "batch complete",
    [EV_BATCH_ABORTED]  = "batch aborted",
    [EV_HELD]           = "held",
    [EV_RESUMED]        = "resumed",
    [EV_CLEANED]        = "vessel cleaned",
    [EV_REFUSED]        = "command refused",
    [EV_TRIMMED]        = "trim changed",
    [EV_SERVICED]       = "serviced",
    [EV_WATCHDOG]       = "watchdog"
};

static void report_unit(void)
{
    printf("unit %s, recipe %s, step %u\n", state_text(unit.state), active_recipe()->name, (unsigned)unit.step);
    printf("batches %u, complete %u, aborted %u, cleanings %u, refused %u\n", (unsigned)totals.started,
           (unsigned)totals.completed, (unsigned)totals.aborted, (unsigned)totals.cleanings,
           (unsigned)totals.refused);
    printf("status %08lx\n", (unsigned long)status_word);
}

static void report_channels(void)
{
    int i;

    for (i = 0; i < CH_COUNT; i++) {
        const char *note = "";
        if (channels[i].quality == QUALITY_BAD)
            note = " bad";
        else if (channels[i].quality == QUALITY_SUSPECT)
            note = " suspect";
        printf("%s %d%s\n", channel_defs[i].tag, (int)channels[i].value, note);
    }
}

static void report_alarms(void)
{
    int i;

    for (i = 0; i < AL_COUNT; i++) {
        if (alarm_shown((enum alarm_id)i))
            printf("! %s since %u\n", alarm_defs[i].text, (unsigned)alarms[i].stamp);
    }
    for (i = 0; i < (int)ARRAY_LENGTH(causes); i++) {
        if ((causes[i].blocks & outputs.demand) && causes[i].present())
            printf("blocked by: %s\n", causes[i].text);
    }
}

static void report_log(void)
{
    const struct event *e;
    unsigned n = 0;

    while ((e = log_recall(n)) != NULL) {
        printf("%u %s (%u)\n", (unsigned)e->stamp, event_texts[e->code], (unsigned)e->detail);
        n++;
    }
}

/* ================================================================== */
/* Start and main loop                                                */
/* ================================================================== */

static void power_up(void)
{
    int i;

    for (i = 0; i < CH_COUNT; i++) {
        parameters.trim[i] = 0;
        channels[i].value = channel_defs[i].substitute;
    }
    parameters.seal = seal_of(&parameters);
    for (i = 0; i < ACT_COUNT; i++)
        wear[i] = wear_at_power_up[i];

    vessel.residue = FAMILY_CLEAN;
    unit.state = UNIT_IDLE;
    unit.recipe = 1;
    unit.cause = AL_COUNT;
    log_event(EV_POWER_UP, 0);
}

static void run_cycle(void)
{
    now = count_up(now);
    tick_timers();
    condition_inputs();
    evaluate_alarms();
    run_command();
    run_unit();
    supervise();
    drive_outputs();
    do_upkeep();
    watchdog_end_of_cycle();
    status_word = pack_status();
}

/* What the checks need to know of the cycle before. */
struct snapshot {
    struct alarm alarms[AL_COUNT];
    struct wear wear[ACT_COUNT];
    struct vessel vessel;
    uint16_t cleanings;
};

static void take_snapshot(struct snapshot *s)
{
    int i;

    for (i = 0; i < AL_COUNT; i++)
        s->alarms[i] = alarms[i];
    for (i = 0; i < ACT_COUNT; i++)
        s->wear[i] = wear[i];
    s->vessel = vessel;
    s->cleanings = totals.cleanings;
}

static void check_plant(const struct snapshot *before)
{
    check_channels();
    check_contacts();
    check_alarms(before->alarms);
    check_timers();
    check_outputs();
    check_agitator_rest();
    check_supervision();
    check_dose();
    check_unit(&before->vessel, before->cleanings);
    check_batch();
    check_upkeep(before->wear);
    check_parameters();
    check_log();
    check_status();
    assert(!watchdog.tripped && watchdog.missed == 0);
}

int main(void)
{
    int cycle;

    power_up();
    for (cycle = 0; cycle < CYCLES; cycle++) {
        struct snapshot before;

        read_frame();
        if (cycle == 0)
            preset_contacts();
        take_snapshot(&before);
        run_cycle();
        check_plant(&before);
    }
    report_unit();
    report_channels();
    report_alarms();
    report_log();
    return 0;
}
