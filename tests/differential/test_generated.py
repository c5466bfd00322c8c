"""Generated programs: gcc, sfo on the same inputs, and sfo's formula agree. `campaign.py` runs many more."""

import pytest

from tests.differential.campaign import examine_seed
from tests.differential.generator import generate

GROUPS = [(order, first) for order in (False, True) for first in range(0, 60, 5)]


def test_the_same_seed_gives_the_same_program() -> None:
    assert generate(3) == generate(3)
    assert generate(3) != generate(4)
    assert generate(3) != generate(3, order=True)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("order", "first"), GROUPS)
def test_gcc_and_sfo_agree(order: bool, first: int) -> None:
    pairs = 0
    for seed in range(first, first + 5):
        finding = examine_seed(seed, order=order, count=5, keep=None, seconds=None)
        assert finding.problems == [], f"program {seed}"
        pairs += finding.pairs
    assert pairs == 25
