"""A human fix is found among the candidates of its program, however it is written."""

from pathlib import Path

import pytest

from benchmarks.fixes import FixAmongEdits, candidates_of, tokens

PROGRAM = """#include <stdio.h>
int main(void)
{
    int n, i, s = 0;
    scanf("%d", &n);
    for (i = 0; i < 9; i++) {
        if (n > 3)
            s += i; /* once more */
    }
    printf("%d\\n", s - n);
    return 0;
}
"""


def found(tmp_path: Path, *fix: tuple[str, str]) -> FixAmongEdits:
    """Candidates of the program and its fix, in which each text became the other one."""
    path, fixed = tmp_path / "program.c", PROGRAM
    for before, after in fix:
        assert before in fixed
        fixed = fixed.replace(before, after)
    path.write_text(PROGRAM)
    return candidates_of(path, fixed)


@pytest.mark.parametrize(
    ("before", "after", "rules"),
    [
        ("i < 9", "i < 10", {"constant off by one", "any other constant"}),
        ("i < 9", "i < 345", {"any other constant"}),
        ("i = 0", "i = -7", {"any other constant"}),
        ("i < 9", "i <= 9", {"another operator of its kind"}),
        ("s - n", "(s + n)", {"another operator of its kind"}),
        ("            s += i; /* once more */\n", "            {\n\t\ts -= i; }\n", {"another operator of its kind"}),
        ("n > 3", "n > 3 && i > 5", {"missing part of a condition"}),
        ("n > 3", "(n > 3) || (i == 5)", {"missing part of a condition"}),
    ],
    ids=["one more", "any", "negative", "sign", "parentheses", "braces", "part", "part with parentheses"],
)  # fmt: skip
def test_a_fix_is_made_by_these_rules(before: str, after: str, rules: set[str], tmp_path: Path) -> None:
    among = found(tmp_path, (before, after))
    assert {rule for rule, *_ in among.fixes} >= rules
    assert all(among.edits[features] >= count for features, count in among.fixes.items())
    assert among.fixes.total() < among.edits.total() / 10


def test_what_no_edit_makes_is_not_found(tmp_path: Path) -> None:
    assert not found(tmp_path, ("i < 9", "i < 10"), ("s - n", "s + n")).fixes, "two slips"
    assert not found(tmp_path, ("s += i;", 's += i; puts("more");')).fixes, "a statement of another kind"


def test_another_layout_is_made_by_no_edit(tmp_path: Path) -> None:
    """Not by a constant that is still to be found, and may be the one that stands there."""
    assert not found(tmp_path, ("            s += i;", "    s += i;")).fixes


def test_words_of_a_program() -> None:
    assert tokens("if (a) { b = '(', c++; } // d") == ["if", "a", "b", "=", "'('", ";", "c", "++", ";"]
    assert tokens('s = "a, b" /* x */;') == ["s", "=", '"a, b"', ";"]
