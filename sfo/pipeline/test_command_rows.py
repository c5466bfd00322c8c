"""Fault localisation with test commands: their executions beside generated ones, or alone.

    result_with_test_commands(paths, options, ran, generated)   ->   Result with a row for each command

What commands show is observed, not proved. The ranking keys of generated executions stay; the spectra have the rows of
the commands, too. Where nothing generated fails, the ranking is by the spectra alone.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from cfrontend.errors import Location, MissingEntryError
from cfrontend.host.child_processes import ChildProcessWorkplace
from cfrontend.program import Program, load_c_program
from cfrontend.units import Property, Unit
from sfo.core.dataset import Dataset, RankedDatasetUnit
from sfo.core.executions import TEST_COMMAND, Execution
from sfo.core.result import Result, ResultBound, ResultOfProperty, ResultStatistics
from sfo.execution.test_commands import ExecutedTestCommands, TestCommandRun
from sfo.pipeline.options import PipelineOptions
from sfo.spectra.measures import find_measure
from sfo.spectra.ranking import rank_units

_NAMED: Final = 3
"""Commands that a sentence names."""

_MAIN: Final = "int main(void) { return 0; }\n"
"""Text of the file in which a library without ``main`` starts, so that all of its functions have units."""

_OBSERVED: Final = "failing tests were observed, not proved: nothing is known of other inputs"


def result_of_test_commands_alone(
    paths: Sequence[str], options: PipelineOptions, ran: ExecutedTestCommands, reason: str
) -> Result:
    """The ranking by the spectra of test commands, where no executions are generated for a ``reason``.

    Raises what ``load_c_program`` raises.
    """
    begin = time.monotonic()
    program, units = _units_of_all_functions(paths, options)
    empty = Result(
        verdict="unknown",
        reason=None,
        bound=ResultBound(unwind=None, unwindset={}, complete=None),
        dataset=Dataset(units=units, executions=()),
        properties=(),
        measure=options.measure,
        rank="coverage",
        statistics=ResultStatistics(
            solver="none", calls=0, seconds={"total": time.monotonic() - begin, **program.seconds}
        ),
        files={file: lines for file, lines in program.files.items() if Path(file).name != _START},
        notes=(f"no executions were generated: {reason}",),
    )
    return result_with_test_commands(options, ran, empty)


_START: Final = "sfo-start.c"
"""Name of that file."""


def _units_of_all_functions(
    paths: Sequence[str], options: PipelineOptions
) -> tuple[Program, tuple[Unit, ...]]:
    """The program with the units of all its functions, whatever calls them."""
    with suppress(MissingEntryError):
        program = load_c_program(paths, options.program)
        return program, program.units
    with ChildProcessWorkplace("sfo-start-") as place:
        start = place / _START
        start.write_text(_MAIN, encoding="utf-8")
        program = load_c_program([*paths, str(start)], replace(options.program, undefined="nondet"))
    return program, tuple(unit for unit in program.units if unit.location.file != str(start))


def result_with_test_commands(
    options: PipelineOptions, ran: ExecutedTestCommands, generated: Result
) -> Result:
    """``generated`` with the rows of the test commands in its dataset, ranked again."""
    dataset = generated.dataset
    first = max((execution.id for execution in dataset.executions), default=0) + 1
    rows = [
        _execution(number, run, dataset.units)
        for number, run in enumerate(ran.runs, start=first)
        if run.outcome == "pass" or _covered(run, dataset.units)
    ]
    failing = [row for row in rows if row.outcome == "fail"]
    dataset = replace(dataset, executions=(*dataset.executions, *rows))
    properties = tuple(_property(dataset.units, failing))
    repairs = generated.repairs
    if repairs is not None and properties:
        names = (*repairs.left_out, *(item.property.id for item in properties))
        repairs = replace(repairs, left_out=names)
    is_proved = generated.verdict == "violated"
    verdict = "violated" if failing else generated.verdict
    result = replace(
        generated,
        verdict=verdict,
        reason=generated.reason if is_proved or not failing else None,
        dataset=dataset,
        intersection=dataset.intersection,
        properties=(*generated.properties, *properties),
        repairs=repairs,
        notes=(
            *_said_of_generated(generated, is_proved=is_proved, fails=bool(failing)),
            *generated.notes,
            *_said(ran, failing),
            *([_NOT_TRIED] if repairs is not None and (repairs.found or repairs.undecided) else []),
        ),
    )
    if not is_proved and not failing and generated.verdict == "unknown" and not generated.reason:
        result = replace(result, reason=_reason_of_passing(ran))
    return replace(result, ranking=_ranking(options, result, generated) if dataset.failing else ())


_NOT_TRIED: Final = "edits were not tried on the test commands: execute these with an edit before you take it"


def _reason_of_passing(ran: ExecutedTestCommands) -> str:
    """Why nothing is ranked: all commands pass, or those that fail cover nothing."""
    failing = [run for run in (*ran.runs, *ran.elsewhere) if run.outcome == "fail"]
    if failing:
        return f"no failing test command executes a statement of the files ({_named(failing)})"
    return f"all test commands pass: {_named(ran.runs)}"


def _ranking(options: PipelineOptions, result: Result, generated: Result) -> tuple[RankedDatasetUnit, ...]:
    """The ranking of all rows: the keys of the ranking before, and its order where scores are the same."""
    keys = {line.unit: line.rank_keys for line in generated.ranking if line.rank_keys}
    order = {line.unit: -float(line.rank) for line in generated.ranking}
    trusted = {unit.id for unit in result.dataset.units if unit.function in options.program.trusted}
    dataset = replace(result.dataset, nearness=order)
    return rank_units(dataset, find_measure(options.measure), keys, trusted)


def _execution(number: int, run: TestCommandRun, units: Sequence[Unit]) -> Execution:
    return Execution(
        id=number,
        outcome=run.outcome,
        property=TEST_COMMAND if run.outcome == "fail" else None,
        inputs=(),
        covered=_covered(run, units),
        ended=run.ended,
        command=run.command,
    )


def _covered(run: TestCommandRun, units: Sequence[Unit]) -> frozenset[int]:
    """The units that a test covers: those whose first line with counts was executed."""
    return frozenset(unit.id for unit in units if _is_counted(run.lines, unit.location))


def _is_counted(lines: Mapping[str, Mapping[int, int]], place: Location) -> bool:
    counts = lines.get(os.path.realpath(place.file), {})
    end = place.end_line or place.line
    return next((counts[line] > 0 for line in range(place.line, end + 1) if line in counts), False)


def _property(units: Sequence[Unit], failing: Sequence[Execution]) -> tuple[ResultOfProperty, ...]:
    """What failing commands violate, which has no place of its own: it stands at the first unit that one covers."""
    if not failing:
        return ()
    unit = next(unit for unit in units if unit.id in failing[0].covered)
    said = Property(
        id=TEST_COMMAND,
        kind="test-command",
        function=unit.function,
        location=unit.location,
        description="a test command fails (observed, not proved)",
    )
    return (ResultOfProperty(property=said, status="violated"),)


def _said_of_generated(generated: Result, *, is_proved: bool, fails: bool) -> tuple[str, ...]:
    """What is said of the generated executions where only commands fail."""
    if is_proved or not fails:
        return ()
    if generated.verdict == "safe":
        return (
            f"{_OBSERVED}; no property of the program is violated within unwind {generated.bound.unwind}",
        )
    return (f"{_OBSERVED}{f'; {generated.reason}' if generated.reason else ''}",)


def _said(ran: ExecutedTestCommands, failing: Sequence[Execution]) -> tuple[str, ...]:
    """Notes on the commands: how many fail, what is left out, and how to start in a failing test."""
    named = [run for run in ran.runs if run.outcome == "fail"]
    passing = len(ran.runs) - len(named)
    fails = f"{len(named)} fail{'s' * (len(named) == 1)} ({_named(named)})" if named else "none fails"
    counted = f"test commands: {fails}, {passing} pass{'es' * (passing == 1)}"
    away = (
        (f"test commands of which nothing in the files was counted are left out: {_named(ran.elsewhere)}",)
        if ran.elsewhere
        else ()
    )
    lost = len(named) - len(failing)
    missed = (f"{lost} failing test commands cover no unit, and are left out",) if lost else ()
    starts = dict.fromkeys((*run.files, *run.flags) for run in named if run.files)
    return (
        counted,
        *away,
        *missed,
        *(
            f"sfo localize {shlex.join(words)} starts in this test: its assertions are the properties"
            for words in starts
        ),
    )


def _named(runs: Sequence[TestCommandRun]) -> str:
    more = ", ..." if len(runs) > _NAMED else ""
    return f"{', '.join(run.command for run in runs[:_NAMED])}{more}"
