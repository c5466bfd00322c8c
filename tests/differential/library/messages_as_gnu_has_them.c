/* Texts of errors, in a buffer of the program where they are of no error that there is. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static const int numbers[] = {0, ENOENT, EINVAL, -3, 134, 4000};
  for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
    for (size_t room = 1; room < 32; room += 10) {
      char target[32] = "";
      const char *text = strerror_r(numbers[n], target, room);
      printf("%d %s|", text == target, text);
    }
  printf("\n");
  return 0;
}
