#ifndef SFO_ERR_H
#define SFO_ERR_H
#include <sfo_features.h>
#include <stdarg.h>
void warn(const char *format, ...);
void vwarn(const char *format, va_list arguments);
void warnx(const char *format, ...);
void vwarnx(const char *format, va_list arguments);
_Noreturn void err(int status, const char *format, ...);
_Noreturn void verr(int status, const char *format, va_list arguments);
_Noreturn void errx(int status, const char *format, ...);
_Noreturn void verrx(int status, const char *format, va_list arguments);
#endif
