#include <stdio.h>
#include <string.h>

int match(char a, char b)
{
   if (a == '(') return b == ')';
   if (a == '[') return b == ']';
   return b == '}';
}

void check(char *s)
{
   int where[80];
   int n = 0, deep = 0, i;
   int len = strlen(s);

   for (i = 0; i < len; i++)
   {
      if (s[i] == '(' || s[i] == '[' || s[i] == '{')
      {
         where[n] = i;
         n = n + 1;
         if (n > deep)
            deep = n;
      }
      if (s[i] == ')' || s[i] == ']' || s[i] == '}')
      {
         if (n == 0)
            break;
         n = n - 1;
         if (!match(s[where[n]], s[i]))
            break;
      }
   }
   if (i < len)
      printf("wrong at %d\n", i + 1);
   else if (n > 0)
      printf("%d not closed\n", n);
   else
      printf("ok, depth %d\n", deep);
}

int main(void)
{
   char input[81];
   if (fgets(input, sizeof(input), stdin) == NULL)
      input[0] = '\0';
   check(input);
   return 0;
}
