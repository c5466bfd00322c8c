"""Non-termination beside a reference: executions that go on where their reference has ended.

    while (n) n ^= n - 1;      beside the reference      while (n) n &= n - 1;

However far such an execution is followed, it leaves the bound. Here it is a failure instead. On
small numbers, an execution is looked for that goes on for some rounds more than a reference which ends within a small
bound. It is then followed on its inputs alone, for so many rounds that it counts as one that does not terminate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeSuppliedValues, GivenInputs
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError
from cfrontend.program import Program
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import ENDLESS, Execution
from sfo.core.interpret import inputs_of_execution, interpret
from sfo.core.policy import policy
from sfo.oracles.bmc import BmcOracle
from sfo.test_generation.bound_search import BoundSearch


def search_nontermination(
    program: Program,
    unwindset: Mapping[str, int],
    oracle_for: Callable[[Bound], BmcOracle],
    deadline: float | None,
) -> BoundSearch | None:
    """Search for an execution that does not terminate where its reference does; None where none was found.

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
