#ifndef SFO_STRING_H
#define SFO_STRING_H
#include <sfo_features.h>
#include <stddef.h>
void *memcpy(void *target, const void *source, size_t bytes);
void *memmove(void *target, const void *source, size_t bytes);
void *memset(void *target, int byte, size_t bytes);
int memcmp(const void *left, const void *right, size_t bytes);
void *memchr(const void *object, int byte, size_t bytes);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t bytes);
char *strcpy(char *target, const char *source);
char *strncpy(char *target, const char *source, size_t bytes);
char *stpcpy(char *target, const char *source);
char *strcat(char *target, const char *source);
char *strncat(char *target, const char *source, size_t bytes);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t bytes);
int strcoll(const char *left, const char *right);
size_t strxfrm(char *target, const char *source, size_t bytes);
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
char *strstr(const char *text, const char *part);
char *strpbrk(const char *text, const char *characters);
size_t strspn(const char *text, const char *characters);
size_t strcspn(const char *text, const char *characters);
char *strtok(char *text, const char *separators);
char *strtok_r(char *text, const char *separators, char **rest);
char *strdup(const char *text);
char *strndup(const char *text, size_t bytes);
char *strerror(int number);
#ifdef _GNU_SOURCE
char *strerror_r(int number, char *target, size_t bytes);
#else
int __xpg_strerror_r(int number, char *target, size_t bytes);
#define strerror_r __xpg_strerror_r
#endif
void bzero(void *target, size_t bytes);
void explicit_bzero(void *target, size_t bytes);
void *mempcpy(void *target, const void *source, size_t bytes);
void *memccpy(void *target, const void *source, int last, size_t bytes);
void *memmem(const void *object, size_t bytes, const void *part, size_t wanted);
void *memrchr(const void *object, int byte, size_t bytes);
char *strchrnul(const char *text, int character);
char *strcasestr(const char *text, const char *part);
char *strsep(char **text, const char *separators);
size_t strlcpy(char *target, const char *source, size_t bytes);
size_t strlcat(char *target, const char *source, size_t bytes);
char *stpncpy(char *target, const char *source, size_t bytes);
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t bytes);
void bcopy(const void *source, void *target, size_t bytes);
int bcmp(const void *left, const void *right, size_t bytes);
char *index(const char *text, int character);
char *rindex(const char *text, int character);
#if defined _GNU_SOURCE && !defined basename
char *basename(const char *path);
#endif
#endif
