/* Messages: models of <libintl.h>, to be executed symbolically.

   The locale is C, in which each message stays as it is. */
#include <libintl.h>
#include <stddef.h>
#include <string.h>

extern void __sfo_refuse(const char *what);
extern void *__sfo_lasting(size_t bytes);

/* A copy that is nobody's to free. */
#ifdef SFO_NATIVE
static char *kept(const char *text) {
  static char rooms[1 << 16];
  static size_t used;
  size_t bytes = strlen(text) + 1;
  if (used + bytes > sizeof rooms)
    __sfo_refuse("so many names of domains and directories of messages are not supported yet");
  char *copy = memcpy(rooms + used, text, bytes);
  used += bytes;
  return copy;
}
#else
static char *kept(const char *text) {
  size_t bytes = strlen(text) + 1;
  return memcpy(__sfo_lasting(bytes), text, bytes);
}
#endif

char *gettext(const char *message) { return (char *)message; }

char *dgettext(const char *domain, const char *message) {
  (void)domain;
  return (char *)message;
}

char *dcgettext(const char *domain, const char *message, int category) {
  (void)domain;
  (void)category;
  return (char *)message;
}

char *ngettext(const char *one, const char *many, unsigned long number) {
  return (char *)(number == 1 ? one : many);
}

char *dngettext(const char *domain, const char *one, const char *many, unsigned long number) {
  (void)domain;
  return ngettext(one, many, number);
}

char *dcngettext(const char *domain, const char *one, const char *many, unsigned long number, int category) {
  (void)domain;
  (void)category;
  return ngettext(one, many, number);
}

/* The domain of messages from now on; of a null pointer, that which there is. */
char *textdomain(const char *domain) {
  static char *current;
  if (domain != NULL)
    current = domain[0] == 0 ? NULL : kept(domain);
  return current == NULL ? "messages" : current;
}

/* Where the messages of a domain are, and how they are written, shows nowhere but in the result. */
char *bindtextdomain(const char *domain, const char *directory) {
  if (domain == NULL || domain[0] == 0)
    return NULL;
  if (directory == NULL)
    __sfo_refuse("asking where the messages of a domain are is not supported yet");
  return kept(directory);
}

char *bind_textdomain_codeset(const char *domain, const char *codeset) {
  if (domain == NULL || domain[0] == 0)
    return NULL;
  if (codeset == NULL)
    __sfo_refuse("asking how the messages of a domain are written is not supported yet");
  return kept(codeset);
}
