/* Internet addresses as text, right and wrong ones. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const texts[] = {
  "1.2.3.4", "255.255.255.255", "256.1.1.1", "01.2.3.4", "1.2.3", "1.2.3.4 x", "0x7f.1", "0177.0.0.1", "1.65536", "1.16777216",
  "4294967295", "0x100000000", "08.1", "1..2", "", "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
  "::ffff:1.2.3.4", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "fe80::1::2", ":1", "1:", "12345::", "g::",
  "1:0:0:4:0:0:0:8", "0:0:0:0:0:1:0:0", "A:b::C", "::ffff:0:1.2.3.256",
};

static void print(int family, const char *text) {
  unsigned char bytes[16] = { 0 };
  char again[INET6_ADDRSTRLEN];
  int is_read = inet_pton(family, text, bytes);
  printf(" %d", is_read);
  if (is_read == 1)
    printf(" %s", inet_ntop(family, bytes, again, sizeof again));
}

int main(void) {
  char little[8];
  for (unsigned n = 0; n < sizeof texts / sizeof *texts; n++) {
    struct in_addr address = { 0 };
    printf("%s:", texts[n]);
    print(AF_INET, texts[n]);
    print(AF_INET6, texts[n]);
    if (inet_aton(texts[n], &address))
      printf(" %s %d", inet_ntoa(address), address.s_addr == inet_addr(texts[n]));
    printf("\n");
  }
  errno = 0;
  printf("%d %d", inet_pton(99, "1", little), errno == EAFNOSUPPORT);
  printf(" %d %d", inet_ntop(AF_INET, "abcd", little, sizeof little) == NULL, errno == ENOSPC);
  printf(" %x\n", inet_addr("no address"));
  return 0;
}
