"""Pipeline of fault localisation: files in, one frozen result out.

    load -> bound search -> Algorithm 1 -> passing executions -> replay -> rank
         -> with ``rank="full"``: angelic filter -> repairs -> minimal diagnoses

A time limit, Ctrl-C or a solver that gives up ends a phase, not the command: what is known by then is in the result,
with ``stopped`` and ``reason`` saying what is missing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, final

from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import ResourceError
from cfrontend.record import dataclass
from cfrontend.terms import FALSE, Term
from cfrontend.units import UnitId
from sfo.core.dataset import Dataset, RankedDatasetUnit
from sfo.core.decode_model import decode_model_failing_condition
from sfo.core.executions import (
    ASSUMPTION_BROKEN,
    ENDLESS,
    Execution,
)
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.interruption import INTERRUPTION
from sfo.core.policy import policy
from sfo.core.repairs import DiagnosesFound, Repairs
from sfo.core.result import FailureGroup, Result, ResultBound
from sfo.core.savings import AngelicSavings
from sfo.execution.standard_input import StandardInputMisfitError
from sfo.execution.test_import import ExecutedImportedTests
from sfo.execution.test_import.cases import TextTestCase
from sfo.execution.traces import trace_with_unread_inputs
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.protocol import Found, UnknownOracleAnswer
from sfo.pipeline.bound_phase import ask_properties_alone, decide_completeness, run_bound_phase
from sfo.pipeline.changed_code import result_with_changed_code
from sfo.pipeline.diagnostics import (
    STOPPED_ON_FAIL,
    constructors_diagnostic,
    crash_not_met_diagnostic,
    cut_short_diagnostics,
    diagnostic_of_stop,
    diagnostics_of_search,
    diagnostics_on_dataset,
    left_out_diagnostics,
    only_fuzzed_diagnostic,
    other_properties_diagnostic,
    result_where_nothing_ends,
    says_nothing_diagnostic,
    specification_diagnostic,
)
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.passing_phase import find_passing, widened_search, with_passing_to_bound
from sfo.pipeline.phases import PipelinePhase, effort_as_measure, run_pipeline_phases
from sfo.pipeline.results import (
    bound_used,
    dataset_of_executions,
    premises,
    result_in_units,
    result_of_search,
    result_with_traces,
)
from sfo.pipeline.session import AnalysisSession, Progress, no_session_progress, session_without_disagreements
from sfo.pipeline.unreachable_code import result_with_unreachable_code
from sfo.pipeline.vacuous_verdicts import result_with_hidden_violations, result_with_met_preconditions
from sfo.spectra.measures import Measure, find_measure
from sfo.spectra.ranking import rank_units, repairs_by_rank
from sfo.test_generation.algorithm1 import (
    Algorithm1FailingExecutions,
    Algorithm1PassingExecutions,
    algorithm1_failing_executions,
    algorithm1_unproved,
)
from sfo.test_generation.bound_search import BoundSearch, is_nontermination
from sfo.test_generation.seed_tests import (
    describe_fuzzed_tests,
    executions_of_seed_tests,
    joined_seed_tests,
)
from sfo.test_generation.seed_tests import describe_seed_tests as said_of_tests

if TYPE_CHECKING:
    from sfo.execution.native import NativeExecutionReplayer
    from sfo.pipeline.refinement import RefinementProblem


def run_localize_pipeline(
    paths: Sequence[str],
    options: PipelineOptions,
    progress: Progress = no_session_progress,
    begun: Callable[[AnalysisSession], None] | None = None,
) -> Result:
    """Localise faults: failing executions until they are optimal, passing ones if asked for, and the ranking.

    ``begun`` is given the session when the program is loaded.
    """
    find_measure(options.measure)
    session = _session_of_tests(paths, options, progress)
    if begun is not None:
        begun(session)
    with session.replayer() as replayer:
        return _localized(session, replayer)


def _session_of_tests(paths: Sequence[str], options: PipelineOptions, progress: Progress) -> AnalysisSession:
    """The analysis of a program; of one beside a reference on text, where a test that is a text is to be followed.

        scanf("%d", &n); for (i = 0; i <= n; i++) scanf("%d", &a[i]);      test "2 5 7": a[2] is never stored

    Read as values, whatever a ``scanf`` asks for fits, and such a test says nothing.
    """
    session = AnalysisSession(paths, options, progress)
    if session.program.reference is None or not _needs_text(session):
        return session
    options = replace(options, program=replace(options.program, reads_text=True))
    if session.deadline is not None:
        options = replace(options, timeout=max(0.0, session.deadline - time.monotonic()))
    return AnalysisSession(paths, options, progress)


def _needs_text(session: AnalysisSession) -> bool:
    """True if a test that is a text ends, or does not fit, where values are read that always fit."""
    if session.program.tree.reads_text:
        return False
    texts = {case.name for case in session.options.tests if isinstance(case, TextTestCase)}
    if not texts:
        return False
    try:
        executions = session.tests().executions
    except StandardInputMisfitError:
        return True
    return session.program.tree.counts_scans and any(
        execution.test in texts and execution.ended == ASSUMPTION_BROKEN for execution in executions
    )


def _localized(session: AnalysisSession, replayer: NativeExecutionReplayer | None) -> Result:
    measure = find_measure(session.options.measure)
    return _or_known_failing(session, lambda: _localized_in_phases(session, replayer), measure)


def _or_known_failing(
    session: AnalysisSession, work: Callable[[], Result], measure: Measure | None = None
) -> Result:
    """What ``work`` finds, or what is known of failing executions where a limit or Ctrl-C ends it outside of a phase.

    With a ``measure`` they are ranked by coverage.
    """
    INTERRUPTION.know(lambda: _known_failing(session, "interrupt", measure))
    try:
        return work()
    except (KeyboardInterrupt, ResourceError) as error:
        if not (isinstance(error, KeyboardInterrupt) or session.loop.must_stop()):
            raise
        stop = halt_reason_of(error) if isinstance(error, KeyboardInterrupt) else session.loop.why()
        known = _known_failing(session, stop, measure)
        if known is None:
            raise
        return known


def _known_failing(session: AnalysisSession, stop: Stop, measure: Measure | None) -> Result | None:
    """What is known of failing executions where the work is stopped; None where nothing is."""
    # Whether one does not end was still to be confirmed.
    failing = algorithm1_unproved([one for one in session.failing if one.ended != ENDLESS])
    if session.search is None or not failing.executions:
        return None
    result = result_of_search(session, session.search, failing.executions)
    return replace(
        result if measure is None else _ranked_by_coverage(session, result, measure),
        optimal=False if measure is not None else None,
        undecided=failing.undecided if measure is not None else (),
        stopped=stop,
        reason=diagnostic_of_stop(stop, session.options.effort),
    )


def _ranked_by_coverage(session: AnalysisSession, result: Result, measure: Measure) -> Result:
    """``result`` with the ranking by coverage, before the executions are replayed."""
    ranking = _ranking(session, result.dataset, measure)
    return replace(result, measure=measure.name, rank="coverage", ranking=ranking)


def _ranking(session: AnalysisSession, dataset: Dataset, measure: Measure) -> tuple[RankedDatasetUnit, ...]:
    """The ranking by coverage."""
    last = session.options.no_suspects(session.program)
    return rank_units(dataset, measure, last=last, near=_near(session, dataset))


def _near(session: AnalysisSession, dataset: Dataset) -> frozenset[UnitId]:
    """Units near the crash that is asked about, which come before others where nothing else is known."""
    return session.crash.near(session.program, dataset) if session.crash is not None else frozenset()


def _localized_in_phases(session: AnalysisSession, replayer: NativeExecutionReplayer | None) -> Result:
    measure = find_measure(session.options.measure)
    tests = session.tests()
    search = run_bound_phase(session)
    if not executions_of_seed_tests(tests, search.first):
        search = ask_properties_alone(session, search)
    start = executions_of_seed_tests(tests, search.first)
    if not start:
        nothing = _nothing_found(session, search)
        return result_with_traces(session, replace(nothing, measure=measure.name, rank=session.options.rank))
    search = replace(search, first=start[0])
    session.search, session.failing = search, list(start)
    known = _Known(search=search, wide=search, tests=tests, failing=algorithm1_unproved(start))
    localisation = _Localisation(session=session, measure=measure, replayer=replayer, start=start)
    return result_with_traces(session, localisation.result(known))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """State of a localisation after some phases: ``failing`` executions in the bound of ``search``, and so on.

    ``passing`` ones are in the bound of ``wide``, which may be larger. ``result`` is the report on all executions,
    None until they are complete. ``problem`` and what stands behind it are of the full ranking.
    """

    search: BoundSearch
    wide: BoundSearch
    tests: ExecutedImportedTests
    failing: Algorithm1FailingExecutions = Algorithm1FailingExecutions(executions=())
    passing: Algorithm1PassingExecutions = Algorithm1PassingExecutions(executions=())
    result: Result | None = None
    problem: RefinementProblem | None = None
    angelic: AngelicSavings | None = None
    repairs: Repairs | None = None
    sets: DiagnosesFound | None = None
    groups: tuple[FailureGroup, ...] = ()
    stop: Stop | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Localisation:
    """The phases of one localisation, from its first failing executions ``start`` to the result."""

    session: AnalysisSession
    measure: Measure
    replayer: NativeExecutionReplayer | None
    start: Sequence[Execution]

    def result(self, known: _Known) -> Result:
        """Result of all phases, or of those that came to their end."""
        stage = self.session.stages.stage
        known, stop = run_pipeline_phases(self._executions(), known, stage, tell=self._tell)
        if len(known.failing.executions) < len(self.session.failing):
            known = replace(known, failing=algorithm1_unproved(self.session.failing))
        if known.result is None:
            return replace(
                self._by_coverage(known),
                stopped=stop,
                reason=stop and diagnostic_of_stop(stop, self.session.options.effort),
            )
        if known.problem is None:
            return self._stopped(known.result, stop)
        known, stop = run_pipeline_phases(
            self._refinement(), known, stage, ended=self._is_over, tell=self._tell
        )
        return self._stopped(self._in_full(known), stop or known.stop)

    def _stopped(self, result: Result, stop: Stop | None) -> Result:
        """A result with what ended the work early, if anything did."""
        stop = result.stopped or stop or self.session.loop.stopped
        return replace(
            result,
            stopped=stop,
            reason=result.reason or (stop and diagnostic_of_stop(stop, self.session.options.effort)),
        )

    # -- phases ----------------------------------------------------------------------------------------------

    def _executions(self) -> tuple[PipelinePhase[_Known], ...]:
        """The phases that look for executions and report on them."""
        return (
            PipelinePhase(name="failing", work=self._failing, budget=self._limited, told=True),
            PipelinePhase(
                name="passing",
                work=self._passing,
                budget=self._limited,
                wanted=lambda _: self.session.options.passing > 0,
                told=True,
            ),
            PipelinePhase(name="report", work=self._reported, charged=False),
            PipelinePhase(
                name="full",
                work=self._with_problem,
                wanted=lambda known: (
                    self.session.options.rank == "full" and bool(_report(known).dataset.failing)
                ),
                charged=False,
            ),
        )

    def _refinement(self) -> tuple[PipelinePhase[_Known], ...]:
        """The phases of the full ranking. What ends one leaves the ranking before it."""
        from sfo.pipeline import failure_groups, refinement

        def phase(name: str, work: Callable[[_Known], _Known]) -> PipelinePhase[_Known]:
            return PipelinePhase(name=name, work=work, told=True)

        def angelic(known: _Known) -> _Known:
            found = refinement.refine_by_savings(_problem(known))
            return replace(known, angelic=found, stop=found.stop)

        def repair(known: _Known) -> _Known:
            found = refinement.refine_by_verified_repairs(_problem(known), _savings(known))
            return replace(known, repairs=found, stop=found.stop)

        def sets(known: _Known) -> _Known:
            found = refinement.refine_by_minimal_diagnoses(_problem(known), _savings(known), known.repairs)
            return replace(known, sets=found, stop=found and found.stop)

        def groups(known: _Known) -> _Known:
            asked = _problem(known), _savings(known), known.repairs, known.sets
            return replace(known, groups=failure_groups.find_failure_groups(*asked))

        return (
            phase("angelic", angelic),
            phase("repair", repair),
            phase("sets", sets),
            PipelinePhase(
                name="edits in a row", work=self._in_a_row, wanted=self._may_need_several_edits, told=True
            ),
            PipelinePhase(name="groups", work=groups),
        )

    def _is_over(self, known: _Known) -> bool:
        # A phase takes some time before it looks at the clock.
        return known.stop is not None or self.session.loop.must_stop()

    def _so_far(self, known: _Known) -> Result:
        return self._by_coverage(known) if known.result is None else self._in_full(known)

    def _tell(self, known: _Known) -> None:
        INTERRUPTION.know(lambda: _interrupted(self._so_far(known), self.session.options))

    # -- what the phases do ----------------------------------------------------------------------------------

    @contextmanager
    def _limited(self, _known: _Known) -> Iterator[None]:
        """The budget of questions about executions: their effort, and the time that the ranking in full leaves."""
        part = policy().bound.searched if self.session.options.rank == "full" else None
        with self.session.within(part), self.session.limiting_effort():
            yield

    def _failing(self, known: _Known) -> _Known:
        self.session.progress("failing executions: proving that no other one covers less")
        return replace(
            known,
            failing=algorithm1_failing_executions(
                known.search.oracle,
                *self.start,
                found=self.session.failing,
                units=self.session.observed_units.certified,
            ),
        )

    def _passing(self, known: _Known) -> _Known:
        """Passing executions beside those of existing tests; in a larger bound where none passes in that one."""
        self.session.progress("passing executions")
        session, search, tests = self.session, known.search, known.tests.passing
        reactive = session.options.reactive
        passing = find_passing(session, search.oracle, known.failing, tests)
        if reactive or passing.executions or tests or not passing.exhausted:
            if reactive:
                passing = with_passing_to_bound(session, search.oracle, passing, tests)
            return replace(known, passing=passing)
        wide = widened_search(session, search)
        if wide.oracle is not search.oracle:
            passing = find_passing(session, wide.oracle, known.failing, ())
        elif reactive is None:
            passing = with_passing_to_bound(session, search.oracle, passing, ())
        return replace(known, passing=passing, wide=wide)

    def _reported(self, known: _Known) -> _Known:
        """The result so far, its executions replayed, with the ranking by coverage."""
        session, failing, passing = self.session, known.failing, known.passing
        search = decide_completeness(session, known.search)
        executions = confirmed_executions(session, self._found(known))
        checks, said = session.replay(self.replayer, executions)
        executions = _with_unread(session, session_without_disagreements(executions, checks))
        result = result_of_search(session, search, executions)
        stops = [stop for stop in (known.tests.stop, failing.stop, passing.stop) if stop is not None]
        stop = next((stop for stop in stops if stop != "tried"), None)
        result = replace(
            result,
            reason=diagnostic_of_stop(stop or stops[0], self.session.options.effort) if stops else None,
            optimal=failing.optimal,
            undecided=failing.undecided,
            measure=self.measure.name,
            rank=self.session.options.rank,
            notes=(
                *premises(session),
                *constructors_diagnostic(session.program),
                *left_out_diagnostics(search),
                *said_of_tests(known.tests, executions),
                *diagnostics_on_dataset(
                    result, passing, asked=self.session.options.passing, effort=self.session.options.effort
                ),
                *diagnostics_of_search(search, known.wide),
                *said,
                *([] if session.cbmc is None else session.cbmc.complaints()),
            ),
            stopped=stop,
            native=checks,
        )
        if len(result.dataset.failing) < len(failing.executions):
            result = _doubted(result)
        result = replace(result, dataset=dataset_of_executions(session, result.dataset.executions))
        if self.session.options.rank == "coverage" and self.session.options.suite is None:
            result = result_in_units(session, result)
        elif not session.observed_units.ranks_statements and not failing.optimal:
            result = replace(result, undecided=result.intersection)
        ranking = _ranking(session, result.dataset, self.measure) if result.dataset.failing else ()
        return replace(known, search=search, result=replace(result, ranking=ranking))

    def _with_problem(self, known: _Known) -> _Known:
        """Pose the problem of the full ranking; passing executions help there, whatever their bound."""
        dataset = _report(known).dataset
        wide = known.wide
        if not (dataset.ending or known.passing.exhausted):
            with self.session.stages.stage("passing"), self.session.within(policy().bound.searched):
                wide = widened_search(self.session, known.search)
        return replace(
            known, wide=wide, problem=refinement_problem(self.session, wide, dataset, self.measure)
        )

    def _may_need_several_edits(self, known: _Known) -> bool:
        """True beside a reference where no two edits together explain all."""
        return bool(self.session.options.program.reference) and (known.sets is None or not known.sets.repairs)

    def _in_a_row(self, known: _Known) -> _Known:
        from sfo.pipeline.edits_beside_reference import search_edits_beside_reference

        problem, angelic = _problem(known), _savings(known)
        executions = (*problem.dataset.failing, *angelic.runs, *problem.others, *problem.dataset.passing)
        found = search_edits_beside_reference(problem, executions, self.session.options, known.repairs)
        return known if found is None else replace(known, repairs=found)

    # -- results ---------------------------------------------------------------------------------------------

    def _found(self, known: _Known) -> tuple[Execution, ...]:
        """All executions so far, covering what is in their slices."""
        suite = self.session.options.suite
        ids = {} if suite is None else suite.ids
        return self.session.slices.found(joined_seed_tests(known.tests, known.failing, known.passing, ids))

    def _by_coverage(self, known: _Known) -> Result:
        """The ranking by coverage, before the executions are replayed."""
        result = result_of_search(self.session, known.search, self._found(known))
        return replace(
            _ranked_by_coverage(self.session, result, self.measure),
            optimal=known.failing.optimal,
            undecided=known.failing.undecided,
        )

    def _in_full(self, known: _Known) -> Result:
        """The ranking by angelic fixability, as far as that is known."""
        result, problem = _report(known), _problem(known)
        if known.angelic is None:
            ranking = rank_units(problem.dataset, problem.measure, last=problem.trusted, near=problem.near)
            return replace(result, ranking=ranking)
        joint = () if known.sets is None else known.sets.repairs
        ranking, angelic = problem.ranking(known.angelic, known.repairs, joint), known.angelic
        if known.groups and known.groups[0].is_alone and not joint:
            ranking, angelic = known.groups[0].ranking, known.groups[0].angelic
        return replace(
            result,
            dataset=problem.known(known.repairs),
            ranking=ranking,
            angelic=angelic,
            diagnoses=known.sets,
            repairs=repairs_by_rank(known.repairs, ranking),
            groups=known.groups,
            notes=(
                *result.notes,
                *specification_diagnostic(problem.program),
                *other_properties_diagnostic(known.repairs),
                *cut_short_diagnostics(known.angelic, known.repairs, self.session.options.effort),
            ),
            statistics=self.session.statistics(),
        )


def refinement_problem(
    session: AnalysisSession, search: BoundSearch, dataset: Dataset, measure: Measure
) -> RefinementProblem:
    """What is asked about after Algorithm 1."""
    from sfo.pipeline.refinement import RefinementProblem

    program, options = session.program, session.options
    searched = sum(session.stages.effort.get(stage, 0.0) for stage in ("bound", "failing", "passing"))
    return RefinementProblem(
        program=program,
        dataset=dataset,
        measure=measure,
        oracle=search.oracle,
        bound=search.bound,
        properties=session.chosen,
        solver=options.solver,
        searched=effort_as_measure(searched, found="proofs" not in search.oracle.lacks),
        progress=session.progress,
        others=search.oracle.others,
        jobs=options.jobs,
        native=options.native,
        specifying=program.specifying - program.trusted_units,
        trusted=program.trusted_units,
        near=_near(session, dataset),
        patient=options.patient,
        effort=options.effort,
    )


def confirmed_executions(session: AnalysisSession, executions: Sequence[Execution]) -> tuple[Execution, ...]:
    """``executions``, those without an outcome that only go on for somewhat longer than their reference."""
    return tuple(
        replace(e, outcome=None, property=None, ended="goes on for longer than its reference")
        if e.ended == ENDLESS and not is_nontermination(session.program, e, session.loop.deadline)
        else e
        for e in executions
    )


def _with_unread(session: AnalysisSession, executions: Sequence[Execution]) -> tuple[Execution, ...]:
    """``executions``, the failing ones with what only the reference has read."""
    return tuple(trace_with_unread_inputs(session.program, e, session.loop.deadline) for e in executions)


def _interrupted(result: Result, options: PipelineOptions) -> Result:
    """``result`` as that of work which was interrupted."""
    return replace(result, stopped="interrupt", reason=diagnostic_of_stop("interrupt", options.effort))


def _report(known: _Known) -> Result:
    assert known.result is not None
    return known.result


def _problem(known: _Known) -> RefinementProblem:
    assert known.problem is not None
    return known.problem


def _savings(known: _Known) -> AngelicSavings:
    assert known.angelic is not None
    return known.angelic


def _doubted(result: Result) -> Result:
    """A result some of whose failing executions were not natively what the formula says."""
    reason = "a failing execution disagrees with its native execution"
    if not result.dataset.failing:
        return replace(
            result,
            verdict="unknown",
            optimal=None,
            undecided=(),
            reason=reason,
            stopped="unknown",
            refuted=None,
        )
    return replace(result, optimal=False, undecided=result.intersection, reason=reason)


def localize_pipeline_dataset(
    paths: Sequence[str], options: PipelineOptions, progress: Progress = no_session_progress
) -> Result:
    """The dataset of a localisation without a ranking; with ``options.suite`` it reaches the goals of a suite."""
    session = _session_of_tests(paths, options, progress)
    with session.replayer() as replayer:
        with session.within(None if options.suite is None else policy().suites.failing):
            found = replace(_localized(session, replayer), measure=None, rank=None, ranking=())
        INTERRUPTION.know(lambda: _interrupted(found, options))
        if options.suite is None:
            return found
        try:
            from sfo.pipeline.coverage_suite import with_coverage_suite

            return result_in_units(session, with_coverage_suite(found, session, options.suite, replayer))
        except KeyboardInterrupt as error:  # what was found before is not lost
            stop = halt_reason_of(error)
            return replace(
                found,
                stopped=found.stopped or stop,
                reason=found.reason or diagnostic_of_stop(stop, options.effort),
            )


def localize_pipeline_checks(
    paths: Sequence[str], options: PipelineOptions, progress: Progress = no_session_progress
) -> Result:
    """Check each property within the bound, with one execution for each that is violated.

    With ``stop_on_fail`` the first of these is all that is looked for.
    """
    session = _session_of_tests(paths, options, progress)
    return _or_known_failing(session, lambda: _checked(session))


def _checked(session: AnalysisSession) -> Result:
    """The verdict on each property."""
    search = ask_properties_alone(session, run_bound_phase(session))
    session.note_failing(search)
    if not isinstance(search.first, Execution):
        return _nothing_found(session, search)
    if session.options.stop_on_fail:
        result = result_of_search(session, search, _with_whole_text(session, (search.first,)))
        return result_with_traces(session, result.noted(*only_fuzzed_diagnostic(search), STOPPED_ON_FAIL))
    found = session.failing
    answer: Found = search.first
    with session.stages.stage("properties"), session.limiting_effort():
        while isinstance(answer, Execution):
            session.progress(f"properties: {len(found)} violated")
            answer = search.oracle.violating(session.chosen - {execution.property for execution in found})
            if isinstance(answer, Execution):
                found.append(answer)
    stop = answer.stop if isinstance(answer, UnknownOracleAnswer) else None
    search = decide_completeness(session, search)
    result = result_of_search(session, search, _with_whole_text(session, found))
    result = result.noted(*constructors_diagnostic(session.program))
    if stop == "tried":
        return result_with_traces(session, result.noted(*only_fuzzed_diagnostic(search)))
    if stop is not None:
        return replace(result, reason=diagnostic_of_stop(stop, session.options.effort), stopped=stop)
    decided = tuple(
        replace(item, status="safe")
        if item.status == "unknown"
        and item.property.id in session.chosen
        and search.oracle.holds_elsewhere(item.property.id)
        else item
        for item in result.properties
    )
    if any(one.status == "safe" for one in decided):
        result = result.noted(_FIRST_ONLY)
    return result_with_traces(session, replace(result, properties=decided))


_FIRST_ONLY: Final = (
    "an execution ends at the first property that it violates: safe is what no execution violates unless it violates "
    "another one before"
)


def _nothing_found(session: AnalysisSession, search: BoundSearch) -> Result:
    """The result without a failing execution; where it is safe, with what no execution reaches."""
    program = session.program
    result = result_with_met_preconditions(result_of_search(session, search), session, search)
    if session.crash is not None:
        result = result.noted(crash_not_met_diagnostic(session.crash.said))
    if not program.properties:
        looked = ", ".join(sorted(session.options.program.checks))
        result = result.noted(
            f"no place of the program can violate {looked}: no execution of any length does"
        )
        result = replace(result, bound=replace(result.bound, unwind=None, unwindset={}, complete=True))
    result = result.noted(*says_nothing_diagnostic(program))
    result = result_with_hidden_violations(result, session, search)
    if result.verdict == "safe":
        session.progress("units that no execution reaches")
    result = result_with_unreachable_code(result, session, search)
    result = result.noted(*describe_fuzzed_tests(session.tests()))
    if program.properties:
        with session.stages.stage("bound"):
            result = result_where_nothing_ends(result, search)
    result = result_with_changed_code(result, session, search.bound)
    return replace(result, statistics=session.statistics())


def _with_whole_text(session: AnalysisSession, executions: Sequence[Execution]) -> tuple[Execution, ...]:
    """``executions`` with what only the reference has read of their text, where text is read."""
    return _with_unread(session, executions) if session.program.tree.reads_text else tuple(executions)


def localize_pipeline_question(
    paths: Sequence[str], options: PipelineOptions, progress: Progress = no_session_progress
) -> tuple[EncodedProgram, Term, ResultBound]:
    """The program within its bound, the condition under which an execution fails, and the bound.

    Whether the bound is complete is known where the solver decides it within its effort.
    """
    session = AnalysisSession(paths, options, progress)
    complete = None
    if options.unwind is None:
        search = decide_completeness(session, run_bound_phase(session))
        bound, complete = search.bound, search.complete
    else:
        bound = next(options.bounds())
    encoded = session.encode(bound)
    if encoded.cut == FALSE:
        complete = True
    elif options.unwind is not None and session.solver_loop is not None:
        with session.limiting_effort():
            complete = BmcOracle(encoded, session.solver_loop, session.chosen).complete()
    used = bound_used(session.program, bound.unwind, encoded.unrolled.unwindset, complete)
    return encoded, decode_model_failing_condition(encoded, session.chosen), used
