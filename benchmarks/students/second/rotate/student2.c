#include <stdio.h>

void swap(int *a, int *b)
{
  int h = *a;
  *a = *b;
  *b = h;
}

void reverse(int v[], int from, int to)
{
  while (from < to) {
    swap(&v[from], &v[to]);
    from++;
    to--;
  }
}

int main(void)
{
  int v[10], n, k, i;
  int good = scanf("%d%d", &n, &k) == 2 && n >= 1 && n <= 10;
  for (i = 0; good && i < n; i++)
    good = scanf("%d", &v[i]) == 1;
  if (!good) {
    printf("no numbers\n");
    return 1;
  }
  k = k % n;
  if (k < 0) k += n;
  reverse(v, 0, n - 1);
  reverse(v, 0, k - 1);
  reverse(v, k, n - 1);
  for (i = 0; i < n - 1; i++)
    printf("%d ", v[i]);
  printf("%d\n", v[n - 1]);
  return 0;
}
