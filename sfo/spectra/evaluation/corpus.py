"""Versions of programs with known faults, as matrices.

    {"format": 1, "kind": "corpus", "versions": [
       {"subject": "minmax", "version": "v1", "matrix": "v1/matrix.csv", "faulty": ["C4"]},
       {"subject": "ledger", "version": "v1", "matrix": "ledger.json", "faulty_lines": [41], "behaviours": "b.json"}]}

A matrix that marks its faults itself (TCM, GZoltar, JSON) is a corpus of one version.

Paths are relative to the corpus file. The faults are units by name, or lines where the matrix knows them. ``single``,
``crash`` and ``omission`` may say what is otherwise read off: one faulty unit, an execution that ended in a crash, no.
``profile`` may name an edge profile of the same executions (``sfo.spectra.formats.edge_profiles``) whose statements are
the matrix's units. ``neighbours`` may name pairs of units that follow each other in some execution, ``[["C1", "C2"],
...]``, with a third entry for the weight of a jump that is not 1; without it they are the edges of the profile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, final

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import read_regular_file_json
from sfo.spectra.blockrank.profile import BlockrankProfile
from sfo.spectra.formats.edge_profiles import read_edge_profiles
from sfo.spectra.formats.matrices import read_matrix_in_any_format
from sfo.spectra.matrix import CoverageMatrix

DataKind: TypeAlias = Literal["typical", "base", "crash", "non-single"]

DATA_KINDS: Final[tuple[DataKind, ...]] = ("typical", "base", "crash", "non-single")
"""D1 to D4 of Tang et al. 2017, table IV."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusBehaviours:
    """Suspicious behaviours: sets of units (columns) with their scores, higher first."""

    scores: tuple[float, ...]
    units: tuple[tuple[int, ...], ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusVersion:
    """One faulty version; ``faulty`` has the columns of its faulty units, at least one."""

    subject: str
    name: str
    matrix: CoverageMatrix
    faulty: tuple[int, ...]
    single: bool
    crash: bool
    omission: bool = False
    behaviours: CorpusBehaviours | None = None
    neighbours: tuple[tuple[int, int] | tuple[int, int, float], ...] = ()
    profile: BlockrankProfile | None = None


def corpus_version_of_failing(version: CorpusVersion) -> CorpusVersion:
    """The version without passing executions, as if nobody had looked for some.

    Its edge profile, which needs them, is dropped.
    """
    return replace(version, matrix=version.matrix.runs(version.matrix.failed), profile=None)


def corpus_versions_of(versions: Sequence[CorpusVersion], kind: DataKind) -> tuple[CorpusVersion, ...]:
    """Versions that belong to a data set of Tang et al. 2017, by its name.

    ``typical``: all. ``base``: a single fault, no crash, no omission. ``crash``: a single fault, a crash, no omission.
    ``non-single``: several faults, no crash.
    """
    if kind == "typical":
        return tuple(versions)
    present = [version for version in versions if not version.omission]
    if kind == "base":
        return tuple(v for v in present if v.single and not v.crash)
    if kind == "crash":
        return tuple(v for v in present if v.single and v.crash)
    return tuple(v for v in present if not v.single and not v.crash)


def read_corpus(path: Path, faulty: Sequence[str] = ()) -> tuple[CorpusVersion, ...]:
    """The versions in a corpus file, or the one of a coverage matrix whose units have known faults.

    ``faulty`` are the names of the faulty units of a matrix that does not mark them. Raises UsageError when it or a
    file in it is missing or malformed.
    """
    data = None if path.is_dir() or path.suffix in {".csv", ".tcm"} else read_regular_file_json(path)
    if data is None or (isinstance(data, dict) and data.get("kind") != "corpus" and "units" in data):
        return (_version_of_matrix(path, faulty),)
    if faulty:
        raise UsageError(
            f"{path}: a corpus file names its faulty units itself; --faulty is for a coverage matrix"
        )
    try:
        if data["format"] != 1 or data["kind"] != "corpus":
            raise UsageError(f"{path}: not a corpus of format 1")
        versions = tuple(
            _version(
                item,
                path.parent,
                f"{path}: version {item['version']} of {item['subject']}",
                read_matrix_in_any_format(path.parent / item["matrix"], item.get("form")),
            )
            for item in data["versions"]
        )
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise UsageError(f"{path}: not a corpus: {error!r}") from error
    if not versions:
        raise UsageError(f"{path}: a corpus without versions")
    return versions


def _version_of_matrix(path: Path, named: Sequence[str]) -> CorpusVersion:
    """The version that a coverage matrix is of, by the faults that are ``named``, or those that its own file marks."""
    matrix = read_matrix_in_any_format(path)
    marked = tuple(column for column, unit in enumerate(matrix.units) if unit.faults)
    if not named and not marked and matrix.failing:
        raise UsageError(
            f"{path}: a matrix without known faults: --faulty UNIT names one, or mark them in it (docs/matrices.md)"
        )
    return _version(
        {"subject": path.name, "version": "1", "faulty": named}, path.parent, str(path), matrix, marked
    )


def _version(
    item: dict[str, Any], directory: Path, where: str, matrix: CoverageMatrix, marked: tuple[int, ...] = ()
) -> CorpusVersion:
    """A version of a corpus; its faulty units are those ``marked`` in its matrix where it names none."""
    if not matrix.failing:
        raise UsageError(f"{where}: no execution fails")
    faulty = marked if marked and not item["faulty"] else _faulty(item, matrix, where)
    profile = _profile(directory / item["profile"], matrix, where) if "profile" in item else None
    return CorpusVersion(
        subject=item["subject"],
        name=item["version"],
        matrix=matrix,
        faulty=faulty,
        single=item.get("single", len(faulty) == 1),
        crash=item.get("crash", bool(matrix.crashed.any())),
        omission=item.get("omission", False),
        behaviours=_read_behaviours(directory / item["behaviours"], matrix) if "behaviours" in item else None,
        neighbours=_neighbours(item, matrix, profile, where),
        profile=profile,
    )


def _faulty(item: dict[str, Any], matrix: CoverageMatrix, where: str) -> tuple[int, ...]:
    columns = _columns(matrix)
    found: set[int] = set()
    names = Counter(unit.name for unit in matrix.units)
    for name in item.get("faulty", ()):
        if names[name] != 1:
            raise UsageError(
                f"{where}: {'no unit is' if not names[name] else 'several units are'} called {name!r}"
            )
        found.add(columns[name])
    lines = set(item.get("faulty_lines", ()))
    found |= {
        column
        for column, unit in enumerate(matrix.units)
        if unit.line and any(unit.line <= line <= max(unit.line, unit.end_line) for line in lines)
    }
    if not found:
        raise UsageError(f"{where}: {_why_nothing_is_faulty(item, matrix)}")
    return tuple(sorted(found))


def _why_nothing_is_faulty(item: dict[str, Any], matrix: CoverageMatrix) -> str:
    """What a version lacks that names no faulty unit, and what to do."""
    lines = [str(line) for line in item.get("faulty_lines", ())]
    if not lines:
        return "no faulty unit: give faulty (names) or faulty_lines"
    if not any(unit.line for unit in matrix.units):
        return (
            f"faulty_lines need a matrix that has lines, and {item['matrix']} has none (a CSV has names only): "
            "name the units in faulty, or take another form (of a suite, dataset.json)"
        )
    return f"no unit of {item['matrix']} is on line {' or '.join(lines)}: give other faulty_lines, or faulty (names)"


def _profile(path: Path, matrix: CoverageMatrix, where: str) -> BlockrankProfile:
    profile = read_edge_profiles(path)
    known = {name for block in profile.blocks for name in block.members}
    for unit in matrix.units:
        if unit.name not in known:
            raise UsageError(f"{where}: no block of {path} has the statement {unit.name!r}")
    return profile


def _neighbours(
    item: dict[str, Any], matrix: CoverageMatrix, profile: BlockrankProfile | None, where: str
) -> tuple[tuple[int, int] | tuple[int, int, float], ...]:
    columns = _columns(matrix)
    if profile is not None and "neighbours" not in item:
        return tuple(
            (columns[a], columns[b])
            for source, target in profile.edges
            for a in profile.blocks[source].members[-1:]
            for b in profile.blocks[target].members[:1]
            if a in columns and b in columns
        )
    try:
        return tuple(_pair(columns, *pair) for pair in item.get("neighbours", ()))
    except (KeyError, ValueError, TypeError) as error:
        raise UsageError(f"{where}: neighbours are pairs of names of units: {error!r}") from error


def _pair(
    columns: dict[str, int], first: str, second: str, weight: float | None = None
) -> tuple[int, int] | tuple[int, int, float]:
    a, b = columns[first], columns[second]
    return (a, b) if weight is None else (a, b, float(weight))


def _read_behaviours(path: Path, matrix: CoverageMatrix) -> CorpusBehaviours:
    """``{"format": 1, "kind": "behaviours", "behaviours": [{"score": 0.9, "units": ["C1"]}]}`` for a matrix."""
    data = read_regular_file_json(path)
    columns = _columns(matrix)
    try:
        if data["format"] != 1 or data["kind"] != "behaviours":
            raise UsageError(f"{path}: not a list of behaviours of format 1")
        scores = tuple(float(item["score"]) for item in data["behaviours"])
        units = tuple(tuple(columns[name] for name in item["units"]) for item in data["behaviours"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise UsageError(f"{path}: not a list of behaviours of this matrix: {error!r}") from error
    return CorpusBehaviours(scores=scores, units=units)


def _columns(matrix: CoverageMatrix) -> dict[str, int]:
    return {unit.name: column for column, unit in enumerate(matrix.units)}
