#ifndef SFO_SYS_TYPES_H
#define SFO_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>
/* Headers of the machine that are used behind ours build on these names. */
#ifdef __has_include
#if __has_include(<bits/types.h>)
#include <bits/types.h>
#endif
#endif
#ifdef __LP64__
typedef long ssize_t;
typedef long off64_t;
typedef unsigned long dev_t;
typedef unsigned long nlink_t;
typedef unsigned long u_int64_t;
#else
typedef int ssize_t;
typedef long long off64_t;
typedef unsigned long long dev_t;
typedef unsigned int nlink_t;
typedef unsigned long long u_int64_t;
#endif
typedef long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int id_t;
typedef unsigned int mode_t;
typedef unsigned long ino_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
typedef int key_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef char *caddr_t;
#endif
