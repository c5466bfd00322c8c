"""FLITSR against its authors' package, and on small examples."""

from pathlib import Path

import numpy as np
import pytest

from sfo.spectra.formats.matrices import write_matrix_in_any_format
from sfo.spectra.matrix import CoverageMatrix, MatrixUnit, coverage_matrix_from_dense, make_coverage_matrix
from sfo.spectra.techniques import technique_named
from tests.conftest import require_tool


def groups(matrix: CoverageMatrix, name: str) -> list[set[int]]:
    found = technique_named(name).rank(matrix).groups
    return [set(np.flatnonzero(found == k).tolist()) for k in range(int(found.max()) + 1)]


def test_two_faults() -> None:
    """The first suspect is what two failing executions share; the third needs another one, which few cover."""
    matrix = coverage_matrix_from_dense(
        [[1, 1, 0, 0, 1], [0, 1, 1, 0, 1], [0, 0, 0, 1, 1], [0, 0, 0, 0, 1]], [True, True, True, False]
    )
    assert groups(matrix, "ochiai") == [{4}, {1}, {0, 2, 3}]
    assert groups(matrix, "flitsr") == [{4}, {1}, {0, 2, 3}]  # one unit explains all
    assert groups(matrix, "flitsr-tarantula") == [{3}, {1}, {0, 2}, {4}]
    assert groups(matrix, "flitsr-multi-tarantula") == [{3}, {1}, {4}, {2}, {0}]


def test_units_alike_are_one_suspect_and_idle_executions_are_left_alone() -> None:
    matrix = coverage_matrix_from_dense([[1, 1, 0], [0, 0, 0], [0, 0, 1]], [True, True, False])
    assert groups(matrix, "flitsr") == groups(matrix, "flitsr-multi") == [{0, 1}, {2}]
    empty = coverage_matrix_from_dense([[0, 0], [1, 0]], [True, False])
    assert groups(empty, "flitsr") == groups(empty, "ochiai")


def random_matrix(seed: int) -> CoverageMatrix:
    random = np.random.default_rng(seed)
    units, tests = int(random.integers(3, 15)), int(random.integers(3, 14))
    table = random.random((tests, units)) < random.random(units)
    table[np.arange(tests), random.integers(0, units, tests)] = True
    failed = random.random(tests) < 0.5
    failed[:2] = True, False
    names = [MatrixUnit(name=f"u{k}", file="a.c", function="f", line=k + 1) for k in range(units)]
    return make_coverage_matrix(names, [np.flatnonzero(row).tolist() for row in table], failed.tolist())


class Settings:
    """Those of the package: its ``auto`` order is another one for small and large bases, which its paper has not."""

    def get_arg_group(self, name: str) -> dict[str, object]:
        return {"internal_ranking": "flitsr", "args": self} if name == "FLITSR" else {}


@pytest.mark.parametrize(("multi", "prefix"), [(False, "flitsr"), (True, "flitsr-multi")])
def test_the_package_of_its_authors_ranks_alike(multi: bool, prefix: str, tmp_path: Path) -> None:
    """500 matrices, with measures whose doubles split no true ties."""
    require_tool("flitsr")
    from flitsr.advanced.flitsr import Flitsr, Multi
    from flitsr.input.input_reader import Input

    several = 0
    for seed in range(500):
        matrix = random_matrix(seed)
        path = tmp_path / "m.tcm"
        write_matrix_in_any_format(matrix, path)
        measure = ("jaccard", "naish2", "wong2", "dstar")[seed % 4]
        ranker = Multi(Settings()) if multi else Flitsr(Settings(), "flitsr")
        theirs: dict[float, set[int]] = {}
        for rank in ranker.rank(Input.read_in(str(path)), measure):
            theirs.setdefault(rank.score, set()).update(element.index() for element in rank.entity)
        assert groups(matrix, f"{prefix}-{measure}") == list(theirs.values()), (seed, measure)
        several += groups(matrix, f"{prefix}-{measure}") != groups(matrix, measure)
    assert several > 150
