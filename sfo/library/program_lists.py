"""Lists of programs for ``sfo batch``: the submissions in a directory, or those that a file names.

class/ann.c, class/bob/*.c        ->   ann: one file; bob: one program of several files
list.csv: file,name,reference,io  ->   each line a program, with what says how it should behave
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import read_regular_file_text
from cfrontend.record import dataclass

COLUMNS: Final = ("file", "name", "reference", "io", "harness", "entry")
"""Columns of a list in CSV; ``file`` is needed, and has blanks between several files."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ListedProgram:
    """A program of a list: ``name`` is unique and fit for a file name. None: what is said for all."""

    name: str
    paths: tuple[str, ...]
    reference: str | None = None
    io: str | None = None
    harness: str | None = None
    entry: str | None = None


def read_program_list(place: Path, others: tuple[Path, ...] = ()) -> tuple[ListedProgram, ...]:
    """The programs in the directory ``place``, or in a list (CSV with a column ``file``, or a path on each line).

    In a directory, ``others`` (a reference, a harness) are no programs. Raises UsageError for a list that is malformed
    or has no program.
    """
    found = list(_of_directory(place, others) if place.is_dir() else _of_list(place))
    if not found:
        raise UsageError(f"{place}: no programs here: files *.c, or directories with such files")
    return tuple(_with_unique_names(found))


def _of_directory(place: Path, others: tuple[Path, ...]) -> Iterator[ListedProgram]:
    left_out = {path.resolve() for path in others}
    for entry in sorted(place.iterdir()):
        if entry.resolve() in left_out:
            continue
        if entry.is_dir():
            files = [path for path in sorted(entry.glob("*.c")) if path.resolve() not in left_out]
            if files:
                yield ListedProgram(name=entry.name, paths=tuple(map(str, files)))
        elif entry.suffix == ".c":
            yield ListedProgram(name=entry.stem, paths=(str(entry),))


def _of_list(place: Path) -> Iterator[ListedProgram]:
    text = read_regular_file_text(place)
    if place.suffix.lower() == ".csv":
        yield from _of_csv(place, text)
        return
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            paths = tuple(str(place.parent / word) for word in line.split())
            yield ListedProgram(name=Path(paths[0]).stem, paths=paths)


def _of_csv(place: Path, text: str) -> Iterator[ListedProgram]:
    reader = csv.DictReader(text.splitlines())
    columns = reader.fieldnames or ()
    unknown = [column for column in columns if column not in COLUMNS]
    if "file" not in columns or unknown:
        said = f"there is no column {unknown[0]!r}" if unknown else "no column 'file'"
        raise UsageError(f"{place}:1: {said}: columns are {', '.join(COLUMNS)}")
    for row in reader:
        if None in row or None in row.values():
            raise UsageError(f"{place}:{reader.line_num}: not as many cells as columns")
        paths = tuple(str(place.parent / word) for word in row["file"].split())
        if not paths:
            raise UsageError(f"{place}:{reader.line_num}: no file in this line")
        yield ListedProgram(
            name=row.get("name") or Path(paths[0]).stem,
            paths=paths,
            reference=_beside(place, row, "reference"),
            io=_beside(place, row, "io"),
            harness=_beside(place, row, "harness"),
            entry=row.get("entry") or None,
        )


def _beside(place: Path, row: Mapping[str, str], column: str) -> str | None:
    """The path in a cell, from the directory of the list; None where it is empty."""
    return str(place.parent / row[column]) if row.get(column) else None


def _with_unique_names(found: list[ListedProgram]) -> Iterator[ListedProgram]:
    from dataclasses import replace

    taken: set[str] = set()
    for program in found:
        fit = re.sub(r"[^\w.+-]", "_", program.name).lstrip(".") or "program"
        name, number = fit, 1
        while name.lower() in taken:
            number += 1
            name = f"{fit}-{number}"
        taken.add(name.lower())
        yield replace(program, name=name)
