/* The calendar: models of the functions of <time.h> that take a time apart and write it, to be executed symbolically.

   The time zone is UTC, the locale C, whatever the environment says. Years go from 0 to 9999; others leave the bound. */
#include <stddef.h>
#include <time.h>

extern void __sfo_leave_bound(void);
extern void __sfo_refuse(const char *what);
extern void __sfo_apart(const void *target, size_t written, const void *source, size_t read);

static const char *const DAYS[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const MONTHS[12] = {"January", "February", "March",     "April",   "May",      "June",
                                       "July",    "August",   "September", "October", "November", "December"};

static int is_leap(unsigned year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/* -- times and their parts -- */

/* Counted from 1 March of the year -400, so that a leap day is the last of its year and all is unsigned. Words are as
   short as can be: 128 seconds are the 675th part of a day. */
static void take_apart(long long time, struct tm *result) {
  if (time < -62167219200LL || time > 253402300799LL)
    __sfo_leave_bound();
  unsigned long long seconds = (unsigned long long)(time + 74790000000LL);
  unsigned parts = (unsigned)(seconds >> 7);
  unsigned day = parts / 675, second = parts % 675 * 128 + (unsigned)(seconds & 127);
  result->tm_hour = (int)(second / 3600);
  result->tm_min = (int)(second % 3600 / 60);
  result->tm_sec = (int)(second % 60);
  result->tm_wday = (int)((day + 6) % 7);
  unsigned of_cycle = (day - 60) % 146097;
  unsigned of_years = (of_cycle - of_cycle / 1460 + of_cycle / 36524 - of_cycle / 146096) / 365;
  unsigned of_year = of_cycle - (365 * of_years + of_years / 4 - of_years / 100);
  unsigned month = (5 * of_year + 2) / 153;
  unsigned year = (day - 60) / 146097 * 400 + of_years - 400 + (month >= 10);
  result->tm_mday = (int)(of_year - (153 * month + 2) / 5 + 1);
  result->tm_mon = (int)(month >= 10 ? month - 10 : month + 2);
  result->tm_year = (int)year - 1900;
  result->tm_yday = (int)(month >= 10 ? of_year - 306 : of_year + 59 + (unsigned)is_leap(year));
  result->tm_isdst = 0;
  result->tm_gmtoff = 0;
}

/* The time that parts mean, which may be beyond their ranges. */
static long long put_together(const struct tm *parts) {
  int years = parts->tm_mon / 12, month = parts->tm_mon % 12;
  if (month < 0) {
    month += 12;
    years--;
  }
  long long whole = 1900LL + parts->tm_year + years;
  if (whole < 0 || whole > 9999)
    __sfo_leave_bound();
  unsigned year = (unsigned)whole + 400 - (month < 2), since_march = (unsigned)(month < 2 ? month + 10 : month - 2);
  unsigned of_years = year % 400;
  unsigned day = year / 400 * 146097 + 365 * of_years + of_years / 4 - of_years / 100 + (153 * since_march + 2) / 5;
  long long days = (long long)day - 865565 + parts->tm_mday - 1;
  return ((days * 24 + parts->tm_hour) * 60 + parts->tm_min) * 60 + parts->tm_sec;
}

struct tm *gmtime_r(const time_t *time, struct tm *result) {
  take_apart(*time, result);
  result->tm_zone = "GMT";
  return result;
}

struct tm *localtime_r(const time_t *time, struct tm *result) {
  take_apart(*time, result);
  result->tm_zone = "UTC";
  return result;
}

static struct tm *the_parts(void) {
  static struct tm parts;
  return &parts;
}

struct tm *gmtime(const time_t *time) { return gmtime_r(time, the_parts()); }

struct tm *localtime(const time_t *time) { return localtime_r(time, the_parts()); }

time_t mktime(struct tm *parts) {
  time_t time = (time_t)put_together(parts);
  localtime_r(&time, parts);
  return time;
}

time_t timegm(struct tm *parts) {
  time_t time = (time_t)put_together(parts);
  gmtime_r(&time, parts);
  return time;
}

void tzset(void) {
}

/* -- times as text -- */

struct text {
  char *start;
  size_t bytes, count;
};

static void add(struct text *to, char character) {
  if (to->count < to->bytes)
    to->start[to->count] = character;
  to->count++;
}

static char upper(char letter) { return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter; }

/* A name, or its first letters. */
static void add_name(struct text *to, const char *name, unsigned most, char flag) {
  for (unsigned n = 0; n < most && name[n] != 0; n++)
    add(to, flag == '^' ? upper(name[n]) : name[n]);
}

static void add_day(struct text *to, int day, unsigned most, char flag) {
  add_name(to, day < 0 || day > 6 ? "?" : DAYS[day], most, flag);
}

static void add_month(struct text *to, int month, unsigned most, char flag) {
  add_name(to, month < 0 || month > 11 ? "?" : MONTHS[month], most, flag);
}

/* A number of up to four digits, but for the time itself, filled up to so many. */
static void add_number(struct text *to, int number, int digits, char fill) {
  if (number < 0 || number > 9999)
    __sfo_leave_bound();
  unsigned value = (unsigned)number % 10000u;
  unsigned place = 1000;
  for (int n = 4; n > 1; n--) {
    if (value >= place)
      add(to, (char)('0' + value / place % 10));
    else if (n <= digits && fill != '-')
      add(to, fill);
    place /= 10;
  }
  add(to, (char)('0' + value % 10));
}

char *asctime_r(const struct tm *parts, char *target) {
  struct text to = {target, 26, 0};
  add_day(&to, parts->tm_wday, 3, 0);
  add(&to, ' ');
  add_month(&to, parts->tm_mon, 3, 0);
  add_number(&to, parts->tm_mday, 3, ' ');
  add(&to, ' ');
  add_number(&to, parts->tm_hour, 2, '0');
  add(&to, ':');
  add_number(&to, parts->tm_min, 2, '0');
  add(&to, ':');
  add_number(&to, parts->tm_sec, 2, '0');
  add(&to, ' ');
  add_number(&to, parts->tm_year + 1900, 1, '0');
  add(&to, '\n');
  add(&to, 0);
  return target;
}

static char *the_text(void) {
  static char text[26];
  return text;
}

char *asctime(const struct tm *parts) { return asctime_r(parts, the_text()); }

char *ctime_r(const time_t *time, char *target) {
  struct tm parts;
  return asctime_r(localtime_r(time, &parts), target);
}

char *ctime(const time_t *time) { return asctime_r(localtime(time), the_text()); }

/* Days since the Monday of the first ISO week; negative before it. */
static int since_first_week(int day_of_year, int weekday) {
  return day_of_year - (day_of_year - weekday + 382) % 7 + 3;
}

/* The ISO week: its year, and its number times 7 and more. */
static int week_days(const struct tm *parts, int *year) {
  *year = parts->tm_year + 1900;
  int days = since_first_week(parts->tm_yday, parts->tm_wday);
  if (days < 0) {
    --*year;
    return since_first_week(parts->tm_yday + 365 + is_leap((unsigned)*year), parts->tm_wday);
  }
  int next = since_first_week(parts->tm_yday - 365 - is_leap((unsigned)*year), parts->tm_wday);
  if (next < 0)
    return days;
  ++*year;
  return next;
}

static void add_seconds(struct text *to, long long seconds) {
  char digits[12];
  int count = 0;
  unsigned long long rest = seconds < 0 ? 0 - (unsigned long long)seconds : (unsigned long long)seconds;
  do
    digits[count++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (seconds < 0)
    add(to, '-');
  while (count > 0)
    add(to, digits[--count]);
}

/* What a conversion stands for that is made of others. */
static const char *made_of(char conversion) {
  switch (conversion) {
  case 'c':
    return "%a %b %e %H:%M:%S %Y";
  case 'D':
  case 'x':
    return "%m/%d/%y";
  case 'F':
    return "%Y-%m-%d";
  case 'r':
    return "%I:%M:%S %p";
  case 'R':
    return "%H:%M";
  case 'T':
  case 'X':
    return "%H:%M:%S";
  default:
    return NULL;
  }
}

static void convert(struct text *to, char conversion, char flag, const struct tm *parts) {
  char zero = flag == 0 ? '0' : flag == '_' ? ' ' : flag, space = flag == 0 || flag == '_' ? ' ' : flag;
  int hour = parts->tm_hour > 12 ? parts->tm_hour - 12 : parts->tm_hour == 0 ? 12 : parts->tm_hour;
  int year = parts->tm_year + 1900;
  switch (conversion) {
  case 'a':
    add_day(to, parts->tm_wday, 3, flag);
    return;
  case 'A':
    add_day(to, parts->tm_wday, 9, flag);
    return;
  case 'b':
  case 'h':
    add_month(to, parts->tm_mon, 3, flag);
    return;
  case 'B':
    add_month(to, parts->tm_mon, 9, flag);
    return;
  case 'C':
    add_number(to, year / 100, 2, zero);
    return;
  case 'd':
    add_number(to, parts->tm_mday, 2, zero);
    return;
  case 'e':
    add_number(to, parts->tm_mday, 2, space);
    return;
  case 'H':
    add_number(to, parts->tm_hour, 2, zero);
    return;
  case 'k':
    add_number(to, parts->tm_hour, 2, space);
    return;
  case 'I':
    add_number(to, hour, 2, zero);
    return;
  case 'l':
    add_number(to, hour, 2, space);
    return;
  case 'j':
    add_number(to, parts->tm_yday + 1, 3, zero);
    return;
  case 'm':
    add_number(to, parts->tm_mon + 1, 2, zero);
    return;
  case 'M':
    add_number(to, parts->tm_min, 2, zero);
    return;
  case 'p':
    add_name(to, parts->tm_hour > 11 ? "PM" : "AM", 2, flag);
    return;
  case 'P':
    add_name(to, parts->tm_hour > 11 ? "pm" : "am", 2, 0);
    return;
  case 'S':
    add_number(to, parts->tm_sec, 2, zero);
    return;
  case 'u':
    add_number(to, (parts->tm_wday + 6) % 7 + 1, 1, zero);
    return;
  case 'w':
    add_number(to, parts->tm_wday, 1, zero);
    return;
  case 'U':
    add_number(to, (parts->tm_yday - parts->tm_wday + 7) / 7, 2, zero);
    return;
  case 'W':
    add_number(to, (parts->tm_yday - (parts->tm_wday + 6) % 7 + 7) / 7, 2, zero);
    return;
  case 'V':
    add_number(to, week_days(parts, &year) / 7 + 1, 2, zero);
    return;
  case 'g':
    week_days(parts, &year);
    add_number(to, year % 100, 2, zero);
    return;
  case 'G':
    week_days(parts, &year);
    add_number(to, year, 1, zero);
    return;
  case 'y':
    add_number(to, year % 100, 2, zero);
    return;
  case 'Y':
    add_number(to, year, 1, zero);
    return;
  case 'z':
    add_name(to, parts->tm_isdst < 0 ? "" : "+0000", 5, 0);
    return;
  case 'Z':
    add_name(to, parts->tm_zone == NULL ? "" : parts->tm_zone, 8, flag);
    return;
  case 's':
    add_seconds(to, put_together(parts));
    return;
  case 'n':
    add(to, '\n');
    return;
  case 't':
    add(to, '\t');
    return;
  case '%':
    add(to, '%');
    return;
  default:
    __sfo_refuse("strftime with this conversion is not supported yet");
  }
}

/* What is behind '%': writes it, unless it is made of other conversions. */
static const char *add_conversion(struct text *to, const char *format, const struct tm *parts, const char **inner) {
  char flag = *format == '-' || *format == '_' || *format == '0' || *format == '^' ? *format++ : 0;
  if (*format == 'E' || *format == 'O')
    format++;
  *inner = made_of(*format);
  if (*inner == NULL)
    convert(to, *format, flag, parts);
  else if (flag != 0)
    __sfo_refuse("a flag before this conversion of strftime is not supported yet");
  return format + 1;
}

size_t strftime(char *target, size_t bytes, const char *format, const struct tm *parts) {
  struct text to = {target, bytes, 0};
  const char *start = format, *behind = NULL, *inner;
  while (*format != 0) {
    if (*format != '%')
      add(&to, *format++);
    else {
      format = add_conversion(&to, format + 1, parts, &inner);
      if (inner != NULL) {
        behind = format;
        format = inner;
      }
    }
    if (*format == 0 && behind != NULL) {
      format = behind;
      behind = NULL;
    }
  }
  __sfo_apart(target, to.count < bytes ? to.count + 1 : bytes, start, (size_t)(format - start) + 1);
  if (to.count >= bytes)
    return 0;
  target[to.count] = 0;
  return to.count;
}

