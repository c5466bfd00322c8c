"""One case: sfo is called in its folder, as a user would, and what it says is scored against the known fault.

    python -m benchmarks.outside.one FOLDER   ->   {"verdict": "violated", "lines": 0, "edit": "--- a/..."}

The process is the measured one: it does nothing else.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import sfo
from benchmarks.scoring import MEASURE, faulty_units, scores
from sfo.core.result import Result
from sfo.pipeline.phases import PipelinePhase, run_pipeline_phases
from sfo.report import summary
from sfo.spectra.measures import find_measure

CALL: Final = "call.json"
"""File of a case's folder that says how sfo is called, and where the fault is."""

RECORDING: Final = "recording.pickle"
"""File of a case's folder with the result and all that its ranking was made from."""


def scored_call(folder: Path) -> dict[str, Any]:
    """Call sfo in the folder of a case; what it says, and how many lines stand before the first faulty one."""
    os.chdir(folder)
    call = json.loads(Path(CALL).read_text(encoding="utf-8"))
    try:
        if (
            call["options"]["rank"] == "coverage" and not call["without"]
        ):  # needs nothing that would be imported
            found = sfo.localize(call["program"], **call["options"])
        else:
            from benchmarks.outside.recording import recording, write_recording

            with without_phases(call["without"]), recording() as made:
                found = sfo.localize(call["program"], **call["options"])
            write_recording(made, found.result, Path(RECORDING))
    except sfo.SfoError as error:
        return {"verdict": "refused", "reason": str(error).splitlines()[0]}
    return {"verdict": found.verdict, "reason": found.reason, **said_of(found.result, call)}


def said_of(result: Result, call: Mapping[str, Any]) -> dict[str, Any]:
    """Lines before the fault in the ranking of a result, and the edit that it shows first.

    ``lines`` is None where the fault is not ranked; ``strategies`` are the lines of 1f, sfo and sfo_p by the measure.
    """
    name = call["shown"] or call["program"]
    units = result.dataset.units
    files = {unit.location.file for unit in units if Path(unit.location.file).name == name}
    faulty = {unit for file in files for unit in faulty_units(units, file, call["faulty"])}
    found = scores(result.dataset, find_measure(MEASURE), faulty, result.ranking)
    best = summary.best_edit(result)
    strategies = () if found is None else (found.one_failing, found.failing, found.failing_and_passing)
    return {
        "lines": None if found is None or found.full is None else found.full.lines,
        "strategies": [one.lines for one in strategies] or None,
        **({} if best is None else {"edit": best.edit.diff, "said": best.said}),
    }


@contextmanager
def without_phases(names: Collection[str]) -> Iterator[None]:
    """Inside, the phases of these names are left out of a pipeline."""
    from unittest.mock import patch

    from sfo.pipeline import localize, localize_tests

    def run(phases: Iterable[PipelinePhase[Any]], *given: Any, **named: Any) -> Any:
        return run_pipeline_phases([one for one in phases if one.name not in names], *given, **named)

    with ExitStack() as patches:
        for module in (localize, localize_tests):
            patches.enter_context(patch.object(module, "run_pipeline_phases", run))
        yield


if __name__ == "__main__":
    print(json.dumps(scored_call(Path(sys.argv[1]))))
