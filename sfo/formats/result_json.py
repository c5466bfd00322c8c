"""The JSON result: a contract with whoever reads it. Keys may be added, none is renamed or removed.

Numbers that JSON does not have are the texts ``"inf"`` and ``"-inf"``; input values are texts, because 64-bit
integers do not survive every reader.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final, TypeVar

from cfrontend.units import Unit
from sfo.core.dataset import RankedDatasetUnit
from sfo.core.executions import Execution, ExecutionInputValue, ExecutionNativeCheck
from sfo.core.repairs import DiagnosesFound, Repair, Repairs
from sfo.core.result import FailureGroup, Result, ResultBound, ResultOfProperty, ResultStatistics
from sfo.core.savings import AngelicSavings
from sfo.core.suite_coverage import SuiteCoverage, SuiteUpdate
from sfo.formats.standard_input_text import standard_input_to_type

_T = TypeVar("_T")

FORMAT: Final = 1
"""Version of the contract."""


def write_result_json(result: Result) -> str:
    """``result`` as JSON text, two blanks of indentation, keys in the order of the contract."""
    return json.dumps(result_json_document(result), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def result_json_document(result: Result) -> dict[str, Any]:
    """``result`` as plain dictionaries and lists."""
    return {
        "format": FORMAT,
        "verdict": result.verdict,
        "reason": result.reason,
        "bound": _bound(result.bound),
        "optimal": result.optimal,
        "undecided": sorted(result.undecided),
        "intersection": sorted(result.intersection),
        "granularity": result.granularity,
        "units": [_unit(unit) for unit in result.dataset.units],
        "properties": [_property(item) for item in result.properties],
        "executions": [_execution(execution) for execution in result.dataset.executions],
        "measure": result.measure,
        "rank": result.rank,
        "ranking": [_ranked(line) for line in result.ranking],
        "statistics": _statistics(result.statistics),
        "native": _or_null(lambda checks: list(map(_native, checks)), result.native),
        "angelic": _or_null(_angelic, result.angelic),
        "diagnoses": _or_null(_diagnoses, result.diagnoses),
        "repairs": _or_null(_repairs, result.repairs),
        "notes": list(result.notes),
        "slice": _or_null(lambda found: {"kind": found.kind, "removed": list(found.removed)}, result.slice),
        "unreached": _or_null(list, result.unreached),
        "comparison": _or_null(
            lambda found: {"compared": list(found.compared), "left_out": list(found.left_out)},
            result.comparison,
        ),
        "coverage": _or_null(_coverage, result.coverage),
        "groups": [_group(group) for group in result.groups],
    }


def _or_null(write: Callable[[_T], Any], value: _T | None) -> Any:
    """``value`` as it is written, null where there is none."""
    return None if value is None else write(value)


def _group(group: FailureGroup) -> dict[str, Any]:
    return {
        "properties": list(group.properties),
        "unit": group.unit,
        "executions": [_execution(execution) for execution in group.executions],
        "ranking": [_ranked(line) for line in group.ranking],
        "angelic": _angelic(group.angelic),
        "repairs": _or_null(_repairs, group.repairs),
    }


def _coverage(coverage: SuiteCoverage) -> dict[str, Any]:
    return {
        "goal": coverage.kind,
        "chosen": coverage.chosen,
        "at_least": coverage.at_least,
        "score": _or_null(float, coverage.score),
        "unwind": coverage.unwind,
        "update": _or_null(_update, coverage.update),
        "goals": [
            {
                "unit": item.goal.unit,
                "function": item.goal.function,
                "file": item.goal.location.file,
                "line": item.goal.location.line,
                "text": item.goal.text,
                "outcome": item.goal.outcome,
                "status": item.status,
                "executions": list(item.executions),
                "unwind": item.unwind,
                "reason": item.reason or None,
            }
            for item in coverage.goals
        ],
    }


def _update(update: SuiteUpdate) -> dict[str, Any]:
    return {
        "kept": list(update.kept),
        "turned": list(update.turned),
        "redundant": list(update.redundant),
        "invalid": [{"execution": test, "reason": reason} for test, reason in update.invalid.items()],
        "added": list(update.added),
        "changed": list(map(asdict, update.changed)),
    }


def _bound(bound: ResultBound) -> dict[str, Any]:
    unwindset = {loop: bound.unwindset[loop] for loop in sorted(bound.unwindset)}
    return {
        "unwind": bound.unwind,
        "unwindset": unwindset,
        "complete": False if bound.assumptions else bound.complete,
        "assumptions": list(bound.assumptions),
        "options": [word for option in bound.options for word in option],
        "argc": bound.argc,
        "argv_length": bound.argv_length,
    }


def _unit(unit: Unit) -> dict[str, Any]:
    return {
        "id": unit.id,
        "label": unit.label,
        "kind": unit.kind,
        "function": unit.function,
        "file": unit.location.file,
        "line": unit.location.line,
        "column": unit.location.column,
        "end_line": unit.location.end_line or unit.location.line,
        "text": unit.text,
    }


def _property(item: ResultOfProperty) -> dict[str, Any]:
    return {
        "id": item.property.id,
        "class": item.property.kind,
        "file": item.property.location.file,
        "line": item.property.location.line,
        "status": item.status,
        "description": item.property.description,
        "called_from": [
            {"function": site.function, "file": site.location.file, "line": site.location.line}
            for site in item.called_from
        ],
        "differences": list(map(asdict, item.differences)),
    }


def _execution(execution: Execution) -> dict[str, Any]:
    text = standard_input_to_type(execution)
    return {
        "id": execution.id,
        "outcome": execution.outcome,
        "property": execution.property,
        "covered": sorted(execution.covered),
        "inputs": [_input(value) for value in execution.inputs],
        "stdin": None if text is None else text.decode("latin-1"),
        "test": execution.test or None,
        "cut": execution.is_cut,
        "command": execution.command or None,
    }


def _input(value: ExecutionInputValue) -> dict[str, Any]:
    return {
        "name": value.name,
        "type": value.type,
        "value": str(value.value),
        "file": value.location.file,
        "line": value.location.line,
    }


def _native(item: ExecutionNativeCheck) -> dict[str, Any]:
    return {
        "execution": item.execution,
        "status": item.status,
        "problems": list(item.problems),
        "ended": item.ended,
        "lines": [{"file": file, "line": line} for file, line in item.lines],
        "native_lines": [{"file": file, "line": line} for file, line in item.native_lines],
    }


def _ranked(line: RankedDatasetUnit) -> dict[str, Any]:
    spectrum = line.spectrum
    return {
        "rank": line.rank,
        "unit": line.unit,
        "score": result_json_number(line.score),
        "rank_keys": [result_json_number(key) for key in line.rank_keys],
        "ef": spectrum.ef,
        "ep": spectrum.ep,
        "nf": spectrum.nf,
        "np": spectrum.np,
        "side": line.side or None,
    }


def _angelic(angelic: AngelicSavings) -> dict[str, Any]:
    return {
        "complete": angelic.complete,
        "executions": list(map(_execution, angelic.runs)),
        "units": [
            {"unit": unit, "savings": list(savings), "evades": unit in angelic.evading}
            for unit, savings in angelic.savings.items()
        ],
    }


def _diagnoses(diagnoses: DiagnosesFound) -> dict[str, Any]:
    return {
        "complete": diagnoses.complete,
        "executions": [_execution(execution) for execution in diagnoses.runs],
        "sets": [list(units) for units in diagnoses.sets],
        "repairs": [
            {"edits": list(map(asdict, repair.edits)), "diff": repair.diff} for repair in diagnoses.repairs
        ],
    }


def _repairs(repairs: Repairs) -> dict[str, Any]:
    return {
        "complete": repairs.complete,
        "tried": repairs.tried,
        "tried_by_template": dict(repairs.tried_by_template),
        "candidates": repairs.candidates,
        "passing": repairs.passing,
        "found": list(map(_repair, repairs.found)),
        "undecided": list(map(_repair, repairs.undecided)),
        "one_execution": repairs.one_execution,
        "mended": [repairs.mended, repairs.failing] if repairs.is_partial else None,
        "further": repairs.further,
        "left_out": list(repairs.left_out),
    }


def _repair(repair: Repair) -> dict[str, Any]:
    return {**asdict(repair), "further_units": list(repair.further_units)}


def _statistics(statistics: ResultStatistics) -> dict[str, Any]:
    seconds = {stage: round(time, 3) for stage, time in statistics.seconds.items()}
    return {"solver": statistics.solver, "calls": statistics.calls, "seconds": seconds}


def result_json_number(value: float) -> float | str:
    """``value`` as JSON has it: infinities as text."""
    return value if math.isfinite(value) else str(value)
