"""Explanation of one unit's place in the ranking, in plain words (``sfo explain``).

    unit C4 at minmax.c:18:9 in main: most = input2

    rank 1 of 11 by naish2 (0.875).
    Every failing execution within the bound covers it: this is proved.
    ...

The sentences say no more than the data does: what was proved, what was seen in the executions at hand, what was left
undecided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cfrontend.errors import UsageError
from cfrontend.syntax.names import first_names
from cfrontend.units import Unit
from sfo.core.executions import Execution
from sfo.core.repairs import Repair, Repairs
from sfo.core.result import Result
from sfo.core.savings import AngelicSavings, Saving
from sfo.report import findings, layout, text, wording
from sfo.report.text import SHORT, note_lines

_SAVINGS: Final[dict[Saving, str]] = {
    "saved": "would pass if it yielded other values",
    "lost": "fails whatever it yields",
    "undecided": "not decided",
    "skipped": "not asked, because another one fails whatever it yields",
}


def units_of_explain_report(listed: Sequence[Unit], name: str) -> tuple[Unit, ...]:
    """Units of ``listed`` named by a label, an id, or a line (all units there), as ``file.c:18``, ``:18`` or ``18``.

    A number that is both is the id. Raises UsageError when there is none.
    """
    found = [unit for unit in listed if unit.label == name]
    if not found and name.isdecimal():
        found = [unit for unit in listed if unit.id == int(name)]
    file, _, line = name.rpartition(":")
    if not found and line.isdecimal():
        found = [
            unit
            for unit in listed
            if unit.location.line <= int(line) <= max(unit.location.line, unit.location.end_line)
            and (not file or unit.location.file == file or unit.location.file.endswith(f"/{file}"))
        ]
    if not found:
        raise UsageError(
            f"no unit {name!r}: name its label, its number or its line, as in :18 ('sfo show --units' lists them)"
        )
    return tuple(found)


def explain_report(result: Result, units: Sequence[Unit], *, everything: bool) -> str:
    """The report of ``sfo explain``."""
    limit = None if everything else SHORT
    parts = [part for unit in units for part in _unit(result, unit, limit)]
    return layout.joined(
        *parts,
        note_lines(result.notes),
        []
        if result.bound.unwind is None
        else layout.wrapped(f"bound: {wording.bound(result.bound)}", hanging=2),
    )


def _unit(result: Result, unit: Unit, limit: int | None) -> Iterator[list[str]]:
    name = text.unit_labels([unit])[unit.id]
    yield layout.wrapped(f"unit {name} at {unit.location} in {unit.function}: {unit.text}", hanging=2)
    yield [*_ranked(result, unit), *_certified(result, unit), *_alike(result, unit)]
    executions = result.dataset.executions
    covering = [
        execution
        for execution in executions
        if execution.outcome is not None and unit.id in execution.covered
    ]
    others = [
        execution
        for execution in executions
        if execution.outcome is not None and unit.id not in execution.covered
    ]
    yield _runs(result, "executions that cover it", covering, unit, limit)
    yield _runs(result, "executions that do not", others, None, limit)
    if result.angelic is not None:
        yield _angelic(result, result.angelic, unit, limit)
    yield _repairs(result, unit, limit)


def _ranked(result: Result, unit: Unit) -> Iterator[str]:
    for line in result.ranking:
        if line.unit == unit.id:
            s = line.spectrum
            before = "by angelic fixability, then " if result.angelic is not None else ""
            yield from layout.wrapped(
                f"It has rank {line.rank} of {len(result.ranking)} {before}by {result.measure} ({findings.score_text(line.score)})."
            )
            yield from layout.wrapped(
                f"{s.ef} of {s.ef + s.nf} failing and {s.ep} of {s.ep + s.np} passing executions cover it."
            )


def _certified(result: Result, unit: Unit) -> Iterator[str]:
    """Sentences on the unit's place in the failing intersection: proved, refuted, or open."""
    if not result.dataset.failing:
        yield "No failing execution is known."
    elif unit.id not in result.intersection:
        avoiding = next(execution for execution in result.dataset.failing if unit.id not in execution.covered)
        yield from layout.wrapped(
            f"It is not needed for a failure: execution {avoiding.id} fails without it. If one unit is at fault, it is not this one."
        )
    elif result.optimal:
        yield "No failing execution within the bound avoids it; this is proved."
    else:
        yield from layout.wrapped(
            "Every failing execution at hand covers it; whether another one avoids it is not proved"
            f"{f' ({result.reason})' if result.reason else ''}."
        )


def _alike(result: Result, unit: Unit) -> Iterator[str]:
    """The units that the same executions cover: coverage cannot tell them apart."""
    executions = [execution for execution in result.dataset.executions if execution.outcome is not None]
    covered = [unit.id in execution.covered for execution in executions]
    alike = [
        other
        for other in result.dataset.units
        if other.id != unit.id and [other.id in execution.covered for execution in executions] == covered
    ]
    if executions and alike:
        names, places = text.unit_labels(alike), layout.spoken_places(result.dataset.units)
        shown = first_names([f"{names[other.id]} ({places[other.id]})" for other in alike], SHORT)
        yield from layout.wrapped(f"The same executions cover {shown}.")


def _runs(
    result: Result, title: str, executions: Sequence[Execution], unit: Unit | None, limit: int | None
) -> list[str]:
    if not executions:
        return [f"{title}: none"]
    lines = [f"{title}: {len(executions)}"]
    for execution in executions[:limit]:
        ends = f"violates {execution.property}" if execution.outcome == "fail" else "passes"
        times = execution.counts.get(unit.id, 0) if unit is not None else 0
        often = f", reaches it {times} times" if times > 1 else ""
        lines += layout.wrapped(
            f"{execution.id}  {ends}{often}; inputs: {text.input_vector(execution, limit)}",
            indent=2,
            hanging=3,
        )
        seen = _seen(result, execution, unit, limit) if unit is not None else ""
        lines += layout.wrapped(f"there: {seen}", indent=5, hanging=7) if seen else []
    if limit is not None and len(executions) > limit:
        lines.append(f"  ... {len(executions) - limit} more; -v shows all")
    return lines


def _seen(result: Result, execution: Execution, unit: Unit, limit: int | None) -> str:
    """Outcomes and written values of the evaluations of ``unit`` in ``execution``; empty where nothing was recorded."""
    trace = result.traces.get(execution.id)
    if trace is None:
        return ""
    words: list[str] = []
    for step in trace.steps:
        if step.unit == unit.id:
            outcome = [] if step.outcome is None else [str(step.outcome).lower()]
            written = [f"{write.name} = {write.value}" for write in step.writes]
            words.append(", ".join([*outcome, *written]))
    words = [word for word in words if word]
    shown = words if limit is None else words[-limit:]
    return "; then ".join(["...", *shown] if trace.left_out or len(shown) < len(words) else shown)


def _angelic(result: Result, angelic: AngelicSavings, unit: Unit, limit: int | None) -> list[str]:
    savings = angelic.savings.get(unit.id)
    if savings is None:
        return ["other values: not asked of this unit"]
    repairs = result.repairs
    if set(savings) == {"undecided"} and repairs is not None:
        edits = [edit for edit in (*repairs.found, *repairs.undecided) if edit.unit == unit.id]
        if edits:
            return ["other values of it save the failing executions: they pass after its first edit below"]
    lines = ["what failing executions do when it yields other values:"]
    for execution, saving in zip(angelic.runs, savings, strict=True):
        lines += layout.wrapped(
            f"{_SAVINGS[saving]}; inputs: {text.input_vector(execution, limit)}", indent=2, hanging=2
        )
    if "undecided" in savings:
        lines.append("(a larger --effort decides more)")
    if (angelic.exact or {}).get(unit.id) == "saved":
        lines.append("proved: other values save every failing input within the bound")
    if unit.id in angelic.beyond:
        inputs = text.input_vector(angelic.beyond[unit.id], limit)
        lines += layout.wrapped(
            f"no values at it save every failing input; beyond saving is one with inputs: {inputs}", hanging=2
        )
    return lines


def _repairs(result: Result, unit: Unit, limit: int | None) -> list[str]:
    repairs = result.repairs
    if repairs is None:
        return []
    found = [repair for repair in repairs.found if repair.unit == unit.id]
    undecided = [repair for repair in repairs.undecided if repair.unit == unit.id]
    if undecided:
        return _edits(wording.undecided_repairs(repairs, result.bound), undecided, repairs, limit)
    if not found:
        return ["verified repairs of it: none found" + ("" if repairs.complete else " in time")]
    kept = wording.passing_executions(repairs.passing)
    said = (
        f"verified repairs: {len(found)}; after each {wording.no_failure(repairs, result.bound)}, and {kept}"
    )
    return _edits(said, found, repairs, limit)


def _edits(said: str, shown: Sequence[Repair], repairs: Repairs, limit: int | None) -> list[str]:
    lines = layout.wrapped(said, hanging=2)
    for repair in shown[:limit]:
        doubt = wording.remark(repair, repairs)
        edit = f"{wording.edit(repair.before, repair.after, '  ->  ')}{f'  ({doubt})' if doubt else ''}"
        lines += layout.wrapped(edit, indent=2, hanging=2)
    return [*lines, "", "the first one as a patch:", *shown[0].diff.rstrip("\n").split("\n")]
