"""What a learnt domain says of the end of a text and of its lengths, as of the examples and of programs beside them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import sfo
from cfrontend.program import ProgramOptions
from sfo.execution.examples import Example
from sfo.execution.learnt_domain import DomainMembership, learnt_input_domain

PAIRS = """
#include <stdio.h>
int main(void) {
    int a, b;
    while (scanf("%d %d", &a, &b) == 2) printf("%d\\n", a + b);
    return 0;
}
"""

WORDS = """
#include <stdio.h>
#include <string.h>
int main(void) {
    char w[64];
    while (scanf("%63s", w) == 1) printf("%d\\n", (int)strlen(w));
    return 0;
}
"""

LINES = """
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) printf("%d\\n", (int)strcspn(line, "\\n"));
    return 0;
}
"""

NUMBERS = """
#include <stdio.h>
int main(void) {
    int n, x, sum = 0;
    scanf("%d", &n);
    while (n-- > 0) { scanf("%d", &x); sum += x; }
    printf("%d\\n", sum);
    return 0;
}
"""

FULL = """
#include <stdio.h>
int main(void) {
    char w[9];
    while (scanf("%8s", w) == 1) printf("%c\\n", w[0]);
    return 0;
}
"""


def membership(folder: Path, text: str, *inputs: str) -> DomainMembership:
    """The texts that are like these examples of a reference."""
    path = folder / "right.c"
    path.write_text(text, encoding="utf-8")
    examples = [Example(name=f"{n}.in", data=data.encode(), expected=b"") for n, data in enumerate(inputs)]
    options = ProgramOptions(reference=(str(path),))
    domain = learnt_input_domain(options, examples)
    assert domain is not None
    return DomainMembership(replace(options, domain=domain), domain)


@pytest.mark.parametrize(
    ("text", "inputs", "inside", "outside"),
    [
        (PAIRS, ["1 2\n", "3 4\n5 6\n"], ["7 8\n1 2\n", "1 2 3 4\n"], ["1\n", "1 2\n3\n", "1 2 3"]),
        (PAIRS, ["1 2\n", "3 4\n5\n"], ["7 8\n1 2\n", "1 2\n3\n", "1\n"], ["1 x\n"]),
        (WORDS, ["ab cde\n", "x\n"], ["abcdefghi\n", "a b c d e f g h\n"], ["abcdefghij\n"]),
        (LINES, ["ab cde\n", "x\n"], ["ab cd efg\n"], ["ab cd efgh\n", "abcdefghij\n"]),
        (LINES, ["a 12\n", "7\n"], ["b 34\n"], ["123\n"]),
        (NUMBERS, ["2\n1 2\n", "1\n5\n"], ["9\n1 2 3 4 5 6 7 8 9\n"], ["3\n1 2\n"]),
        (FULL, ["abcdefgh abcdefgh x\n", "ab\n"], ["abcdefgh abcdefgh abcdefgh ab\n"], []),
    ],
)
def test_a_text_ends_and_is_as_long_as_the_examples(
    tmp_path: Path, text: str, inputs: list[str], inside: list[str], outside: list[str]
) -> None:
    texts = membership(tmp_path, text, *inputs)
    assert [one for one in (*inputs, *inside) if one.encode() not in texts] == []
    assert [one for one in outside if one.encode() in texts] == []


def beside_examples(folder: Path, right: str, program: str, *inputs: tuple[str, str]) -> sfo.Localization:
    """The localisation of ``program`` beside ``right`` and examples of input and output."""
    for name, text in (("right.c", right), ("program.c", program)):
        (folder / name).write_text(text, encoding="utf-8")
    for n, (data, expected) in enumerate(inputs):
        (folder / f"{n}.in").write_text(data, encoding="utf-8")
        (folder / f"{n}.out").write_text(expected, encoding="utf-8")
    files = {"reference": folder / "right.c", "io": folder}
    return sfo.localize(folder / "program.c", **files, replay=False, effort=0.04)


def test_a_record_that_breaks_off_is_no_input_where_none_does(tmp_path: Path) -> None:
    program = PAIRS.replace("== 2", "!= EOF")
    found = beside_examples(tmp_path, PAIRS, program, ("1 2\n", "3\n"), ("3 4\n5 6\n", "7\n11\n"))
    assert found.verdict != "violated"


def test_a_record_that_breaks_off_is_an_input_where_one_does(tmp_path: Path) -> None:
    program = PAIRS.replace("== 2", "!= EOF").replace("int a, b", "int a = 0, b = 0")
    found = beside_examples(tmp_path, PAIRS, program, ("1 2\n", "3\n"), ("3 4\n5\n", "7\n"))
    assert found.verdict == "violated"


@pytest.mark.parametrize(
    ("right", "program"),
    [
        (WORDS, WORDS.replace("w[64]", "w[10]").replace("%63s", "%s")),
        (LINES, LINES.replace("line[64]", "line[11]")),
    ],
)
def test_a_buffer_that_holds_words_and_lines_like_the_examples_is_large_enough(
    tmp_path: Path, right: str, program: str
) -> None:
    found = beside_examples(tmp_path, right, program, ("abc de\n", "3\n2\n" if right == WORDS else "6\n"))
    assert found.verdict != "violated"
