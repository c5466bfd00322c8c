#ifndef SFO_WCHAR_H
#define SFO_WCHAR_H
#include <sfo_features.h>
#include <stddef.h>
#include <stdarg.h>
#include <stdio.h>
typedef unsigned int wint_t;
#ifndef __mbstate_t_defined /* as in glibc's headers that have it, too */
#define __mbstate_t_defined 1
typedef struct { int count; unsigned int value; } mbstate_t;
#endif
#define WEOF 0xffffffffu
#ifndef WCHAR_MAX
#define WCHAR_MAX 2147483647
#define WCHAR_MIN (-WCHAR_MAX - 1)
#endif
size_t wcslen(const wchar_t *text);
size_t wcsnlen(const wchar_t *text, size_t count);
wchar_t *wcscpy(wchar_t *target, const wchar_t *source);
wchar_t *wcpcpy(wchar_t *target, const wchar_t *source);
wchar_t *wcsncpy(wchar_t *target, const wchar_t *source, size_t count);
wchar_t *wcscat(wchar_t *target, const wchar_t *source);
wchar_t *wcsncat(wchar_t *target, const wchar_t *source, size_t count);
wchar_t *wcsdup(const wchar_t *text);
int wcscmp(const wchar_t *left, const wchar_t *right);
int wcsncmp(const wchar_t *left, const wchar_t *right, size_t count);
int wcscoll(const wchar_t *left, const wchar_t *right);
int wcscasecmp(const wchar_t *left, const wchar_t *right);
int wcsncasecmp(const wchar_t *left, const wchar_t *right, size_t count);
wint_t btowc(int byte);
int wctob(wint_t character);
wchar_t *wcschr(const wchar_t *text, wchar_t character);
wchar_t *wcsrchr(const wchar_t *text, wchar_t character);
wchar_t *wcsstr(const wchar_t *text, const wchar_t *part);
wchar_t *wcspbrk(const wchar_t *text, const wchar_t *characters);
size_t wcsspn(const wchar_t *text, const wchar_t *characters);
size_t wcscspn(const wchar_t *text, const wchar_t *characters);
wchar_t *wcstok(wchar_t *text, const wchar_t *separators, wchar_t **rest);
wchar_t *wmemcpy(wchar_t *target, const wchar_t *source, size_t count);
wchar_t *wmempcpy(wchar_t *target, const wchar_t *source, size_t count);
wchar_t *wmemmove(wchar_t *target, const wchar_t *source, size_t count);
wchar_t *wmemset(wchar_t *target, wchar_t character, size_t count);
int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count);
wchar_t *wmemchr(const wchar_t *object, wchar_t character, size_t count);
int wprintf(const wchar_t *format, ...);
int fwprintf(FILE *file, const wchar_t *format, ...);
int swprintf(wchar_t *target, size_t count, const wchar_t *format, ...);
int vwprintf(const wchar_t *format, va_list arguments);
int vfwprintf(FILE *file, const wchar_t *format, va_list arguments);
int vswprintf(wchar_t *target, size_t count, const wchar_t *format, va_list arguments);
int wscanf(const wchar_t *format, ...);
int fwscanf(FILE *file, const wchar_t *format, ...);
int swscanf(const wchar_t *text, const wchar_t *format, ...);
wint_t fgetwc(FILE *file);
wint_t getwc(FILE *file);
wint_t getwchar(void);
wchar_t *fgetws(wchar_t *target, int count, FILE *file);
wint_t fputwc(wchar_t character, FILE *file);
wint_t putwc(wchar_t character, FILE *file);
wint_t putwchar(wchar_t character);
int fputws(const wchar_t *text, FILE *file);
int fwide(FILE *file, int mode);
long wcstol(const wchar_t *text, wchar_t **rest, int base);
unsigned long wcstoul(const wchar_t *text, wchar_t **rest, int base);
double wcstod(const wchar_t *text, wchar_t **rest);
long long wcstoll(const wchar_t *text, wchar_t **rest, int base);
unsigned long long wcstoull(const wchar_t *text, wchar_t **rest, int base);
float wcstof(const wchar_t *text, wchar_t **rest);
size_t mbrtowc(wchar_t *target, const char *text, size_t bytes, mbstate_t *state);
size_t mbrlen(const char *text, size_t bytes, mbstate_t *state);
size_t wcrtomb(char *target, wchar_t character, mbstate_t *state);
int mbsinit(const mbstate_t *state);
size_t mbsrtowcs(wchar_t *target, const char **text, size_t count, mbstate_t *state);
size_t wcsrtombs(char *target, const wchar_t **text, size_t bytes, mbstate_t *state);
int wcwidth(wchar_t character);
int wcswidth(const wchar_t *text, size_t count);
#endif
