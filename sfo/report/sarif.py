"""The result as SARIF 2.1.0 (OASIS standard), which code hosts and editors show beside the source.

    violated property   ->  result of level error, its failing executions as code flows
    suspicious unit     ->  result of level warning or note, in the order of the ranking; its verified repairs are fixes
    set of units        ->  result of level note at its first unit, the others are related locations

``rank`` is SARIF's importance from 0 to 100. A code flow has the steps of the execution with what each one writes, and
the violation. Where the result has no steps, it has the inputs in the order of evaluation, then the covered units in
source order, and says so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from cfrontend.errors import Location
from cfrontend.units import Unit, UnitId
from sfo.core.executions import Execution
from sfo.core.repairs import Repair, Repairs
from sfo.core.result import Result
from sfo.core.suite_coverage import DecidedGoal
from sfo.core.version import __version__
from sfo.formats.result_json import result_json_number
from sfo.report import findings, layout, wording
from sfo.report.unified_diff import read_diff_hunks

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
SUSPECT: Final = "suspicious-statement"
"""Id of the rule that ranked units are results of."""

SET: Final = "suspicious-set"
"""Id of the rule that sets of several units are results of."""

DEAD: Final = "unreachable-goal"
"""Id of the rule that coverage goals are results of which are proved to be reached by no execution."""

SETS: Final = 10
"""Sets of units that are shown; the JSON result has all."""

FLOWS: Final = 10
"""Failing executions that a violated property shows."""

STEPS: Final = 1000
"""Steps of a code flow that servers show."""


def sarif_report(result: Result, *, everything: bool) -> str:  # noqa: ARG001 - every report takes it; SARIF is always whole
    """The SARIF log of one result, as JSON text."""
    return json.dumps(sarif_document(result), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def sarif_document(result: Result) -> dict[str, Any]:
    """The SARIF log as plain dictionaries and lists."""
    broken, suspects = findings.violations(result), findings.suspects(result)
    sets = () if result.diagnoses is None else result.diagnoses.sets[:SETS]
    rules = _rules(broken, suspects)
    if sets:
        rules.append(
            _rule(SET, "The statements together are suspected of causing the failing executions", "note")
        )
    coverage = result.coverage
    dead = () if coverage is None or coverage.kind == "mutants" else coverage.of("unreachable")
    if dead:
        rules.append(_rule(DEAD, "No execution makes the code come out so", "note"))
    index = {rule["id"]: place for place, rule in enumerate(rules)}
    results = [_breach(result, item) for item in broken] + [_suspect(result, item) for item in suspects]
    results += [_set(result, units, place) for place, units in enumerate(sets, start=1)]
    results += [_dead(item) for item in dead]
    for item in results:
        item["ruleIndex"] = index[item["ruleId"]]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "sfo", "version": __version__, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": result.stopped is None,
                        "toolExecutionNotifications": _notes(result),
                    }
                ],
                "results": results,
                "properties": {
                    "verdict": result.verdict,
                    "bound": wording.bound(result.bound),
                    "optimal": result.optimal,
                },
            }
        ],
    }


def _rules(
    broken: Sequence[findings.ViolationFinding], suspects: Sequence[findings.Finding]
) -> list[dict[str, Any]]:
    kinds = list(dict.fromkeys(item.property.kind for item in broken))
    rules = [
        _rule(f"violated-{kind}", f"A property of class {kind} is violated by some execution", "error")
        for kind in kinds
    ]
    if suspects:
        rules.append(_rule(SUSPECT, "The statement is suspected of causing the failing executions", "note"))
    return rules


def _rule(name: str, text: str, level: str) -> dict[str, Any]:
    return {"id": name, "shortDescription": {"text": text}, "defaultConfiguration": {"level": level}}


def _notes(result: Result) -> list[dict[str, Any]]:
    said = [*([result.reason] if result.reason else []), *result.notes]
    return [{"level": "note", "message": {"text": text}} for text in said]


# -- results -----------------------------------------------------------------------------------------------------


def _breach(result: Result, item: findings.ViolationFinding) -> dict[str, Any]:
    return {
        "ruleId": f"violated-{item.property.kind}",
        "level": "error",
        "message": {"text": item.message},
        "locations": [_location(item.property.location, item.property.function)],
        "partialFingerprints": {"sfoProperty/v1": _print(item.property.id, item.property.description)},
        "codeFlows": [_flow(result, item, execution) for execution in item.executions[:FLOWS]],
        "properties": {"executions": len(item.executions)},
    }


def _dead(item: DecidedGoal) -> dict[str, Any]:
    goal = item.goal
    return {
        "ruleId": DEAD,
        "level": "note",
        "message": {"text": f"{goal.text}: {goal.outcome} is unreachable: {item.reason}"},
        "locations": [_location(goal.location, goal.function)],
        "partialFingerprints": {"sfoGoal/v1": _print(goal.function, goal.text, goal.outcome, goal.kind)},
        "properties": {"goal": goal.kind, "outcome": goal.outcome, "unwind": item.unwind},
    }


def _suspect(result: Result, item: findings.Finding) -> dict[str, Any]:
    spectrum = item.ranked.spectrum
    found: dict[str, Any] = {
        "ruleId": SUSPECT,
        "level": "warning" if item.likely else "note",
        "message": {"text": item.message},
        "rank": item.importance,
        "locations": [_location(item.unit.location, item.unit.function)],
        "partialFingerprints": {
            "sfoUnit/v1": _print(item.unit.function, item.unit.text, _ordinal(result, item.unit))
        },
        "properties": {
            "place": item.place,
            "tie": item.tie,
            "unit": item.unit.id,
            "measure": result.measure,
            "score": result_json_number(item.ranked.score),
            "ef": spectrum.ef,
            "ep": spectrum.ep,
            "nf": spectrum.nf,
            "np": spectrum.np,
        },
    }
    if item.repairs and result.repairs is not None:
        found["fixes"] = [_fix(repair, result.repairs, result.files) for repair in item.repairs]
    return found


def _set(result: Result, units: Sequence[UnitId], place: int) -> dict[str, Any]:
    """A set of units that together could save all failing executions."""
    assert result.diagnoses is not None
    by_id = {unit.id: unit for unit in result.dataset.units}
    first, *others = (by_id[unit] for unit in units)
    places = layout.spoken_places(result.dataset.units)
    texts = " and ".join(f"{unit.text} ({places[unit.id]})" for unit in (first, *others))
    return {
        "ruleId": SET,
        "level": "note",
        "message": {"text": f"several faults? set {place}: {texts}; {wording.diagnoses(result.diagnoses)}"},
        "locations": [_location(first.location, first.function)],
        "relatedLocations": [
            {"id": number, **_location(unit.location, unit.function, unit.text)}
            for number, unit in enumerate(others, start=1)
        ],
        "partialFingerprints": {
            "sfoSet/v1": _print(
                *(part for u in (first, *others) for part in (u.function, u.text, _ordinal(result, u)))
            )
        },
        "properties": {"place": place, "units": list(units)},
    }


def _ordinal(result: Result, unit: Unit) -> str:
    """Number of the unit among the units of its function with the same text, which stays when lines move."""
    alike = [u.id for u in result.dataset.units if (u.function, u.text) == (unit.function, unit.text)]
    return str(alike.index(unit.id))


def _print(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _location(location: Location, function: str = "", message: str = "") -> dict[str, Any]:
    described: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": sarif_uri(location.file)},
            "region": _region(location),
        }
    }
    if function:
        described["logicalLocations"] = [{"fullyQualifiedName": function, "kind": "function"}]
    if message:
        described["message"] = {"text": message}
    return described


def _region(location: Location) -> dict[str, int]:
    region = {"startLine": max(1, location.line)}
    if location.column is not None:
        region["startColumn"] = location.column
    if location.end_line > location.line:
        region["endLine"] = location.end_line
    if location.column is not None and location.end_column is not None and location.end_line:
        region["endColumn"] = location.end_column + 1  # SARIF's end is exclusive
    return region


def sarif_uri(file: str) -> str:
    """A path as a URI reference: relative ones stay relative."""
    path = PurePath(file).as_posix()
    text = quote(path, safe="/", errors="surrogatepass")
    if path.startswith("/"):
        return f"file://{text}"
    return text


def _flow(result: Result, item: findings.ViolationFinding, execution: Execution) -> dict[str, Any]:
    if execution.id in result.traces:
        return _stepped(result, item, execution)
    covered = [unit for unit in result.dataset.units if unit.id in execution.covered]
    steps = [
        {
            "location": _location(value.location, message=f"{value.name} = {value.value}"),
            "importance": "important",
            "state": {value.name: {"text": str(value.value)}},
        }
        for value in execution.inputs
    ]
    steps += [
        {"location": _location(unit.location, message=f"covered: {unit.text}"), "importance": "unimportant"}
        for unit in covered
    ]
    text = f"execution {execution.id}: inputs in the order of evaluation, covered statements in source order, violation"
    return {"message": {"text": text}, "threadFlows": [{"locations": [*steps[: STEPS - 1], _end(item)]}]}


def _end(item: findings.ViolationFinding) -> dict[str, Any]:
    """Last location of a code flow: the violation."""
    return {
        "location": _location(item.property.location, message=f"violated: {item.property.description}"),
        "importance": "essential",
    }


def _stepped(result: Result, item: findings.ViolationFinding, execution: Execution) -> dict[str, Any]:
    """The steps of an execution, the last ones of a long one, with what each of them writes."""
    trace = result.traces[execution.id]
    units = {unit.id: unit for unit in result.dataset.units}
    kept = trace.steps[1 - STEPS :]
    before = trace.left_out + len(trace.steps) - len(kept)
    locations: list[dict[str, Any]] = []
    for order, step in enumerate(kept, start=before + 1):
        outcome = "" if step.outcome is None else f": {str(step.outcome).lower()}"
        written = "".join(f"; {write.name} = {write.value}" for write in step.writes)
        shown: dict[str, Any] = {
            "location": _location(
                units[step.unit].location, message=f"{units[step.unit].text}{outcome}{written}"
            ),
            "executionOrder": order,
            "nestingLevel": step.depth - 1,
            "importance": "important" if step.writes else "unimportant",
        }
        if step.writes:
            shown["state"] = {write.name: {"text": write.value} for write in step.writes}
        locations.append(shown)
    inputs = " ".join(f"{value.name}={value.value}" for value in execution.inputs)
    left = f", the last {len(kept)} of {before + len(kept)} steps" if before else ""
    text = f"execution {execution.id}{left}; inputs: {inputs or 'none'}"
    last = {**_end(item), "executionOrder": before + len(kept) + 1}
    return {"message": {"text": text}, "threadFlows": [{"locations": [*locations, last]}]}


# -- repairs -----------------------------------------------------------------------------------------------------


def _fix(repair: Repair, repairs: Repairs, files: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    lines = files.get(repair.file, ())
    undecided = f"a {wording.undecided_kind(repairs)} patch, not verified"
    doubt = wording.remark(repair, repairs) if repairs.found else undecided
    return {
        "description": {
            "text": f"{wording.edit(repair.before, repair.after)}{f' ({doubt})' if doubt else ''}"
        },
        "artifactChanges": [
            {
                "artifactLocation": {"uri": sarif_uri(repair.file)},
                "replacements": list(_replacements(repair.diff, lines)),
            }
        ],
    }


def _replacements(diff: str, lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The changed lines of a unified diff, each run of adjacent ones as one replacement of whole lines."""
    for hunk in read_diff_hunks(diff):
        line = hunk.line + (hunk.count == 0)
        for is_kept, run in groupby(hunk.lines, key=lambda one: one.kind == "kept"):
            changed = list(run)
            removed = [one.code for one in changed if one.kind != "added"]
            if not is_kept:
                yield _replacement(line, removed, [one.code for one in changed if one.kind == "added"], lines)
            line += len(removed)


def _replacement(first: int, removed: list[str], added: list[str], lines: Sequence[str]) -> dict[str, Any]:
    """Lines ``removed`` from ``first`` on replaced by ``added``; without any the new ones stand before ``first``."""
    if not removed:
        region = {"startLine": first, "startColumn": 1, "endLine": first, "endColumn": 1}
        return {"deletedRegion": region, "insertedContent": {"text": "".join(f"{text}\n" for text in added)}}
    last = first + len(removed) - 1
    width = len(lines[last - 1].rstrip("\r\n")) if last <= len(lines) else len(removed[-1])
    region = {"startLine": first, "startColumn": 1, "endLine": last, "endColumn": width + 1}
    return {"deletedRegion": region, "insertedContent": {"text": "\n".join(added)}}
