"""What the script of the HTML page needs besides the page: spectra and measures, coverage, recorded steps.

All scores are computed here, by the exact formulas, one for each measure and each spectrum that occurs, so the script
has no formula of its own. What stands in the table of the ranking is not told again. Nineteen executions of 2,000 steps
are a megabyte when they are written down one by one, so steps are numbers in a list of different ones, and a sequence
that was there before is a copy:

    [7, 8, 9, 7, 8, 9, 7, 8, 9, 5]   ->   [7, 8, 9, -3, 6, 5]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from sfo.core.dataset import Dataset, DatasetSpectrum
from sfo.core.executions import Execution
from sfo.core.result import Result
from sfo.report import text
from sfo.spectra.measures import MEASURES, find_measure

HEATS: Final = 8
"""Shades of suspicion, 1 the strongest."""

SHORTEST_COPY: Final = 4
"""Numbers that a copy stands for at least: it takes two itself."""

PLACES_TRIED: Final = 32
"""Earlier places that are compared with what follows, the latest first."""


def page_script_data(result: Result, anchors: dict[int, str]) -> dict[str, Any]:
    """What the script reads, for JSON; ``anchors`` has the id of each unit's line in the page."""
    dataset = result.dataset
    spectra = {unit.id: dataset.spectrum(unit.id) for unit in dataset.units}
    kinds = list(dict.fromkeys(_counts(spectrum) for spectrum in spectra.values()))
    index = {counts: place for place, counts in enumerate(kinds)}
    names = text.unit_labels(dataset.units)
    ranked = {line.unit for line in result.ranking}
    runs = (*dataset.failing, *dataset.passing)
    inputs = _NumbersOfPage()
    return {
        "heats": HEATS,
        "units": [[unit.id, index[_counts(spectra[unit.id])]] for unit in dataset.units],
        "others": [
            [
                unit.id,
                visible_page_text(names[unit.id]),
                unit.location.line,
                anchors.get(unit.id, ""),
                visible_page_text(unit.text),
            ]
            for unit in dataset.units
            if unit.id not in ranked
        ],
        "spectra": kinds,
        "measures": [_measure(name, kinds) for name in _measure_names(result)] if dataset.failing else [],
        "ranking": _given(result),
        "runs": [_run(execution, dataset, inputs) for execution in runs],
        "inputs": inputs.different,
        "traces": _traces(result),
    }


def visible_page_text(text: str) -> str:
    """``text`` with its control characters, and those that change the direction of writing, spelled as escapes."""
    return "".join(c if c.isprintable() or c == "\t" else ascii(c)[1:-1] for c in text)


def _counts(spectrum: DatasetSpectrum) -> tuple[int, int, int, int]:
    return spectrum.ef, spectrum.ep, spectrum.nf, spectrum.np


def _measure_names(result: Result) -> list[str]:
    """The measure of the result first, then every other."""
    return list(dict.fromkeys([*([result.measure] if result.measure else []), *(m.name for m in MEASURES)]))


def _measure(name: str, kinds: Sequence[tuple[int, int, int, int]]) -> dict[str, Any]:
    """For each spectrum the value, and its place among the different values, from 0 for the most suspicious."""
    measure = find_measure(name)
    exact = [measure.score(DatasetSpectrum(ef=ef, ep=ep, nf=nf, np=np)) for ef, ep, nf, np in kinds]
    order = {score: place for place, score in enumerate(sorted(set(exact), reverse=True))}
    return {
        "name": name,
        "equation": measure.equation,
        "values": [_shown(measure.value(score)) for score in exact],
        "places": [order[score] for score in exact],
    }


def _shown(value: float) -> float | str:
    """With the three places that the table shows."""
    return float(f"{value:.3f}") if math.isfinite(value) else str(value)


def _given(result: Result) -> list[list[int]]:
    """Unit ids in the order of the result, those that are ranked alike in one list."""
    groups: list[list[int]] = []
    last: tuple[tuple[float, ...], float] | None = None
    for line in result.ranking:
        key = (line.rank_keys, line.score)
        if key != last:
            groups.append([])
        groups[-1].append(line.unit)
        last = key
    return groups


class _NumbersOfPage:
    """Gives equal things the same number, from 0, and lists them."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def of(self, thing: Any) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))

    @property
    def different(self) -> list[Any]:
        return list(self._numbers)


# -- executions --------------------------------------------------------------------------------------------------


def _run(execution: Execution, dataset: Dataset, inputs: _NumbersOfPage) -> dict[str, Any]:
    """Which units are covered, four in each hexadecimal digit, and of each input the type and place."""
    bits = [unit.id in execution.covered for unit in dataset.units]
    digits = (sum(bit << k for k, bit in enumerate(bits[n : n + 4])) for n in range(0, len(bits), 4))
    told = [visible_page_text(f"{value.type}, {value.location}") for value in execution.inputs]
    return {
        "id": execution.id,
        "outcome": execution.outcome,
        "covered": "".join(f"{digit:x}" for digit in digits),
        "inputs": [inputs.of(text) for text in told],
    }


def executions_with_page_steps(result: Result) -> list[Execution]:
    """The executions whose steps were recorded."""
    executions = (*result.dataset.failing, *result.dataset.passing)
    return [
        execution
        for execution in executions
        if execution.id in result.traces and result.traces[execution.id].steps
    ]


def _traces(result: Result) -> dict[str, Any]:
    """The steps of executions.

    A kind of step is its unit (its place in the list), depth, outcome (or null), and the depths and names of what it
    writes. The values written stand in a list of their own.
    """
    places = {unit.id: place for place, unit in enumerate(result.dataset.units)}
    kinds, names, values = _NumbersOfPage(), _NumbersOfPage(), _NumbersOfPage()
    steps: list[int] = []
    written: list[int] = []
    runs = []
    for execution in executions_with_page_steps(result):
        trace = result.traces[execution.id]
        for step in trace.steps:
            writes = tuple((write.depth, names.of(visible_page_text(write.name))) for write in step.writes)
            steps.append(kinds.of((places[step.unit], step.depth, step.outcome, writes)))
            written += (values.of(visible_page_text(write.value)) for write in step.writes)
        fails = execution.outcome == "fail"
        runs.append(
            {
                "run": f"{execution.id} {'fails' if fails else 'passes'}",
                "ends": f"violates {execution.property}" if fails else "ends regularly",
                "before": trace.left_out,
                "count": len(trace.steps),
            }
        )
    return {
        "runs": runs,
        "kinds": kinds.different,
        "names": names.different,
        "values": values.different,
        "steps": packed_page_numbers(steps),
        "written": packed_page_numbers(written),
    }


def packed_page_numbers(numbers: Sequence[int]) -> list[int]:
    """``numbers``, from 0, with copies of what was there before: minus how far back, and how many."""
    packed: list[int] = []
    seen: dict[tuple[int, ...], list[int]] = {}
    place = 0
    while place < len(numbers):
        tried = seen.get(tuple(numbers[place : place + SHORTEST_COPY]), ())[-PLACES_TRIED:]
        lengths = ((_alike(numbers, start, place), start) for start in tried)
        length, start = max(lengths, default=(0, 0))
        if length >= SHORTEST_COPY:
            packed += (start - place, length)
        else:
            length = 1
            packed.append(numbers[place])
        for passed in range(place, place + length):
            seen.setdefault(tuple(numbers[passed : passed + SHORTEST_COPY]), []).append(passed)
        place += length
    return packed


def _alike(numbers: Sequence[int], first: int, second: int) -> int:
    """How many numbers from ``first`` on are those from ``second`` on."""
    count = 0
    while second + count < len(numbers) and numbers[first + count] == numbers[second + count]:
        count += 1
    return count
