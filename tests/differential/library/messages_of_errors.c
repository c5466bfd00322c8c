/* Texts of errors in a buffer of the program, as POSIX has it. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static const int numbers[] = {0, ENOENT, EINVAL, -3, 134, 4000};
  char text[64] = "";
  for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
    for (size_t room = 0; room < 64; room += 9) {
      int result = strerror_r(numbers[n], text, room);
      printf("%d %s|", result, text);
    }
  printf("\n");
  return 0;
}
