/* What gcc calls in the place of string functions when it fortifies a program: the size of the target, its last
   argument, is that of an object whose bounds are checked anyway. */
#include <stdio.h>
#include <string.h>

void *__memcpy_chk(void *target, const void *source, size_t bytes, size_t room) {
  (void)room;
  return memcpy(target, source, bytes);
}

void *__memmove_chk(void *target, const void *source, size_t bytes, size_t room) {
  (void)room;
  return memmove(target, source, bytes);
}

void *__mempcpy_chk(void *target, const void *source, size_t bytes, size_t room) {
  (void)room;
  return mempcpy(target, source, bytes);
}

void *__memset_chk(void *target, int byte, size_t bytes, size_t room) {
  (void)room;
  return memset(target, byte, bytes);
}

char *__strcpy_chk(char *target, const char *source, size_t room) {
  (void)room;
  return strcpy(target, source);
}

char *__stpcpy_chk(char *target, const char *source, size_t room) {
  (void)room;
  return stpcpy(target, source);
}

char *__strncpy_chk(char *target, const char *source, size_t bytes, size_t room) {
  (void)room;
  return strncpy(target, source, bytes);
}

char *__stpncpy_chk(char *target, const char *source, size_t bytes, size_t room) {
  (void)room;
  return stpncpy(target, source, bytes);
}

char *__strcat_chk(char *target, const char *source, size_t room) {
  (void)room;
  return strcat(target, source);
}

char *__strncat_chk(char *target, const char *source, size_t bytes, size_t room) {
  (void)room;
  return strncat(target, source, bytes);
}

char *__fgets_chk(char *target, size_t room, int bytes, FILE *file) {
  (void)room;
  return fgets(target, bytes, file);
}
