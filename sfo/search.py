"""Which of the ways to end can an execution take? Asked about some at a time, by several processes where it takes long.

A question about all violations at once can be hard because of one of them, and one about each alone is many. So a few
are asked about together with a small budget; what that does not decide is split, or asked about again with a larger
one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.terms import Term, Terms
from cfrontend.units import UnitId
from sfo.clock import Clock
from sfo.data import Stop
from sfo.oracle import FIRST_EFFORT, Question, SolverLoop, Unknown
from sfo.parallel import Flag, in_parts, is_copy
from sfo.solvers import Answer
from sfo.solvers.protocol import SolverStatistics

_LAST_SHARE: Final = 0.75
"""Part of the time left for the last end that is open, where nothing else is asked for."""

_TOGETHER: Final = 8
"""Ends that are asked about together, ..."""

_MOST_GROUPS: Final = 256
"""... or more where that would be more questions than this."""

_MORE_EFFORT: Final = 8
"""How much more may be spent in each round on what is still open."""

_WORTH_JOBS: Final = 0.2
"""Seconds of a search after which several processes ask."""

Sample: TypeAlias = Callable[[Question], "Model | None"]


@final
@dataclass(frozen=True, slots=True)
class Model:
    """Values of the input variables for which ``end`` holds, and the units they cover."""

    end: Term
    inputs: Mapping[Term, int]
    covered: frozenset[UnitId]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What became of groups of ends: a ``model`` of one of ``ends``, those that have none, those that are ``hard``.

    ``asked`` is what the questions were to the engine of a process that is gone.
    """

    model: Model | None = None
    ends: tuple[Term, ...] = ()
    refuted: tuple[Term, ...] = ()
    hard: tuple[Term, ...] = ()
    stop: Stop | None = None
    asked: SolverStatistics | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing is asked after this."""
        return self.model is not None or self.stop is not None


@final
class Search:
    """The search for a model of one of some ends and all of ``also``.

    ``read`` makes a model of what the engine answered, for its end; ``sample`` looks for one among small numbers (None:
    nowhere). Where ``is_small`` all ends are asked about together, also once more with a larger budget. A single end
    may cost ``effort`` conflicts, and a question the part ``share`` of the time left.
    """

    def __init__(
        self,
        loop: SolverLoop,
        terms: Terms,
        also: Question,
        *,
        read: Callable[[Term], Model],
        sample: Sample | None,
        is_small: bool,
        effort: int,
        share: float,
    ) -> None:
        self._loop = loop
        self._terms = terms
        self._also = also
        self._read = read
        self._sample = sample
        self._is_small = is_small
        self._effort = effort
        self._share = share
        self._begin = time.monotonic()
        self.refuted: list[Term] = []

    def model(self, ends: Sequence[Term]) -> Model | Unknown | None:
        """A model of one of ``ends``; None where there is none. Those that have none are in ``refuted``.

        A few ends at a time are asked about with a small budget, in evaluation order, so that of the first ones the
        solver need not know what comes later. Where that does not do, some small numbers are tried, and they are asked
        about in two halves, so that a hard one does not hide an easy one. What stays open is asked about again, one by
        one, with a larger budget.
        """
        budget, together = FIRST_EFFORT, max(1, len(ends)) if self._is_small else _TOGETHER
        left = tuple(ends)
        while left:
            found = self._round(left, _groups(left, together), budget)
            if found.model is not None:
                return replace(found.model, end=self._terms.any_of(found.ends))
            if found.stop is not None or (found.hard and budget >= self._effort):
                return Unknown(self._loop.why())
            left = found.hard
            together = together if self._is_small and budget == FIRST_EFFORT else 1
            budget = min(budget * _MORE_EFFORT, max(self._effort, budget + 1))
        return None

    def _round(self, left: Sequence[Term], groups: Sequence[Sequence[Term]], budget: int) -> _Found:
        """What becomes of ``groups``, which are all that is ``left``, with so many conflicts for each question."""
        found: list[_Found] = []
        for place, group in enumerate(groups):
            rest = groups[place:]
            if self._is_slow and len(rest) >= self._loop.jobs:
                return _joined([*found, self._in_parts(left, rest, budget)])
            found.append(self._decided(left, group, budget))
            if found[-1].ended:
                break
        return _joined(found)

    @property
    def _is_slow(self) -> bool:
        return self._loop.jobs > 1 and time.monotonic() - self._begin > _WORTH_JOBS

    def _in_parts(self, left: Sequence[Term], groups: Sequence[Sequence[Term]], budget: int) -> _Found:
        """The same of ``groups``, from several processes until one of them has a model.

        They take turns, as neighbours cost alike. What the copies learn about the formula is lost, but not what they
        refute.
        """
        jobs = self._loop.jobs
        ended = Flag()

        def decide(part: int) -> _Found:
            before = self._loop.statistics
            found: list[_Found] = []
            for group in groups[part::jobs]:
                if ended:
                    break
                found.append(self._decided(left, group, budget))
                if found[-1].ended:
                    ended.set()
            here = _joined(found)
            return replace(here, asked=self._loop.statistics.since(before)) if is_copy() else here

        found, stop = in_parts(decide, jobs, Clock.unlimited())
        self._loop.stopped = self._loop.stopped or stop
        for part in found[1:]:
            self._note(part.refuted)
            if part.asked is not None:
                self._loop.count(part.asked)
        self._sample = None
        return replace(_joined(found), stop=stop)

    def _decided(self, left: Sequence[Term], group: Sequence[Term], budget: int) -> _Found:
        """What becomes of one group."""
        refuted: list[Term] = []
        hard: list[Term] = []
        # What the time ends in all rounds but the last one of a small program would hide an easy end behind a hard one.
        splits = not (self._is_small and budget < self._effort)
        share = _LAST_SHARE if len(left) == 1 and not self._also else self._share
        model: Model | None = None
        stop: Stop | None = None
        ends: Sequence[Term] = ()
        stack = [group]
        while stack and model is None and stop is None:
            ends = stack.pop()
            end = self._terms.any_of(ends)
            answer = self._loop.ask((end, *self._also), share, budget)
            if answer is Answer.SAT:
                model = self._read(end)
            elif answer is Answer.UNSAT:
                refuted += ends
                self._note(ends)
            elif self._loop.time_is_up():
                stop = self._loop.stopped
            elif (model := self._sampled(left)) is not None:
                ends = left
            elif len(ends) == 1 or not splits:
                hard += ends
            else:
                half = len(ends) // 2
                stack += [ends[half:], ends[:half]]
        return _Found(
            model=model,
            ends=tuple(ends),
            refuted=tuple(refuted),
            hard=tuple(hard),
            stop=stop,
        )

    def _sampled(self, left: Sequence[Term]) -> Model | None:
        """A model among small numbers, which are tried once."""
        sample, self._sample = self._sample, None
        return None if sample is None else sample((self._terms.any_of(left), *self._also))

    def _note(self, refuted: Sequence[Term]) -> None:
        """These have no model."""
        self.refuted += refuted
        if not self._also:
            self._loop.exclude(self._terms, refuted)


def _joined(parts: Iterable[_Found]) -> _Found:
    """What became of several groups: the first model counts."""
    known = list(parts)
    first = next((part for part in known if part.model is not None), None)
    return _Found(
        model=first and first.model,
        ends=first.ends if first else (),
        refuted=tuple(chain.from_iterable(part.refuted for part in known)),
        hard=tuple(chain.from_iterable(part.hard for part in known)),
        stop=next((part.stop for part in known if part.stop is not None), None),
    )


def _groups(ends: Sequence[Term], together: int) -> list[Sequence[Term]]:
    """``ends`` in groups of so many, or more where they would be too many groups."""
    size = max(together, len(ends) // _MOST_GROUPS)
    return [ends[begin : begin + size] for begin in range(0, len(ends), size)]
