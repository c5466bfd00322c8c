#ifndef SFO_STDIO_H
#define SFO_STDIO_H
#include <sfo_features.h>
#include <stdarg.h>
#include <stddef.h>
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
typedef struct _IO_FILE FILE;
typedef long fpos_t;
#ifdef __LP64__
typedef long ssize_t;
#else
typedef int ssize_t;
#endif
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#ifndef stdin
#define stdin stdin
#define stdout stdout
#define stderr stderr
#endif
int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *target, const char *format, ...);
int snprintf(char *target, size_t bytes, const char *format, ...);
int dprintf(int descriptor, const char *format, ...);
int vprintf(const char *format, va_list arguments);
int vfprintf(FILE *file, const char *format, va_list arguments);
int vsprintf(char *target, const char *format, va_list arguments);
int vsnprintf(char *target, size_t bytes, const char *format, va_list arguments);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int vscanf(const char *format, va_list arguments);
int vfscanf(FILE *file, const char *format, va_list arguments);
int vsscanf(const char *text, const char *format, va_list arguments);
int puts(const char *text);
int fputs(const char *text, FILE *file);
int putchar(int character);
int putc(int character, FILE *file);
int fputc(int character, FILE *file);
int getchar(void);
int getc(FILE *file);
int fgetc(FILE *file);
int ungetc(int character, FILE *file);
char *gets(char *target);
char *fgets(char *target, int bytes, FILE *file);
ssize_t getline(char **line, size_t *bytes, FILE *file);
size_t fread(void *target, size_t bytes, size_t count, FILE *file);
size_t fwrite(const void *source, size_t bytes, size_t count, FILE *file);
FILE *fopen(const char *path, const char *mode);
FILE *freopen(const char *path, const char *mode, FILE *file);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *file);
FILE *tmpfile(void);
int fclose(FILE *file);
int fflush(FILE *file);
int fseek(FILE *file, long offset, int whence);
long ftell(FILE *file);
int fseeko(FILE *file, long offset, int whence);
long ftello(FILE *file);
void rewind(FILE *file);
int fgetpos(FILE *file, fpos_t *position);
int fsetpos(FILE *file, const fpos_t *position);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
int fileno(FILE *file);
ssize_t getdelim(char **line, size_t *bytes, int delimiter, FILE *file);
int asprintf(char **target, const char *format, ...);
int vasprintf(char **target, const char *format, va_list arguments);
int vdprintf(int descriptor, const char *format, va_list arguments);
void setlinebuf(FILE *file);
void perror(const char *text);
int remove(const char *path);
int rename(const char *from, const char *to);
void setbuf(FILE *file, char *buffer);
int setvbuf(FILE *file, char *buffer, int mode, size_t bytes);
#endif
