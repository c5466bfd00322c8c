"""Parentheses that edits add are shown where they mean something, or where compilers ask for them."""

import pytest
from pycparser import c_generator, c_parser

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.text import apply_text_edits
from cfrontend.edit.written_out import (
    macros_that_need_parentheses,
    without_needless_parentheses,
    written_out_edits,
)
from cfrontend.units import UnitId


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(a + 1) <= n", "a + 1 <= n"),
        ("n > (b->c * f(a, 2 | 1))", "n > b->c * f(a, 2 | 1)"),
        ("(a + 1) * 2", "(a + 1) * 2"),
        ("2 - (a - 1)", "2 - (a - 1)"),
        ("(a[0] - f(b) * 2) + c - 1", "a[0] - f(b) * 2 + c - 1"),
        ("(a + b) - (c - d)", "a + b - (c - d)"),
        ("(size_t) - 1", "(size_t) - 1"),
        ("(char *) + a", "(char *) + a"),
        ("(a | b) + c", "(a | b) + c"),
        ("(a & 1) == 0", "(a & 1) == 0"),
        ("(a < b) == c", "(a < b) == c"),
        ("(a && b) || c", "(a && b) || c"),
        ("(a + 1) << 2", "(a + 1) << 2"),
        ("(a - 1) < n && (b + 1) > 0", "a - 1 < n && b + 1 > 0"),
        ("(n ? a : b) == 2", "(n ? a : b) == 2"),
        ("f((a + 1)) < sizeof (a)", "f(a + 1) < sizeof (a)"),
        ("(unsigned char)(a + 1) == 2", "(unsigned char)(a + 1) == 2"),
        ("((a + 1)) < 3", "a + 1 < 3"),
    ],
)
def test_parentheses_that_are_added(text: str, shown: str) -> None:
    assert without_needless_parentheses(text, "a < n", "if (", ")") == shown
    parser, generator = c_parser.CParser(), c_generator.CGenerator()
    trees = [generator.visit(parser.parse(f"int g(void) {{ if ({one}) ; }}")) for one in (text, shown)]
    assert trees[0] == trees[1]


def test_parentheses_of_the_programmer_stay() -> None:
    assert without_needless_parentheses("(a + 1) < n", "(a + 1) <= n", "if (", ")") == "(a + 1) < n"


@pytest.mark.parametrize(
    ("before", "behind", "shown"),
    [
        ("x = ", ";", "a + 1"),
        ("return ", ";", "a + 1"),
        ("x = 2 * ", ";", "(a + 1)"),
        ("x = ", " % 2;", "(a + 1)"),
        ("x <<= ", ";", "a + 1"),
        ("x = (short)", ";", "(a + 1)"),
        ("x = f", ";", "(a + 1)"),
        ("while", " x++;", "(a + 1)"),
    ],
)
def test_what_stands_around_an_edit_decides(before: str, behind: str, shown: str) -> None:
    assert without_needless_parentheses("(a + 1)", "a", before, behind) == shown


def test_macros_keep_the_parentheses_of_their_arguments() -> None:
    text = (
        "#define TWICE(x) x + x\n#define LOW a < 3\n#define N 5\n  # define M (N + 1)\n"
        "int f(int a, int n) { if (a < n) a++; n = TWICE(a < n); return a < n; }\n"
    )
    assert macros_that_need_parentheses(text) == {"TWICE", "LOW"}
    shown = []
    for start in [n for n in range(len(text)) if text.startswith("a < n", n)]:
        edit = Candidate(
            template="t",
            unit=UnitId(1),
            file="f.c",
            size="small",
            start=start,
            end=start + 5,
            text="(a + 1) < n",
        )
        shown.append(apply_text_edits(text, written_out_edits(text, [edit])).splitlines()[-1])
    assert [line.count("(a + 1)") for line in shown] == [0, 1, 0]
