"""Explanation of one unit's place in the ranking, in plain words (``sfo explain``).

    unit C4 at minmax.c:18:9 in main: most = input2

    rank 1 of 11 by naish2 (0.875).
    Every failing execution within the bound covers it: this is proved.
    ...

The sentences say no more than the data does: what was proved, what was seen in the executions at hand, what was left
undecided.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from cfrontend.errors import UsageError
from cfrontend.syntax.names import first_names
from cfrontend.units import Unit
from sfo.core.executions import Execution
from sfo.core.result import Result
from sfo.report import findings, layout, text, wording
from sfo.report.templates import rendered_template
from sfo.report.text import SHORT


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
    executions = [run for run in result.dataset.executions if run.outcome is not None]

    def covering(unit: Unit, covers: bool) -> list[Execution]:
        return [run for run in executions if (unit.id in run.covered) == covers]

    def alike(unit: Unit) -> str:
        """The units that the same executions cover."""
        covered = covering(unit, True)
        places = layout.spoken_places(result.dataset.units)
        others = [
            f"{other.label or other.id} ({places[other.id]})"
            for other in result.dataset.units
            if executions and other.id != unit.id and covering(other, True) == covered
        ]
        return first_names(others, SHORT) if others else ""

    made = rendered_template(
        "sfo.report",
        "explain.txt.jinja",
        result=result,
        units=units,
        limit=limit,
        findings=findings,
        wording=wording,
        covering=covering,
        first_without=lambda unit: next(run for run in result.dataset.failing if unit.id not in run.covered),
        alike=alike,
        seen=partial(_seen, result, limit),
        inputs_of=partial(text.input_vector, limit=limit),
        wrap=layout.filled,
    )
    return re.sub(r"\n{3,}", "\n\n", made).strip("\n") + "\n"


def _seen(result: Result, limit: int | None, execution: Execution, unit: Unit) -> str:
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
