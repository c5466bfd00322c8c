/* Descriptors that share a file, streams made of descriptors, descriptors of streams, and names that nothing has. */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void shared(void) {
  char text[9] = "";
  int one = open("shared", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (one < 0) {
    printf("%d\n", errno == EACCES);
    return;
  }
  int two = dup(one), other = dup2(one, 9);
  assert(two == one + 1 && other == 9 && dup2(two, two) == two);
  printf("%d ", (int)write(one, "abc", 3));
  printf("%d ", (int)write(two, "def", 3));
  printf("%d ", (int)lseek(other, 0, SEEK_CUR));
  printf("%d ", close(one));
  printf("%d ", (int)write(one, "x", 1));
  lseek(two, 1, SEEK_SET);
  printf("%d %s ", (int)read(other, text, 4), text);
  int next = open("shared", O_RDONLY);
  if (next >= 0) {
    assert(next == one && read(next, text, 8) == 6);
    printf("%s %d ", text, close(next));
  }
  assert(dup2(33, 9) == -1 && errno == EBADF);
  assert(dup2(two, -1) == -1 && dup(one) == -1 && errno == EBADF);
  printf("%d %d %d\n", close(two), close(9), close(9));
}

static void standard(void) {
  int out = dup(1), errors = dup(2);
  assert(dup2(out, 1) == 1 && dup2(2, 2) == 2);
  write(out, "out\n", 4);
  write(errors, "error\n", 6);
  assert(close(out) == 0 && close(errors) == 0);
  assert(write(out, "x", 1) == -1);
}

static void streams(void) {
  char line[9];
  struct stat found;
  int number = open("shared", O_RDWR);
  if (number < 0)
    return;
  assert(fdopen(55, "r") == NULL && errno == EBADF);
  lseek(number, 2, SEEK_SET);
  FILE *file = fdopen(number, "r+");
  printf("%d <%s> ", fileno(file) == number, fgets(line, sizeof line, file) == NULL ? "" : line);
  fseek(file, 0, SEEK_END);
  fputs("more", file);
  fflush(file);
  if (fstat(fileno(file), &found) == 0)
    printf("%d ", (int)found.st_size);
  printf("%d ", fclose(file));
  printf("%d\n", close(number));
  number = open("shared", O_RDONLY);
  if (number >= 0) {
    assert(fdopen(number, "w") == NULL && errno == EINVAL);
    printf("%d\n", close(number));
  }
}

static void chosen(void) {
  char pattern[] = "./partXXXXXX", wrong[] = "partXXXXX", where[] = "dirXXXXXX", name[L_tmpnam], *other;
  struct stat found;
  int number = mkstemp(pattern);
  assert(mkstemp(wrong) == -1 && errno == EINVAL);
  if (number >= 0) {
    assert(strncmp(pattern, "./part", 6) == 0 && strlen(pattern) == 12);
    printf("%d ", (int)write(number, "abcd", 4));
    if (fstat(number, &found) == 0)
      printf("%d %o ", (int)found.st_size, (unsigned)found.st_mode & 0777);
    if (fchmod(number, 0640) == 0 && stat(pattern, &found) == 0)
      printf("%o ", (unsigned)found.st_mode & 0777);
    FILE *file = fopen(pattern, "r");
    if (file != NULL) {
      assert(fgetc(file) == 'a' && fclose(file) == 0);
      printf("%d ", remove(pattern));
    }
    lseek(number, 0, SEEK_SET);
    printf("%d\n", close(number));
  }
  if (mkdtemp(where) != NULL) {
    assert(strncmp(where, "dir", 3) == 0);
    DIR *directory = opendir(where);
    int count = 0;
    while (directory != NULL && readdir(directory) != NULL)
      count++;
    if (directory != NULL)
      assert(count == 2 && closedir(directory) == 0);
    rmdir(where);
  }
  other = tmpnam(NULL);
  assert(tmpnam(name) == name && strcmp(name, other) != 0 && fopen(name, "r") == NULL);
}

int main(void) {
  standard();
  shared();
  streams();
  chosen();
  return 0;
}
