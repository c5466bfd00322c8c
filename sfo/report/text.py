"""Results as plain text of at most 80 columns, the answer first.

    violated: main.assertion.1 (assert) at minmax.c:22:5: least <= most
    bound: unwind 1, complete

    ranking by naish2
     rank unit      score   ef   ep   nf   np   line  source
        1 C4        2.875    3    1    0    6     18  most = input2
        2 C1        2.125    3    7    0    0     12  least = input1

    optimal: no failing execution within this bound avoids any of these units: C1, C4

Every function here returns a report or a part of one; none prints.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from cfrontend.encoded_program import EXAMPLE
from cfrontend.units import Property, Unit, UnitId
from sfo.core.dataset import RankedDatasetUnit
from sfo.core.executions import ENDLESS, TEST_COMMAND, Execution, ExecutionNativeCheck
from sfo.core.repairs import Repair, RepairOfSeveralUnits, Repairs
from sfo.core.result import FailureGroup, Result, ResultBound, ResultOfProperty, ResultStatistics
from sfo.core.savings import AngelicSavings
from sfo.report import inputs, layout, wording
from sfo.report.suite_coverage import suite_coverage

FEW: Final = 5
"""Lines of a list that only gives an idea."""

SHORT: Final = 20
"""Lines of a list that a report shows when nobody asked for all of them."""

_MATRIX_COLUMNS: Final = 24
"""Executions of the matrix that is shown; the forms for programs have all."""


# -- whole reports -----------------------------------------------------------------------------------------------


def suite_report(result: Result, *, everything: bool) -> str:
    """The report of ``sfo generate``; ``everything`` leaves no line of a list out."""
    return layout.joined(
        verdict_lines(result),
        *_details(result, everything=everything),
        note_lines(result.notes),
        _statistics(result.statistics) if everything else (),
    )


def localization_details(result: Result) -> str:
    """What ``sfo localize -v`` adds to its report: every line of every list, and the numbers."""
    return layout.joined(
        verdict_lines(result, with_input=True),
        note_lines(result.notes),
        option_lines(result.bound),
        *_details(result, everything=True),
        _statistics(result.statistics),
    )


def _details(result: Result, *, everything: bool) -> tuple[Iterable[str], ...]:
    limit = None if everything else SHORT
    return (
        _ranking(result, limit),
        *(_group(result, group, limit) for group in result.groups),
        _diagnoses(result, FEW if limit else None),
        _repairs(result, FEW if limit else None),
        map(layout.clipped, matrix_lines(result)) if everything else (),
        _certificate(result, limit),
        _runs(result, limit),
        () if result.coverage is None else suite_coverage(result.coverage, limit),
        native_lines(result.native),
    )


def repair_report(result: Result, *, everything: bool) -> str:
    """The report of ``sfo repair``: each verified repair as a patch, and each pair of edits."""
    found = result.repairs
    limit = None if everything else SHORT
    joint = () if result.diagnoses is None else result.diagnoses.repairs
    apart = ([], [], []) if found is None else wording.repair_groups(found)
    parts: list[tuple[str, Sequence[Repair | RepairOfSeveralUnits]]] = [
        (said, shown)
        for said, shown in (
            ("" if found is None else wording.repairs(found, result.bound), apart[0]),
            (wording.joint_repairs(result.bound), joint),
            ("" if found is None else wording.uncompared_repairs(found, result.bound), apart[1]),
            (wording.straying_repairs(result.bound), apart[2]),
        )
        if shown
    ]
    if not parts and not (found and found.undecided and result.bound.unwind is None):
        parts = [(wording.no_repair(result), ())]
    parts += [
        (wording.group_repairs(group, result.bound), group.repairs.found)
        for group in result.groups
        if group.is_alone and group.repairs is not None and group.repairs.found
    ]
    return layout.joined(
        verdict_lines(result, with_input=True),
        *(
            part
            for said, shown in parts
            for part in (layout.wrapped(said, hanging=2), _patches(shown, limit))
        ),
        () if found is None else plausible_repair_lines(found, result, limit),
        note_lines(result.notes),
        option_lines(result.bound) if everything else (),
        _statistics(result.statistics) if everything else (),
    )


def _patches(repairs: Sequence[Repair | RepairOfSeveralUnits], limit: int | None) -> Iterator[str]:
    for repair in repairs[:limit]:
        yield from ("", *repair.diff.rstrip("\n").split("\n"))
    yield from layout.line_of_more(len(repairs) - len(repairs[:limit]))


_ENDING_CHECKS: Final = frozenset({"bounds", "pointer", "div0", "double-free", "format"})
"""Checks of what nothing is known to follow: where they are left out, executions end that violate them."""


def _left_out(checks: Collection[str]) -> str:
    said = f"not looked at (--check LIST): {', '.join(sorted(checks))}"
    ending = " or ".join(sorted(_ENDING_CHECKS.intersection(checks)))
    return f"{said}; executions that violate {ending} end there, and none of them counts" if ending else said


def check_report(result: Result, *, everything: bool, left_out: Collection[str] = ()) -> str:
    """The report of ``sfo check``: each property and, for a violated one, an execution that violates it.

    ``left_out`` are the names of checks that were not made.
    """
    limit = None if everything else SHORT
    units = result.dataset.units
    shown = sorted(
        result.properties, key=lambda item: item.status == "safe"
    )  # what is asked about comes first
    table = property_table([item.property for item in shown])
    lines = (
        "\n".join(layout.wrapped(f"{item.status:<9} {line}", indent=2, hanging=12))
        for item, line in zip(shown, table, strict=True)
    )
    traces = (trace for run in result.dataset.executions for trace in _execution(run, units, limit))
    return layout.joined(
        verdict_lines(result),
        layout.titled(
            "properties" if result.bound.complete else "properties (safe: within the bound)",
            layout.first_lines(lines, limit),
        ),
        traces,
        layout.wrapped(_left_out(left_out), hanging=2) if left_out else [],
        note_lines(result.notes),
        option_lines(result.bound) if everything else (),
        _statistics(result.statistics) if everything else (),
    )


def run_report(result: Result, *, everything: bool) -> str:
    """The report of ``sfo run``: each execution, then the ranking of the dataset if something failed."""
    limit = None if everything else SHORT
    units = result.dataset.units
    lines = (line for run in result.dataset.executions for line in _execution(run, units, limit))
    return layout.joined(
        layout.titled("executions", lines), _ranking(result, limit), note_lines(result.notes)
    )


def replay_report(result: Result, *, everything: bool) -> str:
    """The report of ``sfo replay``: how each execution ends here and natively, and where they differ."""
    limit = None if everything else SHORT
    checks = {check.execution: check for check in result.native or ()}
    lines: list[str] = []
    for run in result.dataset.executions:
        check = checks[run.id]
        lines.append(f"  {run.id:>3} {check.status:<10} sfo: {run.ended}; gcc: {check.ended or 'not run'}")
        lines += layout.wrapped(f"inputs: {input_vector(run, limit)}", indent=12, hanging=8)
        for problem in check.problems:
            lines += layout.wrapped(problem, indent=12, hanging=8)
    return layout.joined(
        layout.titled("native executions", lines),
        native_lines(result.native),
        note_lines(result.notes),
    )


def units_listed(listed: Sequence[Unit]) -> str:
    """The report of ``sfo show --units``."""
    names = unit_labels(listed)
    wide = max((len(name) for name in names.values()), default=0)
    lines = (
        layout.clipped(
            f"{names[unit.id]:<{wide}}  {layout.file_line(unit.location):<24} {unit.kind:<12} {unit.text}"
        )
        for unit in listed
    )
    return layout.joined(lines)


def properties_listed(listed: Sequence[Property]) -> str:
    """The report of ``sfo show --properties``."""
    return layout.joined(line for row in property_table(listed) for line in layout.wrapped(row, hanging=4))


# -- their parts -------------------------------------------------------------------------------------------------


def _execution(run: Execution, units: Sequence[Unit], limit: int | None) -> Iterator[str]:
    """One execution: outcome, property, inputs, covered units, printed text."""
    yield f"  {run.id:>3} {run.outcome or '-':<5} {run.ended}{_of_test(run)}".rstrip()
    yield from layout.wrapped(f"inputs: {input_vector(run, limit)}", indent=12, hanging=8)
    if run.unread:
        yield from layout.wrapped(
            f"the reference reads on: {layout.first_items(inputs.read_on(run), limit, ' ')}",
            indent=12,
        )
    yield from layout.wrapped(_covered(run, units, limit), indent=12, hanging=8)
    if run.output:
        yield from layout.wrapped(
            f"prints: {wording.escaped_output(ascii(run.output)[1:-1])}", indent=12, hanging=8
        )


def _covered(run: Execution, units: Sequence[Unit], limit: int | None) -> str:
    """Coverage of an execution in words: units by their labels, or lines where none has one and the file is one."""
    covered = [unit for unit in units if unit.id in run.covered]
    files = {unit.location.file for unit in units}
    if not covered or len(files) > 1 or any(unit.label for unit in units):
        names = unit_labels(covered)
        return f"covers: {layout.first_items([*names.values()], limit, ' ') or 'no unit'}"
    lines = sorted({unit.location.line for unit in covered})
    ranges = [[line for _, line in part] for _, part in groupby(enumerate(lines), lambda at: at[1] - at[0])]
    spoken = [str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in ranges]
    return f"covers lines: {layout.first_items(spoken, limit, ' ')}"


def _of_test(run: Execution) -> str:
    """The name of the existing test behind an execution, in brackets; empty where there is none."""
    return f"  (test {run.test})" if run.test else ""


def input_vector(run: Execution, limit: int | None) -> str:
    """``input1=1 input2=0``, in evaluation order."""
    return layout.first_items(inputs.described(run), limit, " ") or "none"


def unit_labels(listed: Iterable[Unit]) -> dict[UnitId, str]:
    """Name of each unit in reports: its label, or its id."""
    return {unit.id: unit.label or str(unit.id) for unit in listed}


def verdict_lines(result: Result, *, with_input: bool = False) -> Iterator[str]:
    """The verdict and the bound; ``with_input`` says for which input a property is violated, too."""
    violated = [item for item in result.properties if item.status == "violated"]
    inputs_of = {e.property: e for e in reversed(result.dataset.failing)} if with_input else {}
    for item in violated:
        run = inputs_of.get(item.property.id)
        given = "" if run is None else f"; for {inputs.failing(run)}{_endless(run)}"
        yield from layout.wrapped(f"violated: {_violated(item)}{given}", hanging=2)
    if result.verdict == "safe":
        only = "" if result.bound.argc is None else f", for argc = {result.bound.argc}"
        where = " within the bound" if result.bound.unwind is not None else ", however long"
        yield f"safe: no failing execution{where}{only}"
    elif result.verdict == "unknown":
        yield from layout.wrapped(f"unknown: {result.reason}", hanging=2)
    if result.bound.unwind is not None:  # without a search there is no bound, but what was tried
        yield from layout.wrapped(f"bound: {wording.bound(result.bound)}", hanging=2)
    if result.comparison is not None:
        yield from layout.wrapped(f"compared: {wording.comparison(result.comparison)}", hanging=2)
    if result.slice is not None:
        yield from layout.wrapped(
            f"slice: {wording.slicing(result.slice, len(result.dataset.units))}", hanging=2
        )


def option_lines(used: ResultBound) -> Iterator[str]:
    """The options that make the inputs what they are, each on a line, as a shell takes them."""
    if used.options:
        yield "options that say the same of the inputs, to copy and change:"
        yield from (f"  {shlex.join(option)}" for option in used.options)


def _ranking(result: Result, limit: int | None) -> Iterator[str]:
    if not result.ranking:
        return
    by_id = {unit.id: unit for unit in result.dataset.units}
    places = layout.line_places(result.dataset.units)
    names = unit_labels(result.dataset.units)
    wide = max(len(place) for place in places.values())
    angelic = result.angelic
    edited = frozenset[UnitId]()
    if result.repairs is not None:
        edited = frozenset(repair.unit for repair in (*result.repairs.found, *result.repairs.undecided))
    saves = "" if angelic is None else f" {'saves':>6}"
    yield f"ranking by {'' if angelic is None else 'angelic fixability, then by '}{result.measure}"
    yield f" rank {'unit':<6}{saves} {'score':>8} {'ef':>4} {'ep':>4} {'nf':>4} {'np':>4}  {'line':>{wide}}  source"
    lines = (
        _ranked(
            line,
            names[line.unit],
            _saves(angelic, by_id[line.unit], edited),
            f"{places[line.unit]:>{wide}}",
            by_id[line.unit].text + (f", {line.side}" if line.side else ""),
        )
        for line in result.ranking
    )
    yield from layout.first_lines(lines, limit)
    if angelic is not None:
        yield from layout.wrapped(_saves_explained(result, angelic), hanging=2)


def _group(result: Result, group: FailureGroup, limit: int | None) -> Iterator[str]:
    """The ranking of one group of failing executions, and the edits after which none of its properties is violated."""
    units = result.dataset.units
    yield from layout.wrapped(f"of {wording.failure_group(group, units)}:", hanging=2)
    yield from _ranking(replace(result, ranking=group.ranking, angelic=group.angelic, repairs=None), limit)
    if group.is_alone and group.repairs is not None and group.repairs.found:
        yield from layout.wrapped(wording.group_repairs(group, result.bound), hanging=2)
        yield from edit_lines(group.repairs.found, units, limit, group.repairs)


def _ranked(line: RankedDatasetUnit, name: str, saves: str, place: str, text: str) -> str:
    s = line.spectrum
    counts = f"{s.ef:>4} {s.ep:>4} {s.nf:>4} {s.np:>4}"
    return layout.clipped(f"{line.rank:>5} {name:<6}{saves} {line.score:>8.3f} {counts}  {place}  {text}")


def _saves(angelic: AngelicSavings | None, ranked: Unit, edited: Collection[UnitId]) -> str:
    """``3/4``: how many failing executions a unit could save; a question mark where some are not decided.

    Of those in ``edited`` an edit is known with which all known executions pass.
    """
    if angelic is None:
        return ""
    if ranked.kind == "definition":
        return f" {'edit':>6}"
    unit = ranked.id
    if unit not in angelic.savings:
        return f" {'-':>6}"
    if unit in edited and angelic.undecided(unit):
        return f" {f'{len(angelic.runs)}/{len(angelic.runs)}':>6}"
    if "skipped" in angelic.savings[unit]:
        return f" {'no':>6}"
    mark = "?" if angelic.undecided(unit) else ""
    if unit in angelic.evading:
        mark += "i"
    return f" {f'{angelic.saved(unit)}/{len(angelic.runs)}{mark}':>6}"


def _saves_explained(result: Result, angelic: AngelicSavings) -> str:
    executions = len(angelic.runs)
    text = f"saves: of {executions} failing execution{'' if executions == 1 else 's'}, how many would pass if that unit yielded other values"
    legend = ["no: not all"]
    if angelic.evading:
        legend.append("i: by other inputs or fewer, or fewer assertions, only")
    if result.repairs is not None and result.repairs.definitions:
        legend.append("edit: a definition, no unit, that an edit below repairs")
    if not angelic.complete:
        legend.append("?: not all decided in time")
    return f"{text} ({'; '.join(legend)})"


def _diagnoses(result: Result, limit: int | None) -> Iterator[str]:
    """The sets of units that save all failing executions together, where no edit of one unit is a repair."""
    found = result.diagnoses
    if found is None or not found.sets:
        return
    by_id = {unit.id: unit for unit in result.dataset.units}
    names, places = (
        unit_labels(result.dataset.units),
        layout.spoken_places(result.dataset.units),
    )
    yield from layout.wrapped(f"several faults? {wording.diagnoses(found)}:", hanging=2)
    sets = (", ".join(f"{names[i]} ({places[i]}: {by_id[i].text})" for i in units) for units in found.sets)
    yield from layout.first_lines((layout.clipped(f"  {text}") for text in sets), limit)
    if found.repairs:
        yield from layout.wrapped(wording.joint_repairs(result.bound), hanging=2)
        yield from layout.first_lines(
            (
                layout.clipped(f"  {wording.joint_edits(repair, result.dataset.units)}")
                for repair in found.repairs
            ),
            limit,
        )


def _repairs(result: Result, limit: int | None) -> Iterator[str]:
    repairs = result.repairs
    if repairs is None:
        return
    joint = result.diagnoses is not None and result.diagnoses.repairs
    by_examples = result.bound.unwind is None and repairs.undecided
    if not repairs.found and not joint and not by_examples and result.verdict == "violated":
        yield from without_repair(result)
        if repairs.undecided:
            yield ""
    good, uncompared, straying = wording.repair_groups(repairs)
    groups = (
        (wording.repairs(repairs, result.bound), good),
        (wording.uncompared_repairs(repairs, result.bound), uncompared),
        (wording.straying_repairs(result.bound), straying),
    )
    for place, (said, edits) in enumerate([group for group in groups if group[1]]):
        if place:
            yield ""
        yield from layout.wrapped(said, hanging=2)
        yield from edit_lines(edits, result.dataset.units, limit)
    if repairs.found and repairs.undecided:
        yield ""
    yield from plausible_repair_lines(repairs, result, limit)


def plausible_repair_lines(repairs: Repairs, result: Result, limit: int | None) -> Iterator[str]:
    """The plausible patches, each in one line."""
    if repairs.undecided:
        yield from layout.wrapped(wording.undecided_repairs(repairs, result.bound), hanging=2)
        yield from edit_lines(repairs.undecided, result.dataset.units, limit)


def edit_lines(
    edits: Sequence[Repair], units: Sequence[Unit], limit: int | None, marked: Repairs | None = None
) -> Iterator[str]:
    """Each edit in one line, ``line 18:9: most  ->  least``; ``limit`` of them, and how many more there are.

    Those of ``marked`` that likely overfit have a remark, for lists whose heading does not say so.
    """
    where = layout.line_in_words(units)
    places = [f"{where(edit.file, edit.line)}:{edit.column}" for edit in edits]
    remarks = [
        f" ({wording.STRAYING})"
        if marked is not None and wording.remark(edit, marked) == wording.STRAYING
        else ""
        for edit in edits
    ]
    wide = max(map(len, places))
    yield from layout.first_lines(
        (
            "\n".join(
                layout.wrapped(
                    f"{place + ':':<{wide + 1}} {wording.edit(edit.before, edit.after, '  ->  ')}{remark}",
                    indent=2,
                    hanging=4,
                )
            )
            for place, edit, remark in zip(places, edits, remarks, strict=True)
        ),
        limit,
    )


def _certificate(result: Result, limit: int | None) -> Iterator[str]:
    by_id = {unit.id: unit for unit in result.dataset.units}
    names, places = (
        unit_labels(result.dataset.units),
        layout.spoken_places(result.dataset.units),
    )

    def listed(ids: Sequence[UnitId]) -> str:
        units = [names[i] if by_id[i].label else f"{names[i]} ({places[i]})" for i in ids]
        return layout.first_items(units, limit, ", ")

    if result.optimal and result.intersection:
        text = f"optimal: no failing execution within this bound avoids any of these units: {listed(result.intersection)}"
        yield from layout.wrapped(text, hanging=2)
    elif result.optimal is False:
        text = f"not proved optimal ({result.reason}): some failing execution may avoid {listed(result.undecided)}"
        yield from layout.wrapped(text, hanging=2)


def matrix_lines(result: Result) -> Iterator[str]:
    """The coverage matrix: the first units, in the order of the ranking, by executions."""
    executions = (*result.dataset.failing, *result.dataset.passing)[:_MATRIX_COLUMNS]
    if not executions:
        return
    names = unit_labels(result.dataset.units)
    wide = 1 + max(len(str(execution.id)) for execution in executions)

    def row(head: str, cells: Iterable[str]) -> str:
        return f"{head:<15}{''.join(f'{cell:>{wide}}' for cell in cells)}"

    yield "coverage (x) of the units by failing (F) and passing (P) executions"
    yield row("  rank unit", (str(execution.id) for execution in executions))
    yield row("", ((execution.outcome or "-")[0].upper() for execution in executions))
    for item in result.ranking[:SHORT]:
        covered = ("x" if item.unit in execution.covered else "." for execution in executions)
        yield row(f"  {item.rank:>4} {names[item.unit]}", covered)


def _runs(result: Result, limit: int | None) -> Iterator[str]:
    failing, passing = result.dataset.failing, result.dataset.passing
    if not failing and not passing:
        return
    cut = len(passing) - len(result.dataset.ending)
    counted = f", {cut} of them cut by the bound" if cut else ""
    yield f"failing executions: {len(failing)}, passing executions: {len(passing)}{counted}"
    shown = failing[:limit]
    for run in shown:
        yield from layout.wrapped(
            f"{run.id}  {input_vector(run, limit)}  violates {run.property}{_of_test(run)}{_endless(run)}",
            indent=2,
            hanging=3,
        )
        if run.unread:
            more = layout.first_items(inputs.read_on(run), limit, " ")
            yield from layout.wrapped(f"the reference reads on: {more}", indent=5, hanging=2)
        yield from layout.wrapped(wording.printed_instead(run), indent=5, hanging=2)
    yield from layout.line_of_more(len(failing) - len(shown))


def _endless(run: Execution) -> str:
    return f": it {ENDLESS}" if run.ended == ENDLESS else ""


def without_repair(result: Result) -> Iterator[str]:
    """The sentence on why there is no verified repair."""
    looks = "" if result.repairs is None or result.repairs.complete else "; sfo repair looks for longer"
    yield from layout.wrapped(f"{wording.no_repair(result)}{looks}", hanging=2)


def native_lines(checks: Sequence[ExecutionNativeCheck] | None) -> Iterator[str]:
    """One sentence about the native executions; disagreements are notes of their own."""
    if checks is None:
        return
    count = Counter(check.status for check in checks)
    alike = count["agrees"] + count["unobserved"]
    what = "cover lines" if count["unobserved"] else "end and cover lines"
    words = [f"{alike} of {len(checks)} executions {what} as they do natively"]
    if count["disagrees"]:
        words.append(f"{count['disagrees']} DISAGREE")
    if count["unobserved"]:
        words.append(f"the violation of {count['unobserved']} cannot be observed natively")
    if count["impossible"]:
        why = next(check.problems[0] for check in checks if check.status == "impossible")
        words.append(f"{count['impossible']} not replayed ({why})")
    yield from layout.wrapped(f"replay: {'; '.join(words)}", hanging=2)


def note_lines(notes: Sequence[str]) -> Iterator[str]:
    """The notes, a paragraph each."""
    for note in notes:
        yield from layout.wrapped(f"note: {note}", hanging=2)


def _statistics(statistics: ResultStatistics) -> Iterator[str]:
    stages = ", ".join(f"{stage} {calls}" for stage, calls in statistics.stage_calls.items() if calls)
    seconds = ", ".join(f"{stage} {time:.2f}" for stage, time in statistics.seconds.items())
    calls = f"{statistics.calls} solver call{'' if statistics.calls == 1 else 's'} ({statistics.solver})"
    yield from layout.wrapped(f"{calls}{': ' + stages if stages else ''}; seconds: {seconds}", hanging=2)


def _violated(item: ResultOfProperty) -> str:
    said, found = wording.violation(item), item.property
    if found.id in (EXAMPLE, TEST_COMMAND):  # what is printed, or a test, is not wrong at one place
        return said
    return f"{found.id} ({found.kind}) at {found.location}: {said}"


def property_table(listed: Sequence[Property]) -> list[str]:
    """A line for each property: id, place, what it says. The lines may be long."""
    where = layout.lines_of_files({item.location.file for item in listed})
    places = [where(item.location.file, item.location.line) for item in listed]
    wide_id, wide = (max(map(len, column), default=0) for column in ([item.id for item in listed], places))
    return [
        f"{item.id:<{wide_id}}  {place:<{wide}}  {item.description}"
        for item, place in zip(listed, places, strict=True)
    ]


# -- text --------------------------------------------------------------------------------------------------------
