#include <stdio.h>
#include <ctype.h>

int lengths[50];
int number_of_words = 0;
int vowel_count = 0;

/* a word has ended: keep its length */
void end_word(int *n)
{
  if (*n > 0)
  {
    lengths[number_of_words] = *n;
    number_of_words++;
    *n = 0;
  }
}

int main(void)
{
  int ch, n = 0, best = 0, k;
  ch = getchar();
  while (ch != '\n' && ch != EOF)
  {
    if (isalpha(ch))
    {
      n++;
      switch (toupper(ch))
      {
        case 'A':
        case 'E':
        case 'I':
        case 'O':
        case 'U':
          vowel_count++;
      }
    }
    else
      end_word(&n);
    ch = getchar();
  }
  printf("lengths:");
  for (k = 0; k < number_of_words; k++)
  {
    printf(" %d", lengths[k]);
    if (lengths[k] > best)
      best = lengths[k];
  }
  printf("\nvowels: %d\n", vowel_count);
  printf("longest: %d\n", best);
  return 0;
}
