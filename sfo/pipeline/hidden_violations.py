"""Violations that hide others: an execution ends at the first property that it violates.

    x = a + b;      /* overflow.1 */          --property assertion.1: each execution that would violate the assertion
    assert(x > a);  /* assertion.1 */         violates overflow.1 before, and ends there

With ``--property`` only some properties are looked at. That no execution violates these says nothing about what comes
behind a violation of the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from cfrontend.encoded_program import EncodedProgram
from cfrontend.units import Property
from sfo.core.decode_model import decode_model_failing_condition
from sfo.core.result import Result, result_of_unknown_verdict
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import SolverAnswer
from sfo.solvers.ask import solver_to_ask


def result_with_hidden_violations(
    result: Result, encoded: EncodedProgram, left_out: Sequence[Property], solver: str, deadline: float | None
) -> Result:
    """A safe ``result``; *unknown* where an execution may end where it violates what is ``left_out``.

    ``encoded`` is the program within its bound, ``deadline`` a time of ``time.monotonic``.
    """
    why = _why_hidden(encoded, left_out, SolverQueryLoop(solver_to_ask(solver, encoded.terms), deadline))
    if why is None:
        return result
    looked_at = {one.property.id for one in result.properties} - {item.id for item in left_out}
    return result_of_unknown_verdict(result, why, looked_at)


def _why_hidden(encoded: EncodedProgram, left_out: Sequence[Property], loop: SolverQueryLoop) -> str | None:
    """Why executions may not come to what is looked at; None where none violates what is ``left_out``."""
    for item in left_out:
        answer = loop.ask((decode_model_failing_condition(encoded, {item.id}),))
        if answer is SolverAnswer.SAT:
            return (
                f"executions end where they violate {item.id} at {item.location}, which is not asked about; behind "
                "that nothing is known (add it to --property, or leave its check out of --check)"
            )
        if answer is SolverAnswer.UNKNOWN:
            return f"whether executions end where they violate {item.id}, which is not asked about, is not decided"
    return None
