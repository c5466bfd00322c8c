#include <stdlib.h>
#ifndef SFO_MALLOC_H
#define SFO_MALLOC_H
void *memalign(size_t align, size_t bytes);
void *valloc(size_t bytes);
void *pvalloc(size_t bytes);
size_t malloc_usable_size(void *object);
#endif
