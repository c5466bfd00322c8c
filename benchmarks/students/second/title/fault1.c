#include <stdio.h>
#include <ctype.h>

int main()
{
   int ch;
   int start = 0;
   int n = 0;

   while ((ch = getchar()) != EOF && ch != '\n')
   {
      if (ch == ' ')
         start = 1;
      else if (start == 1)
      {
         if (n > 0)
            printf(" ");
         printf("%c", toupper(ch));
         n++;
         start = 0;
      }
      else
         printf("%c", tolower(ch));
   }
   printf("\n");
   return 0;
}
