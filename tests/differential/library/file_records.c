/* The structure that stat fills, and the kinds of files. */
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#define PLACE(member) printf("%s %d\n", #member, (int)offsetof(struct stat, member))

int main(void) {
  PLACE(st_dev);
  PLACE(st_ino);
  PLACE(st_nlink);
  PLACE(st_mode);
  PLACE(st_uid);
  PLACE(st_gid);
  PLACE(st_rdev);
  PLACE(st_size);
  PLACE(st_blksize);
  PLACE(st_blocks);
  PLACE(st_atime);
  PLACE(st_mtime);
  PLACE(st_ctime);
  printf("%d %o\n", (int)sizeof(struct stat), (unsigned)(S_IFMT | S_IRWXU | S_IRWXG | S_IRWXO | S_ISUID | S_ISGID | S_ISVTX));
  for (unsigned kind = 0; kind < 16; kind++) {
    mode_t mode = (mode_t)(kind << 12 | 0644);
    printf("%d%d%d%d%d%d%d ", S_ISREG(mode), S_ISDIR(mode), S_ISCHR(mode), S_ISBLK(mode), S_ISFIFO(mode), S_ISLNK(mode), S_ISSOCK(mode));
  }
  printf("%d\n", S_IRUSR == 0400 && S_IWGRP == 020 && S_IXOTH == 1);
  return 0;
}
