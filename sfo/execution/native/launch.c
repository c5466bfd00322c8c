/*
 * Starts a compiled program inside its limits, before any of its code has been executed: its constructors are code, too.
 *
 *     launch <bytes> <program>
 *
 * The program may have so many bytes of addresses (0: as many as there are). Files are small, there is no core file and,
 * where the system allows that, no network. Until its main function lifts these two limits again (SFO_LIMITED in the
 * environment says that there are any) it can start no process and has some seconds of processor time.
 * Where the system allows that, its memory has the same addresses in every execution, so that what it does is the same, too.
 * What keeps it from being started is said on the standard error, and the exit code is 127.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

#define FILE_LIMIT (16u << 20)
#define SECONDS_BEFORE_MAIN 2

/* At most so much, less where less is allowed. */
static void limit(int resource, rlim_t soft, rlim_t hard)
{
    struct rlimit now;
    if (getrlimit(resource, &now))
        return;
    now.rlim_max = now.rlim_max < hard ? now.rlim_max : hard;
    now.rlim_cur = now.rlim_cur < soft ? now.rlim_cur : soft;
    now.rlim_cur = now.rlim_cur < now.rlim_max ? now.rlim_cur : now.rlim_max;
    setrlimit(resource, &now);
}

int main(int count, char **arguments)
{
    rlim_t bytes;
    if (count != 3)
        return 127;
    bytes = (rlim_t)strtoull(arguments[1], NULL, 10);
    if (!getenv("SFO_LIMITED"))
        (void)!unshare(CLONE_NEWUSER | CLONE_NEWNET);
    setenv("SFO_LIMITED", "1", 1);
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_FSIZE, FILE_LIMIT, FILE_LIMIT);
    limit(RLIMIT_CPU, SECONDS_BEFORE_MAIN, RLIM_INFINITY);
    limit(RLIMIT_NPROC, 0, RLIM_INFINITY);
    (void)!personality(ADDR_NO_RANDOMIZE);
    if (bytes)
        limit(RLIMIT_AS, bytes, bytes);
    execv(arguments[2], arguments + 2);
    fprintf(stderr, "it cannot be started: %s\n", strerror(errno));
    return 127;
}
