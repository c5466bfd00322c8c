/* Times that strptime reads, and what of them is computed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

static void read_as(const char *text, const char *format) {
  struct tm t;
  memset(&t, 0, sizeof t);
  char *end = strptime(text, format, &t);
  if (end == NULL)
    printf("%s: no\n", text);
  else
    printf("%d-%d-%d %d:%d:%d %d %d [%s]\n", t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, t.tm_wday, t.tm_yday, end);
}

int main(void) {
  char text[80];
  struct tm t;
  read_as("2024-02-29 13:14:15", "%Y-%m-%d %H:%M:%S");
  read_as("2024-02-29T13:14:15Z", "%FT%TZ");
  read_as("12 Mar 99 rest", "%d %b %y");
  read_as("Monday 03:04 PM", "%A %I:%M %p");
  read_as("  7/4/21", "%D");
  read_as("366 2020", "%j %Y");
  read_as("10:61", "%H:%M");
  read_as("x", "%d");
  read_as("Thu Jan  1 00:00:00 1970", "%c");
  memset(&t, 0, sizeof t);
  strptime("1999-12-31", "%Y-%m-%d", &t);
  strftime(text, sizeof text, "%a %d %B %Y, day %j, second %s", &t);
  puts(text);
  return 0;
}
