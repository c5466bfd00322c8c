"""Populations of inputs near known ones, beside what the interpreter says of each of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.units import InputNumber
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import Execution
from sfo.execution.native.input_population import InputPopulation, native_input_population
from sfo.execution.native.validate_patches import (
    FAILED,
    PASSED,
    READ_BEYOND,
    ValidatePatchesNatively,
)
from tests.conftest import require_tool

DATES = """\
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
static int wrong(int day, int month)
{
    if (month == 8 && day > 30)
        return 1;
    if (month == 11)
        if (day == 30)
            return 1;
    return 0;
}
int main(void)
{
    int day = __VERIFIER_nondet_int(), month = __VERIFIER_nondet_int();
    __VERIFIER_assume(day >= 1 && day <= 31 && month >= 1 && month <= 12);
    if (month == 12 && __VERIFIER_nondet_bool())
        day = 1;
    __CPROVER_assert(!wrong(day, month), "right");
    return 0;
}
"""
"""One of 372 dates fails on a way that no known execution takes; December has another input."""

KNOWN: list[tuple[InputNumber, ...]] = [(31, 8), (3, 2), (30, 4), (17, 10)]


def executions_of(program: Program, vectors: list[tuple[InputNumber, ...]]) -> list[Execution]:
    """What the interpreter says of these inputs."""
    bound = Bound(unwind=None, free=True)
    return [
        decode_only_execution(encode_program(program, bound, inputs=EncodeFixedValues(vector)), number)
        for number, vector in enumerate(vectors)
    ]


@contextmanager
def trial_of(path: Path) -> Iterator[tuple[Program, ValidatePatchesNatively]]:
    """A compiled program without any edit."""
    require_tool("gcc")
    path.write_text(DATES)
    program = load_c_program([str(path)], ProgramOptions())
    with ValidatePatchesNatively.of_pairs(program, {str(path): DATES}, 1, 60) as trial:
        yield program, trial


@pytest.fixture
def dates(tmp_path: Path) -> tuple[Program, InputPopulation]:
    """The program, and the population near its known executions."""
    with trial_of(tmp_path / "dates.c") as (program, trial):
        known = executions_of(program, KNOWN)
        return program, native_input_population(trial, known, [8, 11, 12, 30, 31], 1_000, 60)


def test_a_population_has_the_rare_failure_and_breaks_no_assumption(
    dates: tuple[Program, InputPopulation],
) -> None:
    program, found = dates
    failing = executions_of(program, [execution.vector for execution in found.failing])
    passing = executions_of(program, [execution.vector for execution in found.passing])
    assert {execution.outcome for execution in failing} == {"fail"}
    assert {execution.outcome for execution in passing} == {"pass"}
    assert (30, 11) in [execution.vector[:2] for execution in found.failing]
    assert {execution.outcome for execution in (*found.failing, *found.passing)} == {None}


def test_the_first_ones_of_a_population_take_different_ways(dates: tuple[Program, InputPopulation]) -> None:
    program, found = dates
    first = executions_of(program, [execution.vector for execution in found.failing[:2]])
    assert len({execution.covered for execution in first}) == 2
    passing = executions_of(program, [execution.vector for execution in found.passing])
    ways = len({execution.covered for execution in passing})
    assert len({execution.covered for execution in passing[:ways]}) == ways > 2


def test_a_population_is_the_same_each_time(tmp_path: Path) -> None:
    with trial_of(tmp_path / "dates.c") as (program, trial):
        known = executions_of(program, KNOWN)
        one, other = (native_input_population(trial, known, [8, 11], 200, 60) for _ in range(2))
    assert one == other
    assert one.failing


def test_ends_are_those_of_the_program_without_edits(tmp_path: Path) -> None:
    with trial_of(tmp_path / "dates.c") as (program, trial):
        runs = executions_of(program, [(30, 11), (1, 1), (2, 1), (32, 1), (1, 12, 0)])
        ends = trial.ends(runs, 60)
        beyond = trial.ends([replace(runs[-1], inputs=runs[-1].inputs[:-1])], 60)
    assert [end for end, _ in ends] == [FAILED, PASSED, PASSED, 4, PASSED]
    assert [end for end, _ in beyond] == [READ_BEYOND]
    assert ends[1][1] == ends[2][1]
    assert ends[0][1] != ends[1][1]
