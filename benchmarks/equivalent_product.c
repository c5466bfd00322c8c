/* A program and a mutant of it, one after the other on the same inputs: what the mutant shows is what the program showed. */
#define MOST 96

int original_main(void);
int mutant_main(void);

static long read_values[MOST], shown[MOST];
static int reads, reads_again, shows, shows_again;

static long original_input(long fresh)
{
    __CPROVER_assume(reads < MOST);
    read_values[reads++] = fresh;
    return fresh;
}

static long mutant_input(long fresh)
{
    __CPROVER_assume(reads_again < MOST);
    return reads_again < reads ? read_values[reads_again++] : fresh;
}

/* clang-format off */
#define INPUT(type, name)                                                                                              \
    type nondet_any_##name(void);                                                                                      \
    type original_nondet_##name(void) { return (type)original_input((long)nondet_any_##name()); }                      \
    type mutant_nondet_##name(void) { return (type)mutant_input((long)nondet_any_##name()); }
INPUT(_Bool, bool)
INPUT(char, char)
INPUT(signed char, schar)
INPUT(unsigned char, uchar)
INPUT(short, short)
INPUT(unsigned short, ushort)
INPUT(int, int)
INPUT(unsigned int, uint)
INPUT(long, long)
INPUT(unsigned long, ulong)
/* clang-format on */

void original_number(long value)
{
    __CPROVER_assume(shows < MOST);
    shown[shows++] = value;
}

void mutant_number(long value)
{
    __CPROVER_assert(shows_again < shows && shown[shows_again] == value, "prints the same");
    __CPROVER_assume(shows_again < shows);
    shows_again++;
}

static long hash_of(const char *text)
{
    long hash = 7;
    for (int i = 0; text[i]; i++)
        hash = hash * 31 + text[i];
    return hash;
}

static long bits_of(double value)
{
    union { double real; long bits; } both;
    both.real = value;
    return both.bits;
}

void original_text(const char *text) { original_number(hash_of(text)); }
void mutant_text(const char *text) { mutant_number(hash_of(text)); }
void original_real(double value) { original_number(bits_of(value)); }
void mutant_real(double value) { mutant_number(bits_of(value)); }
void original_violated(void) { __CPROVER_assume(0); }

void mutant_violated(void)
{
    __CPROVER_assert(0, "violates nothing");
    __CPROVER_assume(0);
}

int main(void)
{
    int status = original_main() & 255;
    int again = mutant_main() & 255;
    __CPROVER_assert(status == again, "ends with the same status");
    __CPROVER_assert(shows_again == shows, "prints as much");
    return 0;
}
