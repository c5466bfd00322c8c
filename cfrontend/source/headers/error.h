#ifndef SFO_ERROR_H
#define SFO_ERROR_H
#include <sfo_features.h>
extern unsigned int error_message_count;
extern int error_one_per_line;
extern void (*error_print_progname)(void);
void error(int status, int number, const char *format, ...);
#endif
