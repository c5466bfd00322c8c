/* The byte order of networks, as headers say it and as a program of its own does. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

struct head {
  uint16_t port;
  uint32_t address;
} __attribute__((packed));

static uint32_t (*const back)(uint32_t) = ntohl;

static void show(const void *object, size_t bytes) {
  for (size_t n = 0; n < bytes; n++)
    printf("%02x ", ((const unsigned char *)object)[n]);
  printf("\n");
}

int main(void) {
  struct sockaddr_in place;
  struct head head = {htons(8080), htonl(0xc0a80101)};
  memset(&place, 0, sizeof place);
  place.sin_family = AF_INET;
  place.sin_port = head.port;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  show(&head, sizeof head);
  show(&place, sizeof place);
  printf("%d %x %x\n", ntohs(place.sin_port), ntohl(head.address), back(place.sin_addr.s_addr));
  return 0;
}
