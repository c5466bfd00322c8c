/* Files by descriptors: written, read again at any place, copied, appended to, removed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const char *what, int descriptor) {
  char text[9] = "";
  ssize_t found, sum = 0;
  printf("%s:", what);
  while ((found = read(descriptor, text, sizeof text - 1)) > 0) {
    text[found] = 0;
    sum += found;
    printf(" <%s>", text);
  }
  printf(" %d\n", (int)sum);
}

static int copy(const char *from, const char *to) {
  char byte;
  int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (in < 0 || out < 0)
    return -1;
  while (read(in, &byte, 1) == 1)
    if (write(out, &byte, 1) != 1)
      return -1;
  return close(in) | close(out);
}

static void whole(int n, int place) {
  char text[20];
  int length = sprintf(text, "<%d>", n), made = open("made", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (made < 0) {
    printf("%d\n", errno == EACCES);
    return;
  }
  printf("%d ", (int)write(made, text, (size_t)length));
  printf("%d ", (int)lseek(made, 0, SEEK_CUR) == length);
  printf("%d ", (int)lseek(made, place, SEEK_SET));
  show("made", made);
  printf("%d ", (int)lseek(made, -1, SEEK_END) == length - 1);
  printf("%d ", (int)write(made, "xyz", 3));
  printf("%d %d\n", (int)lseek(made, -99, SEEK_CUR), errno == EINVAL);
  lseek(made, 0, SEEK_SET);
  show("changed", made);
  show("at its end", made);
  printf("%d %d\n", close(made), close(made));
  printf("%d %d\n", (int)read(made, text, 1), errno == EBADF);
}

int main(void) {
  int n, place;
  if (scanf("%d%d", &n, &place) != 2)
    return 1;
  whole(n, place & 3);
  if (copy("made", "copy") == 0) {
    int more = open("copy", O_WRONLY | O_APPEND);
    if (more >= 0) {
      printf("%d ", (int)write(more, "more", 4));
      printf("%d\n", (int)read(more, &n, 1));
      close(more);
    }
    FILE *again = fopen("copy", "r");
    if (again != NULL) {
      char line[40];
      printf("%s\n", fgets(line, sizeof line, again));
      fclose(again);
    }
    int kept = open("copy", O_RDWR | O_CREAT, 0600);
    if (kept >= 0) {
      write(kept, "A", 1);
      show("kept", kept);
      close(kept);
    }
    int emptied = open("copy", O_RDWR | O_TRUNC);
    if (emptied >= 0) {
      show("emptied", emptied);
      close(emptied);
    }
    if (unlink("copy") == 0) {
      printf("%d ", open("copy", O_RDONLY));
      printf("%d\n", errno == ENOENT);
    }
  }
  int other = open("other", O_RDONLY);
  if (other >= 0) {
    show("other", other);
    close(other);
  }
  fflush(stdout);
  write(1, "end\n", 4);
  return 0;
}
