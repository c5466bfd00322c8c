/* Tries what no program under test may do; whatever works is a word in the file "got" of the current directory. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_PROCESSES 200

extern char **environ;

static void got(const char *what)
{
    int file = open("got", O_WRONLY | O_CREAT | O_APPEND, 0666);
    char line[100];
    snprintf(line, sizeof line, "%s\n", what);
    if (file >= 0) {
        (void)!write(file, line, strlen(line));
        close(file);
    }
}

/* The environment, also before libc has it. */
static const char *setting(const char *name)
{
    static char text[4096];
    static ssize_t length;
    const char *c;
    int file = length ? -1 : open("/proc/self/environ", O_RDONLY);
    if (file >= 0)
        length = read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    for (c = text; length > 0 && c < text + length; c += strlen(c) + 1)
        if (strncmp(c, name, strlen(name)) == 0 && c[strlen(name)] == '=')
            return c + strlen(name) + 1;
    return "0";
}

static const char *in_place(const char *name)
{
    static char path[2][400];
    static int turn;
    const char *place = setting("PLACE");
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", place, name);
    return path[turn];
}

static void can_read(const char *path, const char *what)
{
    char buffer[8];
    int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, buffer, sizeof buffer) > 0)
        got(what);
    if (file >= 0)
        close(file);
}

static void writes(void)
{
    struct timeval times[2] = {{1, 0}, {1, 0}};
    int file = open(in_place("victim"), O_WRONLY);
    if (file >= 0 && write(file, "spoiled!", 8) == 8)
        got("wrote");
    if (open(in_place("made"), O_WRONLY | O_CREAT, 0666) >= 0)
        got("made");
    if (!truncate(in_place("victim"), 3))
        got("truncated");
    if (!mkdir(in_place("directory"), 0777))
        got("directory");
    if (!symlink("/", in_place("link")))
        got("link");
    if (!mkfifo(in_place("fifo"), 0666))
        got("fifo");
    if (!chmod(in_place("victim"), 0))
        got("told-mode");
    if (!utimes(in_place("victim"), times))
        got("told-times");
    if (!rename(in_place("victim"), in_place("moved")))
        got("moved");
    if (!unlink(in_place("secret")))
        got("removed");
    if (!mkdir("/made-by-hostile", 0777) && !rmdir("/made-by-hostile"))
        got("root");
    if (open("/usr/made-by-hostile", O_WRONLY | O_CREAT, 0666) >= 0 && !unlink("/usr/made-by-hostile"))
        got("system");
    if (open("/dev/made-by-hostile", O_WRONLY | O_CREAT, 0666) >= 0 && !unlink("/dev/made-by-hostile"))
        got("devices");
}

static void reads(void)
{
    char path[100];
    char **name;
    int file, box = open(".", O_RDONLY);
    can_read(in_place("secret"), "read");
    can_read("/etc/passwd", "passwords");
    can_read("/root/.bashrc", "home");
    can_read("/root/.profile", "home");
    if (chdir("/home") == 0 && open(".", O_RDONLY) >= 0)
        got("homes");
    (void)!fchdir(box);
    close(box);
    snprintf(path, sizeof path, "/proc/%s/environ", setting("PARENT"));
    can_read(path, "environment-of-parent");
    can_read("/proc/1/environ", "environment-of-first");
    snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
    can_read(path, "environment-of-starter");
    for (name = environ; name && *name; name++)
        if (strstr(*name, "SECRET") || strncmp(*name, "HOME=", 5) == 0 || strncmp(*name, "PATH=", 5) == 0)
            got("environment");
    for (file = 3; file < 1024; file++)
        if (fcntl(file, F_GETFD) >= 0)
            got("descriptor");
}

static void speaks(void)
{
    struct sockaddr_in there = {.sin_family = AF_INET};
    int s = socket(AF_INET, SOCK_STREAM, 0), pair[2];
    there.sin_port = htons((unsigned short)atoi(setting("PORT")));
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (s >= 0 && !connect(s, (struct sockaddr *)&there, sizeof there))
        got("connected");
    if (s >= 0)
        got("socket");
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || socket(AF_NETLINK, SOCK_RAW, 0) >= 0 || socket(AF_INET6, SOCK_DGRAM, 0) >= 0)
        got("other-socket");
    if (!socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        got("pair");
}

static void harms(void)
{
    struct rlimit none = {0, 0};
    pid_t victim = atoi(setting("VICTIM"));
    if (!kill(victim, SIGTERM))
        got("killed");
    if (!ptrace(PTRACE_ATTACH, victim, 0, 0))
        got("traced");
    if (!prlimit(victim, RLIMIT_CPU, &none, NULL))
        got("limited");
    if (!setpriority(PRIO_PROCESS, (unsigned)victim, 19))
        got("slowed");
    if (!mount("x", "/", "tmpfs", 0, NULL) || !umount("/proc"))
        got("mounted");
    if (!unshare(CLONE_NEWUSER) || !unshare(CLONE_NEWNS))
        got("name-space");
    if (setuid(0) == 0 && (kill(1, 0), chown("got", 0, 0)) == 0)
        got("root");
    if (!sethostname("hostile", 7))
        got("host");
}

static void lift(int resource)
{
    struct rlimit now;
    getrlimit(resource, &now);
    now.rlim_cur = now.rlim_max;
    setrlimit(resource, &now);
    now.rlim_cur = now.rlim_max = RLIM_INFINITY;
    setrlimit(resource, &now);
}

static void executes(void)
{
    char command[600];
    pid_t child;
    lift(RLIMIT_NPROC);
    child = fork();
    if (child == 0) {
        snprintf(command, sizeof command, "echo spoiled > '%s' && echo executed >> got", in_place("by-shell"));
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(1);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

/* Processes that stay: in groups and sessions of their own, asleep, as many as there may be. */
static void stays(void)
{
    char name[200];
    int n;
    const char *place = setting("PLACE");
    snprintf(name, sizeof name, "left-by-hostile-of-%s", strrchr(place, '/') ? strrchr(place, '/') + 1 : "");
    for (n = 0; n < MOST_PROCESSES; n++) {
        pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0) {
            setsid();
            if (n % 2)
                setpgid(0, 0);
            signal(SIGTERM, SIG_IGN);
            signal(SIGHUP, SIG_IGN);
            if (fork() <= 0) {
                execl("/bin/sleep", name, "1000", (char *)NULL);
                sleep(1000);
            }
            _exit(0);
        }
    }
    if (n == MOST_PROCESSES)
        got("processes");
}

static void fill_memory(void)
{
    int n;
    lift(RLIMIT_NPROC);
    lift(RLIMIT_CPU);
    got("began");
    for (n = 0; n < 3; n++)
        if (fork() == 0)
            break;
    for (n = 0; n < 40; n++) {
        char *memory = malloc(100 << 20);
        if (!memory)
            break;
        memset(memory, 1, 100 << 20);
    }
    if (n == 40)
        got("filled");
    sleep(5);
    got("filled");
}

/* Memory that no process has: files in memory that were written, shared memory that was unmapped again. */
static void fill_shared_memory(int is_mapped)
{
    static char piece[1 << 20];
    int n, k, file = -1;
    got("began");
    for (n = 0; n < 24; n++) { /* half as much again as the limit of the tests */
        if (is_mapped) {
            char *memory = mmap(NULL, 16 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            if (memory == MAP_FAILED)
                break;
            memset(memory, 1, 16 << 20);
            madvise(memory, 16 << 20, MADV_DONTNEED);
        } else if ((file = memfd_create("hidden", 0)) < 0)
            break;
        for (k = 0; !is_mapped && k < 16; k++)
            if (write(file, piece, sizeof piece) < 0)
                break;
    }
    sleep(5); /* the watch may come late */
    got("filled");
}

static void attack_briefly(void)
{
    got("began");
    reads();
    executes();
    writes();
}

static void attack(void)
{
    got("began");
    lift(RLIMIT_CPU);
    reads();
    speaks();
    harms();
    executes();
    stays();
    writes();
}
