#ifndef SFO_ALLOCA_H
#define SFO_ALLOCA_H
#include <sfo_features.h>
#include <stddef.h>
void *alloca(size_t bytes);
#endif
