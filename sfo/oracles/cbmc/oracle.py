"""Executions from CBMC's answers. What CBMC says of one is replayed before it is believed.

    CBMC: violates main.assertion.1, draws 3, -1   ->   encode(program, drawn=(3, -1))   ->   Execution(...)

The replay gives the input vector in the order of reading, the coverage and the output. An execution that ends in
another way there is a disagreement about the semantics of C, and an error.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import ClassVar, final

from cfrontend.bound import Bound
from cfrontend.cbmc.c_code import c_code_function_name
from cfrontend.cbmc.instrumentation import OWN_LIMITS, instrument_for_cbmc
from cfrontend.cbmc.questions import (
    FailingQuestion,
    LongerQuestion,
    PassingQuestion,
    Question,
    UnmodelledQuestion,
)
from cfrontend.cbmc.refusals import reachable_refusals
from cfrontend.encode_options import EncodeDrawnValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, InternalError, UnsupportedError
from cfrontend.program import Program, encode_program
from cfrontend.terms import Terms
from cfrontend.units import UnitId
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import Execution
from sfo.core.interpret import interpret
from sfo.core.policy import policy
from sfo.oracles import protocol as answers
from sfo.oracles.bounded import BoundedOracle
from sfo.oracles.cbmc.asking import (
    CbmcAsking,
    CbmcAskingByFormula,
    CbmcAskingSession,
    ask_cbmc,
)
from sfo.oracles.cbmc.process import CbmcExecution, CbmcProcessFailedError, CbmcProcessUnwinding
from sfo.oracles.protocol import UnknownOracleAnswer
from sfo.solvers import SolverAnswer


def cbmc_oracle_unwinding(bound: Bound) -> CbmcProcessUnwinding:
    """CBMC's unwinding limits for ``bound``, which has no free loops, with the names of the instrumented text."""
    limits = dict(OWN_LIMITS)
    for name, count in bound.unwindset.items():
        function, dot, number = name.rpartition(".")
        limits[f"{c_code_function_name(function)}.{number}" if dot else c_code_function_name(name)] = count
    return CbmcProcessUnwinding(limits=limits, others=bound.unwind)


def cbmc_oracle_bound(program: Program, bound: Bound, terms: Terms, deadline: float | None) -> Bound:
    """A bound for CBMC, which knows no free loops: those get the bound that ``cfrontend`` finds for them."""
    foreign = any(function.foreign and function.loops() for function in program.goto.functions.values())
    if not (bound.free or foreign):
        return bound
    encoded = encode_program(program, bound, terms=terms, deadline=deadline)
    limits = {**encoded.unrolled.library_unwindset, **bound.unwindset}
    if bound.free:
        limits = {**encoded.unrolled.unwindset, **encoded.unrolled.deepest, **limits}
    return Bound(unwind=bound.unwind, unwindset=limits)


@final
class CbmcOracle(BoundedOracle):
    """The oracle on CBMC, within one bound. ``properties`` are the ids that make up the specification."""

    loop: CbmcAskingSession
    lacks: ClassVar = {
        **BoundedOracle.lacks,
        "unreached units": "not decided with --backend cbmc: which units are reached by no execution",
    }

    def __init__(
        self,
        program: Program,
        bound: Bound,
        session: CbmcAskingSession,
        properties: Collection[str],
        terms: Terms,
    ) -> None:
        self.loop = session
        functions = program.goto.functions
        self.unwindset = {
            name: limit
            for name, limit in sorted(bound.unwindset.items())
            if not functions[name.rpartition(".")[0] or name].foreign
        }
        self._program = program
        self._terms = terms
        self._properties = frozenset(properties)
        self._unwinding = cbmc_oracle_unwinding(bound)
        self._draws_much = False
        self._asking = self._make_asking()
        self._kinds = {item.id: item.kind for item in program.properties}
        self._found = 0
        self._refuse_what_is_not_modelled()

    def failing(
        self,
        not_all_of: Collection[UnitId] | None = None,
        *,
        effort: int | None = None,  # noqa: ARG002 - CBMC cannot count effort
    ) -> answers.Found:
        """A failing execution that does not cover all of ``not_all_of``.

        CBMC ending without an answer raises CbmcFailedError in the first question; later it is UNKNOWN.
        """
        units = None if not_all_of is None else frozenset(not_all_of)
        if units is not None and not units:
            return None
        question = FailingQuestion(properties=self._properties, not_all_of=units)
        return self._answer(
            question,
            lambda execution, ends: (
                self._violates(execution, ends, self._properties)
                and (units is None or not units <= execution.covered)
            ),
            first=units is None,
        )

    def passing(self, unlike: Sequence[frozenset[UnitId]]) -> answers.Found:
        """A passing execution whose covered set is none of ``unlike``."""
        return self._answer(
            PassingQuestion(unlike=tuple(unlike)),
            lambda execution, _: execution.outcome == "pass" and execution.covered not in unlike,
        )

    def violating(self, properties: Collection[str]) -> answers.Found:
        """An execution that fails by violating one of ``properties``."""
        if not properties:
            return None
        question = FailingQuestion(properties=frozenset(properties))
        return self._answer(
            question, lambda execution, ends: self._violates(execution, ends, question.properties)
        )

    def complete(self) -> bool | None:
        """Is the bound beyond every execution? None: not decided."""
        try:
            reply = self._run(LongerQuestion())
        except CbmcProcessFailedError as error:
            self.loop.failures.append(str(error))
            return None
        match reply:
            case CbmcExecution():
                return False
            case SolverAnswer.UNSAT:
                return True
            case _:
                return None

    def _violates(self, execution: Execution, ends: str, properties: frozenset[str]) -> bool:
        """True if ``execution`` ends as CBMC says; of a violation inside a library it says the kind only."""
        return execution.property in properties and ends in (
            execution.property,
            self._kinds.get(execution.property or ""),
        )

    # -- asking ------------------------------------------------------------------------------------------------

    def _make_asking(self) -> CbmcAsking:
        if self.loop.mode == "process":
            return lambda question, seconds: ask_cbmc(
                self.loop, self._text, question, self._unwinding, seconds
            )
        return CbmcAskingByFormula(
            self.loop,
            self._text,
            self._unwinding,
            units=[unit.id for unit in self._program.units],
            properties=[item.id for item in self._program.properties],
        ).ask

    def _text(self, question: Question) -> str:
        program = self._program
        return instrument_for_cbmc(
            program.goto,
            program.start,
            program.options.arguments,
            question,
            draws_much=self._draws_much,
        )

    def _refuse_what_is_not_modelled(self) -> None:
        """Raises UnsupportedError or InputError where an execution can come to such a place."""
        refused = reachable_refusals(self._program.goto, self._program.start)
        if not refused:
            return
        reply = self._run(UnmodelledQuestion())
        if isinstance(reply, CbmcExecution):
            place = refused[int(reply.ends)]
            kind = UnsupportedError if place.unsupported else InputError
            raise kind(place.message, place.location)

    def _run(self, question: LongerQuestion | UnmodelledQuestion) -> CbmcExecution | SolverAnswer:
        if self.loop.must_stop():
            return SolverAnswer.UNKNOWN
        try:
            return ask_cbmc(self.loop, self._text, question, self._unwinding, self._seconds())
        except KeyboardInterrupt:
            self.loop.stop("interrupt")
            return SolverAnswer.UNKNOWN

    def _seconds(self) -> float | None:
        left = self.loop.time_left()
        return None if left is None else left * policy().questions.share

    def _answer(
        self,
        question: FailingQuestion | PassingQuestion,
        wanted: Callable[[Execution, str], bool],
        *,
        first: bool = False,
    ) -> answers.Found:
        if self.loop.must_stop():
            return UnknownOracleAnswer(self.loop.why())
        try:
            reply = self._asking(question, self._seconds())
            if isinstance(reply, CbmcExecution):
                execution = self._replayed(reply, wanted)
                if execution is not None:
                    return execution
                self._draws_much = True
                self._asking = self._make_asking()
                return self._answer(question, wanted, first=first)
        except KeyboardInterrupt:
            self.loop.stop("interrupt")
            return UnknownOracleAnswer("interrupt")
        except CbmcProcessFailedError as error:
            if first:
                raise
            self.loop.failures.append(str(error))
            return UnknownOracleAnswer("unknown")
        return None if reply is SolverAnswer.UNSAT else UnknownOracleAnswer(self.loop.why())

    # -- replaying ---------------------------------------------------------------------------------------------

    def _replayed(self, found: CbmcExecution, wanted: Callable[[Execution, str], bool]) -> Execution | None:
        """The execution that CBMC has found; None where it depends on values that it was not asked for yet."""
        encoded = interpret(
            self._program,
            EncodeDrawnValues(found.drawn, much=self._draws_much),
            Bound(unwind=None).free_limit,
            terms=self._terms,
            deadline=self.loop.deadline,
        )
        execution = None
        if encoded.concrete.missing_input is None:
            execution = decode_only_execution(encoded, self._found + 1, self._properties)
            if wanted(execution, found.ends):
                self._found += 1
                return execution
        if encoded.concrete.undrawn_input is not None and not self._draws_much:
            return None
        raise _disagreement(encoded, found, "reads one more input" if execution is None else execution.ended)


def _disagreement(
    encoded: EncodedProgram, found: CbmcExecution, ended: str
) -> UnsupportedError | InternalError:
    site = encoded.concrete.undrawn_input
    if site is not None:
        return UnsupportedError(
            f"with --backend cbmc, an execution that depends on {site.name}, which was never written, is not"
            " supported yet",
            site.location,
        )
    values = ", ".join(map(str, found.drawn)) or "none"
    return InternalError(
        f"CBMC and sfo disagree about one execution: CBMC has {found.ends}, sfo says it {ended}; drawn values: {values}"
    )
