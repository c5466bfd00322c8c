"""The result as JUnit XML, for the test reports of CI servers.

    <testsuite name="properties" tests="1" failures="1" ...>
      <testcase classname="main" name="main.assertion.1" file="minmax.c" line="22">
        <failure message="main.assertion.1 is violated: least &lt;= most; ..." type="assert">...</failure>

Each property is a test case: violated is a failure, undecided is skipped. Commands that look at executions have a
second suite with a test case for each: a failing one is a failure, one that disagrees with its native execution an
error.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, Literal, final

from markupsafe import Markup, escape

from cfrontend.record import dataclass
from sfo.core.executions import Execution, ExecutionNativeCheck
from sfo.core.result import Result, ResultOfProperty
from sfo.report import findings, text
from sfo.report.templates import rendered_template

_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold: all but those of its production 2 (Char)."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A test case, with what became of it (``kind``, none if it passed), and what it printed."""

    group: str
    name: str
    file: str | None
    line: int
    kind: Literal["", "failure", "error", "skipped"] = ""
    message: str = ""
    type: str = ""
    text: str = ""
    out: str = ""


def junit_xml(result: Result, *, everything: bool) -> str:
    """The XML document; the ranking stands in the output of the suite, its first lines only unless ``everything``."""
    broken = {item.property.id: item for item in findings.violations(result)}
    suites = {
        "properties": [_property(item, broken.get(item.property.id), result) for item in result.properties]
    }
    if result.measure is not None:
        checks = {check.execution: check for check in result.native or ()}
        suites["executions"] = [_execution(run, checks.get(run.id)) for run in result.dataset.executions]
    shown = findings.suspects(result)[: None if everything else text.SHORT]
    said = [f"{item.unit.location}: {item.message}" for item in shown]
    return rendered_template(
        "sfo.report",
        "junit.xml",
        suites=suites,
        said="\n".join((*said, *(f"note: {note}" for note in result.notes))),
        seconds=result.statistics.seconds.get("total", 0.0),
        clean=_clean,
        attribute=lambda value: Markup(str(escape(_clean(value))).replace("\n", "&#10;")),  # noqa: S704 - escaped
    )


def _property(item: ResultOfProperty, broken: findings.ViolationFinding | None, result: Result) -> _Case:
    found, place = item.property, item.property.location
    case = _Case(group=found.function, name=found.id, file=place.file, line=place.line)
    if broken is not None:
        runs = [f"execution {run.id}: {text.input_vector(run, findings.INPUTS)}" for run in broken.executions]
        said = "\n".join((f"{place}: {found.description}", *runs))
        return replace(case, kind="failure", message=broken.message, type=found.kind, text=said)
    if item.status == "unknown":
        return replace(case, kind="skipped", message=f"not decided: {result.reason or 'not looked at'}")
    return case


def _execution(run: Execution, check: ExecutionNativeCheck | None) -> _Case:
    place = run.inputs[0].location if run.inputs else None
    given = f"inputs: {text.input_vector(run, None)}"
    printed = [f"prints: {run.output}"] if run.output else []
    case = _Case(
        group="executions",
        name=f"execution {run.id}",
        file=place.file if place else None,
        line=place.line if place else 0,
        out="\n".join((given, f"covers units: {' '.join(map(str, sorted(run.covered)))}", *printed)),
    )
    if check is not None and check.status == "disagrees":
        said, problems = "the native execution disagrees", "\n".join((given, *check.problems))
        return replace(case, kind="error", message=said, type="native", text=problems)
    if run.outcome == "fail":
        said = f"violates {run.property}"
        return replace(case, kind="failure", message=said, type="violation", text=given)
    if run.outcome is None:
        return replace(case, kind="skipped", message=run.ended or "neither fails nor passes")
    return case


def _clean(said: str) -> str:
    """A text whose characters that XML 1.0 cannot hold are spelled as escapes."""
    return _FORBIDDEN.sub(lambda found: ascii(found[0])[1:-1], said)
