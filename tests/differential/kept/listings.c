/* Directories that are listed: in order, again from the start or a place, and chosen and sorted. */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void listed(const char *path) {
  DIR *directory = opendir(path);
  if (directory == NULL) {
    printf("%s: %d\n", path, errno);
    return;
  }
  struct dirent *entry, *first = NULL;
  long second = 0;
  int files = 0, hidden = 0;
  while ((entry = readdir(directory)) != NULL) {
    if (first == NULL) {
      first = entry;
      second = telldir(directory);
    }
    printf("%s ", entry->d_name);
    files += entry->d_type == DT_REG;
    hidden += entry->d_name[0] == '.';
    assert(entry->d_reclen >= 24 && entry->d_reclen % 8 == 0 && entry->d_ino > 0);
  }
  assert(hidden >= 2);
  seekdir(directory, second);
  entry = readdir(directory);
  printf("| %s", entry->d_name);
  rewinddir(directory);
  entry = readdir(directory);
  assert(strcmp(entry->d_name, first->d_name) == 0);
  printf(" %d %d\n", files, closedir(directory));
}

static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void sorted(const char *path) {
  struct dirent **list;
  int count = scandir(path, &list, is_shown, alphasort);
  for (int n = 0; n < count; n++) {
    printf("%s %zu, ", list[n]->d_name, strlen(list[n]->d_name));
    assert(n == 0 || strcmp(list[n - 1]->d_name, list[n]->d_name) < 0);
  }
  for (int n = 0; n < count; n++)
    free(list[n]);
  if (count >= 0)
    free(list);
  printf("%d\n", count);
}

static void made(void) {
  int count = 0;
  if (mkdir("made", 0755) != 0)
    return;
  DIR *directory = opendir("made/");
  if (directory == NULL)
    return;
  while (readdir(directory) != NULL)
    count++;
  printf("%d %d\n", count, closedir(directory));
}

int main(void) {
  listed("d");
  listed("d/");
  sorted("d");
  listed("missing");
  printf("%d", closedir(NULL));
  printf(" %d\n", errno == EINVAL);
  made();
  return 0;
}
