/*
 * Counts, in a run of an instrumented program, how often one unit followed another within an activation of a function
 * and how the conditions came out. See cfrontend/instrument.py (with_steps) for the calls; gcc makes those of
 * __cyg_profile_func_enter and exit (-finstrument-functions).
 *
 * At its end the run writes to <path>.steps, a line each:
 *     step <unit> <unit> <count>         0 stands for the begin and for the end of an activation
 *     test <unit> <true> <false>
 */
#include <stdio.h>
#include <stdlib.h>

#define MOST_EDGES (1u << 20)
#define MOST_FRAMES (1u << 20)
#define MOST_UNITS (1u << 16)

struct edge {
    unsigned from, to;
    unsigned long long count;
};

static struct edge edges[MOST_EDGES];
static unsigned last[MOST_FRAMES], depth, edge_count;
static unsigned long long tests[MOST_UNITS][2];

static void step(unsigned *from, unsigned to)
{
    unsigned place = (*from * 2654435761u ^ to * 40503u) % MOST_EDGES;
    if (!*from && !to)
        return;
    while (edges[place].count && (edges[place].from != *from || edges[place].to != to))
        place = (place + 1) % MOST_EDGES;
    if (!edges[place].count && ++edge_count >= MOST_EDGES)
        abort();
    edges[place].from = *from;
    edges[place].to = to;
    edges[place].count++;
    *from = to;
}

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)function, (void)caller;
    if (++depth >= MOST_FRAMES)
        abort();
    last[depth] = 0;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
    step(&last[depth--], 0);
}

void sfo_at(unsigned unit)
{
    step(&last[depth], unit);
}

int sfo_test(unsigned unit, int outcome)
{
    if (unit < MOST_UNITS)
        tests[unit][!outcome]++;
    return outcome;
}

void sfo_write_steps(const char *end_path)
{
    char path[4200];
    unsigned n;
    FILE *file;
    snprintf(path, sizeof path, "%s.steps", end_path);
    file = fopen(path, "w");
    if (!file)
        return;
    for (n = 0; n < MOST_EDGES; n++)
        if (edges[n].count)
            fprintf(file, "step %u %u %llu\n", edges[n].from, edges[n].to, edges[n].count);
    for (n = 0; n < MOST_UNITS; n++)
        if (tests[n][0] || tests[n][1])
            fprintf(file, "test %u %llu %llu\n", n, tests[n][0], tests[n][1]);
    fclose(file);
}
