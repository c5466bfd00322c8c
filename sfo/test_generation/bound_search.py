"""Search for the smallest bound within which an execution fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import final

from cfrontend.bound import Bound
from cfrontend.errors import ResourceError, UnsupportedError, UsageError
from cfrontend.record import dataclass
from sfo.core.executions import Execution
from sfo.core.halt import halt_reason_of
from sfo.core.policy import policy
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

    A violation that is hard to decide does not keep the search from larger bounds; it is decided when nothing
    else is left. Raises KeyboardInterrupt, ResourceError for the time limit, or UnsupportedError, when not even
    the first bound could be encoded.
    """
    last: BoundSearch | None = None
    refused: str | None = None
    waiting = iter(candidates)
    bound = next(waiting, None)
    is_patient = False
    while bound is not None:
        if last is not None and last.oracle.loop.must_stop():
            return replace(last, first=UnknownOracleAnswer(last.oracle.loop.why()))
        try:
            oracle = oracle_for(bound)
        except KeyboardInterrupt as error:
            if last is None:
                raise
            return replace(last, first=UnknownOracleAnswer(halt_reason_of(error)))
        except ResourceError:
            if last is None or not last.oracle.loop.must_stop():
                raise
            return replace(last, first=UnknownOracleAnswer(last.oracle.loop.why()))
        except UnsupportedError as error:
            if last is None:
                raise
            refused = str(error)
            break
        last = _within(bound, oracle, last)
        if isinstance(last.first, Execution) or last.complete:
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
    last = _decided(last)
    if refused is not None and last.first is None:
        last = replace(last, first=UnknownOracleAnswer("unsupported"), refused=refused)
    return last


def _decided(last: BoundSearch) -> BoundSearch:
    """The search, its last bound decided without a limited effort where it was not with one."""
    if not isinstance(last.first, UnknownOracleAnswer) or last.oracle.loop.must_stop():
        return last
    smaller = tuple(unwind for unwind in last.skipped if unwind != last.bound.unwind)
    first = last.oracle.failing()
    return replace(
        last, first=first, skipped=smaller, refuted=last.bound.unwind if first is None else last.refuted
    )


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
