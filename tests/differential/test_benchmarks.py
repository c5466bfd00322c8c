"""Every version of every benchmark program: gcc and sfo agree on the inputs that sfo found, and on random ones."""

import json
from pathlib import Path

import pytest

from cfrontend.program import Program
from cfrontend.units import InputNumber
from sfo.execution.native.build import NativeBuild, build_natively
from sfo.execution.native.execute import ExecutableNativeProgram, NativeInputVector
from tests.differential.compare import differences
from tests.differential.ours import concrete, load_program
from tests.differential.vectors import KEPT, by_sfo, native_vector, versions

VERSIONS = versions()
VECTORS = json.loads(KEPT.read_text())
MINMAX = next(entry for entry in VERSIONS if entry[0] == "minmax/fault1")


def chosen(name: str) -> list[tuple[str | None, list[InputNumber], int]]:
    """How sfo said it ends (None: nobody knows), inputs, seed of more. Random ones begin like known ones."""
    kept = VECTORS[name]
    known = [(outcome, row, 0) for outcome in ("fail", "pass") for row in kept[outcome]]
    if name.startswith(("building/", "batchplant/")):
        return known[:4]
    begun = [(None, row[: len(row) // 2], seed) for seed, (_, row, _) in enumerate(known, start=1)]
    return [*known, *begun, (None, [], 1), (None, [], 2)]


def test_every_version_has_vectors() -> None:
    assert {name for name, _, _ in VERSIONS} == set(VECTORS), (
        "python -m tests.differential.vectors makes them"
    )
    assert sum(len(chosen(name)) for name in VECTORS) > 1000


def vectors(
    program: Program, built: NativeBuild, rows: list[tuple[str | None, list[InputNumber], int]]
) -> list[NativeInputVector]:
    """What to run; nothing random where the harness would have to know what is never written."""
    known = [native_vector(program, built, row) for _, row, seed in rows if not seed]
    if any(vector.fills for vector in known):
        return known
    return known + [NativeInputVector(values=tuple(row), seed=seed) for _, row, seed in rows if seed]


@pytest.mark.sample(8)
@pytest.mark.parametrize(("name", "path", "entry"), VERSIONS, ids=[name for name, _, _ in VERSIONS])
def test_gcc_and_sfo_agree(name: str, path: Path, entry: str, tmp_path: Path) -> None:
    program = load_program(path, entry)
    built = build_natively(program, tmp_path)
    expected = chosen(name)
    problems: list[str] = []
    runs = ExecutableNativeProgram(built, program).run(vectors(program, built, expected))
    for (outcome, row, seed), run in zip(expected, runs, strict=False):
        ours = concrete(program, run.inputs if seed else row)
        problems += [f"{row}: {text}" for text in differences(ours, run)]
        if outcome is not None and ours.end != outcome:
            problems.append(f"{row}: recorded as {outcome}, now {ours.end}: make {KEPT.name} again?")
    assert problems == []


def test_fresh_vectors_agree(tmp_path: Path) -> None:
    _, path, entry = MINMAX
    fresh = by_sfo(path, entry, 60)
    program = load_program(path, entry)
    built = build_natively(program, tmp_path)
    for outcome, rows in fresh.items():
        assert rows
        given = [native_vector(program, built, row) for row in rows]
        for row, run in zip(rows, ExecutableNativeProgram(built, program).run(given), strict=True):
            assert run.end == outcome
            assert differences(concrete(program, row), run) == []
