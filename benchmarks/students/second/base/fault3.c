#include <stdio.h>

void print_digit(int d)
{
  switch (d)
  {
    case 10:
      printf("A");
      break;
    case 11:
      printf("B");
      break;
    case 12:
      printf("C");
      break;
    case 13:
      printf("D");
    case 14:
      printf("E");
      break;
    case 15:
      printf("F");
      break;
    default:
      printf("%d", d);
  }
}

int main(void)
{
  int number, base;
  int power = 1, count = 1;

  if (scanf("%d%d", &number, &base) != 2 || number < 0 || base < 2 || base > 16)
  {
    printf("not possible\n");
    return 1;
  }
  while (number / power >= base)
  {
    power = power * base;
    count++;
  }
  while (power > 0)
  {
    print_digit(number / power);
    number = number % power;
    power = power / base;
  }
  printf("\n%d digits\n", count);
  return 0;
}
