"""The result as one HTML page that needs nothing else: no network, no other file.

    source with heat, ranking by any measure, executions with inputs and covered lines, failing ones step by step with
    the values of variables, coverage matrix, repairs, sets of units for several faults

The page is rendered from ``page.html``; what its script needs stands in it as JSON (``sfo.report.page_data``).
Thousands of lines and ranked statements are in it: their rows have no end tags and no attributes that follow from
their place.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, final

from markupsafe import Markup

from cfrontend.units import Unit
from sfo.core.repairs import Repair, Repairs
from sfo.core.result import Result
from sfo.report import findings, inputs, summary, text, wording
from sfo.report.page_data import executions_with_page_steps, page_script_data
from sfo.report.templates import rendered_page
from sfo.report.unified_diff import DiffLine, read_diff_lines

REPAIRS: Final = 50
"""Repairs that the page shows; the JSON result has all."""


@final
@dataclass(frozen=True, slots=True)
class PageSourceLine:
    """A line of a listing with the units that begin on it."""

    number: int
    text: str
    units: tuple[Unit, ...]
    violated: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class PageListing:
    """A source file; ``anchor`` is the beginning of the ids of its lines."""

    file: str
    anchor: str
    lines: tuple[PageSourceLine, ...]


def html_report_page(result: Result, *, everything: bool) -> str:  # noqa: ARG001 - every report takes it; the page is always whole
    """The page, as text in UTF-8."""
    listings = _listings(result)
    anchors = _anchors(listings)
    shown = [] if result.repairs is None else _shown_repairs(result.repairs)
    return rendered_page(
        "page.html",
        style="page.css",
        script="page.js",
        data=Markup(_json(page_script_data(result, anchors))),  # noqa: S704 - escaped by _json
        title=", ".join(listing.file for listing in listings) or "sfo",
        result=result,
        bound=wording.bound(result.bound),
        absence=summary.absence(result) if summary.has_absence(result) else "",
        instead=wording.printed_instead(failing[0]) if (failing := result.dataset.failing) else "",
        compared="" if result.comparison is None else wording.comparison(result.comparison),
        breaches=findings.violations(result),
        suspects={item.unit.id: item for item in findings.suspects(result)},
        names=text.unit_labels(result.dataset.units),
        units={unit.id: unit for unit in result.dataset.units},
        anchors=anchors,
        listings=listings,
        typed=inputs.to_type,
        input_value=inputs.shown,
        stepped=executions_with_page_steps(result),
        runs=[*result.dataset.failing, *result.dataset.passing],
        repairs=shown,
        hidden_repairs=0 if result.repairs is None else len(_known(result.repairs)) - len(shown),
        repairs_title="Verified repairs" if result.repairs and result.repairs.found else "Plausible patches",
        repairs_explained=_explained(result),
        without_repair=""
        if result.repairs is None or result.repairs.undecided
        else wording.no_repair(result),
        sets=() if result.diagnoses is None else result.diagnoses.sets,
        diagnoses_explained=wording.diagnoses(result.diagnoses) if result.diagnoses else "",
        joint=[]
        if result.diagnoses is None
        else [(r, list(read_diff_lines(r.diff))) for r in result.diagnoses.repairs],
        joint_explained=wording.joint_repairs(result.bound),
        group_text=partial(wording.failure_group, units=result.dataset.units),
        joint_edits=partial(wording.joint_edits, units=result.dataset.units),
        score_text=findings.score_text,
    )


def _json(data: object) -> str:
    """JSON that can stand in a ``script`` element: nothing in it ends or begins one."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


# -- source ------------------------------------------------------------------------------------------------------


def _listings(result: Result) -> tuple[PageListing, ...]:
    """The files that have units or violated properties, in the order in which they occur."""
    units: dict[tuple[str, int], list[Unit]] = {}
    for unit in result.dataset.units:
        units.setdefault((unit.location.file, unit.location.line), []).append(unit)
    violated: dict[tuple[str, int], list[str]] = {}
    for item in findings.violations(result):
        place = item.property.location
        violated.setdefault((place.file, place.line), []).append(item.message)
    names = dict.fromkeys(file for file, _ in (*units, *violated))
    return tuple(
        PageListing(
            file=file,
            anchor=f"f{number}",
            lines=tuple(
                PageSourceLine(
                    line,
                    text.rstrip("\r\n"),
                    tuple(units.get((file, line), ())),
                    tuple(violated.get((file, line), ())),
                )
                for line, text in enumerate(_lines(result, file), start=1)
            ),
        )
        for number, file in enumerate(names, start=1)
    )


def _lines(result: Result, file: str) -> tuple[str, ...]:
    """The lines of ``file``, without the empty one behind the last line break."""
    lines = result.files.get(file, ())
    return lines[:-1] if lines and not lines[-1] else lines


def _anchors(listings: Sequence[PageListing]) -> dict[int, str]:
    """By unit: the id of its line in the page."""
    return {
        unit.id: f"{listing.anchor}-{line.number}"
        for listing in listings
        for line in listing.lines
        for unit in line.units
    }


def _known(repairs: Repairs) -> tuple[Repair, ...]:
    """The verified repairs; the plausible patches where there is none."""
    return repairs.found or repairs.undecided


def _explained(result: Result) -> str:
    """Heading of the edits that the page shows."""
    if result.repairs is None:
        return ""
    if result.repairs.found:
        return wording.repairs(result.repairs, result.bound)
    return wording.undecided_repairs(result.repairs, result.bound)


def _shown_repairs(repairs: Repairs) -> list[tuple[Repair, list[DiffLine], str]]:
    """The first edits of which most is known, with the lines of their diff, and what is to be doubted in them."""
    return [
        (repair, list(read_diff_lines(repair.diff)), wording.remark(repair, repairs))
        for repair in _known(repairs)[:REPAIRS]
    ]
