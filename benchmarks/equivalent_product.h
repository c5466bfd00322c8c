/* Before the text of a program or of a mutant of it: what it asserts, assumes and prints goes to equivalent_product.c. */
#undef assert
#define assert(c) ((c) ? (void)0 : SIDE(violated)())
#define __VERIFIER_assume(c) __CPROVER_assume(c)

#define PRINTED(v)                                                                                                     \
    _Generic((v), char *: SIDE(text), const char *: SIDE(text), float: SIDE(real), double: SIDE(real),                 \
             default: SIDE(number))(v)
#define PRINT_1(f) SIDE(text)(f)
#define PRINT_2(f, a) (PRINT_1(f), PRINTED(a))
#define PRINT_3(f, a, b) (PRINT_2(f, a), PRINTED(b))
#define PRINT_4(f, a, b, c) (PRINT_3(f, a, b), PRINTED(c))
#define PRINT_5(f, a, b, c, d) (PRINT_4(f, a, b, c), PRINTED(d))
#define PRINT_OF(_1, _2, _3, _4, _5, name, ...) name
#define printf(...) PRINT_OF(__VA_ARGS__, PRINT_5, PRINT_4, PRINT_3, PRINT_2, PRINT_1)(__VA_ARGS__)
#define puts(s) (SIDE(text)(s), SIDE(number)(10))
#define putchar(c) SIDE(number)(c)

void SIDE(violated)(void);
void SIDE(text)(const char *);
void SIDE(real)(double);
void SIDE(number)(long);
