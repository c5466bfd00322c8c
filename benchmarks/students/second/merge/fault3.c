#include <stdio.h>

int last, printed, different;

void put(int x)
{
  printf("%d ", x);
  if (printed == 0 && x != last)
    different++;
  last = x;
  printed++;
}

int read_numbers(int array[], int *size)
{
  int i = 0;
  if (scanf("%d", size) != 1) return 0;
  if (*size < 0 || *size > 8) return 0;
  while (i < *size) {
    if (scanf("%d", &array[i]) != 1) return 0;
    i++;
  }
  return 1;
}

int main(void)
{
  int first[8], second[8];
  int size1, size2, x = 0, y = 0;

  if (!read_numbers(first, &size1) || !read_numbers(second, &size2)) {
    printf("no lists\n");
    return 1;
  }
  while (x < size1 || y < size2) {
    if (x == size1) {
      put(second[y]);
      y++;
    }
    else if (y == size2 || first[x] <= second[y]) {
      put(first[x]);
      x++;
    }
    else {
      put(second[y]);
      y++;
    }
  }
  printf("\ndifferent: %d\n", different);
  return 0;
}
