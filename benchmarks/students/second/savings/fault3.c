#include <stdio.h>

long balance, total;

long interest(int percent)
{
  double exact = balance * percent / 100;
  return (long) (exact + 0.5);
}

void year(int number, int percent)
{
  long plus = interest(percent);
  balance += plus;
  total += plus;
  printf("year %d: %ld.%02ld\n", number, balance / 100, balance % 100);
}

int main(void)
{
  int money, percent, years, n;
  if (scanf("%d%d%d", &money, &percent, &years) == 3
      && money >= 1 && money <= 10000 && percent >= 0 && percent <= 9 && years >= 1 && years <= 8)
  {
    balance = money * 100L;
    for (n = 1; n <= years; n++)
      year(n, percent);
    printf("interest: %ld.%02ld\n", total / 100, total % 100);
    return 0;
  }
  printf("not offered\n");
  return 1;
}
