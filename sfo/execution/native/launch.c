/*
 * Starts a compiled program inside its limits and, if asked to, in a sandbox: before any of its code has been executed, as
 * its constructors are code, too, and so is what its symbols make the dynamic linker call.
 *
 *     launch <kind> <bytes> <processes> <results> [<name>=<value>]... -- program=<file> [<name>=<file>]...
 *     launch <kind> <bytes> <processes> <results> [<name>=<value>]... -- -- <command>...
 *
 * Files are numbers of descriptors that are open. They are copied to the box, a directory of limited size, in which the program
 * is executed with the environment that is given and no other one. When it has ended, what else is in the box goes to
 * the descriptor <results> (-1: nowhere): a line "exit <code>" or "signal <number>" and, for each regular file, a line
 * "<size> <name>" and its bytes.
 *
 * A command, such as gcov on what a program has left, is executed in the current directory, and has no limit of processor time.
 *
 * Kinds of sandbox:
 *     none       limits only; the box is the current directory, the file system is that of the user
 *     boxed      somebody (bubblewrap) has made name spaces, in which this process is the first; the box is the current directory
 *     landlock   this process makes name spaces where it may; the box is a file system of its own then, else the current directory
 *     watched    as boxed, for a command of the project such as a build: limits only, and files of two gigabytes
 * In the sandboxes boxed and landlock there are, besides, rules of Landlock for files and of seccomp for system calls; root becomes
 * nobody, for whom the kernel counts processes. Where a sandbox cannot be had, nothing is executed.
 *
 * The program may have so many bytes of addresses (0: as many as there are). Files are small, there is no core file. Until
 * its main function lifts these two limits (SFO_LIMITED in the environment says that there are any) it can start no process and
 * has some seconds of processor time. Where the system allows that, its memory has the same addresses in every execution, so
 * that what it does is the same, too. What keeps it from being started is said on the standard error, and the code is 127.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FILE_LIMIT (16u << 20)
#define WATCHED_FILE_LIMIT (2048ul << 20)
#define BOX_LIMIT (256ul << 20)
#ifndef MEMORY_LIMIT
#define MEMORY_LIMIT (4096ul << 20)
#endif
#define OPEN_LIMIT 256
#define SECONDS_BEFORE_MAIN 2
#define NOBODY 65534
#define NOT_STARTED 127
#define NO_NAMESPACES 99
#define MOST_NAMED 64
#define LOOK 20000000

enum kind { NONE, BOXED, LANDLOCK, WATCHED };

static enum kind kind;
static unsigned long bytes, processes;
static int results;
static char *environment[MOST_NAMED + 1];
static struct { const char *name; int file; } inputs[MOST_NAMED];
static int input_count;
static int is_first;
static char **command; /* instead of the program, if any */
static unsigned long shared_before;

static int refused(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return NOT_STARTED;
}

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

/* -- files --------------------------------------------------------------------------------------------------- */

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/* As the kernel has them; older headers have less. */
struct ruleset { uint64_t files, network, scoped; };
struct path_rule { uint64_t allowed; int32_t parent; } __attribute__((packed));

#define EXECUTE (1u << 0)
#define WRITE_FILE (1u << 1)
#define READ_FILE (1u << 2)
#define READ_DIRECTORY (1u << 3)
#define TRUNCATE (1u << 14)
#define DEVICE_CONTROL (1u << 15)
#define ALL_OF_FIRST 0x1fffu /* up to making symbolic links */
#define MAKES_DEVICES ((1u << 6) | (1u << 9) | (1u << 10) | (1u << 11))
#define READS (READ_FILE | READ_DIRECTORY)

static void allow(int rules, const char *path, uint64_t rights)
{
    struct stat about;
    struct path_rule rule = {rights, open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent < 0)
        return;
    if (!fstat(rule.parent, &about) && !S_ISDIR(about.st_mode))
        rule.allowed &= EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE | DEVICE_CONTROL;
    syscall(SYS_landlock_add_rule, rules, 1, &rule, 0);
    close(rule.parent);
}

/* From here on files can be read that every program needs, and written in the box. */
static int restrict_files(void)
{
    static const char *const systems[] = {"/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store", "/opt"};
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    struct ruleset all = {ALL_OF_FIRST, 0, 0};
    size_t n, size = sizeof all.files;
    int rules;
    if (version < 1)
        return -1;
    if (version >= 2)
        all.files |= 1u << 13;
    if (version >= 3)
        all.files |= TRUNCATE;
    if (version >= 4)
        all.network = 3, size = offsetof(struct ruleset, scoped);
    if (version >= 5)
        all.files |= DEVICE_CONTROL;
    if (version >= 6)
        all.scoped = 3, size = sizeof all;
    if (kind == LANDLOCK && (version < 3 || (version < 6 && !is_first))) {
        errno = EOPNOTSUPP;
        return -1;
    }
    rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
    if (rules < 0)
        return -1;
    for (n = 0; n < sizeof systems / sizeof *systems; n++)
        allow(rules, systems[n], EXECUTE | READS);
    for (n = 0; n < sizeof devices / sizeof *devices; n++)
        allow(rules, devices[n], all.files & (READ_FILE | WRITE_FILE | TRUNCATE));
    allow(rules, "/etc/ld.so.cache", READ_FILE);
    if (command)
        allow(rules, command[0], EXECUTE | READ_FILE);
    allow(rules, "/proc", READS);
    allow(rules, ".", all.files & ~(uint64_t)MAKES_DEVICES);
    if (syscall(SYS_landlock_restrict_self, rules, 0))
        return -1;
    return close(rules);
}

/* -- system calls -------------------------------------------------------------------------------------------- */

#ifdef __x86_64__
#define OWN_CALLS AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_CALLS AUDIT_ARCH_AARCH64
#elif defined(__riscv)
#define OWN_CALLS AUDIT_ARCH_RISCV64
#else
#define OWN_CALLS 0
#endif

/* What reaches beyond the box or into other processes, makes devices or speaks to somebody. */
static const int refused_calls[] = {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_sendto, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_kcmp, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_name_to_handle_at,
    SYS_open_by_handle_at, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key, SYS_request_key, SYS_keyctl,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct,
    SYS_quotactl, SYS_syslog, SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
    SYS_clock_adjtime, SYS_vhangup, SYS_fanotify_init, SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open,
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_setsid, SYS_setpgid, SYS_setpriority, SYS_sched_setscheduler,
    SYS_sched_setparam, SYS_sched_setattr, SYS_sched_setaffinity, SYS_ioprio_set, SYS_mknodat,
#ifdef __x86_64__
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_mknod, SYS_iopl, SYS_ioperm, SYS_kexec_file_load,
#endif
};

/* The same for programs of 32 bits on x86. */
static const int refused_calls_of_32_bits[] = {
    14, 15, 16, 21, 22, 25, 26, 30, 51, 52, 57, 61, 66, 74, 79, 87, 88, 94, 95, 97, 101, 102, 103, 110, 111, 115, 117, 121, 124, 128,
    129, 131, 154, 156, 166, 182, 198, 207, 212, 217, 226, 227, 228, 235, 236, 237, 241, 264, 271, 277, 283, 286, 287, 288, 289, 297, 298,
    299, 306, 310, 320, 336, 338, 341, 342, 343, 346, 347, 348, 349, 350, 351, 357, 359, 360, 361, 362, 369, 370, 374, 393, 395, 397, 399,
    404, 405, 412,
};

/* Later calls have one number everywhere: io_uring, mounts, pidfd_getfd, fchmodat2, extended attributes. */
static const int refused_later_calls[] = {
    425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 443, 452, 463, 466, 467, 468, 469,
};

#define COUNT(table) (sizeof table / sizeof *table)
#define MOST_RULES 1024
#define CLONE3 435
#define NAMESPACE_FLAGS 0x7e020080u /* CLONE_NEW..., among the flags of clone */

static struct sock_filter rules[MOST_RULES];
static unsigned short rule_count;

static void rule(unsigned short code, unsigned char if_true, unsigned char if_false, unsigned operand)
{
    struct sock_filter made = {code, if_true, if_false, operand};
    rules[rule_count++] = made;
}

static void answer(unsigned value)
{
    rule(BPF_RET | BPF_K, 0, 0, value);
}

static void load(size_t offset)
{
    rule(BPF_LD | BPF_W | BPF_ABS, 0, 0, (unsigned)offset);
}

static void refuse(int number, unsigned error)
{
    rule(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)number);
    answer(SECCOMP_RET_ERRNO | error);
}

/* A call is refused where its first argument has one of these bits. */
static void refuse_with_bits(int number, unsigned bits)
{
    rule(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (unsigned)number);
    load(offsetof(struct seccomp_data, args));
    rule(BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
    answer(SECCOMP_RET_ERRNO | EPERM);
    answer(SECCOMP_RET_ALLOW);
}

static void refuse_calls(const int *numbers, size_t count, int clone, int limits)
{
    size_t n;
    load(offsetof(struct seccomp_data, nr));
    for (n = 0; n < count; n++)
        refuse(numbers[n], EPERM);
    for (n = 0; n < COUNT(refused_later_calls); n++)
        refuse(refused_later_calls[n], EPERM);
    refuse(CLONE3, ENOSYS); /* its flags lie in memory; libc asks for clone then */
    refuse_with_bits(clone, NAMESPACE_FLAGS);
    refuse_with_bits(limits, ~0u); /* the limits of others */
    answer(SECCOMP_RET_ALLOW);
}

static int restrict_calls(void)
{
    struct sock_fprog program = {0, rules};
    unsigned short jump;
    load(offsetof(struct seccomp_data, arch));
#ifdef __x86_64__
    rule(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, AUDIT_ARCH_I386);
    jump = rule_count;
    rule(BPF_JMP | BPF_JA, 0, 0, 0);
#endif
    rule(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OWN_CALLS);
    answer(SECCOMP_RET_KILL_PROCESS);
#ifdef __x86_64__
    load(offsetof(struct seccomp_data, nr));
    rule(BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000); /* x32 */
    answer(SECCOMP_RET_KILL_PROCESS);
#endif
    refuse_calls(refused_calls, COUNT(refused_calls), SYS_clone, SYS_prlimit64);
#ifdef __x86_64__
    rules[jump].k = (unsigned)(rule_count - jump - 1);
    refuse_calls(refused_calls_of_32_bits, COUNT(refused_calls_of_32_bits), 120, 340);
#else
    (void)jump, (void)refused_calls_of_32_bits;
#endif
    program.len = rule_count;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* -- the program --------------------------------------------------------------------------------------------- */

/* Root becomes somebody who owns nothing. In a name space of somebody else that has nobody else, it is harmless. */
static int become_nobody(void)
{
    if (geteuid())
        return 0;
    if (!setgroups(0, NULL) && !setresgid(NOBODY, NOBODY, NOBODY) && !setresuid(NOBODY, NOBODY, NOBODY))
        return 0;
    return errno == EINVAL || errno == EPERM ? 0 : -1;
}

static int execute(char **arguments)
{
    limit(RLIMIT_CORE, 0, 0);
    if (kind == WATCHED) {
        limit(RLIMIT_FSIZE, WATCHED_FILE_LIMIT, WATCHED_FILE_LIMIT);
        execve(arguments[0], arguments, environment);
        return refused("it cannot be started");
    }
    limit(RLIMIT_FSIZE, FILE_LIMIT, FILE_LIMIT);
    if (!command)
        limit(RLIMIT_CPU, SECONDS_BEFORE_MAIN, RLIM_INFINITY);
    if (kind == NONE) {
        (void)!unshare(CLONE_NEWUSER | CLONE_NEWNET);
        limit(RLIMIT_NPROC, 0, RLIM_INFINITY); /* now, as the space of users may have no more than there were then */
    } else {
        limit(RLIMIT_NOFILE, OPEN_LIMIT, OPEN_LIMIT);
        limit(RLIMIT_MEMLOCK, 1 << 16, 1 << 16);
        if (become_nobody())
            return refused("it cannot be executed as nobody");
        limit(RLIMIT_NPROC, 0, processes); /* now, as nobody may have more of them already */
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
            return refused("there are no restrictions of processes here");
        if (restrict_files() && kind == LANDLOCK)
            return refused("there are no restrictions of files here");
    }
    (void)!personality(ADDR_NO_RANDOMIZE);
    if (bytes)
        limit(RLIMIT_AS, bytes, bytes);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* another user's is taken back */
    if (kind != NONE && restrict_calls())
        return refused("there are no restrictions of system calls here");
    execve(arguments[0], arguments, environment);
    return refused("it cannot be started");
}

/* -- box ----------------------------------------------------------------------------------------------------- */

static int copy(int from, int to)
{
    static char buffer[1 << 16];
    ssize_t count;
    off_t at = 0;
    while ((count = pread(from, buffer, sizeof buffer, at)) > 0) {
        ssize_t written = 0, more;
        at += count;
        for (; written < count; written += more)
            if ((more = write(to, buffer + written, (size_t)(count - written))) <= 0)
                return -1;
    }
    return (int)count;
}

static int fill_box(void)
{
    int n, to;
    for (n = 0; n < input_count; n++) {
        to = open(inputs[n].name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0755);
        if (to < 0 || copy(inputs[n].file, to) || fchmod(to, 0755) || close(to))
            return -1;
        close(inputs[n].file);
    }
    return geteuid() ? 0 : chmod(".", 0777);
}

static int is_input(const char *name)
{
    int n;
    for (n = 0; n < input_count; n++)
        if (strcmp(inputs[n].name, name) == 0)
            return 1;
    return 0;
}

/* The files of a directory; one in which they lie is looked at, too. Returns how many bytes may still come. */
static unsigned long tell_files(int directory, const char *below, unsigned long left)
{
    DIR *entries = fdopendir(directory);
    struct dirent *entry;
    while (entries && (entry = readdir(entries)) && left) {
        struct stat about;
        char name[512];
        int file = openat(directory, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        snprintf(name, sizeof name, "%s%s", below, entry->d_name);
        if (file < 0)
            continue;
        if (fstat(file, &about) || entry->d_name[0] == '.' || strchr(entry->d_name, '\n') || (!*below && is_input(name)))
            close(file);
        else if (S_ISDIR(about.st_mode) && !*below) {
            strncat(name, "/", sizeof name - strlen(name) - 1);
            left = tell_files(file, name, left);
        } else {
            if (S_ISREG(about.st_mode) && (unsigned long)about.st_size < left) {
                dprintf(results, "%lld %s\n", (long long)about.st_size, name);
                left = copy(file, results) ? 0 : left - (unsigned long)about.st_size;
            }
            close(file);
        }
    }
    if (entries)
        closedir(entries);
    return left;
}

/* The beginning of a file of the system, as text; empty where there is none. */
static void read_text(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = 0;
}

/* The word with this number, from 0, as a number. */
static long number_in(const char *text, int index)
{
    while (index-- > 0) {
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    return strtol(text, NULL, 10);
}

static unsigned long bytes_of(const char *table, const char *name)
{
    const char *row = strstr(table, name);
    return row ? strtoul(row + strlen(name), NULL, 10) << 10 : 0;
}

/*
 * Memory of the whole system that is no process' own: files in memory, shared memory, whether it is mapped or not, and what was
 * swapped. No process shows what it has of it, so that what is new since the beginning counts as this sandbox's.
 */
static unsigned long shared_bytes(void)
{
    char table[4096];
    read_text("/proc/meminfo", table, sizeof table);
    return bytes_of(table, "\nShmem:") + bytes_of(table, "\nSwapTotal:") - bytes_of(table, "\nSwapFree:");
}

/* Whether all processes of this name space, or else of this group, have more memory, or are more, than they may. */
static int is_over(void)
{
    DIR *entries = opendir("/proc");
    struct dirent *entry;
    unsigned long pages = 0, count = 0, shared = shared_bytes();
    while (entries && (entry = readdir(entries))) {
        char path[300], text[1024], *numbers;
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        read_text(path, text, sizeof text);
        numbers = strrchr(text, ')'); /* behind the name, which may be anything: state, parent, group, ... */
        if (!numbers || (!is_first && number_in(numbers, 3) != getpgrp()))
            continue;
        pages += (unsigned long)number_in(numbers, 22);
        count++;
    }
    if (entries)
        closedir(entries);
    shared = shared > shared_before ? shared - shared_before : 0;
    return pages * (unsigned long)sysconf(_SC_PAGESIZE) + shared > MEMORY_LIMIT || count > processes + 4;
}

static unsigned long bytes_in_box(int directory, int is_top)
{
    DIR *entries = fdopendir(directory);
    struct dirent *entry;
    unsigned long sum = 0;
    while (entries && (entry = readdir(entries))) {
        struct stat about;
        int inner;
        if (entry->d_name[0] == '.' || fstatat(directory, entry->d_name, &about, AT_SYMLINK_NOFOLLOW))
            continue;
        sum += (unsigned long)about.st_blocks * 512 + 4096;
        if (S_ISDIR(about.st_mode) && is_top
            && (inner = openat(directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) >= 0)
            sum += bytes_in_box(inner, 0);
    }
    if (entries)
        closedir(entries);
    return sum;
}

static int is_too_much(void)
{
    if (kind == NONE)
        return 0;
    return is_over() || (!is_first && !command && bytes_in_box(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), 1) > BOX_LIMIT);
}

/* Waits for the program, and ends it where it takes too much; what it has started ends with it. */
static int watched(pid_t program)
{
    struct timespec look = {0, LOOK};
    sigset_t awaited;
    int status, found = 0;
    pid_t ended = 0;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    while (ended != program && ended >= 0) {
        if (sigtimedwait(&awaited, NULL, &look) < 0 && is_too_much())
            kill(is_first ? -1 : program, SIGKILL);
        do {
            ended = waitpid(-1, &status, WNOHANG);
            found = ended == program ? status : found;
        } while (ended > 0 && ended != program);
    }
    if (is_first) {
        kill(-1, SIGKILL);
        while (wait(NULL) > 0)
            ;
    }
    return found;
}

/* In the box: the program begins and ends. */
static int hold(void)
{
    static char *arguments[] = {"./program", NULL};
    char **executed = command ? command : arguments;
    sigset_t awaited;
    pid_t program;
    int status;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!command && fill_box())
        return refused("its files cannot be written");
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &awaited, NULL);
    shared_before = shared_bytes();
    program = fork();
    if (program < 0)
        return refused("there is no process for it");
    if (program == 0) {
        sigprocmask(SIG_UNBLOCK, &awaited, NULL);
        _exit(execute(executed));
    }
    prctl(PR_SET_DUMPABLE, 0);
    close(0);
    close(1);
    status = watched(program);
    if (results >= 0 && !command) {
        if (WIFSIGNALED(status))
            dprintf(results, "signal %d\n", WTERMSIG(status));
        else
            dprintf(results, "exit %d\n", WEXITSTATUS(status));
        tell_files(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "", BOX_LIMIT);
    }
    if (kind == LANDLOCK && !is_first && getpgrp() == getpid())
        kill(0, SIGKILL); /* what it has started could not leave this group */
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* -- name spaces --------------------------------------------------------------------------------------------- */

static int written(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC), is_written = file >= 0 && write(file, text, strlen(text)) > 0;
    if (file >= 0)
        close(file);
    return is_written ? 0 : -1;
}

static int new_namespaces(void)
{
    int flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    unsigned user = geteuid(), group = getegid();
    char map[64];
    if (!user)
        return unshare(flags);
    if (unshare(CLONE_NEWUSER | flags))
        return -1;
    (void)!written("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1", user, user);
    if (written("/proc/self/uid_map", map))
        return -1;
    snprintf(map, sizeof map, "%u %u 1", group, group);
    return written("/proc/self/gid_map", map);
}

/* Own processes, no network, and a box in memory that nobody else sees. */
static int own_box(void)
{
    char options[64];
    snprintf(options, sizeof options, "size=%lu,nr_inodes=65536,mode=0777", BOX_LIMIT);
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL)
        || (!command && (mount("box", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options) || chdir("/tmp")));
}

/* Holds the program in name spaces of its own; the code is NO_NAMESPACES where there are none. */
static int hold_in_namespaces(void)
{
    pid_t outer = fork(), inner;
    int status;
    if (outer < 0)
        return NO_NAMESPACES;
    if (outer > 0) {
        close(0);
        while (waitpid(outer, &status, 0) < 0 && errno == EINTR)
            ;
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (new_namespaces() || (inner = fork()) < 0)
        _exit(NO_NAMESPACES);
    if (inner == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        is_first = 1;
        _exit(own_box() ? NO_NAMESPACES : hold());
    }
    close(0);
    close(1);
    while (waitpid(inner, &status, 0) < 0 && errno == EINTR)
        ;
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

int main(int count, char **words)
{
    int n, named = 0, code;
    if (count < 7)
        return NOT_STARTED;
    kind = strcmp(words[1], "boxed") == 0 ? BOXED : strcmp(words[1], "landlock") == 0 ? LANDLOCK
        : strcmp(words[1], "watched") == 0 ? WATCHED : NONE;
    bytes = strtoul(words[2], NULL, 10);
    processes = strtoul(words[3], NULL, 10);
    results = atoi(words[4]);
    if (results >= 0)
        fcntl(results, F_SETFD, FD_CLOEXEC);
    for (n = 5; n < count && strcmp(words[n], "--") && named < MOST_NAMED - 1; n++)
        environment[named++] = words[n];
    environment[named] = "SFO_LIMITED=1";
    if (n + 2 < count && strcmp(words[n + 1], "--") == 0)
        command = words + n + 2;
    for (n++; !command && n < count && input_count < MOST_NAMED; n++) {
        char *equals = strchr(words[n], '=');
        if (!equals)
            return NOT_STARTED;
        *equals = 0;
        inputs[input_count].name = words[n];
        inputs[input_count].file = atoi(equals + 1);
        fcntl(inputs[input_count++].file, F_SETFD, FD_CLOEXEC);
    }
    is_first = kind == BOXED || kind == WATCHED;
    if (kind == LANDLOCK) {
        code = hold_in_namespaces();
        if (code != NO_NAMESPACES)
            return code;
    }
    return hold();
}
