"""Small programs, one feature of C each: gcc, sfo on the same inputs, and sfo's formula agree."""

from pathlib import Path

import pytest

from sfo.execution.native.execute import NativeInputVector
from tests.differential.campaign import examine

CASES = sorted(Path(__file__).with_name("cases").glob("*.c"))
SMALL = [NativeInputVector(values=(k, k, k), seed=seed) for seed, k in enumerate(range(-1, 8), start=50)]
RANDOM = [NativeInputVector(seed=seed) for seed in range(1, 8)]


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_gcc_and_sfo_agree(path: Path, tmp_path: Path) -> None:
    finding = examine(path, tmp_path / "native", SMALL + RANDOM)
    assert finding.problems == []
    assert finding.pairs == finding.symbolic == len(SMALL + RANDOM)
