"""What a text declares outside of its statements."""

from cfrontend.edit.file_definitions import file_definitions

TEXT = """#define LIMIT 11 /* most */
#define LARGER(a, b) ((a) < (b) ? \\
    (b) : (a))
#define EMPTY
#if LIMIT > 3
#elif defined(WIDE)
#endif
typedef unsigned char byte;
typedef struct { byte raw[4]; int small : 3, *next; } thing;
enum color { RED = 1, GREEN, BLUE = RED << 2 };
extern int elsewhere[3];
static const int table[3][2] = {{1, 2}, {3, 4}}, last = 7;
thing *things[LIMIT + 1];
char first(short a, const char *text)
{
    byte x = (byte)3;
    struct thing one, two[2];
    for (unsigned i = 0; i < sizeof(int); i++) ;
    return x;
}
"""


def words(tokens: object) -> str:
    return " ".join(part.text for part in tokens)  # type: ignore[attr-defined]


def test_macros_with_and_without_parameters() -> None:
    found = {macro.name: (macro.parameters, words(macro.body)) for macro in file_definitions(TEXT).macros}
    assert found == {
        "LIMIT": (None, "11"),
        "LARGER": (("a", "b"), "( ( a ) < ( b ) ? ( b ) : ( a ) )"),
    }


def test_a_macro_begins_at_its_directive_and_ends_with_its_body() -> None:
    limit, larger = file_definitions(TEXT).macros
    assert TEXT[limit.start : limit.end] == "#define LIMIT 11"
    assert TEXT[larger.start : larger.end].endswith("(b) : (a))")


def test_words_that_decide_what_is_compiled() -> None:
    assert {"LIMIT", "WIDE"} <= file_definitions(TEXT).tested


def test_enumerators_that_say_their_value() -> None:
    assert [(one.name, words(one.value)) for one in file_definitions(TEXT).enumerators] == [
        ("RED", "1"),
        ("BLUE", "RED << 2"),
    ]


def test_declarations_with_types_sizes_and_pointers() -> None:
    found = [
        (one.names, words(one.type), one.points, [words(size) for size in one.sizes])
        for one in file_definitions(TEXT).declarations
    ]
    assert found == [
        (("byte",), "unsigned char", False, []),
        (("raw",), "", False, ["4"]),
        (("small", "next"), "int", True, ["3"]),
        (("table", "last"), "int", False, ["3", "2"]),
        (("things",), "", True, ["LIMIT + 1"]),
        (("first",), "char", False, []),
        (("a",), "short", False, []),
        (("text",), "char", True, []),
        (("x",), "", False, []),
        (("one", "two"), "", False, ["2"]),
        (("i",), "unsigned", False, []),
    ]


def test_text_that_ends_too_early_is_no_trouble() -> None:
    for end in range(len(TEXT)):
        file_definitions(TEXT[:end])
