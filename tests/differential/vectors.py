"""Input vectors of the benchmark programs, kept in ``vectors.json``: ``python -m tests.differential.vectors [ID...]``.

    {"minmax/fault1": {"fail": [[0, -1, 0], ...], "pass": [[0, 0, 0], ...]}, ...}

sfo makes them: the failing and the passing executions of ``run_localize_pipeline --passing``, a few of each. Where
its time is up before there is any (or for a correct program, which has no failing one), runs on random inputs are
kept, or on the vectors of other versions.

Those of ``batchplant``, whose faults need several commands in order, are native executions beside a random model of the
vessel; for fault4, fault10 and fault12 a sequence of commands was written by hand.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.manifest import load_manifest
from cfrontend.program import Program, ProgramOptions, load_c_program
from cfrontend.units import InputNumber
from sfo.execution.native.build import EXECUTING, NativeBuild, build_natively
from sfo.execution.native.execute import (
    ExecutableNativeProgram,
    NativeInputVector,
    interpreted_native_execution,
    native_vector_to_execute,
)
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions

KEPT = Path(__file__).with_name("vectors.json")
MOST = 3
"""Kept of each outcome."""


def versions() -> list[tuple[str, Path, str]]:
    """(id, file, entry) of every version, the correct ones too."""
    found: list[tuple[str, Path, str]] = []
    for program in load_manifest():
        entry = program.versions[0].entry
        found.append((f"{program.name}/correct", program.correct, entry))
        found += [(v.id, v.path, v.entry) for v in program.versions]
    return found


def native_vector(program: Program, built: NativeBuild, values: Sequence[InputNumber]) -> NativeInputVector:
    """The inputs ``values`` as the harness takes them."""
    run = interpreted_native_execution(program, values)
    assert run is not None
    vector = native_vector_to_execute(run.inputs, built.plan)
    assert isinstance(vector, NativeInputVector), vector
    return vector


def by_sfo(path: Path, entry: str, seconds: float) -> dict[str, list[list[InputNumber]]]:
    """Vectors of the executions that sfo finds."""
    options = PipelineOptions(program=ProgramOptions(entry=entry), passing=MOST, timeout=seconds)
    found: dict[str, list[list[InputNumber]]] = {"fail": [], "pass": []}
    for execution in run_localize_pipeline([str(path)], options).dataset.executions:
        if execution.outcome is not None:
            found[execution.outcome].append([i.value for i in execution.inputs])
    return {outcome: rows[:MOST] for outcome, rows in found.items()}


def by_chance(path: Path, entry: str) -> dict[str, list[list[InputNumber]]]:
    """Vectors of random runs that fail or pass."""
    found: dict[str, list[list[InputNumber]]] = {"fail": [], "pass": []}
    program = load_c_program([str(path)], ProgramOptions(entry=entry))
    with tempfile.TemporaryDirectory() as temporary:
        native = ExecutableNativeProgram(build_natively(program, Path(temporary), EXECUTING), program)
        for run in native.run([NativeInputVector(seed=seed) for seed in range(1, 601)]):
            if run.end in found:
                found[run.end].append(list(run.inputs))
    return {outcome: sorted(rows, key=len, reverse=True)[:MOST] for outcome, rows in found.items()}


def by_siblings(path: Path, entry: str, rows: list[list[InputNumber]]) -> dict[str, list[list[InputNumber]]]:
    """Those of ``rows``, vectors of other versions, on which this one fails or passes."""
    found: dict[str, list[list[InputNumber]]] = {"fail": [], "pass": []}
    program = load_c_program([str(path)], ProgramOptions(entry=entry))
    for row in rows:
        run = interpreted_native_execution(program, row)
        if run is not None and run.outcome is not None and row not in found[run.outcome]:
            found[run.outcome].append(row)
    return {outcome: kept[:MOST] for outcome, kept in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for name, path, entry in versions():
        if given.ids and name not in given.ids and name.split("/", maxsplit=1)[0] not in given.ids:
            continue
        found = {"fail": [], "pass": []} if name.endswith("/correct") else by_sfo(path, entry, given.seconds)
        others = [k for k in kept if k.split("/")[0] == name.split("/", maxsplit=1)[0]]
        rows = [row for k in others for outcome in ("fail", "pass") for row in kept[k][outcome]]
        spare = (
            [found]
            if all(found.values())
            else [found, by_chance(path, entry), by_siblings(path, entry, rows)]
        )
        kept[name] = {
            outcome: next((s[outcome] for s in spare if s[outcome]), []) for outcome in ("fail", "pass")
        }
        sys.stdout.write(f"{name} { {outcome: len(rows) for outcome, rows in found.items()} }\n")
        lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(kept[k])}" for k in sorted(kept))
        KEPT.write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
