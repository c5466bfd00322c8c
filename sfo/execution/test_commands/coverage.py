"""Coverage that a test command has left: the counts of gcov by file and line.

read_test_coverage(counts, tree, names)   ->   TestCoverage(lines={"/p/lib.c": {7: 2, 9: 0}}, sources=(...))
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final, final

from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.host.child_processes import run_child_process
from cfrontend.record import dataclass
from sfo.spectra.formats.gcov_json import read_gcov_json

_SECONDS: Final = 120.0
"""Seconds that gcov may take for one object file."""

_SOURCE: Final = re.compile(rb"(/[^\0]*?\.c)\0")
"""Pattern of the path of a C file in gcov's notes."""


@final
@dataclass(frozen=True, slots=True)
class TestCoverage:
    """The counts by file and line, and the C ``sources`` whose code left any, whatever file was asked about."""

    __test__ = False

    lines: Mapping[str, Mapping[int, int]]
    sources: tuple[Path, ...]


def read_test_coverage(counts: Path, tree: Path, inside: Path, files: Collection[str]) -> TestCoverage:
    """The counts of ``files``, and of what they include, that a command has left below ``counts``.

    Each stands there by the path that its object file had when it was compiled, in the project at ``inside``, which is
    now at ``tree``. Raises InputError where gcov cannot read them.
    """
    lines: dict[str, dict[int, int]] = {}
    sources: dict[Path, None] = {}
    for data in sorted(counts.rglob("*.gcda")):
        compiled = Path("/") / data.relative_to(counts)
        notes = tree / os.path.relpath(compiled, inside) if compiled.is_relative_to(inside) else compiled
        notes = notes.with_suffix(".gcno")
        if not notes.is_file():
            continue
        named = [os.fsdecode(found) for found in _SOURCE.findall(notes.read_bytes())]
        sources.update(dict.fromkeys(Path(name) for name in named if Path(name).is_relative_to(inside)))
        if not set(named) & set(files):
            continue
        shutil.copyfile(notes, data.with_suffix(".gcno"))
        for file, line, count in _counted(data):
            if Path(file).is_relative_to(inside):
                of_file = lines.setdefault(file, {})
                of_file[line] = of_file.get(line, 0) + count
    return TestCoverage(lines, tuple(sources))


def _counted(data: Path) -> Iterator[tuple[str, int, int]]:
    """File, line and count of all that gcov says of one object file."""
    try:
        run = run_child_process(
            ["gcov", "--json-format", "--stdout", data.name], seconds=_SECONDS, cwd=data.parent
        )
    except FileNotFoundError:
        raise InputError("gcov is not installed, which counts what tests cover") from None
    if run.code:
        first = run.complaint.strip().partition("\n")[0]
        raise InputError(f"gcov cannot read the counts of {data.stem}: {first}")
    said = data.with_suffix(".gcov.json")
    said.write_bytes(run.output)
    try:
        for _, counts in read_gcov_json(said):
            for (file, line), (_, count) in counts.items():
                yield os.path.normpath(file), line, count
    except (UsageError, ResourceError):
        first = run.complaint.strip().partition("\n")[0]
        raise InputError(
            f"gcov cannot read the counts of {data.stem}{': ' if first else ''}{first} (was it compiled by another gcc?)"
        ) from None
