"""The result as JUnit XML, for the test reports of CI servers.

    <testsuite name="properties" tests="1" failures="1" ...>
      <testcase classname="main" name="main.assertion.1" file="minmax.c" line="22">
        <failure message="main.assertion.1 is violated: least &lt;= most; ..." type="assert">...</failure>

Each property is a test case: violated is a failure, undecided is skipped. Commands that look at executions have a
second suite with a test case for each: a failing one is a failure, one that disagrees with its native execution an
error.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sfo.core.executions import Execution, ExecutionNativeCheck
from sfo.core.result import Result, ResultOfProperty
from sfo.report import findings, text
from sfo.report.findings import INPUTS
from sfo.report.text import SHORT


def junit_xml(result: Result, *, everything: bool) -> str:
    """The XML document; the ranking stands in the output of the suite, its first lines only unless ``everything``."""
    limit = None if everything else SHORT
    root = Element("testsuites", name="sfo")
    _properties(root, result, limit)
    if result.measure is not None:
        _executions(root, result)
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    root.set("time", f"{result.statistics.seconds.get('total', 0.0):.3f}")
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _properties(root: Element, result: Result, limit: int | None) -> None:
    broken = {item.property.id: item for item in findings.violations(result)}
    cases = [_property(item, broken.get(item.property.id), result) for item in result.properties]
    suite = _suite(root, "properties", cases)
    suspects = [f"{item.unit.location}: {item.message}" for item in findings.suspects(result)[:limit]]
    said = [*suspects, *(f"note: {note}" for note in result.notes)]
    if said:
        SubElement(suite, "system-out").text = _clean("\n".join(said))


def _property(item: ResultOfProperty, broken: findings.ViolationFinding | None, result: Result) -> Element:
    location = item.property.location
    case = _case(item.property.function, item.property.id, location.file, location.line)
    if broken is not None:
        failure = SubElement(case, "failure", message=_clean(broken.message), type=item.property.kind)
        lines = [f"{location}: {item.property.description}"]
        lines += [
            f"execution {execution.id}: {text.input_vector(execution, INPUTS)}"
            for execution in broken.executions
        ]
        failure.text = _clean("\n".join(lines))
    elif item.status == "unknown":
        SubElement(case, "skipped", message=_clean(f"not decided: {result.reason or 'not looked at'}"))
    return case


def _executions(root: Element, result: Result) -> None:
    checks = {check.execution: check for check in result.native or ()}
    _suite(
        root,
        "executions",
        [_execution(execution, checks.get(execution.id)) for execution in result.dataset.executions],
    )


def _execution(execution: Execution, check: ExecutionNativeCheck | None) -> Element:
    place = execution.inputs[0].location if execution.inputs else None
    case = _case(
        "executions", f"execution {execution.id}", place.file if place else None, place.line if place else 0
    )
    inputs = f"inputs: {text.input_vector(execution, None)}"
    if check is not None and check.status == "disagrees":
        problem = SubElement(case, "error", message="the native execution disagrees", type="native")
        problem.text = _clean("\n".join((inputs, *check.problems)))
    elif execution.outcome == "fail":
        failure = SubElement(
            case, "failure", message=_clean(f"violates {execution.property}"), type="violation"
        )
        failure.text = _clean(inputs)
    elif execution.outcome is None:
        SubElement(case, "skipped", message=_clean(execution.ended or "neither fails nor passes"))
    SubElement(case, "system-out").text = _clean("\n".join(_seen(execution)))
    return case


def _seen(execution: Execution) -> Iterator[str]:
    yield f"inputs: {text.input_vector(execution, None)}"
    yield f"covers units: {' '.join(map(str, sorted(execution.covered)))}"
    if execution.output:
        yield f"prints: {execution.output}"


def _suite(root: Element, name: str, cases: list[Element]) -> Element:
    counts = {
        "tests": len(cases),
        "failures": sum(case.find("failure") is not None for case in cases),
        "errors": sum(case.find("error") is not None for case in cases),
        "skipped": sum(case.find("skipped") is not None for case in cases),
    }
    suite = SubElement(
        root, "testsuite", {"name": name, **{key: str(count) for key, count in counts.items()}}
    )
    suite.extend(cases)
    return suite


def _case(classname: str, name: str, file: str | None, line: int) -> Element:
    case = Element("testcase", classname=_clean(classname), name=_clean(name))
    if file is not None:
        case.set("file", _clean(file))
        case.set("line", str(line))
    return case


def _clean(text: str) -> str:
    """``text`` without the characters that XML 1.0 cannot hold; they are spelled as escapes."""
    return "".join(c if _allowed(ord(c)) else ascii(c)[1:-1] for c in text)


def _allowed(code: int) -> bool:
    """XML 1.0, production 2 (Char)."""
    return (
        code in {0x9, 0xA, 0xD}
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or 0x10000 <= code <= 0x10FFFF
    )
