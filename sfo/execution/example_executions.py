"""Execution of an example: the program reads its text, and its output is held against what is expected.

execute_example(program, Example("1.in", b"3 4", b"7"), 1, b"7")   ->   passes, or fails where the output differs
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final, final

from cfrontend.encode_options import EncodeSuppliedValues
from cfrontend.encoded_program import EXAMPLE, EncodedProgram
from cfrontend.errors import UsageError
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.terms import Terms
from cfrontend.terms.evaluate import evaluate_terms
from sfo.core.decode_model import decode_model_execution, terms_to_decode_model
from sfo.core.executions import ENDLESS, Execution
from sfo.core.interpret import interpret
from sfo.core.policy import policy
from sfo.execution.examples import Example
from sfo.execution.standard_input import StandardInput
from sfo.execution.test_import import TextTestCase, supply_of_test_case
from sfo.solvers.ask import Model

_FILLINGS: Final = (0, 0x5A)
"""The bytes of memory that nobody has written, in each of the surroundings in which an example is executed."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleExecution:
    """Executed example: ``rounds`` are those of its loops, ``surroundings`` those in which it ended so."""

    execution: Execution
    rounds: Mapping[str, int]
    surroundings: int = 0


def execute_example(
    program: Program,
    example: Example,
    number: int,
    expected: bytes | None,
    *,
    surroundings: int = 0,
    iterations: int | None = None,
    settings: Mapping[str, int | None] = MappingProxyType({}),
    terms: Terms | None = None,
) -> ExampleExecution:
    """Execute the program on an example. ``expected`` None: whatever it prints.

    Where it is only right with one content of memory that nobody has written, it fails, with the other one.
    After so many ``iterations`` of a loop (None: those of the policy) it does not terminate. ``settings`` are
    the switches of a meta-program. With the same ``terms`` as before the compiled functions serve again.

    Raises UsageError for a failure that comes and goes with what is around the program: the clock, the environment.
    """
    most = policy().given_tests.iterations if iterations is None else iterations
    supply = supply_of_test_case(TextTestCase(name=example.name, data=example.data), program)
    assert isinstance(supply, StandardInput)
    supply.surroundings = surroundings
    supply.memory = _FILLINGS[surroundings]
    encoded = interpret(
        program,
        EncodeSuppliedValues(supply),
        most,
        unwind=most,
        terms=terms,
        expected=expected,
        ignores_space=example.ignores_space,
        settings=settings,
    )
    if encoded.concrete.missing_input is not None:
        raise UsageError(f"{example.name}: nothing gives {encoded.concrete.missing_input.name} a value")
    values = evaluate_terms(encoded.terms, terms_to_decode_model(encoded), {})
    execution = _decoded(encoded, values, example, number)
    if execution.outcome is None:
        raise UsageError(f"{example.name}: the execution {execution.ended}")
    found = ExampleExecution(
        execution=execution, rounds=dict(encoded.unrolled.unwindset), surroundings=surroundings
    )
    fails = execution.outcome == "fail"
    if expected is None or surroundings or not (supply.unwritten or (fails and supply.asked_around)):
        return found
    elsewhere = partial(
        execute_example, surroundings=1, iterations=iterations, settings=settings, terms=terms
    )
    other = elsewhere(program, example, number, expected)
    if supply.unwritten is not None and other.execution.outcome != execution.outcome:
        return found if fails else other
    shown, again = ((r.ended, r.covered, r.output) for r in (execution, other.execution))
    if fails and supply.asked_around and shown != again:
        raise UsageError(f"{example.name}: what it prints depends on the time, the environment or commands")
    return found


def _decoded(encoded: EncodedProgram, values: Model, example: Example, number: int) -> Execution:
    """The execution of an example, which fails where it is endless."""
    execution = replace(
        decode_model_execution(encoded, values, number),
        test=example.name,
        test_text=example.data,
        example=example.expected,
        ignores_space=example.ignores_space,
    )
    if execution.outcome is None and values[encoded.cut]:
        return replace(execution, outcome="fail", property=EXAMPLE, ended=ENDLESS)
    return execution
