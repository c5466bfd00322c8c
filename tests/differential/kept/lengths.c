/* Files that are read and written at a place, cut and made longer. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(int descriptor) {
  char text[16];
  int found = (int)pread(descriptor, text, sizeof text, 0);
  for (int n = 0; n < found; n++)
    printf("%c", text[n] == 0 ? '0' : text[n]);
  printf(" %d %d\n", found, (int)lseek(descriptor, 0, SEEK_CUR));
}

static void written(void) {
  char text[4] = "";
  int file = open("places", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0)
    return;
  assert(write(file, "abcdef", 6) == 6);
  assert(pwrite(file, "XY", 2, 1) == 2);
  show(file);
  assert(pwrite(file, "Z", 1, 8) == 1);
  show(file);
  assert(pread(file, text, 3, 2) == 3 && pread(file, text, 3, 99) == 0);
  printf("%s ", text);
  assert(pread(file, text, 3, -1) == -1 && errno == EINVAL);
  assert(ftruncate(file, 4) == 0);
  show(file);
  assert(write(file, "end", 3) == 3);
  show(file);
  lseek(file, 2, SEEK_SET);
  assert(ftruncate(file, 12) == 0 && ftruncate(file, -1) == -1 && errno == EINVAL);
  show(file);
  assert(ftruncate(file, 0) == 0 && fsync(file) == 0);
  show(file);
  printf("%d ", close(file));
  assert(fsync(file) == -1 && errno == EBADF);
  assert(ftruncate(file, 0) == -1 && pread(file, text, 1, 0) == -1 && errno == EBADF);
}

static void found(void) {
  struct stat about;
  int file = open("data", O_RDWR);
  if (file < 0)
    return;
  if (ftruncate(file, 3) == 0 && fstat(file, &about) == 0)
    assert(about.st_size == 3);
  show(file);
  close(file);
  if (truncate("data", 5) == 0 && stat("data", &about) == 0 && S_ISREG(about.st_mode))
    assert(about.st_size == 5);
  file = open("data", O_WRONLY | O_APPEND);
  if (file >= 0) {
    assert(pwrite(file, "end", 3, 0) == 3 && close(file) == 0);
    file = open("data", O_RDONLY);
    assert(file >= 0 && ftruncate(file, 0) == -1 && errno == EINVAL);
    show(file);
  }
}

int main(void) {
  written();
  found();
  assert(truncate("missing", 0) == -1 || access("missing", F_OK) == 0);
  return 0;
}
