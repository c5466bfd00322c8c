#ifndef SFO_GETOPT_H
#define SFO_GETOPT_H
#include <unistd.h>
#define no_argument 0
#define required_argument 1
#define optional_argument 2
struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};
int getopt_long(int count, char *const arguments[], const char *letters, const struct option *words, int *index);
#endif
