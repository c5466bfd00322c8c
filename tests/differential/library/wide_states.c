/* Wide characters one after the other, with a state; classes by name. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  mbstate_t state;
  memset(&state, 0, sizeof state);
  const char *text = "two words";
  wchar_t wide[12], one;
  size_t used;
  while ((used = mbrtowc(&one, text, strlen(text) + 1, &state)) > 0) {
    printf("%lc", towctrans(one, wctrans("toupper")));
    text += used;
  }
  printf(" %d\n", mbsinit(&state) != 0);
  text = "text";
  used = mbsrtowcs(wide, &text, 12, &state);
  printf("%d %d %ls\n", (int)used, text == NULL, wide);
  const wchar_t *from = wide;
  char back[12];
  used = wcsrtombs(back, &from, 2, &state);
  printf("%d %d %.2s\n", (int)used, (int)(from - wide), back);
  printf("%d %d\n", iswctype(L'a', wctype("alpha")) != 0, iswctype(L'a', wctype("digit")) != 0);
  printf("%d %d\n", (int)wcstoll(L"-42", NULL, 10), (int)wcstoull(L"ff", NULL, 16));
  printf("%d %d\n", wcwidth(L'a'), wcswidth(L"ab\n", 3));
  return 0;
}
