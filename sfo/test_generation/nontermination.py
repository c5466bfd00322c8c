"""Non-termination beside a reference: executions that go on where their reference has ended.

    while (n) n ^= n - 1;      beside the reference      while (n) n &= n - 1;

However far such an execution is followed, it leaves the bound. Here it is a failure instead. On
small numbers, an execution is looked for that goes on for some rounds more than a reference which ends within a small
bound. It is then followed on its inputs alone, for so many rounds that it counts as one that does not terminate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues, EncodeSuppliedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError
from cfrontend.program import Program, encode_program
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import ENDLESS, Execution
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
    bound = Bound(
        unwind=policy().nontermination.activations,
        free=True,
        free_limit=policy().nontermination.rounds_before(reads_text=program.tree.reads_text),
        patience=1,
    )
    inputs = EncodeFixedValues(execution.vector, reference=execution.reference_inputs)
    encoded = encode_program(program, bound, inputs=inputs, deadline=deadline)
    if encoded.concrete.missing_input is not None:
        encoded = _reading_on(program, execution, deadline)
    if encoded.concrete.missing_input is not None:
        return False
    return decode_only_execution(encoded, execution.id).ended == ENDLESS


def _reading_on(program: Program, execution: Execution, deadline: float | None) -> EncodedProgram:
    """The execution with the end of the input behind its own, for fewer rounds, as reading takes its time."""
    bound = Bound(
        unwind=policy().nontermination.activations,
        free=True,
        free_limit=policy().nontermination.reading_rounds,
        patience=1,
    )
    waiting = iter(execution.vector)
    return encode_program(
        program,
        bound,
        inputs=EncodeSuppliedValues(lambda site: next(waiting, site.at_end)),
        deadline=deadline,
    )
