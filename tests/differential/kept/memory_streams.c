/* Streams in memory: text that is written into one, flushed, and written on; text that is read as a file. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int n = 0, place = 0, first = 0, second = 0;
  char *text = NULL, line[12];
  size_t length = 0;
  if (scanf("%d %d", &n, &place) != 2)
    return 1;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL)
    return 2;
  fprintf(out, "<%d>", n);
  fflush(out);
  printf("%s %d\n", text, (int)length);
  for (int k = 0; k < (place & 3); k++)
    fputc('a' + k, out);
  fputs(" end", out);
  fwrite("!\n", 1, 2, out);
  assert(fclose(out) == 0);
  printf("%s%d\n", text, (int)length);
  FILE *in = fmemopen(text, length, "r");
  printf("%d\n", fgetc(in) == '<');
  printf("%d\n", fscanf(in, "%d", &first) == 1 && first == n);
  while (fgets(line, sizeof line, in) != NULL)
    printf("[%s]", line);
  printf("%d\n", feof(in) != 0);
  rewind(in);
  printf("%d %ld\n", fgetc(in), ftell(in));
  fclose(in);
  free(text);
  char numbers[] = "10 20 30";
  in = fmemopen(numbers, 5, "r");
  printf("%d", fscanf(in, "%d %d %d", &first, &second, &n));
  printf(" %d %d\n", first, second);
  fclose(in);
  out = open_memstream(&text, &length);
  fclose(out);
  printf("[%s] %d\n", text, (int)length);
  free(text);
  return 0;
}
