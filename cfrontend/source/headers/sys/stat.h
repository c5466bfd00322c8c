#ifndef SFO_SYS_STAT_H
#define SFO_SYS_STAT_H
#include <sfo_features.h>
#include <sfo_permissions.h>
#include <sys/types.h>
#include <time.h>
struct stat {
  dev_t st_dev;
#ifndef __LP64__
  unsigned short __pad1;
#endif
  ino_t st_ino;
#ifdef __LP64__
  nlink_t st_nlink;
  mode_t st_mode;
#else
  mode_t st_mode;
  nlink_t st_nlink;
#endif
  uid_t st_uid;
  gid_t st_gid;
#ifdef __LP64__
  int __pad0;
#endif
  dev_t st_rdev;
#ifndef __LP64__
  unsigned short __pad2;
#endif
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
  struct timespec st_atim;
  struct timespec st_mtim;
  struct timespec st_ctim;
#ifdef __LP64__
  long __reserved[3];
#else
  unsigned long __reserved[2];
#endif
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFLNK 0120000
#define S_IFREG 0100000
#define S_IFBLK 060000
#define S_IFDIR 040000
#define S_IFCHR 020000
#define S_IFIFO 010000
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
int stat(const char *path, struct stat *result);
int lstat(const char *path, struct stat *result);
int fstat(int descriptor, struct stat *result);
#endif
