#include <stdio.h>

int state = 1;      /* 1 green, 2 yellow, 3 and 4 red */
int green_time = 0;
int asked = 0;
int times_red = 0;

void one_second(int key)
{
  if (key == 'p' && state < 3)
    asked = 1;

  if (state == 1) {
    printf("G");
    green_time++;
    if (asked == 1 && green_time > 2)
      state = 2;
  }
  else if (state == 2) {
    printf("Y");
    asked = 0;
    times_red++;
    state = 3;
  }
  else if (state == 3) {
    printf("R");
    state = 4;
  }
  else {
    printf("R");
    green_time = 0;
    state = 2;
  }
}

int main(void)
{
  int key = getchar();
  while (key != EOF && key != '\n') {
    one_second(key);
    key = getchar();
  }
  printf("\nred: %d times\n", times_red);
  return 0;
}
