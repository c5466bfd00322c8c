#ifndef SFO_ALLOCA_H
#define SFO_ALLOCA_H
#include <stddef.h>
void *alloca(size_t bytes);
#endif
