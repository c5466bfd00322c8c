/* Wide strings and blocks, and classes of wide characters. */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

static void show(const wchar_t *text) {
  for (; *text != 0; text++)
    putchar((char)*text);
  putchar('\n');
}

int main(void) {
  wchar_t room[20], *copy, *rest;
  wmemset(room, L'A', 9);
  room[9] = L'\0';
  show(room);
  copy = wcsdup(room);
  wcscpy(copy + 2, L"tail");
  wcscat(copy, L"+");
  wcsncat(copy, L"xyz", 2);
  show(copy);
  printf("%lu %lu\n", (unsigned long)wcslen(copy), (unsigned long)wcsnlen(copy, 3));
  printf("%d %d %d\n", wcscmp(copy, room) > 0, wcsncmp(copy, room, 2), wcscmp(L"", L"\xff") < 0);
  show(wcschr(copy, L'+'));
  show(wcsrchr(copy, L'A'));
  show(wcsstr(copy, L"il"));
  printf("%lu %lu\n", (unsigned long)wcsspn(copy, L"At"), (unsigned long)wcscspn(copy, L"+"));
  free(copy);
  wcsncpy(room, L"one two  three", 15);
  for (copy = wcstok(room, L" ", &rest); copy != NULL; copy = wcstok(NULL, L" ", &rest))
    show(copy);
  wmemcpy(room, L"abcdef", 7);
  wmemmove(room + 1, room, 5);
  show(room);
  printf("%d %d\n", wmemcmp(room, L"aab", 3), wmemchr(room, L'z', 6) == NULL);
  for (copy = room; *copy != 0; copy++)
    *copy = towupper(*copy);
  show(room);
  char narrow[20];
  printf("%d", snprintf(narrow, sizeof narrow, "%ls|%.2ls|%lc", L"wide", L"cut", (wint_t)L'x'));
  printf(" %s\n", narrow);
  printf("%d %d\n", swprintf(room, 20, L"%d-%ls-%s", 7, L"wide", "narrow"), swprintf(room + 16, 3, L"%d", 12345));
  show(room);
  printf("%d %d %d\n", iswdigit(L'7') != 0, iswxdigit(L'g') != 0, iswspace(L'\t') != 0);
  return 0;
}
