"""Regression record: the JSON result of every benchmark version, without clocks, to compare two commits.

    python -m benchmarks.record before.jsonl        ->  one line for each version: {"version": "minmax/fault1", ...}
    ... change the code ...
    python -m benchmarks.record after.jsonl --against before.jsonl      ->  "252 results, 0 differ"; exit 1 if any does

Recorded are the coverage ranking, the certificate, the bound, and the executions with their inputs: everything that
``sfo run_localize_pipeline --passing --rank coverage --jobs 1 --no-replay --format json`` prints but seconds, with
``--solver-only`` and without it. Small programs alone take part, as the search of large ones is ended by the clock.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.manifest import ManifestError, Version, load_manifest
from cfrontend.errors import SfoError
from cfrontend.program import ProgramOptions
from sfo.formats.result_json import result_json_document
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS

MAX_LINES: Final = 700
"""Number of source lines above which a program takes no part: its search would end by the clock."""

CLOCKED: Final = frozenset({"statistics"})
"""Keys of the JSON result that hold seconds, or what depends on them."""


def record(version: Version, *, solver_only: bool) -> Mapping[str, Any]:
    """The result of one version without its clocks; its error message where the program is refused."""
    options = PipelineOptions(
        program=ProgramOptions(entry=version.entry), passing=PASSING_ATTEMPTS, solver_only=solver_only
    )
    try:
        document = result_json_document(run_localize_pipeline([str(version.path)], options))
    except SfoError as error:
        return {"version": version.id, "solver_only": solver_only, "error": str(error)}
    kept = {key: value for key, value in document.items() if key not in CLOCKED}
    return {"version": version.id, "solver_only": solver_only, "result": kept}


def records(names: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Records of all small versions in the order of the manifest; of the programs ``names`` alone, if any are given."""
    for program in load_manifest():
        if names and program.name not in names:
            continue
        for version in program.versions:
            if len(version.path.read_bytes().splitlines()) <= MAX_LINES:
                yield record(version, solver_only=True)
                yield record(version, solver_only=False)


def differences(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line for each version whose record is not the same: its id, and the keys that differ."""
    found: list[str] = []
    old = {_name(entry): entry for entry in before}
    for entry in after:
        was = old.get(_name(entry))
        if was is None:
            found.append(f"{_name(entry)}: not recorded before")
        elif was != entry:
            here, there = was.get("result", was), entry.get("result", entry)
            keys = sorted(key for key in {*here, *there} if here.get(key) != there.get(key))
            found.append(f"{_name(entry)}: {', '.join(keys)}")
    return found


def _name(entry: Mapping[str, Any]) -> str:
    return f"{entry['version']} {'--solver-only' if entry['solver_only'] else ''}".strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 1 when a record differs from the one it is compared with."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.record", description=__doc__)
    parser.add_argument("output", type=Path, help="file to write, one JSON object a line")
    parser.add_argument("--against", type=Path, help="earlier record to compare with")
    parser.add_argument("--program", action="append", default=[], help="only this program (may be repeated)")
    chosen = parser.parse_args(arguments)
    entries: list[Mapping[str, Any]] = []
    with chosen.output.open("w", encoding="utf-8") as stream:
        try:
            for entry in records(chosen.program):
                stream.write(json.dumps(entry, sort_keys=True) + "\n")
                stream.flush()
                entries.append(json.loads(json.dumps(entry)))
        except ManifestError as error:
            parser.exit(2, f"Error: {error}\n")
    if chosen.against is None:
        print(f"{len(entries)} results")
        return 0
    before = [json.loads(line) for line in chosen.against.read_text(encoding="utf-8").splitlines()]
    found = differences(before, entries)
    print("\n".join([*found, f"{len(entries)} results, {len(found)} differ"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
