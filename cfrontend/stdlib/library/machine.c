/* The machine: models of <sys/utsname.h> and of gethostname, to be executed symbolically. What it is called is an
   input; the system is Linux. */
#include <errno.h>
#include <stddef.h>
#include <sys/utsname.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void __sfo_fill(void *target, int byte, size_t bytes);
extern void __sfo_copy(void *target, const void *source, size_t bytes);

#ifdef SFO_NATIVE
extern int *__errno_location(void);
#undef errno
#define errno (*__errno_location())
#endif

#define LONGEST_NAME 64
#define LONGEST_RELEASE 31

/* A name that is asked for once: `name[0]` is 0 until then. */
static void ask_name(char *name, int *is_known, int longest) {
  if (*is_known)
    return;
  *is_known = 1;
  int more = 1;
  for (int n = 0; n < longest; n++)
    if (more) {
      int character = __VERIFIER_nondet_int();
      __VERIFIER_assume(character >= 0 && character <= 255);
      name[n] = (char)character;
      more = character != 0;
    }
}

static char host[LONGEST_NAME + 1];
static int is_host_known;

/* What has no room is left out, the final zero first. */
int gethostname(char *target, size_t bytes) {
  ask_name(host, &is_host_known, LONGEST_NAME);
  int more = 1;
  for (size_t n = 0; n < bytes && n <= LONGEST_NAME; n++)
    if (more) {
      target[n] = host[n];
      more = host[n] != 0;
    }
  if (!more)
    return 0;
  errno = ENAMETOOLONG;
  return -1;
}

int uname(struct utsname *result) {
  static char release[LONGEST_RELEASE + 1], version[LONGEST_RELEASE + 1];
  static int is_release_known, is_version_known;
  ask_name(host, &is_host_known, LONGEST_NAME);
  ask_name(release, &is_release_known, LONGEST_RELEASE);
  ask_name(version, &is_version_known, LONGEST_RELEASE);
  static const char system[] = "Linux", wide[] = "x86_64", narrow[] = "i686", domain[] = "(none)";
  __sfo_fill(result, 0, sizeof *result);
  __sfo_copy(result->sysname, system, sizeof system);
  __sfo_copy(result->nodename, host, sizeof host);
  __sfo_copy(result->release, release, sizeof release);
  __sfo_copy(result->version, version, sizeof version);
  if (sizeof(long) == 8)
    __sfo_copy(result->machine, wide, sizeof wide);
  else
    __sfo_copy(result->machine, narrow, sizeof narrow);
  __sfo_copy((char *)result + 5 * sizeof result->sysname, domain, sizeof domain);
  return 0;
}
