"""Coverage that a test command has left: the counts of gcov by file and line.

read_test_coverage(place, left, names)   ->   TestCoverage(lines={"/p/lib.c": {7: 2, 9: 0}}, sources=(...))
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final, final

from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.host.untrusted_files import UntrustedDirectory
from cfrontend.record import dataclass
from sfo.execution.test_commands.box import COUNTS, TestCommandPlace
from sfo.spectra.formats.line_coverage import read_gcov_json

_SOURCE: Final = re.compile(rb"(/[^\0]*?\.c)\0")
"""Pattern of the path of a C file in gcov's notes."""


@final
@dataclass(frozen=True, slots=True)
class TestCoverage:
    """The counts by file and line, and the C ``sources`` whose code left any, whatever file was asked about."""

    __test__ = False

    lines: Mapping[str, Mapping[int, int]]
    sources: tuple[Path, ...]


def read_test_coverage(
    place: TestCommandPlace, left: UntrustedDirectory, files: Collection[str]
) -> TestCoverage:
    """The counts of ``files``, and of what they include, in what a command has ``left``.

    Each stands there by the path that its object file had when it was compiled. They are copied to a folder of ours,
    with their notes, and gcov reads them in a sandbox. Raises InputError where it cannot, or the command has left
    something else there.
    """
    lines: dict[str, dict[int, int]] = {}
    sources: dict[Path, None] = {}
    project, inside = place.project, place.inside
    fresh = Path(tempfile.mkdtemp(prefix="coverage-", dir=place.work))
    for data in left.files(COUNTS, ".gcda"):
        compiled = Path("/", *data.split("/")[1:]).with_suffix(".gcno")
        notes = _notes(project, compiled, place)
        if notes is None:
            continue
        named = [os.path.normpath(os.fsdecode(found)) for found in _SOURCE.findall(notes)]
        sources.update(dict.fromkeys(Path(name) for name in named if Path(name).is_relative_to(inside)))
        if not set(named) & set(files):
            continue
        (fresh / "counts.gcno").write_bytes(notes)
        (fresh / "counts.gcda").write_bytes(left.read(data) or b"")
        for file, line, count in _counted(place, fresh, compiled.stem):
            if Path(file).is_relative_to(inside):
                of_file = lines.setdefault(file, {})
                of_file[line] = of_file.get(line, 0) + count
    return TestCoverage(lines, tuple(sources))


def _notes(project: UntrustedDirectory, compiled: Path, place: TestCommandPlace) -> bytes | None:
    """The notes of gcov of an object file of the project; None where there are none."""
    if compiled.is_relative_to(place.inside):
        return project.read(compiled.relative_to(place.inside).as_posix())
    if place.sandboxed:  # it was below /tmp of the sandbox, and is gone
        return None
    return UntrustedDirectory(Path("/"), "a test command").read(str(compiled)[1:])


def _counted(place: TestCommandPlace, folder: Path, name: str) -> Iterator[tuple[str, int, int]]:
    """File, line and count of all that gcov says of the counts in a folder, which are of the object file ``name``."""
    if shutil.which("gcov") is None:
        raise InputError("gcov is not installed, which counts what tests cover")
    run = place.counted(folder, "counts.gcda")
    first = run.complaint.strip().partition("\n")[0]
    if run.code:
        raise InputError(f"gcov cannot read the counts of {name}: {first}")
    said = folder / "counts.gcov.json"
    said.write_bytes(run.output)
    try:
        for _, counts in read_gcov_json(said):
            for (file, line), (_, count) in counts.items():
                yield os.path.normpath(file), line, count
    except (UsageError, ResourceError):
        raise InputError(
            f"gcov cannot read the counts of {name}{': ' if first else ''}{first} (was it compiled by another gcc?)"
        ) from None
