"""The benchmark of large data measures what it says; small data gives what the exact route gives."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks import large
from benchmarks.synthetic_program import synthetic_program
from sfo.core.dataset import DatasetSpectrum
from sfo.spectra.measures import MEASURES
from sfo.spectra.techniques import technique_named, techniques_named


def test_the_matrix_is_covered_as_it_says() -> None:
    matrix = large.large_matrix(units=2_050, runs=300, covered=0.2)
    assert matrix.covered.shape == (300, 2_050)
    assert (matrix.failing, matrix.passing) == (30, 270)
    assert 0.15 < matrix.covered.nnz / (300 * 2_050) < 0.25


def test_a_matrix_of_that_kind_is_ranked_as_by_exact_numbers() -> None:
    matrix = large.large_matrix(units=700, runs=120)
    for measure in MEASURES:
        exact = [
            measure.score(DatasetSpectrum(ef=ef, ep=ep, nf=matrix.failing - ef, np=matrix.passing - ep))
            for ef, ep in zip(matrix.ef.tolist(), matrix.ep.tolist(), strict=True)
        ]
        falling = sorted(set(exact), reverse=True)
        found = technique_named(measure.name).rank(matrix).groups
        assert found.tolist() == [falling.index(score) for score in exact], measure.name


def test_the_table_has_a_row_for_each_piece_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "UNITS", 500)
    monkeypatch.setattr(large, "RUNS", 20)
    monkeypatch.setattr(large, "GO_COMPILER_LINES", 300)
    monkeypatch.setattr(large, "BLOCKS", 400)
    monkeypatch.setattr(large, "CAP", 1_000)
    done = CliRunner().invoke(large.main, ["--here", *large.WORK])
    assert done.exit_code == 0, done.output
    costs = [large.Cost(**json.loads(line)) for line in done.output.splitlines()]
    functions, small = (len(set(synthetic_program(300, 0, size).functions)) for size in (20, 2.59))
    assert [cost.what.split(",")[0] for cost in costs] == [
        f"{len(techniques_named('all'))} techniques on 500 units",
        *["HT_Rank of 300 lines with jumps"] * 6,
        f"HT_Rank of 300 lines in {functions} behaviours",
        f"HT_Rank of 300 lines in {small} behaviours",
        "500 walks of 1",
        "BlockRank of 400 blocks",
    ]
    assert all(cost.processor > 0 and cost.memory > 10 for cost in costs)
    assert np.isfinite([cost.wall for cost in costs]).all()
