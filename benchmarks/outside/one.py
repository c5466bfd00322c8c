"""One case: sfo is called in its folder, as a user would, and what it says is scored against the known fault.

    python -m benchmarks.outside.one FOLDER   ->   {"verdict": "violated", "lines": 0, "edit": "--- a/..."}

The process is the measured one: it does nothing else.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Final

import sfo
from benchmarks.run import MEASURE
from benchmarks.scoring import faulty_units, scores
from sfo.core.result import Result
from sfo.report.summary import summary_of_best_edit
from sfo.spectra.measures import find_measure

CALL: Final = "call.json"
"""File of a case's folder that says how sfo is called, and where the fault is."""

RESULT: Final = "result.json"
"""File of a case's folder with the whole result."""


def scored_call(folder: Path) -> dict[str, Any]:
    """Call sfo in the folder of a case; what it says, and how many lines stand before the first faulty one.

    ``lines`` is None where the fault is not ranked; ``strategies`` are the lines of 1f, sfo and sfo_p by the measure.
    """
    os.chdir(folder)
    call = json.loads(Path(CALL).read_text(encoding="utf-8"))
    try:
        found = sfo.localize(call["program"], **call["options"])
    except sfo.SfoError as error:
        return {"verdict": "refused", "reason": str(error).splitlines()[0]}
    Path(RESULT).write_text(found.to_json(), encoding="utf-8")
    return {
        "verdict": found.verdict,
        "reason": found.reason,
        **_scores(found.result, call),
        **_edit(found.result),
    }


def _scores(result: Result, call: dict[str, Any]) -> dict[str, Any]:
    name = call["shown"] or call["program"]
    files = {unit.location.file for unit in result.dataset.units if Path(unit.location.file).name == name}
    faulty = {unit for file in files for unit in faulty_units(result.dataset.units, file, call["faulty"])}
    found = scores(result.dataset, find_measure(MEASURE), faulty, result.ranking)
    if found is None:
        return {"lines": None, "strategies": None}
    strategies = (found.one_failing, found.failing, found.failing_and_passing)
    return {
        "lines": None if found.full is None else found.full.lines,
        "strategies": [one.lines for one in strategies],
    }


def _edit(result: Result) -> dict[str, Any]:
    best = summary_of_best_edit(result)
    return {} if best is None else {"edit": best[0].diff, "said": best[1]}


if __name__ == "__main__":
    print(json.dumps(scored_call(Path(sys.argv[1]))))
