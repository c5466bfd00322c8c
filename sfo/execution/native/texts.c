/*
 * Executes a program on many texts: linked to its objects, whose main function is called sfo_tested_main.
 *
 * The file "texts" has the texts, each behind its length in four bytes, the lowest one first. To the standard output goes a
 * line for each of them, "<status of waitpid> <hash of what it printed>", or "assumed" where it broke an assumption; with SFO_WORDS the
 * hash is that of its words. Every
 * execution is a process forked from this one, with little processor time and a short output; after some that took all of
 * their time the rest is not executed.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_GIVEN (1u << 24)
#define MOST_PRINTED (1u << 16)
#define SECONDS 1
#define WAITING 20
#define MOST_ENDLESS 4

extern int sfo_tested_main(int count, char **arguments, char **environment);
extern char **environ;

static unsigned char texts[MOST_GIVEN];
static char printed[MOST_PRINTED];

static int *is_assumed_wrong;

static void assume(int condition)
{
    if (condition)
        return;
    *is_assumed_wrong = 1;
    _exit(0);
}

__attribute__((weak)) void __VERIFIER_assume(int condition)
{
    assume(condition);
}

__attribute__((weak)) void __CPROVER_assume(_Bool condition)
{
    assume(condition);
}

static void lift(int resource)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(resource, &limit);
    }
}

static size_t read_texts(void)
{
    int from = open("texts", O_RDONLY);
    size_t size = 0;
    ssize_t more;
    while (from >= 0 && size < MOST_GIVEN && (more = read(from, texts + size, MOST_GIVEN - size)) > 0)
        size += (size_t)more;
    if (from >= 0)
        close(from);
    return size;
}

static void be_tested(int given, int out)
{
    static char name[] = "program";
    char *arguments[] = {name, NULL};
    struct rlimit brief = {SECONDS, SECONDS}, brief_output = {MOST_PRINTED, MOST_PRINTED}, none = {0, 0};
    int nowhere = open("/dev/null", O_WRONLY);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CPU, &brief);
    setrlimit(RLIMIT_FSIZE, &brief_output);
    setrlimit(RLIMIT_NPROC, &none);
    alarm(WAITING);
    if (dup2(given, 0) < 0 || dup2(out, 1) < 0)
        _exit(1);
    if (nowhere >= 0)
        dup2(nowhere, 2);
    exit(sfo_tested_main(1, arguments, environ));
}

/* With `by_words` white space counts as one blank between words. */
static unsigned long long hash_of(int out, int by_words)
{
    unsigned long long hash = 1469598103934665603ull;
    ssize_t n, size = pread(out, printed, MOST_PRINTED, 0);
    int is_behind_word = 0, is_behind_space = 0;
    for (n = 0; n < size; n++) {
        if (by_words && isspace((unsigned char)printed[n])) {
            is_behind_space = 1;
            continue;
        }
        if (is_behind_word && is_behind_space)
            hash = (hash ^ ' ') * 1099511628211ull;
        hash = (hash ^ (unsigned char)printed[n]) * 1099511628211ull;
        is_behind_word = 1;
        is_behind_space = 0;
    }
    return hash;
}

static int is_endless(int status)
{
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return number == SIGXCPU || number == SIGKILL || number == SIGALRM || number == SIGXFSZ;
}

int main(void)
{
    int given = memfd_create("given", 0), out = memfd_create("printed", 0), endless = 0, said = dup(1);
    size_t size = read_texts(), at = 0;
    is_assumed_wrong = mmap(NULL, sizeof *is_assumed_wrong, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (given < 0 || out < 0 || said < 0 || is_assumed_wrong == MAP_FAILED)
        return 3;
    lift(RLIMIT_NPROC);
    lift(RLIMIT_CPU);
    while (endless < MOST_ENDLESS && at + 4 <= size) {
        size_t length = texts[at] | texts[at + 1] << 8 | texts[at + 2] << 16 | (size_t)texts[at + 3] << 24;
        int status = 0;
        pid_t child;
        at += 4;
        if (length > size - at || ftruncate(given, 0) || ftruncate(out, 0))
            return 3;
        if (pwrite(given, texts + at, length, 0) != (ssize_t)length)
            return 3;
        at += length;
        *is_assumed_wrong = 0;
        lseek(given, 0, SEEK_SET);
        lseek(out, 0, SEEK_SET);
        child = fork();
        if (child < 0)
            return 3;
        if (child == 0)
            be_tested(given, out);
        if (waitpid(child, &status, 0) != child)
            return 3;
        endless += is_endless(status);
        if (*is_assumed_wrong)
            dprintf(said, "assumed\n");
        else
            dprintf(said, "%d %016llx\n", status, hash_of(out, getenv("SFO_WORDS") != NULL));
    }
    return 0;
}
