#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

/*
 * One activation of a thermostat with its alarm unit.  No loop: the
 * twelve inputs are read, the four outputs are computed.
 * Temperatures are in tenths of a degree.
 */

#define HYSTERESIS     5
#define FROST_LIMIT   50
#define FIRE_LIMIT   600
#define MAX_SETPOINT 300
#define MIN_SETPOINT 100
#define NIGHT_DROP    40
#define STALE_LIMIT    8

enum season { WINTER, MIDSEASON, SUMMER };
enum action { ACT_OFF, ACT_HEAT, ACT_COOL, ACT_FAN };
enum alarm { ALARM_NONE, ALARM_SENSOR, ALARM_FROST, ALARM_INTRUDER, ALARM_FIRE };

/* inputs */
static int probe_a, probe_b;            /* two temperature probes       */
static int setpoint;
static unsigned char hour;
static unsigned char probe_age;         /* activations since a reading  */
static unsigned char season;
static _Bool window_open, motion, armed, smoke, was_heating, was_cooling;

/* computed */
static int room;
static int target;
static _Bool probes_agree;
static _Bool night;
static enum action action;
static enum alarm alarm_kind;
static _Bool siren;
static unsigned char fan_level;

static int distance(int a, int b)
{
    return a > b ? a - b : b - a;
}

static void read_inputs(void)
{
    probe_a = __VERIFIER_nondet_int();
    __VERIFIER_assume(probe_a >= -400 && probe_a <= 900);
    probe_b = __VERIFIER_nondet_int();
    __VERIFIER_assume(probe_b >= -400 && probe_b <= 900);
    setpoint = __VERIFIER_nondet_int();
    __VERIFIER_assume(setpoint >= 0 && setpoint <= 500);
    hour = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(hour < 24);
    probe_age = __VERIFIER_nondet_uchar();
    season = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(season <= SUMMER);
    window_open = __VERIFIER_nondet_bool();
    motion = __VERIFIER_nondet_bool();
    armed = __VERIFIER_nondet_bool();
    smoke = __VERIFIER_nondet_bool();
    was_heating = __VERIFIER_nondet_bool();
    was_cooling = __VERIFIER_nondet_bool();
    __VERIFIER_assume(!(was_heating && was_cooling));
}

static void evaluate_probes(void)
{
    probes_agree = distance(probe_a, probe_b) <= 30;
    if (probes_agree)
        room = (probe_a + probe_b) / 2;
    else if (probe_a > probe_b)
        room = probe_a;
    else
        room = probe_b;
}

static void compute_target(void)
{
    night = hour >= 22 || hour < 6;
    target = setpoint;
    if (target > MAX_SETPOINT)
        target = MAX_SETPOINT;
    if (target < MIN_SETPOINT)
        target = MIN_SETPOINT;
    if (night && season != SUMMER)
        target -= NIGHT_DROP;
}

static void choose_alarm(void)
{
    alarm_kind = ALARM_NONE;
    if (!probes_agree || probe_age > STALE_LIMIT)
        alarm_kind = ALARM_SENSOR;
    if (probes_agree && room < FROST_LIMIT)
        alarm_kind = ALARM_FROST;
    if (armed && (motion || window_open))
        alarm_kind = ALARM_INTRUDER;
    if (smoke || room > FIRE_LIMIT)
        alarm_kind = ALARM_FIRE;
    siren = alarm_kind == ALARM_FIRE || alarm_kind == ALARM_INTRUDER;
}

static void choose_action(void)
{
    int heat_on = target - HYSTERESIS;
    int cool_on = target + HYSTERESIS;

    if (was_heating)
        heat_on = target + 3 * HYSTERESIS;
    if (was_cooling)
        cool_on = target - HYSTERESIS;

    action = ACT_OFF;
    if (season != SUMMER && room < heat_on)
        action = ACT_HEAT;
    else if (season != WINTER && room > cool_on)
        action = ACT_COOL;
    else if (distance(room, target) > 2 * HYSTERESIS)
        action = ACT_FAN;

    if (window_open && alarm_kind != ALARM_FROST)
        action = ACT_OFF;
    if (alarm_kind == ALARM_SENSOR && action == ACT_COOL)
        action = ACT_OFF;
    if (alarm_kind == ALARM_FIRE)
        action = ACT_OFF;
}

static void choose_fan(void)
{
    int gap = distance(room, target);

    switch (action) {
    case ACT_HEAT:
        fan_level = gap > 100 ? 3 : 1;
        break;
    case ACT_COOL:
        fan_level = gap > 60 ? 3 : 2;
        break;
    case ACT_FAN:
        fan_level = 1;
        break;
    default:
        fan_level = 0;
        break;
    }
    if (night && fan_level > 2)
        fan_level = 2;
}

int main(void)
{
    read_inputs();
    evaluate_probes();
    compute_target();
    choose_alarm();
    choose_action();
    choose_fan();

    printf("%d\n", (int)action);
    printf("%d\n", (int)alarm_kind);
    printf("%d\n", (int)fan_level);

    assert(target >= MIN_SETPOINT - NIGHT_DROP && target <= MAX_SETPOINT);
    assert(!(action == ACT_HEAT && season == SUMMER));
    assert(!(action == ACT_COOL && season == WINTER));
    assert(!smoke || (siren && action == ACT_OFF && fan_level == 0));
    assert(!(armed && motion) || siren);
    assert(probe_age <= STALE_LIMIT || alarm_kind != ALARM_NONE);
    assert(action != ACT_HEAT || room < target + HYSTERESIS);
    assert(action != ACT_COOL || room > target - HYSTERESIS);
    assert(!(was_heating && action == ACT_COOL) || room > target + HYSTERESIS);
    assert(!(window_open && (action == ACT_HEAT || action == ACT_COOL)) || room < FROST_LIMIT);
    assert(!(hour == 23 || hour == 3) || fan_level <= 2);
    assert(hour != 12 || setpoint != 200 || target == 200);
    assert((fan_level == 0) == (action == ACT_OFF));
    return 0;
}
