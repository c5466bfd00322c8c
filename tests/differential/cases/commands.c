/* Commands that a program reads from or writes to: what they print and how they end are inputs. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char word[8];
  int number = 0, status;
  FILE *from = popen("date", "r");
  if (from == NULL) {
    printf("%d\n", errno == EAGAIN);
    return 1;
  }
  if (fgets(word, sizeof word, from) != NULL)
    printf("%d ", (int)strlen(word));
  if (fscanf(from, "%d", &number) == 1)
    printf("%d ", number);
  printf("%d ", feof(from) != 0);
  status = pclose(from);
  assert(popen("date", "x") == NULL && errno == EINVAL);
  FILE *to = popen("mail", "w");
  if (to != NULL) {
    fprintf(to, "%d\n", status);
    status |= fputs("done", to) < 0;
    status |= pclose(to);
  }
  printf("%d\n", status);
  return 0;
}
