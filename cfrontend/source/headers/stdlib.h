#ifndef SFO_STDLIB_H
#define SFO_STDLIB_H
#include <sfo_features.h>
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 1
typedef struct {
  int quot;
  int rem;
} div_t;
typedef struct {
  long quot;
  long rem;
} ldiv_t;
typedef struct {
  long long quot;
  long long rem;
} lldiv_t;
void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *object, size_t bytes);
void *reallocarray(void *object, size_t count, size_t bytes);
void *aligned_alloc(size_t align, size_t bytes);
int posix_memalign(void **object, size_t align, size_t bytes);
void free(void *object);
_Noreturn void abort(void);
_Noreturn void exit(int status);
_Noreturn void _Exit(int status);
_Noreturn void quick_exit(int status);
int atexit(void (*handler)(void));
int at_quick_exit(void (*handler)(void));
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int putenv(char *text);
int clearenv(void);
char *secure_getenv(const char *name);
int system(const char *command);
int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int value, int divisor);
ldiv_t ldiv(long value, long divisor);
lldiv_t lldiv(long long value, long long divisor);
int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
float strtof(const char *text, char **end);
double strtod(const char *text, char **end);
long double strtold(const char *text, char **end);
int rand(void);
void srand(unsigned seed);
int rand_r(unsigned *seed);
long random(void);
void srandom(unsigned seed);
double drand48(void);
long lrand48(void);
long mrand48(void);
void srand48(long seed);
void qsort(void *first, size_t count, size_t bytes, int (*compare)(const void *left, const void *right));
void *bsearch(const void *key, const void *first, size_t count, size_t bytes,
              int (*compare)(const void *left, const void *right));
#endif
