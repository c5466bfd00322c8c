"""Running existing tests: one concrete execution of ours for each."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import final

from cfrontend.bound import larger_bounds
from cfrontend.encode_options import EncodeSuppliedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import ResourceError, UsageError
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.terms.evaluate import evaluate_terms
from sfo.core.decode_model import (
    decode_model_execution,
    decode_only_execution,
    decode_printed_bytes,
    terms_to_decode_model,
)
from sfo.core.executions import Execution
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.interpret import interpret
from sfo.core.policy import policy
from sfo.execution.test_import.cases import (
    Case,
    TextTestCase,
    missing_test_case_value,
    supply_of_test_case,
    unread_test_case_values,
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutedImportedTests:
    """The executions of tests, in order; ``stop`` says why there are not more.

    ``unwindset`` is the bound, loop by loop, that all of them need. ``unfit`` are the names of tests that do not fit
    the program, with the reason. ``fuzzed`` is how many fuzzed examples were executed natively beside them.
    """

    executions: tuple[Execution, ...]
    stop: Stop | None = None
    unwindset: Mapping[str, int] = field(default_factory=dict)
    unfit: Mapping[str, str] = field(default_factory=dict)
    fuzzed: int = 0

    @property
    def failing(self) -> tuple[Execution, ...]:
        """Those that fail."""
        return tuple(one for one in self.executions if one.outcome == "fail")

    @property
    def passing(self) -> tuple[Execution, ...]:
        """Those that pass."""
        return tuple(one for one in self.executions if one.outcome == "pass")


@final
@dataclass(frozen=True, slots=True)
class PrintedOutput:
    """Output of an execution and of its reference, as bytes, and its exit status.

    None for a program without a reference, and for an execution that does not end by itself.
    """

    printed: bytes
    expected: bytes | None
    status: int | None = None


def execute_imported_tests(
    program: Program,
    cases: Sequence[Case],
    properties: Collection[str] | None = None,
    *,
    deadline: float | None = None,
    progress: Callable[[str], None] = lambda _message: None,
    lenient: bool = False,
) -> ExecutedImportedTests:
    """The execution of each of ``cases``, numbered from 1; only a violation of one of ``properties`` is a failure.

    Raises UsageError for a test that does not fit the program; where that is ``lenient``, such tests are left out.
    """
    executions: list[Execution] = []
    unwindset: dict[str, int] = {}
    unfit: dict[str, str] = {}
    stop: Stop | None = None
    for number, case in enumerate(cases, start=1):
        progress(f"existing tests: {number} of {len(cases)}")
        try:
            execution, needed = execute_imported_test(program, case, number, properties, deadline)
        except KeyboardInterrupt as error:
            stop = halt_reason_of(error)
            break
        except ResourceError as error:
            if lenient and (deadline is None or time.monotonic() < deadline):
                unfit[case.name] = str(error)
                continue
            if deadline is None:
                raise
            stop = "timeout"
            break
        except UsageError as error:
            if not lenient:
                raise
            unfit[case.name] = error.message
            continue
        executions.append(execution)
        unwindset = larger_bounds(unwindset, needed)
    return ExecutedImportedTests(executions=tuple(executions), stop=stop, unwindset=unwindset, unfit=unfit)


def execute_imported_test(
    program: Program,
    case: Case,
    number: int,
    properties: Collection[str] | None = None,
    deadline: float | None = None,
) -> tuple[Execution, Mapping[str, int]]:
    """The execution of one test, and the bound that it needs, loop by loop."""
    encoded = _encoded(program, case, deadline)
    execution = decode_only_execution(encoded, number, properties)
    text = case.data if isinstance(case, TextTestCase) else None
    return replace(execution, test=case.name, test_text=text), encoded.unrolled.unwindset


def _encoded(program: Program, case: Case, deadline: float | None) -> EncodedProgram:
    """The program on the inputs of a test. Raises UsageError where they do not fit."""
    supply = supply_of_test_case(case, program)
    encoded = interpret(
        program,
        EncodeSuppliedValues(supply),
        _most_iterations(program, case),
        patience=None if program.reference is None else 1,
        deadline=deadline,
        ends=True,
    )
    if encoded.concrete.missing_input is not None:
        raise missing_test_case_value(case, encoded.concrete.missing_input)
    left = unread_test_case_values(supply)
    if left is not None:
        raise left
    return encoded


def _most_iterations(program: Program, case: Case) -> int:
    """Iterations of a loop after which the execution of a test is given up, or taken not to terminate."""
    executions = policy().executions
    if program.reference is None:
        return executions.iterations
    if program.tree.reads_text and isinstance(case, TextTestCase):
        return min(
            executions.iterations_beside_reference, max(executions.iterations_on_text, 10 * len(case.data))
        )
    return executions.iterations_beside_reference


def execute_imported_text(program: Program, data: bytes, execution: Execution) -> PrintedOutput | None:
    """Printed output of the program on the text ``data``; None where the execution is not ``execution``.

    Raises UsageError for text that the program cannot be given, ResourceError for an execution that does not end.
    """
    encoded = _encoded(program, TextTestCase(name="text", data=data), None)
    values = evaluate_terms(encoded.terms, terms_to_decode_model(encoded), {})
    run = decode_model_execution(encoded, values, execution.id)
    same = (
        run.outcome == execution.outcome
        and run.property == execution.property
        and run.covered == execution.covered
        and run.inputs == execution.inputs
    )
    if not same:
        return None
    printed, expected = (
        decode_printed_bytes(encoded.terms, outputs, values)
        for outputs in (encoded.outputs, encoded.comparison.expected)
    )
    return PrintedOutput(printed, None if program.reference is None else expected, encoded.concrete.status)
