"""The result as one HTML page that needs nothing else: no network, no other file.

    source with heat, ranking by any measure, executions with inputs and covered lines, failing ones step by step with
    the values of variables, coverage matrix, repairs, sets of units for several faults

The page is rendered from ``page.html``; what its script needs stands in it as JSON (``page_script_data``).
Thousands of lines and ranked statements are in it: their rows have no end tags and no attributes that follow from
their place.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

from markupsafe import Markup

from cfrontend.encoded_program import EXAMPLE
from sfo.core.dataset import Dataset, DatasetSpectrum
from sfo.core.executions import TEST_COMMAND, Execution
from sfo.core.repairs import Repair
from sfo.core.result import Result
from sfo.report import findings, inputs, summary, text, wording
from sfo.report.suite_coverage import suite_coverage
from sfo.report.templates import rendered_page, visible_page_text
from sfo.report.unified_diff import read_diff_hunks, read_diff_lines
from sfo.spectra.measures import MEASURES, find_measure

CONTEXT: Final = 6
"""Lines of an output that are shown, with the one that is wrong."""

REPAIRS: Final = 50
"""Repairs that the page shows; the JSON result has all."""


def html_report_page(result: Result, *, everything: bool) -> str:  # noqa: ARG001 - every report takes it; the page is always whole
    """The page, as text in UTF-8."""
    units, repairs, violated = result.dataset.units, result.repairs, _violated_messages(result)
    named = dict.fromkeys((*(unit.location.file for unit in units), *(file for file, _ in violated)))
    files = {file: (f"f{number}", _lines(result, file)) for number, file in enumerate(named, start=1)}
    anchors = {
        unit.id: f"{files[unit.location.file][0]}-{unit.location.line}"
        for unit in units
        if unit.location.line <= len(files[unit.location.file][1])
    }
    shown = summary.shown_suspects(result)
    best = summary.best_edit(result)
    in_place = edits_in_place(best.edit) if best is not None and isinstance(best.edit, Repair) else {}
    by_id = {unit.id: unit for unit in units}
    margin = {
        (place.file, place.line): line.rank
        for line in reversed(shown)
        for place in [by_id[line.unit].location]
    }
    failing = next(iter(result.dataset.failing), None)
    return rendered_page(
        "page.html",
        style="page.css",
        script="page.js",
        data=Markup(_json(page_script_data(result, anchors))),  # noqa: S704 - escaped by _json
        title=", ".join(files) or "sfo",
        result=result,
        findings=findings,
        inputs=inputs,
        summary=summary,
        wording=wording,
        suspects={item.unit.id: item for item in findings.suspects(result)},
        names=text.unit_labels(units),
        units=by_id,
        first=shown[0] if shown else None,
        others=shown[1:],
        best=best,
        in_place=in_place if in_place.keys() <= files.keys() else {},
        margin=margin,
        typed=None if failing is None else inputs.typed_lines(failing),
        outputs=() if failing is None else tuple(_outputs(failing)),
        premises=summary.premises(result),
        certificate=summary.certificate(result),
        coverage=() if result.coverage is None else [*suite_coverage(result.coverage, None)],
        files=files,
        violated=violated,
        anchors=anchors,
        stepped=executions_with_page_steps(result),
        runs=[*result.dataset.failing, *result.dataset.passing],
        edits=[] if repairs is None else repairs.found or repairs.undecided,
        most_edits=REPAIRS,
        diff_lines=read_diff_lines,
    )


def _violated_messages(result: Result) -> dict[tuple[str, int], list[str]]:
    """What is violated at each file and line; what is printed, or a test, is not wrong at one place."""
    found: dict[tuple[str, int], list[str]] = {}
    for item in findings.violations(result):
        if item.property.id not in (EXAMPLE, TEST_COMMAND):
            place = item.property.location
            found.setdefault((place.file, place.line), []).append(item.message)
    return found


def edits_in_place(edit: Repair) -> dict[str, tuple[frozenset[int], dict[int, list[str]]]]:
    """Of the file that is edited: the lines that go, and those that come behind each line."""
    gone: set[int] = set()
    new: dict[int, list[str]] = {}
    for hunk in read_diff_hunks(edit.diff):
        number = hunk.line
        for line in hunk.lines:
            if line.kind == "added":
                new.setdefault(number - 1, []).append(line.code)
                continue
            gone |= {number} if line.kind == "removed" else set()
            number += 1
    return {edit.file: (frozenset(gone), new)}


def _outputs(run: Execution) -> Iterator[tuple[str, list[tuple[str, bool]]]]:
    """What is printed and what is expected: the lines up to the first that differ, which are marked."""
    found = wording.output_difference(run)
    if found is not None:
        number, printed, wanted = found
        expected = (
            run.expected or "" if run.example is None else run.example.decode("utf-8", "backslashreplace")
        )
        for title, text, other in (("printed", run.output, printed), ("expected", expected, wanted)):
            same = text.splitlines()[max(0, number - CONTEXT) : number - 1]
            yield (
                title,
                [*((line, False) for line in same), ("(nothing more)" if other is None else other, True)],
            )


def _lines(result: Result, file: str) -> tuple[str, ...]:
    """The lines of ``file``, without the empty one behind the last line break."""
    lines = result.files.get(file, ())
    return lines[:-1] if lines and not lines[-1] else lines


def _json(data: object) -> str:
    """JSON that can stand in a ``script`` element: nothing in it ends or begins one."""
    made = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return made.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


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
        "ranking": [[line.unit for line in group] for _, group in findings.ties(result.ranking)],
        "runs": [_run(execution, dataset, inputs) for execution in runs],
        "inputs": inputs.different,
        "traces": _traces(result),
    }


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
                "ends": wording.end_of_execution(execution),
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
