/* Texts of errors in a buffer of the program, as POSIX has it; messages that name a line. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static const int numbers[] = {0, ENOENT, EINVAL, -3, 41, 4000};
  char text[64] = "";
  for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
    for (size_t room = 0; room < 64; room += 9) {
      int result = strerror_r(numbers[n], text, room);
      printf("%d %s|", result, text);
    }
  printf("\n");
  error_at_line(0, ENOENT, "list.txt", 3, "%s is wrong", "this");
  error_at_line(0, 0, NULL, 3, "and that");
  error_one_per_line = 1;
  error_at_line(0, 0, "list.txt", 7, "said");
  error_at_line(2, 0, "list.txt", 7, "not said");
  error_at_line(0, 0, "other.txt", 7, "said");
  printf("%u\n", error_message_count);
  return 0;
}
