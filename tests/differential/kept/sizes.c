/* What a file is and how large: of one that was there, of one that the program makes, and of open descriptors. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const char *path) {
  struct stat found;
  if (stat(path, &found) != 0) {
    printf("%s: %d\n", path, errno == ENOENT);
    return;
  }
  printf("%s: %d %ld %ld ", path, S_ISREG(found.st_mode), (long)found.st_size, (long)found.st_blocks);
  printf("%lo %ld %d\n", (unsigned long)found.st_mode & 0777, (long)found.st_mtime, (int)found.st_uid);
}

int main(void) {
  int n, place;
  if (scanf("%d%d", &n, &place) != 2)
    return 1;
  show("there");
  FILE *there = fopen("there", "r");
  int count = 0;
  if (there != NULL) {
    while (getc(there) != EOF)
      count++;
    fclose(there);
  }
  printf("%d\n", count);
  FILE *made = fopen("made", "w");
  if (made == NULL)
    return 2;
  fprintf(made, "%d %d\n", n, place);
  fclose(made);
  show("made");
  int more = open("made", O_WRONLY | O_APPEND);
  struct stat found;
  if (more >= 0 && write(more, "more", 4) == 4 && fstat(more, &found) == 0)
    printf("%d %ld\n", S_ISDIR(found.st_mode), (long)found.st_size);
  close(more);
  printf("%d %d\n", fstat(more, &found), errno == EBADF);
  if (fstat(0, &found) == 0)
    printf("%d\n", S_ISDIR(found.st_mode));
  unlink("made");
  show("made");
  return 0;
}
