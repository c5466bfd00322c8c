"""Lists of numbers that fail, reduced to the numbers that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cfrontend.environment.program_options import ProgramOptions
from cfrontend.program import Program, load_c_program
from sfo.execution.example_lists import examples_as_lists
from sfo.execution.examples import Example
from sfo.execution.given_tests import execute_given_tests

RIGHT = """
#include <stdio.h>
int main(void)
{
    int x, wet = 0;
    while (scanf("%d", &x) == 1 && x != -1)
        if (x >= 1)
            wet++;
    printf("%d\\n", wet);
    return 0;
}
"""

COUNTED = """
#include <stdio.h>
int main(void)
{
    int n, i, x, most = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    for (i = 0; i < n; i++)
        if (scanf("%d", &x) == 1 && x > most)
            most = x;
    printf("%d\\n", most);
    return 0;
}
"""


def loaded(place: Path, right: str, before: str, after: str) -> Program:
    (place / "right.c").write_text(right)
    (place / "wrong.c").write_text(right.replace(before, after))
    return load_c_program([str(place / "wrong.c")], ProgramOptions(reference=(str(place / "right.c"),)))


def failing(program: Program, texts: Sequence[bytes]) -> list[tuple[str, str, str | None]]:
    """Names, outputs and wanted outputs of the failing tests."""
    examples = [Example(name=str(n), data=text, expected=b"") for n, text in enumerate(texts)]
    executed = execute_given_tests(program, examples_as_lists(examples))
    return [(e.test, e.output, e.expected) for e in executed.executions if e.outcome == "fail"]


def test_the_one_number_that_it_takes_is_left(tmp_path: Path) -> None:
    """A hundred numbers, one of which is a 1, as a program with ``x > 1`` miscounts."""
    text = b" ".join([b"0 17 300"] * 30 + [b"1"] + [b"5 0 9"] * 4) + b" -1\n"
    found = failing(loaded(tmp_path, RIGHT, "x >= 1", "x > 1"), [text, b"-1\n"])
    assert found[0] == ("0, reduced to 1 number", "0\n", "1\n")
    assert found[1][0] == "0"


def test_no_list_becomes_shorter_than_an_example(tmp_path: Path) -> None:
    found = failing(loaded(tmp_path, RIGHT, "x >= 1", "x > 1"), [b"4 4 4 4 1 4 4 -1\n", b"3 3 -1\n"])
    assert found[0] == ("0, reduced to 2 numbers", "1\n", "2\n")


def test_the_length_before_a_list_stays_its_length(tmp_path: Path) -> None:
    program = loaded(tmp_path, COUNTED, "i < n", "i < n && i < 6")
    found = failing(program, [b"9\n1 2 1 2 1 2 1 2 8\n", b"1\n4\n"])
    assert found[0] == ("0, reduced to 7 numbers", "2\n", "8\n")


def test_what_passes_is_left_alone(tmp_path: Path) -> None:
    assert failing(loaded(tmp_path, RIGHT, "x >= 1", "x > 0"), [b"1 2 -1\n", b"5 1 1 -1\n"]) == []
