"""Bounds that are cheap to decide are decided, while larger ones are searched for failing executions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from cfrontend import effort
from cfrontend.bound import Bound
from cfrontend.effort import SECOND
from cfrontend.errors import ResourceError
from cfrontend.terms import Terms
from cfrontend.units import UnitId
from sfo.core.executions import Execution
from sfo.oracles.bounded import BoundedOracle
from sfo.oracles.protocol import Found, UnknownOracleAnswer
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.pipeline.diagnostics import diagnostic_of_unknown_verdict, left_out_diagnostics
from sfo.solvers.ask import solver_to_ask
from sfo.test_generation.bound_search import BoundSearch, run_bound_search

LOOK = SECOND // 5
"""Effort of a look at one bound with limited effort."""

EASY = 2
"""The largest unwinding that a look decides."""


@dataclass(frozen=True)
class Costs:
    """Prices of bounds in seconds of effort, the smallest ``failing`` one, and the one that no execution leaves."""

    seconds: Mapping[int, float]
    failing: int = 1_000
    complete: int = 1_000


class PricedOracle(BoundedOracle):
    """Says what fails within its bound once so much effort was spent on it, all in one go."""

    def __init__(self, unwind: int, loop: SolverQueryLoop, costs: Costs) -> None:
        self._unwind, self._costs = unwind, costs
        self.loop = self.solver_loop = loop
        self.unwindset: Mapping[str, int] = {}
        self.spent = 0

    def complete(self) -> bool:
        return self._unwind >= self._costs.complete

    def failing(self, not_all_of: Collection[UnitId] | None = None, *, effort: int | None = None) -> Found:
        assert not_all_of is None
        if self._unwind <= EASY:
            return None
        wanted = int(self._costs.seconds[self._unwind] * SECOND) if effort is None else LOOK
        taken = self._taken(wanted)
        if effort is not None or taken < wanted:
            return UnknownOracleAnswer("effort" if self.loop.must_stop() else "unknown")
        is_failing = self._unwind >= self._costs.failing
        return (
            Execution(id=1, outcome="fail", property="p", covered=frozenset(), inputs=())
            if is_failing
            else None
        )

    def passing(self, unlike: Sequence[frozenset[UnitId]]) -> Found:
        raise NotImplementedError

    def violating(self, properties: Collection[str]) -> Found:
        raise NotImplementedError

    def _taken(self, wanted: int) -> int:
        left = effort.effort_left()
        taken = wanted if left is None else min(wanted, left)
        effort.charge_effort(taken)
        self.spent += taken
        return taken


class Effort:
    """Answer of a portfolio of solvers whose effort is spent, beside a search."""

    def step(self) -> None:
        pass

    def poll(self) -> str | None:
        return "effort" if effort.is_effort_exhausted() else None


def searched(costs: Costs, seconds: float, largest: int = 20) -> tuple[BoundSearch, dict[int, PricedOracle]]:
    """The search with so many seconds of effort, and its oracles by unwinding."""
    terms = Terms()
    loop = SolverQueryLoop(solver_to_ask("auto", terms))
    oracles: dict[int, PricedOracle] = {}

    def oracle_for(bound: Bound) -> BoundedOracle:
        if effort.is_effort_exhausted():
            raise ResourceError("effort")
        assert bound.unwind is not None
        oracles[bound.unwind] = PricedOracle(bound.unwind, loop, costs)
        return oracles[bound.unwind]

    bounds = [Bound(unwind=unwind, free=True) for unwind in range(1, largest + 1)]
    with loop.beside(Effort()), effort.within_effort(seconds * SECOND):  # type: ignore[arg-type]
        return run_bound_search(bounds, oracle_for), oracles


def hard_from(unwind: int, cheap: float = 0.1) -> dict[int, float]:
    return {n: 1_000.0 if n >= unwind else cheap for n in range(1, 100)}


def test_cheap_bounds_are_decided_while_larger_ones_are_searched() -> None:
    found, _ = searched(Costs(hard_from(7)), 4)
    assert (found.refuted, found.first) == (6, UnknownOracleAnswer("effort"))
    assert (found.bound.unwind or 0) > 8
    assert found.skipped[0] == 7


def test_a_hard_bound_has_its_part_of_the_effort_and_no_more() -> None:
    found, oracles = searched(Costs(hard_from(3)), 10, largest=60)
    looks = LOOK * sum(unwind > EASY for unwind in oracles)
    assert found.refuted == EASY
    assert 0 < oracles[3].spent - LOOK <= looks / 2


def test_the_smallest_bound_that_fails_is_the_answer() -> None:
    found, _ = searched(Costs(hard_from(100), failing=4), 10)
    assert isinstance(found.first, Execution)
    assert (found.bound.unwind, found.refuted, found.skipped) == (4, 3, ())


@pytest.mark.parametrize(("last", "refuted"), [(2.0, 8), (1_000.0, 7)])
def test_the_last_bound_has_most_of_what_is_left_and_smaller_ones_the_rest(last: float, refuted: int) -> None:
    costs = Costs({n: last if n == 8 else 0.4 for n in range(1, 9)}, complete=8)
    found, _ = searched(costs, 12)
    assert (found.refuted, found.first is None) == (refuted, refuted == 8)
    assert found.skipped == (() if refuted == 8 else (8,))


def test_the_reason_says_how_far_the_search_came() -> None:
    found, _ = searched(Costs(hard_from(7)), 4)
    said = diagnostic_of_unknown_verdict("effort", found, 2.0)
    assert "(--effort 8 goes on)" in said
    assert said.endswith(
        f"no failing execution within unwind 6, and none was found as far as unwind {found.bound.unwind}"
    )


@pytest.mark.parametrize(
    ("skipped", "said"),
    [((5, 6, 6), "unwind 5 was"), ((4, 5, 6), "unwind 4, 5 were"), ((6,), None), ((), None)],
)
def test_only_smaller_bounds_are_said_to_be_undecided(skipped: tuple[int, ...], said: str | None) -> None:
    found, _ = searched(Costs(hard_from(100), failing=6), 10)
    notes = tuple(left_out_diagnostics(replace(found, skipped=skipped)))
    expected = f"a smaller bound may have a failing execution too: {said} not decided"
    assert notes == (() if said is None else (expected,))
