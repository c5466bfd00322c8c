from pathlib import Path

import pytest

from cfrontend.environment.harness import START
from cfrontend.errors import InputError, Location, UsageError
from cfrontend.program import Program, ProgramOptions, load_c_program
from cfrontend.source.contract import (
    ContractClause,
    contract_clauses_above,
    contract_clauses_of_options,
    contract_old_values,
    is_harness_contract,
)


def above(text: str, name: str = "f") -> list[tuple[str, str, int, int | None]]:
    """Kind, text on one line, line and column of the clauses above the function ``name``, whose name comes last."""
    before = text[: text.rindex(name + "(")]
    place = Location("a.c", before.count("\n") + 1, len(before) - before.rfind("\n"))
    found = contract_clauses_above(place, {"a.c": tuple(text.split("\n"))})
    return [(c.kind, c.line, c.location.line, c.location.column) for c in found]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("int f(void);", []),
        ("/* @requires n > 0 */ int f(int n);", [("requires", "n > 0", 1, 14)]),
        ("// @ensures __sfo_result\nint f(int n);", [("ensures", "__sfo_result", 1, 13)]),
        ("/// @requires n;\nint\nf(int n);", [("requires", "n", 1, 15)]),
        ("/**\n * @requires n &&\n *   m\n * @ensures 1\n */\nint f(int n);",
         [("requires", "n && m", 2, 14), ("ensures", "1", 4, 13)]),
        ("/* @requires n\n\n   words */\nint f(int n);", [("requires", "n", 1, 14)]),
        ("/* @requires a &&\n   *p @ensures *q */\nint f(int n);",
         [("requires", "a && *p", 1, 14), ("ensures", "*q", 2, 16)]),
        ("// @requires n\n//   && m\nstatic int f(int n);", [("requires", "n && m", 1, 14)]),
        ("// @requires n\nint x;\nint f(int n);", []),
        ("int g(void) { return 1; } /* @requires n */\nint f(int n);", []),
        ("/* @requires n */\n#define N 3\nint f(int n);", []),
        ('char *s = "/* @requires n */";\nint f(int n);', []),
        ("/* @requires n */ /* @ensures m */\nint f(int n);",
         [("requires", "n", 1, 14), ("ensures", "m", 1, 31)]),
        ("/* someone@requires.example */\nint f(int n);", []),
    ],
)  # fmt: skip
def test_clauses_are_read_from_the_comments_above_a_function(
    text: str, clauses: list[tuple[str, str, int, int]]
) -> None:
    assert above(text) == clauses


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "--requires:1:1: a condition is missing after --requires"),
        (" /* */ ", "--requires:1:1: a condition is missing after --requires"),
        ("n > (1", "--requires:1:5: '(' is never closed"),
        ("n > 1)", "--requires:1:6: ')' closes nothing"),
        ("(a[1)]", "--requires:1:5: ')' closes nothing"),
        ("n; m", "--requires:1:2: ';' cannot stand in a condition"),
        ("({ n; })", "--requires:1:2: '{' cannot stand in a condition"),
        ("n #", "--requires:1:3: '#' cannot stand in a condition"),
        ("n, m", "--requires:1:2: a comma outside parentheses: give each condition a clause of its own"),
        ("n == '", "--requires:1:6: missing terminating ' character"),
    ],
)
def test_text_that_cannot_stand_between_parentheses_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        contract_clauses_of_options([text], [])
    assert str(caught.value) == message


def test_a_clause_of_a_comment_is_refused_as_part_of_the_program() -> None:
    with pytest.raises(InputError, match=r"^a\.c:2:16: '\(' is never closed$"):
        above("\n/* @requires 1+(2 */ int f(int n);")


def test_the_clauses_of_an_option_stand_on_lines_of_their_own() -> None:
    found = contract_clauses_of_options(["a", "b\n+ c"], ["d"])
    assert [(c.text, str(c.location)) for c in found] == [
        ("a", "--requires:1:1"),
        ("b + c", "--requires:2:1"),
        ("d", "--ensures:1:1"),
    ]


def test_old_values_are_found_with_their_expressions() -> None:
    (clause,) = contract_clauses_of_options([], ["__sfo_old(a[(i)]) + 1 == b || __sfo_old( n ) > n"])
    found = [(clause.text[a:c], clause.text[b : c - 1]) for a, b, c in contract_old_values(clause)]
    assert found == [("__sfo_old(a[(i)])", "a[(i)]"), ("__sfo_old( n )", " n ")]


@pytest.mark.parametrize(
    ("requires", "ensures", "message"),
    [
        (["n == __sfo_old(n)"], [], "--requires:1:6: __sfo_old is for postconditions"),
        ([], ["__sfo_old == n"], "--ensures:1:1: __sfo_old needs an expression"),
        ([], ["n > __sfo_old( )"], "--ensures:1:5: __sfo_old needs an expression"),
        ([], ["__sfo_old(__sfo_old(n)) > n"], "--ensures:1:11: __sfo_old has no value at entry"),
        ([], ["__sfo_old(__sfo_result) > n"], "--ensures:1:11: __sfo_result has no value at entry"),
    ],
)
def test_old_values_that_mean_nothing_are_refused(
    requires: list[str], ensures: list[str], message: str
) -> None:
    clauses = contract_clauses_of_options(requires, ensures)
    with pytest.raises(UsageError) as caught:
        list(map(list, map(contract_old_values, clauses)))
    assert str(caught.value).startswith(message)


def test_a_harness_is_what_the_comment_above_it_calls_so() -> None:
    lines = ("/* @harness: by hand */", "int main(void)", "{ }", "/* @harnesses */", "int f(void);")
    assert is_harness_contract(Location("a.c", 2, 5), {"a.c": lines})
    assert not is_harness_contract(Location("a.c", 5, 5), {"a.c": lines})
    assert not is_harness_contract(Location("b.c", 1, 1), {"a.c": lines})


# -- through the front end ---------------------------------------------------------------------------------------


def loaded(tmp_path: Path, text: str, requires: list[str], ensures: list[str]) -> Program:
    path = tmp_path / "p.c"
    path.write_text(text)
    options = ProgramOptions(entry="f", requires=tuple(requires), ensures=tuple(ensures))
    return load_c_program([str(path)], options)


TEXT = """\
#include <string.h>
#include <ctype.h>
#include <stdlib.h>
#include <math.h>
#define MOST 4
#define BUMP(x) ((x)++)
static int counter;
struct pair { int a, b; };
extern int nondet_int(void);
static int least(int a, int b) { int m = a; if (b < m) m = b; return m; }
static int sum(const int *a, int n) { int s[1] = {0}; for (int i = 0; i < n; i++) s[0] += a[i]; return s[0]; }
static int next(void) { return ++counter; }
static int via(int (*g)(void)) { return g(); }
static void store(int *p) { *p = 1; }
static int calls_store(int x) { store(&x); return x; }
static int remembers(void) { static int n; return n++; }
int f(int n, const char *s, struct pair p) { counter = n; return n; }
"""


@pytest.mark.parametrize(
    "text",
    [
        "n < MOST && s[0] != 0",
        "least(n, 3) < 3 && sum(&n, 1) == n",
        'strlen(s) < 3 && strcmp(s, "a") < 0 && isdigit((unsigned char)s[0])',
        "abs(n) > 2 && sqrt(2.0) > 1 && !isnan(0.5)",
        "sizeof(struct pair) == 8 && p.a < p.b && (p.a, p.b)",
        "n ? counter : !counter",
    ],
)  # fmt: skip
def test_conditions_may_call_what_changes_nothing(tmp_path: Path, text: str) -> None:
    program = loaded(tmp_path, TEXT, [text], [f"__sfo_old({text}) || {text}"])
    assert START in program.goto.functions


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("n = 1", 1, "a condition must not change anything, and this does"),
        ("n == 1 && p.a++", 11, "a condition must not change anything, and this does"),
        ("s[--n]", 3, "a condition must not change anything, and this does"),
        ("n += 2", 1, "a condition must not change anything, and this does"),
        ("BUMP(n)", 1, "a condition must not change anything, and this does"),
        ("next() > n", 1, "'next' writes to what is not its own"),
        ("n || remembers()", 6, "'remembers' writes to what is not its own"),
        ("calls_store(n)", 1, "'store' writes to what is not its own"),
        ("via(next)", 1, "'via' calls a function through a pointer"),
        ("nondet_int()", 1, "nothing is known of what 'nondet_int' does"),
        ("malloc(3) != 0", 1, "nothing is known of what 'malloc' does"),
        ("nothing > 0", 1, "'nothing' undeclared"),
        ("n >", 4, "syntax error before ')'"),
        ("n > 0 1", 7, "syntax error before '1'"),
        ("p", 1, "where a scalar is required"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["requires", "ensures"])
def test_a_condition_that_is_none_is_shown_with_its_place(
    tmp_path: Path, text: str, column: int, message: str, kind: str
) -> None:
    with pytest.raises(UsageError) as caught:
        loaded(tmp_path, TEXT, [text] if kind == "requires" else [], [text] if kind == "ensures" else [])
    place = caught.value.location
    assert place is not None
    assert (place.file, place.line, place.column) == (f"--{kind}", 1, column)
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("clause", "place", "message"),
    [
        ("@requires n > 0\n *  && m", "p.c:3:8", "'m' undeclared"),
        ("@ensures n++", "p.c:2:13", "must not change anything"),
        ("@ensures __sfo_result >\n *   __sfo_old(n +\n *    k)", "p.c:4:7", "'k' undeclared"),
        ("@requires", "p.c:2:13", "a condition is missing after @requires"),
    ],
)
def test_a_clause_of_a_comment_is_shown_where_it_stands(
    tmp_path: Path, clause: str, place: str, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        loaded(tmp_path, f"/*\n * {clause}\n */\nint f(int n) {{ return n; }}\n", [], [])
    assert str(caught.value.location) == str(tmp_path / place)


def test_the_result_of_a_function_without_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^--ensures:1:6: 'f' returns no value$"):
        loaded(tmp_path, "void f(int n) { }\n", [], ["n && __sfo_result"])


def test_clauses_are_for_a_function_other_than_main() -> None:
    with pytest.raises(UsageError, match="choose it with --entry"):
        load_c_program(["benchmarks/programs/minmax.c"], ProgramOptions(requires=("1",)))


def test_a_clause_has_one_line() -> None:
    clause = ContractClause(kind="ensures", text="a\n   + b", location=Location("a.c", 1, 1))
    assert clause.line == "a + b"
