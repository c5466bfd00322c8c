"""Search for the smallest bound within which an execution fails."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import final

from cfrontend import effort
from cfrontend.bound import Bound
from cfrontend.effort import SECOND
from cfrontend.encode_options import EncodeSuppliedValues, GivenInputs
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError, UnsupportedError, UsageError
from cfrontend.program import Program
from cfrontend.record import dataclass
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import ENDLESS, Execution
from sfo.core.halt import halt_reason_of
from sfo.core.interpret import inputs_of_execution, interpret
from sfo.core.policy import policy
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.bounded import BoundedOracle
from sfo.oracles.protocol import Found, UnknownOracleAnswer


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BoundSearch:
    """Result of the search for the smallest failing bound.

    ``first`` is a failing execution within ``bound``, None when there is none. ``complete``: no execution leaves the
    bound (None: not decided). ``refuted`` is the largest unwinding up to which it is known that there is no failing
    execution. ``skipped`` are smaller unwindings than that of ``bound`` which were left undecided because a failing
    execution was easier to find in a larger one. ``refused`` is what the program comes to within the next bound, where
    that is not supported.
    """

    bound: Bound
    oracle: BoundedOracle
    first: Found
    complete: bool | None = None
    refuted: int | None = None
    skipped: tuple[int, ...] = ()
    refused: str | None = None


def run_bound_search(
    candidates: Iterable[Bound],
    oracle_for: Callable[[Bound], BoundedOracle],
    beyond: Callable[[], BoundSearch | None] = lambda: None,
) -> BoundSearch:
    """The first of ``candidates`` (growing, at least one) that has a failing execution or that none exceeds.

    What leaves the bound elsewhere than in loops and recursions does so in larger ones, too, which are not tried then.
    Where only loops do that need no solver, they go on longer, once.

    Where nothing is found within some of them and executions are longer, ``beyond`` is asked, once, for a search of
    another kind.

    A violation that is hard to decide does not keep the search from larger bounds. Beside these, the smallest bound
    that is not decided has a part of the effort; the last one has most of what is left when there is no larger one.
    Raises KeyboardInterrupt, ResourceError for the time limit, or UnsupportedError, when not even the first bound could
    be encoded.
    """
    last: BoundSearch | None = None
    refused: str | None = None
    waiting = iter(candidates)
    bound = next(waiting, None)
    undecided = _UndecidedBounds()
    is_patient = False
    while bound is not None:
        if last is not None and last.oracle.loop.must_stop():
            return replace(last, first=UnknownOracleAnswer(last.oracle.loop.why()))
        try:
            oracle = oracle_for(bound)
        except (KeyboardInterrupt, ResourceError) as error:
            return _stopped(last, error)
        except UnsupportedError as error:
            if last is None:
                raise
            refused = str(error)
            break
        last = undecided.noted(_within(bound, oracle, last))
        if not (isinstance(last.first, Execution) or last.complete):
            last = undecided.decided_beside(last)
        if isinstance(last.first, Execution) or last.complete or last.oracle.is_exhausted():
            break
        is_time = bound.unwind == policy().bound.before_beyond and not last.oracle.loop.must_stop()
        if is_time and (found := beyond()) is not None:
            return found
        if last.oracle.grows:
            bound = next(waiting, None)
        elif last.oracle.tires and not is_patient:
            is_patient = True
            bound = replace(bound, free_limit=policy().bound.patience * bound.free_limit)
        else:
            break
    if last is None:
        raise UsageError("no bound to search: the largest unwinding must be at least 1")
    last = undecided.decided_at_last(last)
    if refused is not None and last.first is None:
        last = replace(last, first=UnknownOracleAnswer("unsupported"), refused=refused)
    return last


def _stopped(last: BoundSearch | None, error: KeyboardInterrupt | ResourceError) -> BoundSearch:
    """The search up to ``last``, stopped while the next bound was encoded; raises ``error`` where nothing is known."""
    if last is None:
        raise error
    loop = last.oracle.loop
    if isinstance(error, KeyboardInterrupt):
        return replace(last, first=UnknownOracleAnswer(halt_reason_of(error)))
    if not loop.must_stop():
        raise error
    return replace(last, first=UnknownOracleAnswer(loop.why()))


@final
class _UndecidedBounds:
    """The bounds that limited effort did not decide, the smallest first, and the effort that they have had since.

    No execution fails within a bound that is smaller than a refuted one, so each is decided only once.
    """

    def __init__(self) -> None:
        self._waiting: list[BoundSearch] = []
        self._begin = 0
        self._spent = 0
        self._least = 0.0

    def noted(self, search: BoundSearch) -> BoundSearch:
        """Remember ``search`` where it is not decided, or that all smaller ones are where it is refuted."""
        if search.first is None:
            self._waiting.clear()
        elif not isinstance(search.first, Execution) and search.oracle.solver_loop is not None:
            if not self._waiting:
                self._begin, self._spent = effort.spent_effort(), 0
                self._least = policy().bound.deciding_seconds * SECOND
            self._waiting.append(search)
        return search

    def decided_beside(self, last: BoundSearch) -> BoundSearch:
        """``last``, or a failing search within a smaller bound, after these have had their part of the effort.

        What was cut is tried again when there is twice as much.
        """
        while self._waiting and not last.oracle.loop.must_stop():
            larger = effort.spent_effort() - self._begin - self._spent
            share = policy().bound.deciding_part * larger - self._spent
            if share < self._least:
                break
            before, count = effort.spent_effort(), len(self._waiting)
            last = self._decided(last, share)
            self._spent += effort.spent_effort() - before
            if isinstance(last.first, Execution):
                break
            is_cut = len(self._waiting) == count
            self._least = 2 * share if is_cut else policy().bound.deciding_seconds * SECOND
        return last

    def decided_at_last(self, last: BoundSearch) -> BoundSearch:
        """``last``, decided without a limit on single questions where it was not with one; else smaller bounds are."""
        loop = last.oracle.loop
        if not isinstance(last.first, UnknownOracleAnswer) or loop.must_stop():
            return last
        smaller = [search for search in self._waiting if search.bound != last.bound]
        left, solver_loop = effort.effort_left(), last.oracle.solver_loop
        if not smaller or solver_loop is None:
            return _decided(last, last.oracle.failing())
        part = policy().bound.last_part
        with solver_loop.within(part), solver_loop.limited(math.inf if left is None else part * left):
            last = _decided(last, last.oracle.failing())
        self._waiting = smaller
        while self._waiting and isinstance(last.first, UnknownOracleAnswer) and not loop.must_stop():
            count = len(self._waiting)
            last = self._decided(last, math.inf)
            if len(self._waiting) == count:
                break
        return last

    def _decided(self, last: BoundSearch, share: float) -> BoundSearch:
        """``last`` with what is known once the smallest undecided bound has had so much effort."""
        smallest = self._waiting[0]
        loop = smallest.oracle.solver_loop
        assert loop is not None
        with loop.limited(share):
            first = smallest.oracle.failing()
        if isinstance(first, Execution):
            return replace(smallest, first=first, refuted=last.refuted, skipped=())
        if first is not None:
            return last
        del self._waiting[0]
        decided = smallest.bound.unwind
        skipped = tuple(unwind for unwind in last.skipped if decided is not None and unwind > decided)
        if smallest.bound == last.bound:
            last = replace(last, first=None)
        return replace(last, refuted=decided, skipped=skipped)


def _decided(last: BoundSearch, first: Found) -> BoundSearch:
    """The search whose last bound was asked about without a limit on single questions."""
    if isinstance(first, UnknownOracleAnswer):
        return replace(last, first=first)
    smaller = tuple(unwind for unwind in last.skipped if unwind != last.bound.unwind)
    if first is None:
        return replace(last, first=None, skipped=(), refuted=last.bound.unwind)
    return replace(last, first=first, skipped=smaller)


def _within(bound: Bound, oracle: BoundedOracle, before: BoundSearch | None) -> BoundSearch:
    """Search within one bound with limited effort, after the search up to ``before``."""
    first = oracle.failing(effort=policy().questions.first_effort)
    skipped = () if before is None else before.skipped
    refuted = None if before is None else before.refuted
    if isinstance(first, Execution):
        return BoundSearch(bound=bound, oracle=oracle, first=first, refuted=refuted, skipped=skipped)
    if first is None:
        refuted, skipped = bound.unwind, ()
    elif bound.unwind is not None:
        skipped += (bound.unwind,)
    return BoundSearch(
        bound=bound, oracle=oracle, first=first, complete=oracle.complete(), refuted=refuted, skipped=skipped
    )


# -- beyond the end of a reference -----------------------------------------------------------------------------


def search_nontermination(
    program: Program,
    unwindset: Mapping[str, int],
    oracle_for: Callable[[Bound], BmcOracle],
    deadline: float | None,
) -> BoundSearch | None:
    """Search for an execution that does not terminate where its reference does; None where none was found.

        while (n) n ^= n - 1;      beside the reference      while (n) n &= n - 1;

    However far such an execution is followed, it leaves the bound. Here it is a failure instead. On small numbers, an
    execution is looked for that goes on for some rounds more than a reference which ends within a small bound. It is
    then followed on its inputs alone, for so many rounds that it counts as one that does not terminate.

    ``oracle_for`` raises ResourceError where a bound takes too long. Where an execution ends in another way than that
    of the reference, the bounds that come next show it.
    """
    assert program.reference is not None
    for unwind, patience in policy().nontermination.bounds:
        bound = Bound(
            unwind=unwind,
            unwindset=unwindset,
            free=True,
            free_limit=policy().nontermination.rounds_before(reads_text=program.tree.reads_text),
            patience=patience,
        )
        try:
            oracle = oracle_for(bound)
            first = oracle.violating({program.reference.end}, effort=policy().questions.first_effort)
            if isinstance(first, Execution) and first.ended != ENDLESS:
                return None
            if isinstance(first, Execution) and is_nontermination(program, first, deadline):
                return BoundSearch(bound=bound, oracle=oracle, first=first)
        except (InputError, ResourceError):
            return None
    return None


def is_nontermination(program: Program, execution: Execution, deadline: float | None) -> bool:
    """True if an execution goes on for as long as one that does not terminate, or fails in another way.

    Raises ResourceError past the deadline.
    """
    if execution.ended != ENDLESS:
        return execution.outcome == "fail"
    rounds = policy().nontermination.rounds_before(reads_text=program.tree.reads_text)
    encoded = _interpreted(program, inputs_of_execution(execution), rounds, deadline)
    if encoded.concrete.missing_input is not None:
        # The end of the input stands behind its own, for fewer rounds, as reading takes its time.
        waiting = iter(execution.vector)
        reading = EncodeSuppliedValues(lambda site: next(waiting, site.at_end))
        encoded = _interpreted(program, reading, policy().nontermination.reading_rounds, deadline)
    if encoded.concrete.missing_input is not None:
        return False
    return decode_only_execution(encoded, execution.id).ended == ENDLESS


def _interpreted(
    program: Program, inputs: GivenInputs, rounds: int, deadline: float | None
) -> EncodedProgram:
    activations = policy().nontermination.activations
    return interpret(program, inputs, rounds, unwind=activations, patience=1, deadline=deadline)
