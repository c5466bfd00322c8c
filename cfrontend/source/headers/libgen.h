#ifndef SFO_LIBGEN_H
#define SFO_LIBGEN_H
#include <sfo_features.h>
char *dirname(char *path);
char *__xpg_basename(char *path);
#define basename __xpg_basename
#endif
