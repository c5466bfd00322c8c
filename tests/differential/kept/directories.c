/* Directories that are made, entered and removed, and permissions that are given: what follows agrees. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void made(void) {
  struct stat found;
  int answer = mkdir("out", 0755);
  printf("%d ", answer == 0 || errno == EEXIST || errno == ENOENT || errno == EACCES);
  if (answer != 0)
    return;
  assert(mkdir("out", 0755) == -1 && errno == EEXIST);
  assert(stat("out", &found) == 0 && S_ISDIR(found.st_mode));
  if (rmdir("out") == 0) {
    assert(rmdir("out") == -1 && errno == ENOENT);
    assert(stat("out", &found) == -1);
  }
}

static void filled(void) {
  FILE *in = fopen("sub/file", "w");
  if (in == NULL)
    return;
  fclose(in);
  assert(rmdir("sub") == -1 && (errno == ENOTEMPTY || errno == EACCES));
}

static void protected(void) {
  struct stat found;
  if (chmod("data", 0640) != 0) {
    printf("%d ", errno == EPERM || errno == ENOENT);
    return;
  }
  if (stat("data", &found) == 0)
    assert((found.st_mode & 0777) == 0640);
  assert(access("data", F_OK) == 0);
}

static void entered(void) {
  char one[70], two[70], small[4];
  char *here = getcwd(one, sizeof one), *again = getcwd(two, sizeof two);
  if (here != NULL && again != NULL)
    assert(one[0] == '/' && strcmp(one, two) == 0);
  if (getcwd(small, sizeof small) != NULL)
    assert(strlen(small) < 4 && (here == NULL || strcmp(small, one) == 0));
  assert(getcwd(small, 0) == NULL && errno == EINVAL);
  int answer = chdir("elsewhere");
  printf("%d %d\n", answer, chdir("."));
}

int main(void) {
  made();
  filled();
  protected();
  entered();
  return 0;
}
