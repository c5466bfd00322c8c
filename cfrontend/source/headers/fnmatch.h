#ifndef SFO_FNMATCH_H
#define SFO_FNMATCH_H
#include <sfo_features.h>
#define FNM_PATHNAME 1
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
#define FNM_NOMATCH 1
#ifdef _GNU_SOURCE
#define FNM_FILE_NAME FNM_PATHNAME
#define FNM_LEADING_DIR 8
#define FNM_CASEFOLD 16
#define FNM_EXTMATCH 32
#endif
int fnmatch(const char *pattern, const char *text, int flags);
#endif
