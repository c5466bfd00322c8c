"""The result as one HTML page that needs nothing else: no network, no other file.

    source with heat, ranking by any measure, executions with inputs and covered lines, failing ones step by step with
    the values of variables, coverage matrix, repairs, sets of units for several faults

The page is rendered from ``page.html``; what its script needs stands in it as JSON (``sfo.report.page_data``).
Thousands of lines and ranked statements are in it: their rows have no end tags and no attributes that follow from
their place.
"""

from __future__ import annotations

import json
from typing import Final

from markupsafe import Markup

from sfo.core.result import Result
from sfo.report import findings, inputs, summary, text, wording
from sfo.report.page_data import executions_with_page_steps, page_script_data
from sfo.report.templates import rendered_page
from sfo.report.unified_diff import read_diff_lines

REPAIRS: Final = 50
"""Repairs that the page shows; the JSON result has all."""


def html_report_page(result: Result, *, everything: bool) -> str:  # noqa: ARG001 - every report takes it; the page is always whole
    """The page, as text in UTF-8."""
    units, repairs = result.dataset.units, result.repairs
    violated: dict[tuple[str, int], list[str]] = {}
    for item in findings.violations(result):
        place = item.property.location
        violated.setdefault((place.file, place.line), []).append(item.message)
    named = dict.fromkeys((*(unit.location.file for unit in units), *(file for file, _ in violated)))
    files = {file: (f"f{number}", _lines(result, file)) for number, file in enumerate(named, start=1)}
    anchors = {
        unit.id: f"{files[unit.location.file][0]}-{unit.location.line}"
        for unit in units
        if unit.location.line <= len(files[unit.location.file][1])
    }
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
        units={unit.id: unit for unit in units},
        files=files,
        violated=violated,
        anchors=anchors,
        stepped=executions_with_page_steps(result),
        runs=[*result.dataset.failing, *result.dataset.passing],
        edits=[] if repairs is None else repairs.found or repairs.undecided,
        most_edits=REPAIRS,
        diff_lines=read_diff_lines,
    )


def _lines(result: Result, file: str) -> tuple[str, ...]:
    """The lines of ``file``, without the empty one behind the last line break."""
    lines = result.files.get(file, ())
    return lines[:-1] if lines and not lines[-1] else lines


def _json(data: object) -> str:
    """JSON that can stand in a ``script`` element: nothing in it ends or begins one."""
    made = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return made.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
