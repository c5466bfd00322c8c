"""Interpreter: one execution of a program, on inputs that are given.

    interpret_execution(program, EncodeFixedValues((3, 1)))   ->   Execution(outcome="fail", covered={1, 3, 4}, ...)

It is the encoding of the program on these inputs, in which every condition folds.
"""

from __future__ import annotations

from typing import Unpack

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues, EncodeOptions, GivenInputs
from cfrontend.encoded_program import EncodedProgram
from cfrontend.program import Program, encode_program
from cfrontend.terms import Terms
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import Execution
from sfo.core.policy import policy


def inputs_of_execution(execution: Execution) -> EncodeFixedValues:
    """The inputs on which an execution is interpreted again."""
    return EncodeFixedValues(execution.vector, reference=execution.reference_inputs)


def interpret(
    program: Program,
    given: GivenInputs,
    rounds: int | None = None,
    *,
    unwind: int | None = None,
    patience: int | None = None,
    terms: Terms | None = None,
    **options: Unpack[EncodeOptions],
) -> EncodedProgram:
    """The program on ``given`` inputs, with at most so many ``rounds`` of a loop (None: those of the policy).

    ``unwind`` bounds recursion, ``patience`` is that of ``Bound``. With the same ``terms`` as before the compiled
    functions serve again. Raises what ``encode_program`` raises.
    """
    limit = policy().executions.iterations if rounds is None else rounds
    bound = Bound(unwind=unwind, free=True, free_limit=limit, patience=patience)
    options["inputs"] = given
    return encode_program(program, bound, terms=terms, **options)


def interpret_execution(
    program: Program,
    inputs: GivenInputs,
    rounds: int | None = None,
    *,
    number: int = 0,
    unwind: int | None = None,
    deadline: float | None = None,
) -> Execution | None:
    """The execution of ``program`` on ``inputs``; None where it reads more of them. Raises as ``interpret`` does."""
    encoded = interpret(program, inputs, rounds, unwind=unwind, deadline=deadline)
    if encoded.concrete.missing_input is not None:
        return None
    return decode_only_execution(encoded, number)
