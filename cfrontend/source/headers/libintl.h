#ifndef SFO_LIBINTL_H
#define SFO_LIBINTL_H
#include <sfo_features.h>
char *gettext(const char *message);
char *dgettext(const char *domain, const char *message);
char *dcgettext(const char *domain, const char *message, int category);
char *ngettext(const char *one, const char *many, unsigned long number);
char *dngettext(const char *domain, const char *one, const char *many, unsigned long number);
char *dcngettext(const char *domain, const char *one, const char *many, unsigned long number, int category);
char *textdomain(const char *domain);
char *bindtextdomain(const char *domain, const char *directory);
char *bind_textdomain_codeset(const char *domain, const char *codeset);
#endif
