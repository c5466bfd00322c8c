"""Names of unit tests: each is called after a goal of the suite that it is the first to reach.

goal branches, line 3, x < low: true     ->   when_x_less_than_low_is_true
no goal of its own, first at line 4      ->   reaches_return_low
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, final

from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.units import Goal
from sfo.core.executions import Execution
from sfo.core.suite_coverage import SuiteCoverage

_WORDS: Final = {
    "<=": "at most", ">=": "at least", "==": "equals", "!=": "differs from", "&&": "and", "||": "or", "<<": "shifted",
    ">>": "shifted", "<": "less than", ">": "more than", "!": "not", "+": "plus", "-": "minus", "*": "times",
    "/": "over", "%": "modulo", "=": "becomes", "->": "", "&": "and", "|": "or", "^": "xor", "~": "complement of",
}  # fmt: skip
"""Words of operators in the name of a test."""

_OPERATOR: Final = re.compile("|".join(map(re.escape, sorted(_WORDS, key=len, reverse=True))))
_COMPARISON: Final = re.compile(r"(?<![-<>=!])(?:[<>=!]=|[<>])(?![<>=])")
_UNARY: Final = re.compile(r"(?:^|(?<=[(,=<>&|!?:+*/%-]))\s*([-*&])(?=[\w(])")
_UNARY_WORDS: Final = {"-": "minus ", "*": "at ", "&": "address of "}
_CHARACTERS: Final = {"\\n": "newline", "\\t": "tab", "\\0": "null", " ": "blank", "_": "underscore"}
_CHARACTER: Final = re.compile(f"'({'|'.join(map(re.escape, _CHARACTERS))})'")
_MOST_OF_TEXT: Final = 40
_MOST_GOALS: Final = 8
"""Goals that the comment above a test names."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class UnitTestName:
    """The name of a test, and lines that say what it is the first to reach."""

    name: str
    reaches: tuple[str, ...]

    def comment(self) -> list[str]:
        """The comment that stands above the test."""
        lines = [line.replace("*/", "* /").replace("/*", "/ *") for line in self.reaches]
        if len(lines) == 1:
            return [f"/* Reaches {lines[0]} */"]
        return ["/* Reaches", *(f" *     {line}" for line in lines), " */"]


def unit_test_names(
    program: Program, executions: Sequence[Execution], coverage: SuiteCoverage | None
) -> list[UnitTestName]:
    """For each execution the name of its test.

    It is that of the last goal of ``coverage`` that no other execution reaches, or that none before it does; otherwise
    that of the last unit that it is the first to cover.
    """
    goals = () if coverage is None else coverage.of("covered")
    taken: dict[str, int] = {}
    before: set[int] = set()
    covered: set[int] = set()
    names: list[UnitTestName] = []
    for execution in executions:
        first = [g for g in goals if execution.id in g.executions and before.isdisjoint(g.executions)]
        own = [g.goal for g in first if len(g.executions) == 1]
        if first:
            name = _name_of_goal(_last(own or [g.goal for g in first]))
            reaches = tuple(
                _shortened([_reached(g.goal) for g in sorted(first, key=lambda g: _place(g.goal))])
            )
        else:
            text = _text_of_last_unit(program, execution, covered)
            name, reaches = f"reaches_{_words(text)}", (text,)
        before.add(execution.id)
        covered |= execution.covered
        taken[name] = taken.get(name, 0) + 1
        names.append(UnitTestName(name=f"{name}_{taken[name]}" if taken[name] > 1 else name, reaches=reaches))
    return names


def _text_of_last_unit(program: Program, execution: Execution, covered: set[int]) -> str:
    own = [u for u in program.units if u.id in execution.covered]
    new = [u for u in own if u.id not in covered] or own
    return max(new, key=lambda u: (u.location.line, u.id)).text if new else "the end"


def _place(goal: Goal) -> tuple[str, int, int]:
    return (goal.location.file, goal.location.line, goal.id)


def _last(goals: Sequence[Goal]) -> Goal:
    return max(goals, key=_place)


def _name_of_goal(goal: Goal) -> str:
    """The name of the test that reaches a goal."""
    text = _words(goal.text)
    if goal.kind == "units":
        return f"reaches_{text}"
    if goal.kind == "mutants":
        operator, _, edit = goal.outcome.partition(": ")
        return f"kills_line_{goal.location.line}_{operator.replace('-', '_')}_{_words(edit)}"
    if goal.kind == "boundaries":
        return f"when_{_words(_beside_each_other(goal))}"
    outcome = "none_of_the_cases" if goal.outcome == "default" else _words(goal.outcome)
    return f"when_{text}_is_{outcome}"


def _reached(goal: Goal) -> str:
    """Comment on a coverage goal that a test reaches: its line, its condition and the outcome."""
    line = f"line {goal.location.line}: "
    if goal.kind == "units":
        return f"{line}{goal.text}"
    if goal.kind == "mutants":
        return f"{line}kills {goal.outcome}"
    if goal.kind == "boundaries":
        return f"{line}{_beside_each_other(goal)}, in {goal.text}"
    return f"{line}{goal.text} is {goal.outcome}"


def _beside_each_other(goal: Goal) -> str:
    """The operands of a comparison with the outcome between them: ``x < 5`` becomes ``x is one below 5``."""
    depth = 0
    places = {found.start(): found for found in _COMPARISON.finditer(goal.text)}
    for n, character in enumerate(goal.text):
        depth += (character in "([") - (character in ")]")
        if depth == 0 and n in places:
            left, right = goal.text[:n].strip(), goal.text[places[n].end() :].strip()
            outcome = "equal to" if goal.outcome == "equal" else goal.outcome
            return f"{left} is {outcome} {right}"
    return f"{goal.text}: {goal.outcome}"


def _shortened(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_MOST_GOALS]
    if len(lines) > _MOST_GOALS:
        yield f"and {len(lines) - _MOST_GOALS} more"


def _words(text: str) -> str:
    """A text in words that can be part of a name in C."""
    text = _CHARACTER.sub(lambda found: _CHARACTERS[found[1]], text)
    text = _UNARY.sub(lambda found: f" {_UNARY_WORDS[found[1]]}", text)
    words = _OPERATOR.sub(lambda found: f" {_WORDS[found[0]]} ", text)
    name = re.sub(r"[^0-9A-Za-z]+", "_", words).strip("_").lower()
    return name if len(name) <= _MOST_OF_TEXT else name[:_MOST_OF_TEXT].rpartition("_")[0]
