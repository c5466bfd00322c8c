"""Library functions that a program declares in its own words: the verdicts of assertions beside gcc's program."""

import subprocess
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.syntax.types import ILP32
from tests.conftest import require_tool
from tests.differential.ours import Symbolic, concrete, load_program

MEANT = [
    # results that are narrower than the library's, of another sign, or pointers
    ("int strlen(char *);", "strlen(word) == 5"),
    ("int strlen(char *);", "strlen(word) == 4"),
    ("int strlen(char *);", "sizeof strlen(word) == 4 && strlen(word) - 6 < 0"),
    ("unsigned strlen(const char *);", "strlen(word) - 6 > 0"),
    ("short strlen();", "sizeof strlen(word) == 2 && strlen(word) == 5"),
    ("char strlen(char *);", "strlen(word) == 5"),
    ("long strlen(char *);", "strlen(word) - 6 < 0"),
    ("char *strlen(char *);", "(long)strlen(word) == 5"),
    ("int strlen(long);", "strlen((long)word) == 5"),
    ("int strlen(unsigned long);", "strlen((unsigned long)word + 1) == 4"),
    ("unsigned char abs(int);", "abs(-300) == 44"),
    ("unsigned char abs(int);", "abs(-300) == 300"),
    ("signed char atoi(char *);", 'atoi("200") == -56'),
    ("unsigned atoi(char *);", 'atoi("-1") > 0'),
    ("int labs(long);", "labs(-0x100000005L) == 5"),
    ("short labs();", "labs(-70000L) == 4464"),
    ("int atol(char *);", 'atol("4294967299") == 3'),
    ("int strtol();", 'strtol("4294967303", (char **)0, 10) == 7'),
    ("unsigned short toupper(int);", "toupper('a') == 'A'"),
    ("char tolower(int);", "tolower('Q') == 'q'"),
    ("_Bool abs(int);", "abs(-1) == 1"),
    ("_Bool abs(int);", "abs(256) == 0"),
    (
        "int memcpy(void *, void *, unsigned long);",
        "memcpy(room, word, 6) == (int)(long)room && room[4] == 'o'",
    ),
    ("long strcpy(char *, char *);", "strcpy(room, word) == (long)room"),
    ("long strchr(char *, int);", "strchr(word, 'l') - (long)word == 2"),
    ("void *strcpy(void *, void *);", "(char *)strcpy(room, word) == room"),
    ("unsigned long malloc(unsigned long);", "malloc(8) != 0"),
    # results that are wider, whose values keep their meaning
    ("long abs(int);", "sizeof abs(-4) == 8 && abs(-4) == 4"),
    ("unsigned long abs(int);", "abs(-4) == 4"),
    ("long strcmp();", 'strcmp("b", "a") > 0'),
    ("char *toupper(int);", "(long)toupper('a') == 65"),
    ("long toupper(int);", "toupper('z') == 'A'"),
    ("char isdigit(int);", "isdigit('x') == 0"),
    ("_Bool isalpha();", "isalpha('7')"),
    ("char strcmp();", "strcmp(word, word) == 0"),
    # arguments that are wider, narrower, of another sign, or promoted
    ("int abs(long);", "abs(-0x100000005L) == 5"),
    ("int abs(unsigned);", "abs(4294967295u) == 1"),
    ("int abs(char);", "abs(-128) == 128"),
    ("int abs(char);", "abs(384) == 128"),
    ("int abs(unsigned char);", "abs(-1) == 255"),
    ("int abs(short);", "abs(65535) == 1"),
    ("int abs(_Bool);", "abs(-7) == 1"),
    ("int abs(char *);", "abs((char *)-7) == 7"),
    ("int toupper(char);", "toupper('q') == 'Q'"),
    ("int tolower(unsigned char);", "tolower('A' + 256) == 'a'"),
    ("int isdigit(char);", "isdigit('7') != 0 && isdigit('x') == 0"),
    ("int isalpha(long);", "isalpha(0x100000041L) != 0"),
    ("long labs(int);", "labs(7) == 7"),
    ("long labs(unsigned);", "labs(4294967295u) == 4294967295"),
    ("char *memset(char *, int, int);", "memset(room, 'x', 3)[2] == 'x' && room[3] == 0"),
    ("void *memset(void *, char, unsigned);", "*(char *)memset(room, 'y', 2) == 'y' && room[2] == 0"),
    ("int memset(void *, long, unsigned long);", "memset(room, 0x141L, 1) && room[0] == 'A'"),
    ("int memcmp(char *, char *, int);", "memcmp(word, word, 5) == 0"),
    ("int strncmp(char *, char *, int);", 'strncmp(word, "help", 3) == 0'),
    ("int strncmp(char *, char *, short);", 'strncmp(word, "help", 4) == 0'),
    ("char *strncpy(char *, char *, int);", "strncpy(room, word, 2)[1] == 'e' && room[2] == 0"),
    ("void *malloc(int);", "malloc(16) != 0"),
    ("void *calloc(int, int);", "*(int *)calloc(2, 4) == 0"),
    ("char *strchr(char *, char);", "strchr(word, 'h') == word"),
    # declarations without parameters
    ("char *malloc();", "(room2 = malloc(3), room2[2] = 'c', room2[2] == 'c')"),
    ("char *malloc(), *strcpy();", "strcpy(malloc(6), word)[4] == 'o'"),
    ("char *calloc();", "calloc(3, 1)[2] == 0"),
    ("char *strcat();", "strcat(room, \"ab\")[1] == 'b'"),
    ("char *memcpy();", "memcpy(room, word, 3)[2] == 'l'"),
    ("int abs();", "abs(-5) == 5"),
    ("int abs();", "abs(-0x100000005L) == 5"),
    ("int abs();", "abs(-5) == -5"),
    ("int strlen();", "strlen(word) == 5"),
    ("int toupper();", "toupper('q') == 'Q'"),
    ("int isdigit();", "isdigit('q') == 0"),
    ("double atof();", 'atof("2.5") == 2.5'),
    ("double atof();", 'atof("2.5") == 2'),
    ("double sqrt();", "sqrt(6.25) == 2.5"),
    ("double sqrt();", "sqrt(6.25f) == 2.5"),
    ("double fabs(), floor();", "fabs(floor(-1.5)) == 2"),
    ("int atoi();", 'atoi("-12") == -12'),
    ("int printf();", 'printf("%d\\n", 12) == 3'),
    ("long printf(char *, ...);", 'printf("%s", word) == 5'),
    ("char printf(char *, ...);", 'printf("%5s", word) == 5'),
    ("int sprintf();", "sprintf(room, \"%d\", 123) == 3 && room[2] == '3'"),
    ("long sprintf(char *, char *, ...);", 'sprintf(room, "%c%s", 65, "b") == 2 && room[0] == 65'),
    ("short snprintf(char *, int, char *, ...);", "snprintf(room, 4, \"%s\", word) == 5 && room[2] == 'l'"),
    ("long puts(char *);", "puts(word) >= 0"),
    # fixed parameters where the library has others by number, and the other way round
    ("int printf(char *);", 'printf("line\\n") == 5'),
    ("int printf(char *, char *, long);", 'printf("%s%ld", word, 12L) == 7'),
    ("int snprintf(char *, long, char *, int);", "snprintf(room, 9, \"%d\", -3) == 2 && room[0] == '-'"),
    ("int abs(int, ...);", "abs(-1) == 1"),
    ("int strlen(char *, ...);", "strlen(word) - 6 < 0"),
    ("double sqrt(double, ...);", "sqrt(6.25) == 2.5"),
    ("char putchar(int);", "putchar('A') == 'A'"),
    ("int putchar(char);", "putchar(321) == 'A'"),
    ("long sscanf();", 'sscanf("17", "%d", &number) == 1 && number == 17'),
    # no declaration at all
    ("", "strlen(word) - 6 > 0"),
    ("", 'atol("4294967299") == 3'),
    ("", "labs(-5L) == 5"),
    ("", "toupper('a') == 'A' && abs(-3) == 3"),
    ("", 'strtol("4294967303", (char **)0, 10) == 7'),
    # a result that is not asked for, and one that there is not
    ("int free(void *); void *malloc();", "(void *)malloc(4) != 0 && (release(malloc(4)), 1)"),
    ("int free(); char *malloc();", "(free(malloc(4)), (void)free(malloc(5)), 1)"),
    ("struct q { int quot, rem; } div(int, int);", "div(7, 2).quot == 3 && div(7, 2).rem == 1"),
    ("void abs(int);", "(abs(4), 1)"),
    ("void memcpy();", "(memcpy(room, word, 2), room[1] == 'e')"),
]
"""Declarations, and a condition that calls what they declare."""

PROGRAM = """
#include <assert.h>
{declarations}
int main(void) {{
  char word[] = "hello", room[16] = "", *room2 = 0;
  int number = 0;
  assert({condition});
  return 0;
}}
"""


def program_of(declarations: str, condition: str) -> str:
    """The program that asserts the condition; ``release`` is a call whose result nobody reads."""
    release = "void release(void *p) { free(p); }" if "free" in declarations else ""
    return PROGRAM.format(declarations=f"{declarations}\n{release}", condition=condition)


def holds_natively(path: Path, binary: Path) -> bool:
    gcc = [require_tool("gcc"), "-std=gnu89", "-w", str(path), "-o", str(binary), "-lm"]
    subprocess.run(gcc, check=True, capture_output=True)
    done = subprocess.run([binary], check=False, capture_output=True, timeout=20)
    assert done.returncode in (0, -6), done
    return done.returncode == 0


@pytest.mark.sample(40)
@pytest.mark.parametrize(("declarations", "condition"), MEANT)
def test_assertions_hold_and_fail_as_natively(declarations: str, condition: str, tmp_path: Path) -> None:
    for number, asserted in enumerate((condition, f"!({condition})")):
        path = tmp_path / f"program{number}.c"
        path.write_text(program_of(declarations, asserted), encoding="utf-8")
        holds = holds_natively(path, tmp_path / "native")
        run = concrete(load_program(path), ())
        assert (run.end, run.kind) == (("pass", None) if holds else ("fail", "assert")), asserted


MEANINGLESS = [
    ("double strlen(char *);", "strlen(word) == 5", "'double strlen(char *)' and is 'unsigned long strlen("),
    ("float atof(char *);", 'atof("2.5") == 2.5', "'float atof(char *)' and is 'double atof("),
    ("", 'atof("2.5") == 2.5', "'int atof()' and is 'double atof(char *)'"),
    ("int sqrt(double);", "sqrt(4.0) == 2", "'int sqrt(double)' and is 'double sqrt(double)'"),
    ("float sqrt(float);", "sqrt(4.0f) == 2", "'float sqrt(float)' and is 'double sqrt(double)'"),
    ("double sqrt();", "sqrt(4) == 2", "'double sqrt()' and is 'double sqrt(double)'"),
    ("double fabs(int);", "fabs(4) == 4", "'double fabs(int)' and is 'double fabs(double)'"),
    ("int abs(double);", "abs(4) == 4", "'int abs(double)' and is 'int abs(int)'"),
    ("int abs();", "abs(4.0) == 4", "'int abs()' and is 'int abs(int)'"),
    ("int abs(void);", "abs() == 4", "'int abs(void)' and is 'int abs(int)'"),
    ("int abs();", "abs(1, 2) == 1", "'int abs()' and is 'int abs(int)'"),
    ("int abs(__int128);", "abs(1) == 1", "'int abs(__int128)' and is 'int abs(int)'"),
    (
        "int printf(char *, double);",
        'printf("%.0f", 1.0) == 1',
        "'int printf(char *, double)' and is 'int printf(char *, ...)'",
    ),
    ("struct s { int a; }; struct s abs(int);", "abs(1).a == 1", "'struct s abs(int)' and is 'int abs(int)'"),
    (
        "struct s { int a; } s; int atoi(struct s);",
        "atoi(s) == 1",
        "'int atoi(struct s)' and is 'int atoi(char *)'",
    ),
    ("int free(void *);", "free(0) == 0", "there is no result"),
    ("int malloc();", "malloc(1.5) == 0", "'int malloc()' and is 'void *malloc("),
    ("long strcmp();", 'strcmp("a", "b") < 0', "the upper bits of the result are not returned"),
    ("long labs(int);", "labs(-1) == 1", "the upper bits of argument 1 are not passed"),
    ("_Bool isdigit(int);", "isdigit('1')", "which bits of the result are set"),
    ("char isalnum();", "isalnum('1')", "which bits of the result are set"),
    ("short strcmp();", 'strcmp("b", "a") > 0', "which bits of the result are set"),
    ("_Bool abs(int);", "abs(2)", "the upper bits of the result are not returned"),
    ("int strlen(char *); int (*f)(char *) = strlen;", "f(word) == 5", "through its address"),
]
"""Declarations by which a call has no meaning, and what the error says."""


@pytest.mark.parametrize(("declarations", "condition", "said"), MEANINGLESS)
def test_a_call_without_a_meaning_is_an_error(
    declarations: str, condition: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "program.c"
    path.write_text(program_of(declarations, condition), encoding="utf-8")
    with pytest.raises((InputError, UnsupportedError)) as caught:
        concrete(load_program(path), ())
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{path}:")


def test_the_error_names_the_place_of_the_call(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "double strlen(char *);\nint main(void) {\n  return strlen(0) > 1;\n}\n", encoding="utf-8"
    )
    with pytest.raises(UnsupportedError) as caught:
        concrete(load_program(path), ())
    assert str(caught.value).startswith(f"{path}:3:10: 'strlen' is declared as 'double strlen(char *)'")


@pytest.mark.parametrize(
    "text",
    [
        "double strlen(char *); int main(int argc) { if (argc > 5) strlen(0); return 0; }",
        "double strlen(char *); int main(void) { return 0; }",
        "long strcmp(); int main(int argc) { return argc > 5 && strcmp(0, 1) < 0; }",
    ],
)
def test_only_a_call_that_an_execution_reaches_is_an_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(text, encoding="utf-8")
    assert concrete(load_program(path), ()).end == "pass"


def test_executions_on_inputs_that_lose_their_meaning_are_beyond_the_bound(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    text = "int __VERIFIER_nondet_int(void); long labs(int);\nint main(void) { return labs(__VERIFIER_nondet_int()) == 7; }"
    path.write_text(text, encoding="utf-8")
    program = load_program(path)
    symbolic = Symbolic(program, Bound(unwind=2))
    assert [symbolic.run((n,)).end for n in (7, 0, -1)] == ["pass", "pass", "cut"]
    assert concrete(program, (7,)).end == "pass"
    with pytest.raises(InputError, match="the upper bits of argument 1 are not passed"):
        concrete(program, (-1,))


def test_models_call_each_other_by_their_own_declarations(tmp_path: Path) -> None:
    """The program's word for ``malloc`` and ``strlen`` is not that of ``strdup``, which calls both."""
    path = tmp_path / "program.c"
    text = program_of(
        "char *malloc(signed char); char strlen(char *); char *strdup(char *);", "strdup(word)[4] == 'o'"
    )
    path.write_text(text.replace('"hello"', '"hello' + 300 * "x" + '"'), encoding="utf-8")
    assert concrete(load_program(path), ()).end == "pass"


@pytest.mark.parametrize(
    ("declarations", "condition", "end"),
    [
        ("int strlen(char *);", "strlen(word) - 6 < 0", "pass"),
        ("unsigned strlen(int);", "strlen((int)word) == 5", "pass"),
        ("long abs(long);", "abs(-3) == 3", "pass"),
        ("signed char atoi(char *);", 'atoi("200") == -56', "pass"),
        ("void *memset(void *, char, int);", "*(char *)memset(room, 'x', 2) == 'x'", "pass"),
        ("int atoll(char *);", 'atoll("4294967299") == 3', "pass"),
        ("long long abs(int);", "abs(3) == 3", None),
        ("int abs(long long);", "abs(3) == 3", None),
    ],
)
def test_slots_of_32_bits(declarations: str, condition: str, end: str | None, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(program_of(declarations, condition), encoding="utf-8")
    if end is None:
        with pytest.raises(UnsupportedError, match="has no defined meaning"):
            concrete(load_program(path, model=ILP32), ())
    else:
        assert concrete(load_program(path, model=ILP32), ()).end == end
