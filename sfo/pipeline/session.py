"""One analysis of a program: what its stages share, and the result so far."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from itertools import cycle
from typing import TYPE_CHECKING, Final, TypeAlias, final

from cfrontend.bound import Bound
from cfrontend.effort import SECOND
from cfrontend.encode_options import EncodeCancellation, EncodeFixedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.program import Program, encode_program, load_c_program
from cfrontend.terms import FALSE, Terms
from cfrontend.units import Granularity, InputNumber, Property, UnitId
from sfo.core.budget import budget_effort_seconds, deadline_of_time_limit
from sfo.core.dataset import Dataset
from sfo.core.executions import ENDLESS, Execution, ExecutionNativeCheck
from sfo.core.granularity import OF_STATEMENTS, ObservedUnits
from sfo.core.halt import halt_reason_of
from sfo.core.policy import policy
from sfo.core.result import (
    PropertyStatus,
    Result,
    ResultBound,
    ResultOfProperty,
    ResultStatistics,
    Verdict,
)
from sfo.execution.given_tests import execute_given_tests
from sfo.execution.slices import ExecutionSlices
from sfo.execution.test_import import ExecutedImportedTests
from sfo.execution.traces import result_with_violations_and_traces, trace_nearness, trace_with_unread_inputs
from sfo.oracles.bounded import BoundedOracle
from sfo.oracles.query_loop import QueryLoop, SolverQueryLoop
from sfo.pipeline.assumptions import bound_of_program
from sfo.pipeline.comparison import incomparable_properties, with_comparison
from sfo.pipeline.crash_place import crash_place_of_options
from sfo.pipeline.diagnostics import (
    diagnostic_of_stop,
    diagnostic_of_unknown_verdict,
    diagnostic_verdict,
    diagnostics_of_second_opinion,
    disagreement_diagnostic,
    exits_diagnostic,
    left_out_diagnostics,
    never_returns_diagnostic,
    not_replayed_diagnostic,
    result_of_what_never_returns,
    stack_diagnostic,
    windows_formats_diagnostic,
)
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.phases import effort_as_measure
from sfo.pipeline.unbounded_numbers import with_hint_at_bounds
from sfo.solvers.ask import solver_to_ask
from sfo.spectra.measures import Measure
from sfo.test_generation.algorithm1 import (
    Algorithm1FailingExecutions,
    Algorithm1PassingExecutions,
    algorithm1_passing_executions,
)
from sfo.test_generation.bound_search import BoundSearch
from sfo.test_generation.nontermination import is_nontermination

if TYPE_CHECKING:
    from sfo.execution.native import NativeExecutionReplayer
    from sfo.oracles.cbmc.asking import CbmcAskingSession
    from sfo.pipeline.refinement import RefinementProblem

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
    """What the stages of one command share: the program, one store of terms, one solver, the clock."""

    def __init__(self, paths: Sequence[str], options: PipelineOptions, progress: Progress) -> None:
        deadline = deadline_of_time_limit(options.timeout)
        self.options = options
        self.deadline: Final = deadline
        """When all searches have to end, as a time of ``time.monotonic``."""
        self._tell, self._doing = progress, ""
        self.terms = Terms()
        self.cbmc = _cbmc_session(options, deadline)
        self.solver_loop: SolverQueryLoop | None = None
        if self.cbmc is None:
            solver = solver_to_ask(options.solver, self.terms)
            self.solver_loop = SolverQueryLoop(solver, deadline)
            self.solver_loop.hear_left = self._hear_left
        self.loop = self._loop()
        self._loops: list[QueryLoop] = [self.loop]
        self._ran: ExecutedImportedTests | None = None
        self.search: BoundSearch | None = None
        """The search for a bound that has ended with a failing execution."""
        self.failing: list[Execution] = []
        """The failing executions that are known by now, whatever ends the work."""
        self.reachable: set[UnitId] = set()  # units that executions may come to within some bound
        self.stages = SessionStatistics(lambda: sum(loop.solver.statistics.calls for loop in self._loops))
        self.progress("loading")
        # Mutants are held against the program as against a reference, on the same inputs.
        by_mutants = options.suite is not None and options.suite.goal == "mutants"
        self.program: Program = load_c_program(paths, replace(options.program, counts_each=by_mutants))
        crash = crash_place_of_options(self.program, options, deadline)
        self.crash: Final = crash
        wanted = tuple(crash.properties) if crash else options.properties
        self.chosen = _chosen(self.program.properties, wanted) - incomparable_properties(self.program)
        _must_be_loops(self.program, options.unwindset)
        with nullcontext() if options.slicing == "none" else self.stages.stage("slice"):
            self.slices = ExecutionSlices(self.program, options.slicing, self.chosen, deadline)
        self.observed_units: Final = ObservedUnits(self.slices.program, _granularity(options))

    def progress(self, message: str) -> None:
        """Tell what is done from now on."""
        self._doing = message
        self._tell(message)

    def _hear_left(self, left: int) -> None:
        """Tell how many ends the search at work has still to decide."""
        self._tell(f"{self._doing}: {left} place{'' if left == 1 else 's'} left" if left else self._doing)

    def _loop(self) -> QueryLoop:
        """Through which the questions go."""
        if self.cbmc is not None:
            return self.cbmc
        assert self.solver_loop is not None
        return self.solver_loop

    def another_loop(self) -> tuple[Terms, SolverQueryLoop]:
        """A store of terms and a solver for questions that would be in the way of the others; its calls count."""
        terms = Terms()
        loop = SolverQueryLoop(solver_to_ask(self.options.solver, terms), self.loop.deadline)
        self._loops.append(loop)
        return terms, loop

    def go_on_with(self, oracle: BoundedOracle) -> None:
        """Ask all further questions through the loop of ``oracle``, about its formula."""
        loop, formula = oracle.solver_loop, oracle.formula
        if loop is not None and formula is not None:
            self.terms, self.solver_loop, self.loop = formula.terms, loop, loop

    def note_failing(self, search: BoundSearch) -> None:
        """Remember what ``search`` has found, for where a limit or Ctrl-C ends the work before there is a result."""
        if isinstance(search.first, Execution):
            self.search, self.failing = search, [search.first]

    def leaving_time(self) -> AbstractContextManager[None]:
        """While executions are looked for: the ranking in full has some of the time that is left behind them."""
        if self.solver_loop is None or self.options.rank != "full":
            return nullcontext()
        return self.solver_loop.within(policy().bound.searched)

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

    def leaving_time_for_suite(self) -> AbstractContextManager[None]:
        """While failing executions are looked for: the rest of a suite has some of the time that there is."""
        if self.solver_loop is None or self.options.suite is None:
            return nullcontext()
        return self.solver_loop.within(policy().suites.failing)

    def complaints(self) -> tuple[str, ...]:
        """How often CBMC failed, and how."""
        failures = [] if self.cbmc is None else self.cbmc.failures
        counts = Counter(failures)
        return tuple(f"{said} ({count} times)" if count > 1 else said for said, count in counts.items())

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
        from sfo.execution.native import native_comparison_check as check_of

        found = iter(compared)
        beyond = "it goes on beyond the bound"
        checks = tuple(
            ExecutionNativeCheck(execution=e.id, status="impossible", problems=(beyond,))
            if e.is_cut
            else check_of(e.id, next(found))
            for e in executions
        )
        return checks, tuple(
            disagreement_diagnostic(check) for check in checks if check.status == "disagrees"
        )

    def passing(
        self, oracle: BoundedOracle, failing: Algorithm1FailingExecutions, known: Sequence[Execution]
    ) -> Algorithm1PassingExecutions:
        """Passing executions: any with new coverage, or those nearest to each failing one in turn."""
        strategy, attempts = self.options.passing_strategy, self.options.passing
        if strategy == "auto":
            strategy = "nearest" if self.observed_units.granularity == "auto" else "any"
        if strategy == "any":
            return algorithm1_passing_executions(oracle.passing, attempts, known)
        turns = cycle(execution.seen for execution in failing.executions)
        return algorithm1_passing_executions(
            lambda unlike: oracle.passing_near(unlike, next(turns)), attempts, known
        )

    def passing_to_bound(
        self, oracle: BoundedOracle, passing: Algorithm1PassingExecutions, known: Sequence[Execution]
    ) -> Algorithm1PassingExecutions:
        """``passing`` with executions that violate nothing up to the bound, which cuts them, as many as are left."""
        if self.program.reference is not None:  # some are cut because they cannot be compared
            return passing
        ending = (*known, *passing.executions)
        left = self.options.passing - len(passing.executions)
        cut = algorithm1_passing_executions(oracle.passing_to_bound, left, ending)
        return replace(passing, executions=(*passing.executions, *cut.executions))

    def widened(self, search: BoundSearch) -> BoundSearch:
        """``search`` where an execution passes: in a larger bound, where none does within its own and some are longer.

        As it is where the user chose the bound, and where the larger ones that are tried do not help.
        """
        oracle, bound = search.oracle, search.bound
        formula = oracle.formula
        if self.options.unwind is not None or bound.unwind is None or formula is None:
            return search
        if formula.cut == FALSE or oracle.passes() is not False:
            return search
        begin = budget_effort_seconds()
        for unwind in (bound.unwind + more for more in policy().bound.wider):
            # It is worth no more than it took to find what fails.
            is_over = budget_effort_seconds() - begin > self.stages.effort.get("bound", 0.0)
            if is_over or self.loop.must_stop() or unwind > self.options.max_unwind:
                break
            self.progress(f"passing executions within unwind {unwind}")
            wider = replace(bound, unwind=unwind)
            try:
                within = oracle.within(self.encode(wider))
            except (InputError, ResourceError):
                break
            except KeyboardInterrupt as error:
                self.loop.stop(halt_reason_of(error))
                break
            passes = within and within.passes()
            if within is not None and passes:
                return replace(search, oracle=within, bound=wider)
            if passes is None:
                break
        return search

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

    def encode_inputs(self, bound: Bound, inputs: Sequence[InputNumber]) -> EncodedProgram:
        """The execution of the whole program on ``inputs``, in a store of its own."""
        with self.stages.stage("encode"):
            return encode_program(
                self.program, bound, inputs=EncodeFixedValues(inputs), deadline=self.loop.deadline
            )

    def traced(self, result: Result) -> Result:
        """``result`` with its call stacks, and the steps of its first failing and passing executions."""
        entry, count = self.options.program.entry, self.options.traces
        if result.granularity != "statement":  # steps are those of statements
            count = 0
        return result_with_violations_and_traces(self.program, entry, result, count, self.loop.deadline)

    @property
    def test_ids(self) -> Mapping[str, int]:
        """Ids that existing tests have by their names: those of a suite that is updated."""
        return {} if self.options.suite is None else self.options.suite.ids

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

    def sharing(self, oracle: BoundedOracle) -> AbstractContextManager[None]:
        """Inside, another process refutes, too, that a failing execution covers less."""
        return oracle.sharing(self.options.jobs)

    def confirmed(self, executions: Sequence[Execution]) -> tuple[Execution, ...]:
        """``executions``, those without an outcome that only go on for somewhat longer than their reference."""
        return tuple(
            replace(e, outcome=None, property=None, ended="goes on for longer than its reference")
            if e.ended == ENDLESS and not is_nontermination(self.program, e, self.loop.deadline)
            else e
            for e in executions
        )

    def with_unread(self, executions: Sequence[Execution]) -> tuple[Execution, ...]:
        """``executions``, the failing ones with what only the reference has read."""
        return tuple(trace_with_unread_inputs(self.program, e, self.loop.deadline) for e in executions)

    def decide_completeness(self, search: BoundSearch) -> BoundSearch:
        """Whether some execution leaves the bound of a failing search."""
        if search.bound.patience is not None:
            return replace(search, complete=False)  # larger numbers were not looked at
        with self.stages.stage("bound"):
            return replace(search, complete=search.oracle.complete())

    def with_met_preconditions(self, result: Result, search: BoundSearch) -> Result:
        """``result``, which is not *safe* where no input meets the preconditions; UsageError where that is proved.

        So it may be where no execution returns, which is *unknown*.
        """
        if search.first is not None or search.refused or self.program.harness is None:
            return result
        from sfo.pipeline.preconditions import result_with_met_preconditions

        with self.stages.stage("preconditions"):
            return result_with_met_preconditions(
                result, self.program, search.bound, self.options.solver, self.loop.deadline
            )

    def with_hidden_violations(self, result: Result, search: BoundSearch) -> Result:
        """``result``, which is not *safe* where executions end before, at a property that is not looked at."""
        left_out = [item for item in self.program.properties if item.id not in self.chosen]
        if result.verdict != "safe" or not left_out:
            return result
        from sfo.pipeline.hidden_violations import result_with_hidden_violations

        with self.stages.stage("properties"):
            return result_with_hidden_violations(
                result, self.encode(search.bound), left_out, self.options.solver, self.loop.deadline
            )

    def double_checked(
        self,
        result: Result,
        search: BoundSearch,
        avoiding: Collection[UnitId] | None,
        properties: Collection[str] | None = None,
    ) -> Result:
        """``result`` with a second opinion on what was refuted last, if that is wanted.

        That is: no execution violates one of ``properties`` (None: of those chosen) and leaves out some unit of
        ``avoiding``.
        """
        nothing_refuted = result.verdict == "unknown" or (properties is not None and not properties)
        if not self.options.double_check or nothing_refuted:
            return result
        self.progress("a second opinion on the last refutation")
        with self.stages.stage("double check"):
            opinion = search.oracle.second_opinion(properties, avoiding, self.options.solver)
        result = replace(result, statistics=self.statistics())
        if opinion is None:
            return replace(result, notes=(*result.notes, search.oracle.lacks["second opinion"]))
        return diagnostics_of_second_opinion(result, opinion)

    def near(self, dataset: Dataset) -> frozenset[UnitId]:
        """Units near the crash that is asked about, which come before others where nothing else is known."""
        return self.crash.near(self.program, dataset) if self.crash is not None else frozenset()

    def problem(self, search: BoundSearch, dataset: Dataset, measure: Measure) -> RefinementProblem:
        """What is asked about after Algorithm 1."""
        from sfo.pipeline.refinement import RefinementProblem

        searched = sum(self.stages.effort.get(stage, 0.0) for stage in ("bound", "failing", "passing"))
        return RefinementProblem(
            program=self.program,
            dataset=dataset,
            measure=measure,
            oracle=search.oracle,
            bound=search.bound,
            properties=self.chosen,
            solver=self.options.solver,
            searched=effort_as_measure(searched, found="proofs" not in search.oracle.lacks),
            progress=self.progress,
            others=search.oracle.others,
            jobs=self.options.jobs,
            native=self.options.native,
            specifying=self.program.specifying - self.program.trusted_units,
            trusted=self.program.trusted_units,
            near=self.near(dataset),
            patient=self.options.patient,
            effort=self.options.effort,
        )

    def dataset(self, executions: tuple[Execution, ...]) -> Dataset:
        """The dataset of ``executions``, with what decides between units that are equally suspicious."""
        observed = self.observed_units
        dataset = Dataset(
            units=self.program.units,
            executions=executions,
            finer=observed.finer(executions),
            is_of_finer=not observed.ranks_statements,
            sides=observed.sides_in_words,
            stating=self.program.specifying | self.program.trusted_units,
        )
        if not dataset.failing:
            return dataset
        with self.stages.stage("order"):
            try:
                nearness = trace_nearness(self.program, dataset.failing, self.loop.deadline)
            except KeyboardInterrupt as error:
                self.loop.stop(halt_reason_of(error))
                return dataset
        return replace(dataset, nearness=nearness)

    def in_units(self, result: Result) -> Result:
        """The result about the units that are ranked, where these are not the program's statements."""
        observed = self.observed_units
        if observed.ranks_statements:
            return result
        executions = tuple(observed.of_execution(e, self.loop.deadline) for e in result.dataset.executions)
        dataset = observed.dataset(replace(result.dataset, executions=executions))
        kind = self.observed_units.granularity
        return replace(result, dataset=dataset, intersection=dataset.intersection, granularity=kind)

    def result(self, search: BoundSearch, executions: tuple[Execution, ...] = ()) -> Result:
        """What is known after ``search``, with the ``executions`` of the stages that came after it."""
        verdict, stop = diagnostic_verdict(search.first)
        dataset = Dataset(units=self.program.units, executions=executions)
        shown = never_returns_diagnostic(self.program, search)
        found = Result(
            verdict=verdict,
            reason=diagnostic_of_unknown_verdict(stop, search, self.options.effort) if stop else None,
            refuted=search.refuted,
            bound=self.bound_used(search.bound.unwind, search.oracle.unwindset, complete=search.complete),
            intersection=dataset.intersection,
            dataset=dataset,
            properties=self.statuses(
                "safe" if search.refused and search.refuted else verdict, executions, search.oracle
            ),
            statistics=self.statistics(),
            files=self.program.files,
            notes=(*self.premises(), *shown, *left_out_diagnostics(search), *stack_diagnostic(search)),
            stopped=stop,
            slice=self.slices.used,
        )
        found = result_of_what_never_returns(found, self.program) if shown else found
        found = with_hint_at_bounds(found, self.program)
        return with_comparison(found, self.program, search.oracle.left_out)

    def bound_used(
        self, unwind: int | None, unwindset: Mapping[str, int], *, complete: bool | None
    ) -> ResultBound:
        """What the result holds for, with the command line of a ``main`` that reads it."""
        return bound_of_program(self.program, unwind, unwindset, complete=complete)

    def premises(self) -> tuple[str, ...]:
        """What was taken for granted because nobody said otherwise, and tuning constants that somebody changed."""
        premises = [] if self.crash is None else [self.crash.note(self.options.program.entry)]
        if self.options.program.argv is None and self.program.reads_arguments:
            named, chosen = self.program.named_arguments or 1, self.program.options.argv
            advice = f" (--argv {named} has all that it names)" if named > 1 and chosen is None else ""
            alone = "" if chosen is None else " and gives up without any"
            premises.append(
                f"main reads its arguments{alone}: argc is {chosen or 1} unless --argv N is given{advice}"
            )
        if self.program.goto.assumed and not any(
            p.kind in ("assert", "reach") for p in self.program.properties
        ):
            premises.append("abort() ends executions that do not count, as the program has names of SV-COMP")
        if self.program.goto.failing_label is not None and any(
            p.kind == "reach" for p in self.program.properties
        ):
            premises.append(
                f"to reach the label {self.program.goto.failing_label} is a failure, as nothing else says what one is"
            )
        if self.program.goto.reads_finite_numbers:
            premises.append(
                "floating-point numbers that are read from a text are finite: nobody gives nan or inf"
            )
        premises += (*windows_formats_diagnostic(self.program), *exits_diagnostic(self.program))
        if self.program.harness is not None and self.program.harness.preconditions:
            clauses = "; ".join(clause.text for clause in self.program.harness.preconditions.values())
            premises.append(f"all inputs that were looked at meet the preconditions: {clauses}")
        if self.options.tuned:
            premises.append(
                f"tuning constants that are not the default ones: {', '.join(self.options.tuned)}"
            )
        return (*premises, *self.program.options.from_callers)

    def statuses(
        self, verdict: Verdict, executions: Sequence[Execution], oracle: BoundedOracle | None
    ) -> tuple[ResultOfProperty, ...]:
        """Each property: violated by one of ``executions``, safe as far as the oracle or the verdict says."""
        violated = {execution.property for execution in executions}

        def status(item: Property) -> PropertyStatus:
            if item.id in violated:
                return "violated"
            if oracle is not None and verdict == "unknown" and oracle.ends_unchecked:
                return "unknown"
            if oracle is not None and oracle.impossible(item.id):
                return "safe" if oracle.holds_elsewhere(item.id) else "unknown"
            return "safe" if verdict == "safe" and item.id in self.chosen else "unknown"

        return tuple(ResultOfProperty(property=item, status=status(item)) for item in self.program.properties)

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
    if options.backend != "cbmc":
        return None
    if options.slicing == "dynamic":
        raise UsageError("--backend cbmc cannot follow what matters: --slice dynamic needs --backend sfo")
    if options.double_check:
        raise UsageError("--double-check is for refutations by sfo itself: use --backend sfo")
    if options.program.reference:
        raise UsageError("--backend cbmc cannot compare with a --reference: use --backend sfo")
    if options.passing_strategy not in {"auto", "any"}:
        raise UsageError(
            "--backend cbmc finds any passing executions: --passing-strategy needs --backend sfo"
        )
    from sfo.oracles.cbmc.asking import CbmcAskingSession
    from sfo.oracles.cbmc.process import DATA_MODELS, find_cbmc_for_process

    cbmc = replace(find_cbmc_for_process(), options=DATA_MODELS[options.program.preprocess.model.name])
    return CbmcAskingSession(cbmc, options.cbmc_mode, deadline)


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
