"""The fault is where Algorithm 1 says, for versions that are quick; `python -m benchmarks` runs them all."""

import pytest

from benchmarks.manifest import Version, load_manifest, select
from benchmarks.run import run_version

SAMPLE = (
    "minmax/fault1",
    "insertion_sort/fault4",
    "bubble_sort/fault3",
    "bsearch/fault2",
    "rle/fault6",
    "matrix/fault1",
    "recursion/fault4",
    "ringbuf/fault1",
    "fixpoint/fault3",
    "thermostat/fault6",
    "protocol/fault2",
    "tokens/fault4",
    "elevator/fault6",
    "drvlock/fault2",
    "stackvm/fault2",
    "gridwalk/fault5",
)


@pytest.mark.parametrize("version", select(load_manifest(), SAMPLE), ids=lambda version: version.id)
@pytest.mark.sample(5)
def test_all_failing_executions_cover_the_fault(version: Version) -> None:
    row = run_version(version, timeout=60, rank="coverage")
    assert row.located, row.problem
    assert row.scores is not None
    assert row.scores.failing.units <= row.scores.one_failing.units


def test_the_sample_is_complete() -> None:
    assert len(select(load_manifest(), SAMPLE)) == len(SAMPLE)
