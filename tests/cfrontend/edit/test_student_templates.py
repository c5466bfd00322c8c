"""Edits of single rules: their texts, and that gcc finds no type wrong in any of them."""

import subprocess
from functools import cache
from pathlib import Path

import pytest

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.text import SourceText, apply_text_edits
from cfrontend.edit.unit_sites import find_candidates_at_units
from cfrontend.lower.number_units import number_units
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.settings import HOLE
from tests.conftest import require_tool

STRICT = tuple(
    f"-Werror={one}"
    for one in (
        "incompatible-pointer-types",
        "int-conversion",
        "implicit-function-declaration",
        "return-type",
    )
)
"""What gcc says of types, as errors."""


def candidates(path: Path, text: str, template: str) -> list[Candidate]:
    """The candidates that one template makes of a program."""
    path.write_text(text)
    return [one for one in _candidates_of(path, text) if one.template == template]


@cache
def _candidates_of(path: Path, text: str) -> list[Candidate]:
    program = load_c_program([str(path)], ProgramOptions(undefined="nondet"))
    table, sources = number_units(program.tree, "statement"), {str(path): SourceText(text)}
    return list(find_candidates_at_units(program.tree, table, sources, [unit.id for unit in program.units]))


def edits(path: Path, text: str, template: str) -> set[tuple[str, str]]:
    """Edits of a template, as pairs of the text before and after; each is a program whose types are right.

    Of many edits, which differ in the names that they put into one text, about thirty are compiled.
    """
    gcc, made = require_tool("gcc"), set[tuple[str, str]]()
    every = candidates(path, text, template)
    for one in every[:: max(1, len(every) // 30)]:
        edited = path.with_name("edited.c")
        edited.write_text(apply_text_edits(text, [one.edit]).replace(HOLE, "1"))
        load_c_program([str(edited)], ProgramOptions(undefined="nondet"))
        subprocess.run([gcc, "-w", *STRICT, "-fsyntax-only", str(edited)], check=True)
    for one in every:
        made.add((text[one.start : one.end], one.edit.text.replace(HOLE, "?")))
    return made


def test_a_format_in_a_condition(tmp_path: Path) -> None:
    path = tmp_path / "share.c"
    text = """#include <stdio.h>
int main(void)
{
    int count = 0, n = 0;
    char c;
    while (scanf("%c %d", &c, &n) == 2)
        count++;
    return count;
}
"""
    texts = edits(path, text, "another text")
    assert ('scanf("%c %d", &c, &n)', 'scanf(" %c %d", &c, &n)') in texts
    assert ('scanf("%c %d", &c, &n)', 'scanf("%c %u", &c, &n)') in texts
    assert not {written for _, written in texts} & {'scanf("%c %c", &c, &n)', 'scanf("%d %d", &c, &n)'}


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("0xf0u", "0xf8u"),
        ("240u", "248u"),
        ("'c'", "'d'"),
        ("0xf0000000u", "0xff000000u"),
        ("0xf0ul", "0xffffffffffffff00ul"),
    ],
)
def test_a_constant_that_is_found_is_written_as_the_old_one(written: str, found: str, tmp_path: Path) -> None:
    text = f"int main(void) {{ unsigned x = 9; x &= {written}; return (int)x; }}\n"
    every = candidates(tmp_path / "program.c", text, "any other constant")
    value = ord(found[1]) if found.startswith("'") else int(found.rstrip("ul"), 0)
    width = 64 if found.endswith("ul") else 32
    value -= value >> (width - 1) << width
    assert found in {one.filled(value).text for one in every if text[one.start : one.end] == written}


ALONE = """struct item { int state, left; } item;
static int f(int n, struct item *j, int *a)
{
    int longest = 0, now = 1;
    double mean = 0;
    if (n > 3)
        now++;
    if (n > 4) { int own = n; longest = own; own++; mean = 2; }
    if (n > 5) { now = 2; return now; }
    if (n > 6) if (n > 7) now = 3;
    if (n > 8) now = 4; else now = 5;
    if (n > 9) j->state = 7; else if (n > 10) a[n++] = 6;
    while (n > 11) { if (a[n]) { now--; break; } n--; }
    return longest + now;
}
int main(void)
{
    int a[20] = { 0 };
    return f(4, &item, a);
}
"""


def test_an_else_branch_assigns_what_the_only_branch_writes(tmp_path: Path) -> None:
    """No branch that leaves, or holds an ``if`` without braces, nor an own variable, nor a place with an effect."""
    made = edits(tmp_path / "alone.c", ALONE, "else branch missing")
    block = "{ int own = n; longest = own; own++; mean = 2; }"
    assert made == {
        ("now++;", "now++; else now = ?;"),
        (block, f"{block} else longest = ?;"),
        ("now = 3;", "now = 3; else now = ?;"),
    }


SIGNS = """static int f(int n) { return n > -2 ? n - 3 : -4; }
int main(void) { return f(-5) * - 6; }
"""


def test_an_unknown_constant_stands_in_the_place_of_its_sign(tmp_path: Path) -> None:
    """Not where the sign subtracts, or follows an operand."""
    made = edits(tmp_path / "signs.c", SIGNS, "any other constant")
    assert made == {("-2", "?"), ("3", "?"), ("-4", "?"), ("-5", "?"), ("6", "?")}


FORGOTTEN = """static int scaled(int a, unsigned shift)
{
    a >>= 1;
    return a;
}
int main(void) { return scaled(8, 2u); }
"""


def test_a_parameter_that_nothing_reads_takes_the_place_of_a_constant_of_another_type(tmp_path: Path) -> None:
    assert ("1", "(int)shift") in edits(tmp_path / "program.c", FORGOTTEN, "another operand")


AGES = """struct task { int prio, done; unsigned char seen[2]; } task;
static int next(void) { return 1; }
static void age(struct task *t, int i)
{
    t->prio = i;
    t->seen[i] -= 2;
    t->seen[next()]++;
    if (i > 3) return;
    i = t->done;
}
int main(void) { age(&task, 1); return task.prio; }
"""


def test_a_statement_stands_behind_a_test_of_what_it_names_or_what_is_near(tmp_path: Path) -> None:
    """A place whose name calls something is not named twice."""
    made = edits(tmp_path / "program.c", AGES, "missing test of a variable")
    assert {
        ("t->prio = i", "if (i > ?) t->prio = i"),
        ("t->prio = i", "if (!(i > 3)) t->prio = i"),
        ("i = t->done", "if (t->prio < ?) i = t->done"),
    } <= made
    assert not any("next()" in after.split(")")[0] for _, after in made)


def test_an_assignment_that_should_compare_reaches_as_far_as_the_comparison_would(tmp_path: Path) -> None:
    text = "int f(int x, int y) { if (x = 0 || y == 3) return 1; return 0; }\nint main(void) { return f(1, 2); }\n"
    found = {after for _, after in edits(tmp_path / "f.c", text, "assignment that should compare")}
    assert found == {"x == 0 || y == 3", "x == (0 || y == 3)"}


FLAGS = """#include <stdbool.h>
static bool is_even(int n) { return n % 2 == 0; }
static bool are_even(int n, int m) { bool all = is_even(n); if (!is_even(m)) all = false; return all; }
int main(void) { return are_even(2, 4); }
"""


def test_booleans_get_what_conditions_get(tmp_path: Path) -> None:
    path = tmp_path / "flags.c"
    assert {("all", "!all"), ("is_even(n)", "!(is_even(n))")} <= edits(path, FLAGS, "negated condition")
    asked = {("all", "all && !is_even(m)"), ("all", "all && m != ?"), ("is_even(n)", "is_even(n) && n < m")}
    assert asked <= edits(path, FLAGS, "missing part of a condition")


def test_one_that_is_added_becomes_nothing(tmp_path: Path) -> None:
    text = "int f(int n, int *a) { int m = n - 1; a[m + 1] = 5; return m; }\n"
    text += "int main(void) { int a[4]; return f(2, a); }\n"
    made = edits(tmp_path / "one.c", text, "constant off by one")
    assert {("n - 1", "n"), ("m + 1", "m"), ("1", "2")} <= made
    assert ("1", "0") not in made
    factor = text.replace("return m", "return n + 1 * m")
    assert ("1", "0") in edits(tmp_path / "one.c", factor, "constant off by one")
