"""The first phase of a command: the bound to work in and a first failing execution.

bounds that grow, each encoded and asked about   ->   BoundSearch(bound=unwind 3, first=Execution(...), ...)
beside it, where that takes long: fuzzing        ->   a failing execution, and the bound that it is within
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final, final

from cfrontend import effort
from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, MissingPropertyError, ResourceError, UnsupportedError, UsageError
from cfrontend.program import encode_program, load_c_program, program_without_reference
from cfrontend.record import dataclass
from cfrontend.syntax.types import ILP32, LP64
from cfrontend.terms import FALSE
from sfo.core.budget import BudgetClock, budget_effort_seconds
from sfo.core.executions import Execution
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.interpret import interpret_execution
from sfo.core.policy import policy
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.bounded import BoundedOracle
from sfo.oracles.protocol import UnknownOracleAnswer
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.pipeline.session import AnalysisSession
from sfo.test_generation.bound_search import BoundSearch, run_bound_search, search_nontermination
from sfo.test_generation.fuzzing import FuzzedExecutions
from sfo.test_generation.portfolio import Portfolio

if TYPE_CHECKING:
    from sfo.oracles.cbmc.asking import CbmcAskingSession

_SAID_CHECKS: Final = frozenset({"assert", "ensures", "reach"})
"""Checks of what somebody says is right. Where none is made, a program without a place to look at is safe."""


def run_bound_phase(session: AnalysisSession) -> BoundSearch:
    """The bound to work in and a first failing execution. Raises MissingPropertyError when nothing can fail."""
    checks = session.options.program.checks
    is_said = not checks or bool(checks & _SAID_CHECKS)
    if not session.program.properties and session.options.suite is None and is_said:
        session.encode(Bound(unwind=1))  # what is refused may be why there is none
        raise MissingPropertyError(
            "the program has no property to violate: no assertion, and no check that applies"
            + (", and abort() is none beside names of SV-COMP" if session.program.goto.assumed else "")
            + "; say what is right, as by --ensures '__sfo_result == 0' or --reference, or look for more: --check +overflow"
        )
    options = session.options
    # Inputs are tried where the bound and the formula are left to us.
    is_free = options.unwind is None and options.slicing == "none" and not options.solver_only
    is_free = is_free and session.solver_loop is not None and not options.unwindset
    trial = Portfolio(
        session.program,
        session.chosen,
        session.loop,
        options.jobs,
        options.native,
        is_wanted=is_free and bool(session.chosen),
        patience=options.patience,
    )
    phase = _BoundPhase(session=session, trial=trial, began=budget_effort_seconds())
    with session.stages.stage("bound"), session.within(options.searched):
        try:
            found = phase.found()
            tried = phase.tried(found)
        finally:
            trial.close()
    session.go_on_with(found)
    search = _compared(session, found) if tried is None else _of_tried(found, tried)
    session.note_failing(search)
    return search


_AT_ONCE: Final = frozenset[Stop | None]({"interrupt", "memory"})
"""What ends a search, and leaves no time to make more of what was tried."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _BoundPhase:
    """The search for a bound by the solver, with the fuzzing of ``trial`` beside it."""

    session: AnalysisSession
    trial: Portfolio
    began: float
    """The effort at which the search began."""

    def found(self) -> BoundSearch:
        """Search the bound by solver. Fuzzing goes on beside it and may end the search.

        The search is told of what fuzzing has found by then.
        """
        session = self.session
        found: BoundSearch | None = None
        try:
            with self._until_enough(), effort.within_effort(_effort_of_search(session)):
                # Where nothing can fail, a suite of passing executions is wanted, in bounds of its own.
                bounds = islice(session.options.bounds(), None if session.chosen else 1)
                found = run_bound_search(bounds, self._oracle_for, self._beyond)
        except KeyboardInterrupt as error:
            session.loop.stop(halt_reason_of(error))
            found = found or self._interrupted()
            if found is None:
                raise
        unknown = found.first if isinstance(found.first, UnknownOracleAnswer) else None
        if session.loop.stopped in _AT_ONCE or (unknown is not None and unknown.stop in _AT_ONCE):
            return found
        stopped = unknown is not None or "proofs" in found.oracle.lacks
        if not stopped or (news := self.trial.news()) is None:
            return found
        further = (b for b in session.options.bounds() if (b.unwind or 0) >= (found.bound.unwind or 0))
        # Whatever ends this, there is what was tried.
        try:
            if (told := self._told(found, news, self.trial.left)) is not None:
                return told
            with self._until_enough(), effort.within_effort(_effort_of_search(session)):
                return _joined(found, run_bound_search(further, self._oracle_for, self._beyond))
        except (ResourceError, UnsupportedError):
            pass
        except KeyboardInterrupt as error:
            session.loop.stop(halt_reason_of(error))
        return found

    def tried(self, found: BoundSearch) -> BoundedOracle | None:
        """Oracle of fuzzed executions where the search ended without a failing one; None where none is known."""
        if "proofs" in found.oracle.lacks:
            return found.oracle
        if found.first is None and not (found.complete or found.oracle.is_exhausted()):
            return self._tried_longer(policy().portfolio.at_last)
        if not isinstance(found.first, UnknownOracleAnswer):
            return None
        return self._tried_where_stopped(found.first.stop)

    def _tried_where_stopped(self, stop: Stop | None) -> BoundedOracle | None:
        """Oracle of fuzzed executions where the search had to stop; None where none is known."""
        if stop == "effort":
            self.session.progress("trying inputs")
            return self.trial.overdue()
        if stop == "unsupported":
            return self._tried_longer(policy().portfolio.instead)
        return self.trial.ready() if stop in {"timeout", "interrupt"} else self.trial.found()

    def _tried_longer(self, seconds: float) -> BoundedOracle | None:
        """Oracle of longer fuzzed executions, tried for so many ``seconds`` of effort; None where none fails."""
        self.session.progress("trying inputs of longer executions")
        return self.trial.last(seconds)

    def _interrupted(self) -> BoundSearch | None:
        """What was tried where the work is interrupted before anything else is known."""
        if (tried := self.trial.ready()) is None:
            return None
        return BoundSearch(bound=next(self.session.options.bounds()), oracle=tried, first=tried.failing())

    def _oracle_for(self, bound: Bound) -> BoundedOracle:
        session, trial = self.session, self.trial
        trial.step()
        if trial.poll() is not None and (tried := trial.found()) is not None:
            return tried
        session.progress(
            f"looking for a failing execution within unwind {bound.unwind} ({_last_bound(session)})"
        )
        return self._bmc_oracle(bound) if session.cbmc is None else _cbmc_oracle(session, session.cbmc, bound)

    def _bmc_oracle(self, bound: Bound) -> BoundedOracle:
        """Our own encoding and a solver; what fuzzing has found where it ends the encoding."""
        session = self.session
        assert session.solver_loop is not None
        try:
            encoded = session.encode(bound, cancel=self.trial.during_encoding())
        except ResourceError:
            stop = session.loop.poll()
            tried = self._tried_where_stopped(stop)
            if tried is None:
                raise
            if stop in {"effort", "tried"}:
                self.trial.news()  # no formula of a bound is told of them: that took too much effort just now
            return tried
        return self._oracle(encoded, session.solver_loop)

    def _beyond(self) -> BoundSearch | None:
        """A bound with an execution that goes on behind its reference, where that can be."""
        session = self.session
        reference = session.program.reference
        if reference is None or reference.end not in session.chosen:
            return None
        if session.solver_loop is None or session.options.unwind is not None:
            return None
        session.progress("looking for an execution that goes on where the reference has ended")
        # What is looked at there would be in the way of the larger bounds that may come.
        terms, loop = session.another_loop()
        clock = BudgetClock(max(policy().bound.nontermination_seconds, budget_effort_seconds() - self.began))

        def within(bound: Bound) -> BmcOracle:
            with clock.within():
                return self._oracle(session.encode(bound, terms), loop)

        return search_nontermination(
            session.program, session.options.unwindset, within, session.loop.deadline
        )

    def _told(self, search: BoundSearch, tried: FuzzedExecutions, seconds: float) -> BoundSearch | None:
        """A bound near that of ``search`` within which some of ``tried`` fail.

        None where its formula takes more than so many ``seconds`` of effort, or something in it is not supported.
        """
        session = self.session
        if session.solver_loop is None or search.bound.unwind is None:
            return None
        session.progress("failing executions are known: looking for the bound that they are within")
        clock = BudgetClock(seconds)
        for unwind in range(search.bound.unwind, search.bound.unwind + policy().bound.near + 1):
            bound = replace(search.bound, unwind=unwind)
            try:
                with clock.within():
                    encoded = _encoded_within(search, bound) or session.encode(bound)
            except (ResourceError, UnsupportedError):
                return None
            oracle = BmcOracle(encoded, session.solver_loop, session.chosen)
            if oracle.tell(tried.failing, tried.hints):
                skipped = tuple(range((search.refuted or 0) + 1, unwind))
                return BoundSearch(
                    bound=bound,
                    oracle=oracle,
                    first=oracle.failing(),
                    refuted=search.refuted,
                    skipped=skipped,
                )
        return None

    def _oracle(self, encoded: EncodedProgram, loop: SolverQueryLoop) -> BmcOracle:
        """The oracle for the chosen properties of ``encoded``."""
        session = self.session
        return BmcOracle(
            encoded, loop, session.chosen, solver_only=session.options.solver_only, whole=self._whole
        )

    def _whole(self, execution: Execution) -> Execution | None:
        """The program alone on the inputs of an execution beside its reference; None where it does not end."""
        session = self.session
        try:
            return interpret_execution(
                program_without_reference(session.program),
                EncodeFixedValues(execution.vector),
                Bound(unwind=None).free_limit,
                number=execution.id,
                unwind=policy().bound.activations,
                deadline=session.loop.deadline,
            )
        except (InputError, ResourceError):
            return None

    @contextmanager
    def _until_enough(self) -> Iterator[None]:
        """Let no question be asked inside once what was tried is enough."""
        loop = self.session.solver_loop
        if loop is None:
            yield
            return
        with loop.beside(self.trial):
            yield


def _cbmc_oracle(session: AnalysisSession, cbmc: CbmcAskingSession, bound: Bound) -> BoundedOracle:
    """CBMC."""
    from sfo.oracles.cbmc.oracle import CbmcOracle, cbmc_oracle_bound

    program = session.slices.program
    with session.stages.stage("encode"):
        theirs = cbmc_oracle_bound(program, bound, session.terms, cbmc.deadline)
    return CbmcOracle(program, theirs, cbmc, session.chosen, session.terms)


def _encoded_within(search: BoundSearch, bound: Bound) -> EncodedProgram | None:
    """The program within ``bound``, where the search has made the formula of that last; None elsewhere."""
    oracle = search.oracle
    return oracle.encoded if isinstance(oracle, BmcOracle) and bound == search.bound else None


def _effort_of_search(session: AnalysisSession) -> float:
    """The effort of the search for a bound; without limit where the user has said what ends it.

    It is less where a given test fails: what comes next has something to work on.
    """
    if session.options.unwind is not None or session.options.timeout is not None:
        return math.inf
    part = policy().bound.part_beside_tests if session.tests().failing else session.options.searched_effort
    return session.effort_for_executions() * part


def _of_tried(found: BoundSearch, tried: BoundedOracle) -> BoundSearch:
    """The search with the executions that fuzzing found, in the bound that they are within."""
    longest = max(tried.unwindset.values(), default=0) if found.first is None else 0
    unwind = max(longest, found.bound.unwind or 0)
    bound = replace(found.bound, unwind=unwind)
    return replace(found, bound=bound, oracle=tried, first=tried.failing(), complete=None)


def _joined(first: BoundSearch, second: BoundSearch) -> BoundSearch:
    """A search for a bound that went on where another one was stopped."""
    if second.refuted is not None:
        return second
    return replace(second, refuted=first.refuted, skipped=(*first.skipped, *second.skipped))


def _compared(session: AnalysisSession, search: BoundSearch) -> BoundSearch:
    """``search``, where nothing fails: not decided where executions were left out that could not be compared."""
    if isinstance(search.first, Execution):
        return _of_any_placement(session, search, search.first)
    gave_up = isinstance(search.first, UnknownOracleAnswer) and search.first.stop == "unknown"
    refused = search.oracle.not_compared if search.first is None or gave_up else None
    is_narrow = refused is None and search.first is None and search.oracle.reaches_no_property
    if is_narrow and _goes_on_in_32_bits(session, search) and search.oracle.unchecked is not None:
        kind, place = search.oracle.unchecked
        refused = (
            f"{place}: no execution comes to what is looked at, as they end where {kind} is not checked; they go on"
            " with --ilp32: is the program meant for pointers of 32 bits?"
        )
    if refused is None:
        return search
    if search.oracle.ends_unchecked and _goes_on_in_32_bits(session, search):
        refused += "; executions go on with --ilp32: is the program meant for pointers of 32 bits?"
    if gave_up:
        return replace(search, refused=refused)
    return replace(search, first=UnknownOracleAnswer("unsupported"), refused=refused, refuted=None)


def _goes_on_in_32_bits(session: AnalysisSession, search: BoundSearch) -> bool:
    """Whether executions go on with pointers of 32 bits where all end at a check of memory that is not made."""
    options = session.options.program
    if options.preprocess.model != LP64 or search.oracle.unchecked is None:
        return False
    narrow = replace(options, preprocess=replace(options.preprocess, model=ILP32))
    try:
        program = load_c_program(session.program.paths, narrow)
        encoded = encode_program(program, search.bound, deadline=session.loop.deadline)
    except (InputError, ResourceError, UsageError):
        return False
    kind, place = search.oracle.unchecked
    # Without headers for it, what is read here says lines only.
    return not any(
        condition != FALSE and (found, where.file, where.line) == (kind, place.file, place.line)
        for (found, where), condition in encoded.left_out.items()
    )


def _of_any_placement(session: AnalysisSession, search: BoundSearch, first: Execution) -> BoundSearch:
    """``search`` with an execution that fails wherever objects lie in memory, or natively; not decided without one."""
    oracle, found, properties = search.oracle, first, session.chosen
    while oracle.is_of_placement(found) and not _fails_natively(session, found):
        properties -= {found.property or ""}
        another = oracle.violating(properties) if properties else None
        if not isinstance(another, Execution):
            unknown = UnknownOracleAnswer("unsupported")
            return replace(search, first=unknown, refused=oracle.placement, refuted=None)
        found = another
    return replace(search, first=found)


def _fails_natively(session: AnalysisSession, execution: Execution) -> bool:
    """Whether the native execution on the inputs of a failing one fails so, too."""
    with session.replayer() as replayer:
        checks, _ = session.replay(replayer, (execution,))
    return checks is not None and checks[0].status == "agrees"


def _last_bound(session: AnalysisSession) -> str:
    """The largest bound of the search, in words."""
    options = session.options
    return "that one only" if options.unwind is not None else f"at most {options.max_unwind}"


def ask_properties_alone(session: AnalysisSession, search: BoundSearch) -> BoundSearch:
    """The search, with an execution that violates a property if there is one; its oracle knows what none violates.

    A hard assertion hides how easily the others are decided. Nothing is asked but where the effort of the search was
    spent, and where no property is left out: an execution that ends at such a one hides what it would violate behind
    it.
    """
    loop, first = session.solver_loop, search.first
    left_out = any(item.id not in session.chosen for item in session.program.properties)
    is_spent = isinstance(first, UnknownOracleAnswer) and first.stop == "effort"
    if loop is None or left_out or not is_spent or not isinstance(search.oracle, BmcOracle):
        return search
    asked = [item.id for item in session.program.properties if not search.oracle.impossible(item.id)]
    limit = session.options.effort * policy().bound.seconds_of_properties * effort.SECOND
    with session.stages.stage("properties"), loop.limited(limit):
        for number, name in enumerate(asked):
            if len(asked) < 2 or loop.poll() is not None:
                break
            session.progress(f"properties: {len(asked) - number} alone")
            found = search.oracle.violating({name}, effort=policy().questions.first_effort)
            if isinstance(found, Execution):
                return replace(search, first=found)
    return search


def decide_completeness(session: AnalysisSession, search: BoundSearch) -> BoundSearch:
    """Whether some execution leaves the bound of a failing search."""
    if search.bound.patience is not None:
        return replace(search, complete=False)  # larger numbers were not looked at
    with session.stages.stage("bound"):
        return replace(search, complete=search.oracle.complete())
