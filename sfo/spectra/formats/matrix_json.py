"""A coverage matrix of any origin as JSON, with all that is known of its units.

    {"format": 1, "kind": "matrix",
     "units": [{"name": "C4", "function": "main", "file": "a.c", "line": 18, "end_line": 18, "text": "most = 2",
                "faults": ["0"]}],
     "runs": [{"name": "1", "outcome": "fail", "covered": [0], "property": "main.assertion.1"}]}

``covered`` are places in ``units``, from 0; outcomes are ``pass``, ``fail`` and ``crash``, a failure that ended the
execution. ``faults`` are the known faults that a unit belongs to, ``property`` what an execution violates; they may be
missing.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from cfrontend.errors import UsageError
from sfo.spectra.matrix import CoverageMatrix, MatrixBuilder, MatrixUnit

_OUTCOMES: Final = ("pass", "fail", "crash")


def matrix_of_json(data: dict[str, Any]) -> CoverageMatrix:
    """The matrix of a document.

    Raises UsageError for executions that do not fit, KeyError and TypeError for missing parts.
    """
    units = tuple(MatrixUnit(**{**unit, "faults": _faults(unit)}) for unit in data["units"])
    builder = MatrixBuilder(units)
    for number, execution in enumerate(data["runs"], start=1):
        covered = np.unique(np.array(execution["covered"], dtype=np.int64))
        if len(covered) and not 0 <= covered[0] <= covered[-1] < len(units):
            raise UsageError(
                f"execution {number} covers a unit that is not one of the {len(units)}, counted from 0"
            )
        if execution["outcome"] not in _OUTCOMES:
            raise UsageError(
                f"execution {number}: outcome {execution['outcome']!r} is none of {', '.join(_OUTCOMES)}"
            )
        outcome = execution["outcome"]
        violated = execution.get("property", "")
        if not isinstance(violated, str):
            raise UsageError(f"execution {number}: property {violated!r} is no text")
        builder.add(
            covered,
            name=execution["name"],
            failed=outcome != "pass",
            crashed=outcome == "crash",
            property_=violated,
        )
    return builder.matrix()


def _faults(unit: dict[str, Any]) -> tuple[str, ...]:
    given = unit.get("faults", [])
    if not isinstance(given, list) or not all(isinstance(fault, str) for fault in given):
        raise UsageError(f'unit {unit.get("name")!r}: faults are a list of texts, such as ["0"]')
    return tuple(given)


def write_matrix_json(matrix: CoverageMatrix, path: Path) -> None:
    """Write the document, a line for each unit and each execution."""
    with path.open("w", encoding="utf-8", errors="backslashreplace") as out:
        out.write('{"format": 1, "kind": "matrix",\n"units": [\n')
        out.write(",\n".join(json.dumps(asdict(unit)) for unit in matrix.units))
        out.write('\n],\n"runs": [\n')
        for execution, name in enumerate(matrix.names()):
            document = {
                "name": name,
                "outcome": matrix.outcome(execution, *_OUTCOMES),
                "covered": matrix.row(execution).tolist(),
            }
            if matrix.violated(execution):
                document["property"] = matrix.violated(execution)
            out.write(f"{',' if execution else ''}{json.dumps(document)}\n")
        out.write("]}\n")
