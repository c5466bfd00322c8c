"""The list of benchmark programs, read from ``programs/manifest.toml`` and checked.

[[program]]                          ->  Version(program="minmax", name="fault1", faulty_lines=(18,), ...)
name = "minmax"
[[program.version]]
file = "minmax/fault1.c"
lines = [18]
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, final

PROGRAMS: Final = Path(__file__).parent / "programs"
"""Where the programs and their manifest are."""


class ManifestError(ValueError):
    """The manifest is not what it should be; the message names the entry and the key."""


FUNCTIONS: Final = Path(__file__).parent / "functions"
"""Where library functions without a main are, with a manifest of the same form."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One faulty version: a file with one fault, on ``faulty_lines`` (at least one, ascending).

    Where the fault is a missing statement, ``faulty_lines`` are the neighbouring statements; where it is in a
    static table or in a jump, which are no units, the statements that read the table or the one before the jump.
    ``features`` are those of its program.
    """

    program: str
    name: str
    path: Path
    entry: str
    kind: str
    description: str
    faulty_lines: tuple[int, ...]
    features: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """``minmax/fault1``."""
        return f"{self.program}/{self.name}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkProgram:
    """A program, its correct version and its faulty ones."""

    name: str
    description: str
    correct: Path
    versions: tuple[Version, ...]


def load_manifest(directory: Path = PROGRAMS) -> tuple[BenchmarkProgram, ...]:
    """The programs of ``directory/manifest.toml`` in its order.

    Raises ManifestError for a missing or mistyped key, and OSError when there is no manifest.
    """
    text = (directory / "manifest.toml").read_text(encoding="utf-8")
    return parse_manifest(text, directory)


def parse_manifest(text: str, directory: Path) -> tuple[BenchmarkProgram, ...]:
    """The programs that ``text`` lists; their files are below ``directory``. Raises ManifestError."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ManifestError(str(error)) from error
    programs = tuple(_program(entry, directory) for entry in _tables(document, "program", "the manifest"))
    names = [program.name for program in programs]
    if len(set(names)) != len(names):
        raise ManifestError("two programs have the same name")
    return programs


def select(programs: Sequence[BenchmarkProgram], only: Sequence[str]) -> tuple[Version, ...]:
    """The versions that ``only`` names, by program or as ``program/version``; all of them when it is empty.

    Raises ManifestError for a name that fits nothing.
    """
    versions = tuple(version for program in programs for version in program.versions)
    known = {name for version in versions for name in (version.program, version.id)}
    for name in only:
        if name not in known:
            raise ManifestError(f"no program or version {name!r}")
    return tuple(v for v in versions if not only or v.program in only or v.id in only)


def _program(entry: Mapping[str, Any], directory: Path) -> BenchmarkProgram:
    name = _text(entry, "name", "a program")
    where = f"program {name!r}"
    function = _text(entry, "entry", where)
    features = tuple(map(str, entry.get("features", ())))
    versions = tuple(
        replace(_version(item, name, function, directory), features=features)
        for item in _tables(entry, "version", where)
    )
    return BenchmarkProgram(
        name=name,
        description=_text(entry, "description", where),
        correct=directory / name / "correct.c",
        versions=versions,
    )


def _version(entry: Mapping[str, Any], program: str, function: str, directory: Path) -> Version:
    file = _text(entry, "file", f"a version of {program!r}")
    return Version(
        program=program,
        name=Path(file).stem,
        path=directory / file,
        entry=function,
        kind=_text(entry, "kind", file),
        description=_text(entry, "description", file),
        faulty_lines=_line_numbers(entry, file),
    )


def _text(entry: Mapping[str, Any], key: str, where: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        raise ManifestError(f"{where}: {key!r} is not a text")
    return value


def _line_numbers(entry: Mapping[str, Any], where: str) -> tuple[int, ...]:
    value = entry.get("lines")
    if not isinstance(value, list) or not value or not all(type(n) is int and n > 0 for n in value):
        raise ManifestError(f"{where}: 'lines' is not a list of line numbers")
    return tuple(sorted(value))


def _tables(entry: Mapping[str, Any], key: str, where: str) -> list[Mapping[str, Any]]:
    value = entry.get(key)
    if not isinstance(value, list) or not value or not all(isinstance(item, dict) for item in value):
        raise ManifestError(f"{where}: no [[{key}]]")
    return value
