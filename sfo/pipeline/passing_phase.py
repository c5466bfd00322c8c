"""Passing executions: any with new coverage, those near to failing ones, cut ones, or those of a larger bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle

from cfrontend.errors import InputError, ResourceError
from cfrontend.terms import FALSE
from sfo.core.budget import budget_effort_seconds
from sfo.core.executions import Execution
from sfo.core.halt import halt_reason_of
from sfo.core.policy import policy
from sfo.oracles.bounded import BoundedOracle
from sfo.pipeline.session import AnalysisSession
from sfo.test_generation.algorithm1 import (
    Algorithm1FailingExecutions,
    Algorithm1PassingExecutions,
    algorithm1_passing_executions,
)
from sfo.test_generation.bound_search import BoundSearch


def find_passing(
    session: AnalysisSession,
    oracle: BoundedOracle,
    failing: Algorithm1FailingExecutions,
    known: Sequence[Execution],
) -> Algorithm1PassingExecutions:
    """Passing executions with new coverage: nearest to each failing one in turn, where that can be told."""
    attempts = session.options.passing
    if session.observed_units.granularity != "auto":
        return algorithm1_passing_executions(oracle.passing, attempts, known)
    turns = cycle(execution.seen for execution in failing.executions)
    return algorithm1_passing_executions(
        lambda unlike: oracle.passing_near(unlike, next(turns)), attempts, known
    )


def with_passing_to_bound(
    session: AnalysisSession,
    oracle: BoundedOracle,
    passing: Algorithm1PassingExecutions,
    known: Sequence[Execution],
) -> Algorithm1PassingExecutions:
    """``passing`` with executions that violate nothing up to the bound, which cuts them, as many as are left."""
    if session.program.reference is not None:  # some are cut because they cannot be compared
        return passing
    left = session.options.passing - len(passing.executions)
    ending = (*known, *passing.executions)
    cut = algorithm1_passing_executions(oracle.passing_to_bound, left, ending)
    return replace(passing, executions=(*passing.executions, *cut.executions))


def widened_search(session: AnalysisSession, search: BoundSearch) -> BoundSearch:
    """``search`` where an execution passes: in a larger bound, where none does within its own and some are longer.

    As it is where the user chose the bound, and where the larger ones that are tried do not help.
    """
    oracle, bound = search.oracle, search.bound
    formula = oracle.formula
    if session.options.unwind is not None or bound.unwind is None or formula is None:
        return search
    if formula.cut == FALSE or oracle.passes() is not False:
        return search
    begin = budget_effort_seconds()
    for unwind in (bound.unwind + more for more in policy().bound.wider):
        # It is worth no more than it took to find what fails.
        is_over = budget_effort_seconds() - begin > session.stages.effort.get("bound", 0.0)
        if is_over or session.loop.must_stop() or unwind > session.options.max_unwind:
            break
        session.progress(f"passing executions within unwind {unwind}")
        wider = replace(bound, unwind=unwind)
        try:
            within = oracle.within(session.encode(wider))
        except (InputError, ResourceError):
            break
        except KeyboardInterrupt as error:
            session.loop.stop(halt_reason_of(error))
            break
        passes = within and within.passes()
        if within is not None and passes:
            return replace(search, oracle=within, bound=wider)
        if passes is None:
            break
    return search
