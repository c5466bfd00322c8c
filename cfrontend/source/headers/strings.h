#ifndef SFO_STRINGS_H
#define SFO_STRINGS_H
#include <sfo_features.h>
#include <stddef.h>
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t bytes);
void bzero(void *target, size_t bytes);
void bcopy(const void *source, void *target, size_t bytes);
int bcmp(const void *left, const void *right, size_t bytes);
char *index(const char *text, int character);
char *rindex(const char *text, int character);
int ffs(int value);
int ffsl(long value);
int ffsll(long long value);
#endif
