"""Every version of every benchmark program: gcc and sfo agree on the inputs that sfo found, and on random ones."""

import json
from pathlib import Path

import pytest

from tests.differential.compare import differences
from tests.differential.native import Native, Vector
from tests.differential.ours import concrete, load_program
from tests.differential.vectors import KEPT, by_sfo, native_source, versions

VERSIONS = versions()
VECTORS = json.loads(KEPT.read_text())
MINMAX = next(entry for entry in VERSIONS if entry[0] == "minmax/fault1")


def chosen(name: str) -> list[tuple[str | None, Vector]]:
    """Vectors and how sfo said they end (None: nobody knows). Random ones begin like known ones."""
    kept = VECTORS[name]
    known = [(outcome, Vector(tuple(row))) for outcome in ("fail", "pass") for row in kept[outcome]]
    if name.startswith("building/"):
        return known[:4]
    begun = [
        (None, Vector(v.values[: len(v.values) // 2], seed)) for seed, (_, v) in enumerate(known, start=1)
    ]
    return [*known, *begun, (None, Vector((), 1)), (None, Vector((), 2))]


def test_every_version_has_vectors() -> None:
    assert {name for name, _, _ in VERSIONS} == set(VECTORS), (
        "python -m tests.differential.vectors makes them"
    )
    assert sum(len(chosen(name)) for name in VECTORS) > 1000


@pytest.mark.parametrize(("name", "path", "entry"), VERSIONS, ids=[name for name, _, _ in VERSIONS])
def test_gcc_and_sfo_agree(name: str, path: Path, entry: str, tmp_path: Path) -> None:
    native = Native(native_source(path, tmp_path / "source"), tmp_path / "native")
    program = load_program(path, entry)
    expected = chosen(name)
    problems: list[str] = []
    for (outcome, _), run in zip(expected, native.run([v for _, v in expected]), strict=True):
        ours = concrete(program, run.inputs)
        problems += [f"{run.inputs}: {text}" for text in differences(ours, run)]
        if outcome is not None and ours.end != outcome:
            problems.append(f"{run.inputs}: recorded as {outcome}, now {ours.end}: make {KEPT.name} again?")
    assert problems == []


def test_fresh_vectors_agree(tmp_path: Path) -> None:
    _, path, entry = MINMAX
    fresh = by_sfo(path, entry, 60)
    native = Native(native_source(path, tmp_path / "source"), tmp_path / "native")
    program = load_program(path, entry)
    for outcome, rows in fresh.items():
        assert rows
        for run in native.run([Vector(tuple(row)) for row in rows]):
            assert run.end == outcome
            assert differences(concrete(program, run.inputs), run) == []
