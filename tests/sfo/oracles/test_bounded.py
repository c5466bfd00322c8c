"""An oracle that can do no more than it must: every command goes through, and what it cannot do is said."""

from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions
from cfrontend.units import UnitId
from sfo.oracles.bounded import BoundedOracle
from sfo.oracles.protocol import Found
from sfo.pipeline import bound_phase
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.places import PROGRAMS


class LeastOracle(BoundedOracle):
    """Asks another oracle what every oracle is asked, and can do nothing else."""

    def __init__(self, other: BoundedOracle) -> None:
        self.loop, self.unwindset, self._other = other.loop, other.unwindset, other

    def failing(self, not_all_of: Collection[UnitId] | None = None, *, effort: int | None = None) -> Found:
        return self._other.failing(not_all_of, effort=effort)

    def passing(self, unlike: Sequence[frozenset[UnitId]]) -> Found:
        return self._other.passing(unlike)

    def violating(self, properties: Collection[str]) -> Found:
        return self._other.violating(properties)


@pytest.fixture
def least(monkeypatch: pytest.MonkeyPatch) -> None:
    make = bound_phase._BoundPhase._oracle_for

    def made(self: bound_phase._BoundPhase, bound: Bound) -> BoundedOracle:
        return LeastOracle(make(self, bound))

    monkeypatch.setattr(bound_phase._BoundPhase, "_oracle_for", made)


@pytest.mark.usefixtures("least")
@pytest.mark.parametrize("rank", ["coverage", "full"])
def test_it_localises(rank: str) -> None:
    path = str(PROGRAMS / "minmax" / "fault1.c")
    options = PipelineOptions(program=ProgramOptions(), passing=3, rank=rank, unwind=1)  # type: ignore[arg-type]
    result = run_localize_pipeline([path], options)
    assert result.verdict == "violated"
    assert result.optimal
    assert result.bound.complete is None  # it does not know
    assert result.ranking[0].rank == 1


@pytest.mark.usefixtures("least")
def test_what_it_cannot_do_is_said(tmp_path: Path) -> None:
    safe = tmp_path / "safe.c"
    safe.write_text("#include <assert.h>\nint main(void) { int x = 1; assert(x == 1); return 0; }\n")
    result = localize_pipeline_checks([str(safe)], PipelineOptions(program=ProgramOptions(), unwind=1))
    assert result.verdict == "safe"
    assert BoundedOracle.lacks["unreached units"] in result.notes
