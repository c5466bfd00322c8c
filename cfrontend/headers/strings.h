#ifndef SFO_STRINGS_H
#define SFO_STRINGS_H
#include <stddef.h>
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t bytes);
void bzero(void *target, size_t bytes);
void bcopy(const void *source, void *target, size_t bytes);
int bcmp(const void *left, const void *right, size_t bytes);
int ffs(int value);
#endif
