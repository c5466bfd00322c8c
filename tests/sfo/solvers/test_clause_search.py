"""The thread of a search owns the SAT solver for as long as it searches."""

from __future__ import annotations

import gc
import itertools
from threading import Event, Thread

import pytest

from sfo.solvers import clause_search
from sfo.solvers.clause_search import ClauseSearch


def pigeons(holes: int) -> list[list[int]]:
    """Clauses that seat one pigeon more than there are holes, which takes a SAT solver very long to refute."""
    place = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    pairs = [
        [-place[one][hole], -place[two][hole]]
        for hole in range(holes)
        for one, two in itertools.combinations(range(holes + 1), 2)
    ]
    return [*place, *pairs]


class Interrupted(Event):
    """Whoever waits is interrupted."""

    def wait(self, *_: object) -> bool:
        raise KeyboardInterrupt


class Left(Thread):
    """A thread that nobody waits for, as a second Ctrl-C comes meanwhile."""

    def join(self, *_: object) -> None:
        raise KeyboardInterrupt


def test_a_solver_whose_thread_still_searches_is_not_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    search = ClauseSearch()
    search.add(pigeons(11))
    sat, ends = search._sat, search._ends
    monkeypatch.setattr(clause_search, "Event", Interrupted)
    monkeypatch.setattr(clause_search, "Thread", Left)
    interrupt = sat.interrupt
    sat.interrupt = lambda: None  # a thread that has not seen its interruption yet
    with pytest.raises(KeyboardInterrupt):
        search.search()
    del search
    gc.collect()
    (ended,) = ends
    assert not ended.is_set()
    assert sat.glucose is not None
    interrupt()
    assert Event.wait(ended, 60)


def test_a_solver_that_does_not_search_is_deleted_with_its_owner() -> None:
    search = ClauseSearch()
    search.add([[1, 2]])
    search.search()
    sat = search._sat
    del search
    gc.collect()
    assert sat.glucose is None
