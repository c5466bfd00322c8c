#ifndef SFO_UNISTD_H
#define SFO_UNISTD_H
#include <sfo_features.h>
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifdef _GNU_SOURCE
extern char **environ;
#endif
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
ssize_t read(int descriptor, void *target, size_t bytes);
ssize_t write(int descriptor, const void *source, size_t bytes);
off_t lseek(int descriptor, off_t offset, int whence);
int close(int descriptor);
int pipe(int descriptors[2]);
int access(const char *path, int mode);
int unlink(const char *path);
int isatty(int descriptor);
pid_t fork(void);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int execv(const char *path, char *const arguments[]);
int execvp(const char *path, char *const arguments[]);
unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
int pause(void);
int getpagesize(void);
_Noreturn void _exit(int status);
int getopt(int count, char *const arguments[], const char *options);
long sysconf(int name);
#define _SC_CLK_TCK 2
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#endif
