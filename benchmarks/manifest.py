"""The list of benchmark programs, read from ``programs/manifest.toml`` and checked.

[[program]]                          ->  Version(program="minmax", name="fault1", faulty_lines=(18,), ...)
name = "minmax"
[[program.version]]
file = "minmax/fault1.c"
lines = [18]

A ``file`` may be a patch of the program's correct version, ``building/fault1.patch``: then the version is made when the
manifest is loaded, and ``python -m benchmarks.manifest --write DIR`` writes all versions where one can work with them.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, final

import click

from benchmarks.patched import CACHE, PatchError, write_version

PROGRAMS: Final = Path(__file__).parent / "programs"
"""Where the programs and their manifest are."""


class ManifestError(click.ClickException):
    """The manifest is not what it should be; the message, one line, names the entry and the key."""


FUNCTIONS: Final = Path(__file__).parent / "functions"
"""Where library functions without a main are, with a manifest of the same form."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One faulty version: a file with one fault, on ``faulty_lines`` (at least one, ascending).

    Where the fault is a missing statement, ``faulty_lines`` are the neighbouring statements; where it is in a
    static table or in a jump, which are no units, the statements that read the table or the one before the jump.
    ``features`` are those of its program. ``patch``, if there is one, is what the file is made from. ``fixed`` is the
    same text without the fault, where that is another one than the program's correct version.
    """

    program: str
    name: str
    path: Path
    entry: str
    kind: str
    description: str
    faulty_lines: tuple[int, ...]
    features: tuple[str, ...] = ()
    patch: Path | None = None
    fixed: Path | None = None

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

    @property
    def fixed(self) -> tuple[Path, ...]:
        """The texts without a fault: the correct version, and what versions written in another way have as theirs."""
        others = (version.fixed for version in self.versions if version.fixed is not None)
        return tuple(dict.fromkeys((self.correct, *others)))


def load_manifest(
    directory: Path = PROGRAMS, cache: Path = CACHE, only: Sequence[str] = ()
) -> tuple[BenchmarkProgram, ...]:
    """The programs of ``directory/manifest.toml`` in its order; versions kept as patches are made below ``cache``.

    Only those that ``only`` names are made, see ``select``. Raises ManifestError for a missing or mistyped key, a patch
    that does not apply and a name that fits nothing, and OSError when there is no manifest.
    """
    text = (directory / "manifest.toml").read_text(encoding="utf-8")
    programs = parse_manifest(text, directory, cache)
    correct = {program.name: program.correct for program in programs}
    for version in select(programs, only):
        if version.patch is not None:
            try:
                write_version(correct[version.program], version.patch, version.path)
            except PatchError as error:
                raise ManifestError(str(error)) from error
    return programs


def parse_manifest(text: str, directory: Path, cache: Path = CACHE) -> tuple[BenchmarkProgram, ...]:
    """The programs that ``text`` lists; their files are below ``directory``, and below ``cache`` if made from patches.

    Raises ManifestError.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ManifestError(str(error)) from error
    made = cache / directory.name
    programs = tuple(
        _program(entry, directory, made) for entry in _tables(document, "program", "the manifest")
    )
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


def write_versions(programs: Sequence[BenchmarkProgram], directory: Path) -> int:
    """Copy every version, the correct ones too, to ``directory/PROGRAM/VERSION.c``; how many files these are."""
    written = 0
    for program in programs:
        folder = directory / program.name
        folder.mkdir(parents=True, exist_ok=True)
        for path in (program.correct, *(version.path for version in program.versions)):
            shutil.copyfile(path, folder / path.name)
            written += 1
    return written


def _program(entry: Mapping[str, Any], directory: Path, made: Path) -> BenchmarkProgram:
    name = _text(entry, "name", "a program")
    where = f"program {name!r}"
    function = _text(entry, "entry", where)
    features = tuple(map(str, entry.get("features", ())))
    versions = tuple(
        replace(_version(item, name, function, directory, made), features=features)
        for item in _tables(entry, "version", where)
    )
    return BenchmarkProgram(
        name=name,
        description=_text(entry, "description", where),
        correct=directory / name / "correct.c",
        versions=versions,
    )


def _version(entry: Mapping[str, Any], program: str, function: str, directory: Path, made: Path) -> Version:
    file = _text(entry, "file", f"a version of {program!r}")
    patch = directory / file if file.endswith(".patch") else None
    fixed = directory / _text(entry, "fixed", file) if "fixed" in entry else None
    return Version(
        program=program,
        name=Path(file).stem,
        path=directory / file if patch is None else (made / file).with_suffix(".c"),
        entry=function,
        kind=_text(entry, "kind", file),
        description=_text(entry, "description", file),
        faulty_lines=_line_numbers(entry, file),
        patch=patch,
        fixed=fixed,
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


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--write",
    "directory",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write each version to DIR/PROGRAM/VERSION.c, those too that are kept as patches.",
)
def main(directory: Path) -> None:
    """Write all versions of the benchmark programs out as C files."""
    try:
        written = write_versions(load_manifest(), directory)
    except OSError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{written} files in {directory}")


if __name__ == "__main__":
    main()
