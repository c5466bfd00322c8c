"""Random programs over GNU vectors: gcc's code, sfo on the same inputs, and sfo's formula agree."""

from pathlib import Path

import pytest

from sfo.execution.native.execute import NativeInputVector
from tests.differential.campaign import examine
from tests.differential.vector_expressions import write


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.sample(2)
def test_gcc_and_sfo_agree(seed: int, tmp_path: Path) -> None:
    source = tmp_path / "vectors.c"
    source.write_text(write(seed))
    given = [NativeInputVector(seed=50 * seed + n) for n in range(1, 6)]
    finding = examine(source, tmp_path / "native", given)
    assert finding.problems == []
    assert finding.pairs == 5
