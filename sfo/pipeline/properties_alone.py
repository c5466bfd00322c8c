"""Questions about single properties, where the question about all of them took the effort of the search.

    search.first is unknown: effort   ->   a failing execution after all, or the properties that no execution violates

A hard assertion hides how easily the others are decided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cfrontend.effort import SECOND
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.protocol import UnknownOracleAnswer
from sfo.pipeline.session import AnalysisSession
from sfo.test_generation.bound_search import BoundSearch


def properties_asked_alone(
    session: AnalysisSession, search: BoundSearch, progress: Callable[[str], None]
) -> BoundSearch:
    """The search, with an execution that violates a property if there is one; its oracle knows what none violates.

    Nothing is asked but where the effort of the search was spent, and where no property is left out: an execution that
    ends at such a one hides what it would violate behind it.
    """
    loop, first = session.solver_loop, search.first
    left_out = any(item.id not in session.chosen for item in session.program.properties)
    is_spent = isinstance(first, UnknownOracleAnswer) and first.stop == "effort"
    if loop is None or left_out or not is_spent or not isinstance(search.oracle, BmcOracle):
        return search
    asked = [item.id for item in session.program.properties if not search.oracle.impossible(item.id)]
    effort = session.options.effort * policy().bound.seconds_of_properties * SECOND
    with session.stages.stage("properties"), loop.limited(effort):
        for number, name in enumerate(asked):
            if len(asked) < 2 or loop.poll() is not None:
                break
            progress(f"properties: {len(asked) - number} alone")
            found = search.oracle.violating({name}, effort=policy().questions.first_effort)
            if isinstance(found, Execution):
                return replace(search, first=found)
    return search
