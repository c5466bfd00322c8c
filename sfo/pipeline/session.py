"""One analysis of a program: what its stages share, and what is known so far."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias, final

from cfrontend.bound import Bound
from cfrontend.effort import SECOND
from cfrontend.encode_options import EncodeCancellation
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.program import Program, encode_program, load_c_program
from cfrontend.terms import Terms
from cfrontend.units import Granularity, Property, UnitId
from sfo.core.budget import BudgetedWork, budget_effort_seconds, deadline_of_time_limit
from sfo.core.executions import Execution, ExecutionNativeCheck
from sfo.core.granularity import OF_STATEMENTS, ObservedUnits
from sfo.core.halt import halt_reason_of
from sfo.core.policy import policy
from sfo.core.result import ResultStatistics
from sfo.execution.given_tests import execute_given_tests
from sfo.execution.slices import ExecutionSlices
from sfo.execution.test_import import ExecutedImportedTests
from sfo.oracles.query_loop import QueryLoop, SolverQueryLoop
from sfo.pipeline.comparison import incomparable_properties
from sfo.pipeline.crash_place import crash_place_of_options
from sfo.pipeline.diagnostics import diagnostic_of_stop, disagreement_diagnostic, not_replayed_diagnostic
from sfo.pipeline.options import PipelineOptions
from sfo.solvers.ask import solver_to_ask
from sfo.test_generation.bound_search import BoundSearch

if TYPE_CHECKING:
    from sfo.execution.native import NativeExecutionReplayer
    from sfo.oracles.cbmc.asking import CbmcAskingSession

Progress: TypeAlias = Callable[[str], None]
"""Told in a few words what happens now."""


def no_session_progress(_message: str) -> None:
    """No progress."""


@final
class SessionStatistics:
    """Seconds, effort and solver calls of each stage, as they happen."""

    def __init__(self, calls: Callable[[], int]) -> None:
        self.begin: Final = time.monotonic()
        self.seconds: Final[dict[str, float]] = {}
        self.effort: Final[dict[str, float]] = {}
        """Seconds of effort."""
        self.calls: Final[dict[str, int]] = {}
        self._count = calls

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Charge what happens inside to ``name``."""
        start, calls, spent = time.monotonic(), self._count(), budget_effort_seconds()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - start
            self.effort[name] = self.effort.get(name, 0.0) + budget_effort_seconds() - spent
            self.calls[name] = self.calls.get(name, 0) + self._count() - calls


@final
class AnalysisSession:
    """What the stages of one command share: the program, one store of terms, one solver, the clock.

    ``deadline`` is when all searches have to end, a time of ``time.monotonic``. ``search`` is the search for a bound
    that has ended with a failing execution, ``failing`` the failing executions that are known by now, whatever ends the
    work. ``reachable`` are units that executions may come to within some bound.
    """

    def __init__(self, paths: Sequence[str], options: PipelineOptions, progress: Progress) -> None:
        self.options = options
        self.deadline: Final = deadline_of_time_limit(options.timeout)
        self._tell, self._doing = progress, ""
        self.terms = Terms()
        self.cbmc = _cbmc_session(options, self.deadline)
        self.solver_loop: SolverQueryLoop | None = None
        if self.cbmc is None:
            self.solver_loop = SolverQueryLoop(solver_to_ask(options.solver, self.terms), self.deadline)
            self.solver_loop.hear_left = self._hear_left
        loop = self.cbmc or self.solver_loop
        assert loop is not None
        self.loop: QueryLoop = loop
        self._loops = [self.loop]
        self._ran: ExecutedImportedTests | None = None
        self.search: BoundSearch | None = None
        self.failing: list[Execution] = []
        self.reachable: set[UnitId] = set()
        self.stages = SessionStatistics(lambda: sum(loop.solver.statistics.calls for loop in self._loops))
        self.progress("loading")
        # Mutants are held against the program as against a reference, on the same inputs.
        by_mutants = options.suite is not None and options.suite.goal == "mutants"
        self.program: Program = load_c_program(paths, replace(options.program, counts_each=by_mutants))
        self.crash: Final = crash_place_of_options(self.program, options, self.deadline)
        wanted = tuple(self.crash.properties) if self.crash else options.properties
        self.chosen = _chosen(self.program.properties, wanted) - incomparable_properties(self.program)
        _must_be_loops(self.program, options.unwindset)
        with nullcontext() if options.slicing == "none" else self.stages.stage("slice"):
            self.slices = ExecutionSlices(self.program, options.slicing, self.chosen, self.deadline)
        self.observed_units: Final = ObservedUnits(self.slices.program, _granularity(options))

    def progress(self, message: str) -> None:
        """Tell what is done from now on."""
        self._doing = message
        self._tell(message)

    def _hear_left(self, left: int) -> None:
        """Tell how many ends the search at work has still to decide."""
        is_counted = isinstance(self._doing, BudgetedWork) or not left
        self._tell(
            self._doing if is_counted else f"{self._doing}: {left} place{'' if left == 1 else 's'} left"
        )

    def another_loop(self) -> tuple[Terms, SolverQueryLoop]:
        """A store of terms and a solver for questions that would be in the way of the others; its calls count."""
        terms = Terms()
        loop = SolverQueryLoop(solver_to_ask(self.options.solver, terms), self.loop.deadline)
        self._loops.append(loop)
        return terms, loop

    def go_on_with(self, search: BoundSearch) -> None:
        """Ask all further questions through the loop of ``search``, about its formula."""
        loop, formula = search.oracle.solver_loop, search.oracle.formula
        if loop is not None and formula is not None:
            self.terms, self.solver_loop, self.loop = formula.terms, loop, loop

    def note_failing(self, search: BoundSearch) -> None:
        """Remember what ``search`` has found, for where a limit or Ctrl-C ends the work before there is a result."""
        if isinstance(search.first, Execution):
            self.search, self.failing = search, [search.first]

    def within(self, part: float | None) -> AbstractContextManager[None]:
        """While questions are asked inside: they have a part of the time that is left, None all of it."""
        return nullcontext() if self.solver_loop is None or part is None else self.solver_loop.within(part)

    def effort_for_executions(self) -> float:
        """The effort of a search for executions: the search for a bound, Algorithm 1, or the passing ones."""
        size = self.program.goto.own_size
        seconds = policy().bound.seconds + policy().bound.seconds_of_instruction * size
        return self.options.effort * seconds * SECOND

    def limiting_effort(self) -> AbstractContextManager[None]:
        """While further executions are looked for: the effort of their questions, where no time limit is given."""
        if self.solver_loop is None or self.options.timeout is not None:
            return nullcontext()
        return self.solver_loop.limited(self.effort_for_executions())

    @contextmanager
    def replayer(self) -> Iterator[NativeExecutionReplayer | None]:
        """Where executions are replayed, if that is wanted; compiling begins at once."""
        if not self.options.replay or self.options.native == "off":
            yield None
            return
        from sfo.execution.native import NativeExecutionReplayer

        edits = self.options.rank == "full"
        with NativeExecutionReplayer(self.program, self.options.native, edits=edits) as replayer:
            yield replayer

    def replay(
        self, replayer: NativeExecutionReplayer | None, executions: Sequence[Execution]
    ) -> tuple[tuple[ExecutionNativeCheck, ...] | None, tuple[str, ...]]:
        """The native check of each execution, and what is to be said of them."""
        if replayer is None:
            return None, not_replayed_diagnostic(self.options)
        self.progress("native executions")
        try:
            with self.stages.stage("replay"):
                compared = replayer.compare(self.slices.whole([e for e in executions if not e.is_cut]))
        except (InputError, ResourceError) as error:
            return None, (f"nothing was replayed: {error}",)
        except KeyboardInterrupt as error:
            return None, (f"nothing was replayed: {diagnostic_of_stop(halt_reason_of(error))}",)
        found = iter(compared)
        beyond = "it goes on beyond the bound"
        checks = tuple(
            ExecutionNativeCheck(execution=e.id, status="impossible", problems=(beyond,))
            if e.is_cut
            else next(found)
            for e in executions
        )
        return checks, tuple(
            disagreement_diagnostic(check) for check in checks if check.status == "disagrees"
        )

    def encode(
        self, bound: Bound, terms: Terms | None = None, cancel: EncodeCancellation | None = None
    ) -> EncodedProgram:
        """What is sliced of the program within ``bound``, as long as ``cancel`` does not say otherwise.

        It is made of ``terms`` (None: those of the session).
        """
        with self.stages.stage("encode"):
            encoded = encode_program(
                self.slices.program,
                bound,
                terms=self.terms if terms is None else terms,
                deadline=self.loop.deadline,
                cancel=cancel,
                mattering=self.slices.mattering,
                goals=self.observed_units.goals,
            )
        self.reachable |= encoded.coverage.keys()
        return self.observed_units.observing(encoded)

    def tests(self) -> ExecutedImportedTests:
        """The executions of the existing tests, which are made once."""
        if self._ran is None:
            self._ran = self._executed_tests()
        return self._ran

    def _executed_tests(self) -> ExecutedImportedTests:
        if not self.options.tests:
            return ExecutedImportedTests(executions=())
        with self.stages.stage("tests"):
            ran = execute_given_tests(
                self.program,
                self.options.tests,
                self.chosen,
                native=self.options.native,
                deadline=self.loop.deadline,
                progress=self.progress,
                lenient=self.options.suite is not None and self.options.suite.update is not None,
            )
            cut: list[Execution] = []
            try:
                observed, deadline = self.observed_units, self.deadline
                cut += (observed.of_execution(self.slices.of(one), deadline) for one in ran.executions)
            except KeyboardInterrupt as error:
                return replace(ran, executions=tuple(cut), stop=halt_reason_of(error))
            except ResourceError:
                return replace(ran, executions=tuple(cut), stop="timeout")
            return replace(ran, executions=tuple(cut))

    def statistics(self) -> ResultStatistics:
        """Calls and seconds so far."""
        totals = [loop.solver.statistics for loop in self._loops]
        seconds = {
            "total": time.monotonic() - self.stages.begin,
            **self.program.seconds,
            **self.stages.seconds,
            "translate": sum(one.translate for one in totals),
            "solve": sum(one.seconds for one in totals),
        }
        return ResultStatistics(
            solver=self.loop.solver.name,
            calls=sum(one.calls for one in totals),
            seconds=seconds,
            stage_calls=self.stages.calls,
        )


def session_without_disagreements(
    executions: Sequence[Execution], checks: Sequence[ExecutionNativeCheck] | None
) -> tuple[Execution, ...]:
    """``executions``, those without an outcome whose native execution was another one."""
    wrong = {check.execution for check in checks or () if check.status == "disagrees"}
    return tuple(
        replace(e, outcome=None, property=None, ended=f"{e.ended}, not so natively") if e.id in wrong else e
        for e in executions
    )


def _cbmc_session(options: PipelineOptions, deadline: float | None) -> CbmcAskingSession | None:
    """The CBMC that answers, if that is chosen. Raises UsageError when there is none that fits."""
    if options.backend == "sfo":
        return None
    if options.slicing == "dynamic":
        raise UsageError("--backend cbmc cannot follow what matters: --slice dynamic needs --backend sfo")
    if options.program.reference:
        raise UsageError("--backend cbmc cannot compare with a --reference: use --backend sfo")
    from sfo.oracles.cbmc.asking import CbmcAskingSession
    from sfo.oracles.cbmc.process import DATA_MODELS, find_cbmc_for_process

    cbmc = replace(find_cbmc_for_process(), options=DATA_MODELS[options.program.preprocess.model.name])
    return CbmcAskingSession(cbmc, "process" if options.backend == "cbmc-each" else "encode-once", deadline)


def _granularity(options: PipelineOptions) -> Granularity:
    """What counts as a unit; raises UsageError where executions cannot be told apart by that."""
    is_of_given = bool(options.tests) or options.suite is not None or not options.passing
    if options.units in OF_STATEMENTS or (options.units == "auto" and is_of_given):
        return options.program.granularity
    why = "--backend cbmc" if options.backend != "sfo" else ""
    why = "--slice dynamic" if options.slicing == "dynamic" else why
    if options.units == "guard" and (options.tests or options.suite is not None):
        why = "executions that are not within one bound, as those of tests and suites"
    if options.units == "auto":
        return options.program.granularity if why else "auto"
    if why:
        other = "branch" if options.units == "guard" and not why.startswith("--") else "statement"
        raise UsageError(f"--units {options.units} cannot be used with {why}: give --units {other}")
    return options.units


def _chosen(properties: Sequence[Property], wanted: Sequence[str]) -> frozenset[str]:
    """Ids of the properties that make up phi; raises UsageError for a name that is none."""
    known = frozenset(item.id for item in properties)
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise UsageError(f"no property {unknown[0]!r} in this program: `sfo show --properties` lists them")
    return frozenset(wanted) or known


def _must_be_loops(program: Program, names: Collection[str]) -> None:
    """Raises UsageError for a name in an unwindset that is no loop and no function of the program."""
    if not names:
        return
    known = {name for function in program.goto.functions.values() for name, _, _ in function.loops()}
    unknown = [name for name in names if name not in known and name not in program.goto.functions]
    if unknown:
        raise UsageError(
            f"no loop {unknown[0]!r} in this program (there are: {', '.join(sorted(known)) or 'none'})"
        )
