/* Parts of paths: models of <libgen.h>, to be executed symbolically, and of the basename that GNU's <string.h> has. */
#include <libgen.h>
#include <stddef.h>
#include <string.h>

/* How much of a path is left without the slashes at its end. */
static size_t without_slashes(const char *path, size_t end) {
  while (end > 0 && path[end - 1] == '/')
    end--;
  return end;
}

/* Where the name begins that a path has before `end`. */
static size_t start_of_name(const char *path, size_t end) {
  while (end > 0 && path[end - 1] != '/')
    end--;
  return end;
}

char *__xpg_basename(char *path) {
  if (path == NULL || path[0] == 0)
    return ".";
  size_t length = strlen(path), end = without_slashes(path, length);
  if (end == 0)
    return path + length - 1;
  if (end < length)
    path[end] = 0;
  return path + start_of_name(path, end);
}

char *dirname(char *path) {
  if (path == NULL)
    return ".";
  size_t length = strlen(path), end = without_slashes(path, length), root = length;
  if (end > 0) {
    root = start_of_name(path, end);
    end = without_slashes(path, root);
  }
  if (root == 0)
    return ".";
  path[end > 0 ? end : root == 2 ? 2 : 1] = 0;
  return path;
}

#undef basename
char *basename(const char *path) { return (char *)path + start_of_name(path, strlen(path)); }
