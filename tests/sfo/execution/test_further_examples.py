"""Texts like the examples: what is like them, which of them tell program and reference apart, what is right there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cfrontend.environment.program_options import ProgramOptions
from cfrontend.errors import Location
from cfrontend.program import Program, load_c_program
from cfrontend.syntax.input_domain import InputDomain
from cfrontend.units import SCANNED, InputReading, InputSite
from sfo.core.budget import BudgetClock
from sfo.core.executions import MADE_TEXT, Native
from sfo.execution.example_executions import execute_example
from sfo.execution.examples import Example
from sfo.execution.further_examples import further_examples
from sfo.execution.given_tests import execute_given_tests
from sfo.execution.learnt_domain import (
    DomainMembership,
    ReferenceRead,
    learnt_input_domain,
    learnt_record_domains,
)
from sfo.execution.native.texts import texts_that_differ
from sfo.execution.test_import import TextTestCase
from sfo.execution.test_import.execute import ExecutedImportedTests
from sfo.execution.text_mutations import texts_like_examples
from tests.conftest import require_tool


@pytest.fixture
def gcc() -> str:
    """The compiler, without which nothing is executed natively."""
    return require_tool("gcc")


BANK = """
#include <stdio.h>
int main(void)
{
    int money[10] = {0}, refused = 0, a, b;
    char what;
    while (scanf(" %c", &what) == 1 && what != 'Q') {
        if (scanf("%d %d", &a, &b) != 2)
            return 1;
        if (what == 'D')
            money[a] += b;
        else if (what == 'W') {
            if (money[a] >= b)
                money[a] -= b;
            else
                refused++;
        } else {
            money[b] += money[a];
            money[a] = 0;
        }
    }
    for (a = 1; a < 10; a++)
        printf("%d ", money[a]);
    printf("refused %d\\n", refused);
    return 0;
}
"""

DAYS = [
    b"D 1 50\nW 1 20\nT 1 2\nT 2 5\nD 3 10\nT 3 1\nT 4 2\nQ\n",
    b"Q\n",
    b"D 2 80\nT 2 1\nT 1 3\nW 3 90\nT 5 1\nQ\n",
    b"D 1 5\nT 1 2\nT 3 1\nT 2 3\nD 5 60\nW 5 7\nT 1 5\nQ\n",
]
"""Ten moves among five accounts, never from one to itself: of independent numbers more than one would be."""


def beside(
    place: Path, right: str, wrong: str, texts: Sequence[bytes] = DAYS
) -> tuple[Program, list[Example]]:
    """The wrong program beside the right one, in the domain of examples with these texts."""
    (place / "right.c").write_text(right)
    (place / "wrong.c").write_text(wrong)
    examples = [Example(name=f"{n}.in", data=text, expected=b"") for n, text in enumerate(texts, start=1)]
    options = ProgramOptions(reference=(str(place / "right.c"),))
    domain = learnt_input_domain(options, examples)
    return load_c_program([str(place / "wrong.c")], _with(options, domain)), examples


def _with(options: ProgramOptions, domain: InputDomain | None) -> ProgramOptions:
    return replace(options, domain=domain)


def failing(program: Program, examples: list[Example]) -> list[tuple[str, bytes | None, str | None]]:
    """Name, text and end of the first failing execution of the examples and of texts made of them."""
    executed = executed_tests(program, examples)
    return [(e.test, e.test_text, e.ended) for e in executed.executions if e.outcome == "fail"][:1]


def executed_tests(program: Program, examples: list[Example], native: Native = "on") -> ExecutedImportedTests:
    cases = [TextTestCase(name=one.name, data=one.data, unwritten=0) for one in examples]
    return execute_given_tests(program, cases, native=native)


def read(place: int, value: int, *, is_letter: bool = False) -> ReferenceRead:
    reading = InputReading(function=SCANNED, format="%c" if is_letter else "%d")
    site = InputSite(
        name="scanf()",
        type="int",
        location=Location("right.c", place),
        width=32,
        signed=True,
        reading=reading,
    )
    return ReferenceRead(site, value, "right")


def test_numbers_behind_a_command_have_ranges_of_their_own_and_differ_where_one_would_expect_equal_ones() -> (
    None
):
    moves = [(1, 2), (2, 1), (1, 3), (3, 2), (2, 3), (3, 1)]
    text = [one for a, b in moves for one in (read(1, ord("M"), is_letter=True), read(2, a), read(3, b))]
    text += [
        one for b in range(20, 32) for one in (read(1, ord("P"), is_letter=True), read(2, 1), read(3, b))
    ]
    found = list(learnt_record_domains([text], b"MP", 6))
    assert [(chr(one.code), one.place.line, one.least, one.greatest) for one in found] == [
        ("M", 2, 1, 9), ("M", 3, 1, 9), ("P", 2, 1, 9), ("P", 3, 1, 40),
    ]  # fmt: skip
    assert [one.unlike and one.unlike.line for one in found] == [None, 2, None, None]


def test_few_records_say_nothing() -> None:
    text = [read(1, ord("M"), is_letter=True), read(2, 1), read(3, 2)]
    assert not list(learnt_record_domains([text], b"M", 2))


@pytest.mark.parametrize(
    ("text", "is_like"),
    [
        (b"D 5 90\nT 5 4\nQ\n", True),
        (b"T 5 5\nQ\n", False),  # from an account to itself
        (b"T 5 20\nQ\n", False),  # no account
        (b"D 5 95\nQ\n", False),  # more than in any example
        (b"X 5 5\nQ\n", False),  # no command
        (b"D 5 5\n", False),  # it ends too early
        (b"Q\nD 5 5\nQ\n", False),  # something stands behind what is read
        (b"D 5\nQ\n", False),
        (b"5 5 5\nQ\n", False),
    ],
)
def test_a_text_is_like_the_examples_where_all_that_is_read_of_it_is(
    tmp_path: Path, text: bytes, is_like: bool
) -> None:
    program, _ = beside(tmp_path, BANK, BANK)
    assert program.options.domain is not None
    assert (text in DomainMembership(program.options, program.options.domain)) == is_like


def test_the_same_texts_are_made_of_the_same_examples() -> None:
    made = list(texts_like_examples(DAYS, 400))
    assert made == list(texts_like_examples(DAYS, 400))
    assert len(set(made)) == len(made) > 200
    assert not set(made) & set(DAYS)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (b"3\n5 1 2\n", {b"4\n5 1 2 2\n", b"2\n5 1\n", b"3\n5 1 3\n"}),
        (b"ab b\n", {b"ab ab\n", b"aab b\n", b"a b\n", b"bb b\n"}),
    ],
)
def test_a_mutation_changes_a_token_or_how_many_there_are(text: bytes, wanted: set[bytes]) -> None:
    assert wanted <= set(texts_like_examples([text], 4000))


@pytest.mark.usefixtures("gcc")
def test_further_examples_have_what_the_reference_prints(tmp_path: Path) -> None:
    program, examples = beside(tmp_path, BANK, BANK.replace("money[a] >= b", "money[a] > b"))
    clock = BudgetClock(4.0)
    found = further_examples(program.paths, program.options, examples, "on", clock)
    assert len(found) > 10
    right = load_c_program([str(tmp_path / "right.c")], ProgramOptions())
    for one in found:
        execution = execute_example(right, one, 1, one.expected).execution
        assert (execution.outcome, one.data[-2:]) == ("pass", b"Q\n")
    wrong = load_c_program(program.paths, ProgramOptions())
    assert any(execute_example(wrong, one, 1, one.expected).execution.outcome == "fail" for one in found)


@pytest.mark.usefixtures("gcc")
def test_natively_differs_what_prints_crashes_or_ends_otherwise(tmp_path: Path) -> None:
    wrong = BANK.replace(
        "if (money[a] >= b)", "while (a == 9) ; if (a == 8) __builtin_trap(); if (money[a] > b)"
    )
    program, _ = beside(tmp_path, BANK, wrong)
    texts = [b"Q\n", b"D 1 5\nW 1 5\nQ\n", b"D 1 5\nW 1 4\nQ\n", b"W 8 1\nQ\n", b"D 1 1\nQ\n", b"W 9 1\nQ\n"]
    assert texts_that_differ(program, texts, "on") == (texts[1], texts[3], texts[5])
    assert texts_that_differ(program, texts, "off") is None


@pytest.mark.usefixtures("gcc")
def test_a_text_that_breaks_an_assumption_of_the_reference_tells_nothing_apart(tmp_path: Path) -> None:
    assumes = BANK.replace("if (what == 'D')", "__VERIFIER_assume(b <= 5); if (what == 'D')")
    right = f"extern void __VERIFIER_assume(int);\n{assumes}"
    program, examples = beside(tmp_path, right, BANK.replace("money[a] >= b", "money[a] > b"))
    texts = [b"Q\n", b"D 1 5\nW 1 5\nQ\n", b"D 1 6\nW 1 6\nQ\n"]
    assert texts_that_differ(program, texts, "on") == (texts[1],)
    assert executed_tests(program, examples).fuzzed > 500


@pytest.mark.usefixtures("gcc")
def test_what_gcc_does_not_compile_is_not_executed(tmp_path: Path) -> None:
    program, _ = beside(
        tmp_path, BANK, BANK.replace("int main", "extern int f(void); int (*g)(void) = f;\nint main")
    )
    assert texts_that_differ(program, [b"Q\n"], "on") is None


@pytest.mark.usefixtures("gcc")
def test_a_fault_that_no_example_shows_is_found(tmp_path: Path) -> None:
    """A withdrawal of all that is there is refused; no example has one."""
    program, examples = beside(tmp_path, BANK, BANK.replace("money[a] >= b", "money[a] > b"))
    ((name, text, ended),) = failing(program, examples)
    assert name.startswith(MADE_TEXT)
    assert (text not in DAYS, ended) == (True, "violates main.reference.1")


@pytest.mark.usefixtures("gcc")
def test_a_right_program_is_told_how_many_texts_were_executed(tmp_path: Path) -> None:
    program, examples = beside(tmp_path, BANK, BANK.replace("money[a] >= b", "b <= money[a]"))
    assert executed_tests(program, examples).fuzzed > 500
    assert executed_tests(program, examples, "off").fuzzed == 0
