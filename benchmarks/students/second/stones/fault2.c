#include <stdio.h>

int heap;
int moves = 0;   /* A makes the first, B the second, ... */

char player(int move)
{
  if (move % 2 == 0)
    return 'A';
  return 'B';
}

int allowed(int take)
{
  return take >= 1 && take <= 3 && take <= heap;
}

int main(void)
{
  char c;
  if (scanf("%d", &heap) != 1 || heap < 1 || heap > 30)
  {
    printf("no game\n");
    return 1;
  }
  while (heap > 0 && scanf(" %c", &c) == 1)
  {
    if (c < '0' || c > '9')
      continue;
    if (c == 0)
    {
      printf("%c gives up, %c wins\n", player(moves), player(moves + 1));
      return 0;
    }
    if (!allowed(c - '0'))
    {
      printf("%c must not take %c\n", player(moves), c);
      continue;
    }
    heap -= c - '0';
    printf("%c takes %c, %d left\n", player(moves), c, heap);
    if (heap == 0)
    {
      printf("%c wins\n", player(moves));
      return 0;
    }
    moves++;
  }
  printf("%c is next\n", player(moves));
  return 0;
}
