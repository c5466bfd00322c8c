"""MUSE and Metallaxis against their formulas in fractions, and mutation matrices in and out."""

import json
import math
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cfrontend.errors import UsageError
from sfo import cli
from sfo.library.matrix_ranking import rank
from sfo.spectra.matrix import MatrixUnit
from sfo.spectra.mutation import (
    MutationMatrix,
    metallaxis_scores,
    muse_scores,
    read_mutation_matrix,
    write_mutation_matrix,
)
from tests.places import ROOT


def random_matrix(random: Random) -> MutationMatrix:
    units, tests, mutants = random.randint(1, 6), random.randint(1, 8), random.randint(0, 10)
    failed = [random.random() < 0.5 for _ in range(tests)]
    failed[0] = True
    fails = [[random.random() < 0.5 for _ in range(tests)] for _ in range(mutants)]
    changed = [[f != g or random.random() < 0.3 for f, g in zip(row, failed, strict=True)] for row in fails]
    return MutationMatrix(
        units=tuple(MatrixUnit(name=f"u{k}", line=k + 1) for k in range(units)),
        tests=tuple(f"t{k}" for k in range(tests)),
        failed=np.array(failed),
        of=tuple(tuple(sorted(random.sample(range(units), random.randint(1, min(2, units))))) for _ in fails),
        what=tuple(f"mutant {k}" for k in range(mutants)),
        fails=np.array(fails, dtype=bool).reshape(mutants, tests),
        changed=np.array(changed, dtype=bool).reshape(mutants, tests),
    )


def plain_muse(m: MutationMatrix, unit: int) -> Fraction | float:
    """As printed: the mean of |f and pm| / |f| - a |p and fm| / |p|, a = f2p / (|mut| |f|) * |mut| |p| / p2f."""
    tests = range(len(m.tests))
    f, p = {t for t in tests if m.failed[t]}, {t for t in tests if not m.failed[t]}
    fails = [{t for t in tests if row[t]} for row in m.fails]
    f2p, p2f = sum(len(f - row) for row in fails), sum(len(p & row) for row in fails)
    count = len(fails)
    mine = [row for row, of in zip(fails, m.of, strict=True) if unit in of]
    if not mine:
        return -math.inf
    a = Fraction(f2p, count * len(f)) * Fraction(count * len(p), p2f) if p2f else Fraction(0)
    parts = [
        Fraction(len(f - row), len(f)) - (a * Fraction(len(p & row), len(p)) if p else 0) for row in mine
    ]
    return sum(parts, Fraction(0)) / len(parts)


def plain_metallaxis(m: MutationMatrix, unit: int) -> float:
    best = 0.0
    for row, of in zip(m.changed.tolist(), m.of, strict=True):
        if unit in of and any(row):
            killed = sum(c and f for c, f in zip(row, m.failed.tolist(), strict=True))
            best = max(best, killed / math.sqrt(sum(m.failed.tolist()) * sum(row)))
    return best


def test_scores_of_500_random_matrices(tmp_path: Path) -> None:
    random = Random(1)
    for _ in range(500):
        matrix = random_matrix(random)
        units = range(len(matrix.units))
        assert muse_scores(matrix).tolist() == pytest.approx([float(plain_muse(matrix, u)) for u in units])
        assert metallaxis_scores(matrix).tolist() == pytest.approx(
            [plain_metallaxis(matrix, u) for u in units]
        )
    path = tmp_path / "m.json"
    path.write_text(write_mutation_matrix(matrix))
    again = read_mutation_matrix(path)
    assert again is not None
    assert write_mutation_matrix(again) == path.read_text()
    assert (again.of, again.fails.tolist(), again.changed.tolist()) == (
        matrix.of, matrix.fails.tolist(), matrix.changed.tolist(),
    )  # fmt: skip


def test_the_fault_of_minmax_is_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Line 18 sets the wrong variable: only edits there and of its condition mend all failing tests."""
    rows = ["1,0,2", "2,0,1", "2,0,2", "0,1,0", "0,0,1", "1,1,0", "2,2,2", "1,2,0"]
    (tmp_path / "v.csv").write_text("\n".join(["input1,input2,input3", *rows]) + "\n")
    program = str(ROOT / "benchmarks/programs/minmax.c")
    made = tmp_path / "m.json"
    arguments = ["mutate", program, "--inputs", str(tmp_path / "v.csv"), "-o", str(made), "--quiet"]
    assert cli.main([*arguments, "--operators", "variable,relational"]) == 0
    assert "3 failing and 5 passing tests" in capsys.readouterr().out
    ranking = rank(made, "muse,metallaxis")
    assert [(line.unit.name, line.unit.line) for line in ranking.by("muse")][:2] == [("C4", 18), ("7", 17)]
    assert "C4" in {line.unit.name for line in ranking.by("metallaxis") if line.best == 1}
    assert (ranking.matrix.failing, ranking.matrix.passing) == (3, 5)
    assert cli.main([*arguments, "--faults", "2"]) == 2
    (tmp_path / "v.csv").write_text("input1,input2,input3\n0,1,0\n")
    assert cli.main(arguments) == 2
    assert "no vector makes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "format 2"),
        ({"tests": [{"name": "1", "outcome": "pass"}]}, "needs a failing test"),
        ({"tests": [{"name": "1", "outcome": "lost"}]}, "neither pass nor fail"),
        ({"mutants": [{"units": [3], "fails": [], "changed": []}]}, "a unit that does not exist"),
        ({"mutants": [{"units": [0], "fails": [7], "changed": []}]}, "not a mutation matrix"),
        ({"mutants": [{"units": [0]}]}, "not a mutation matrix: KeyError"),
    ],
)
def test_malformed_matrices(change: dict[str, object], message: str, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    data = {
        "format": 1, "kind": "mutants", "units": [{"name": "a"}], "tests": [{"name": "1", "outcome": "fail"}],
        "mutants": [{"units": [0], "fails": [], "changed": [0]}],
    }  # fmt: skip
    path.write_text(json.dumps(data))
    assert rank(path, "all").suspects[0].score == 1
    with pytest.raises(UsageError, match="'ochiai' does not rank a mutation matrix: muse and metallaxis do"):
        rank(path, "ochiai")
    path.write_text(json.dumps(data | change))
    with pytest.raises(UsageError, match=message):
        rank(path, "muse")


def test_other_files_are_none(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("outcome,a\nfail,1\n")
    assert read_mutation_matrix(tmp_path / "m.csv") is None
    with pytest.raises(UsageError, match="muse needs a mutation matrix"):
        rank(tmp_path / "m.csv", "muse")
