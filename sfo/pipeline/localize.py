"""The pipeline: files in, one frozen result out.

    load -> bound search -> Algorithm 1 -> passing executions -> rank

A time limit, Ctrl-C or a solver that gives up ends a stage, not the run: what is known by then is in the result,
with ``stopped`` and ``reason`` saying what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from cfrontend.formula import EncodedProgram
from cfrontend.terms import Term
from cfrontend.units import UnitId
from sfo.core.data import Angelic, Dataset, Diagnoses, Execution, Repairs, Result, Stop, stop_of
from sfo.core.decode_model import failure
from sfo.generate.algorithm1 import FailingRuns, PassingRuns, covered_by_all, covered_by_any, failing_runs
from sfo.generate.bound_search import BoundSearch
from sfo.generate.seed_tests import joined, passing_tests, seeds
from sfo.generate.seed_tests import said as said_of_tests
from sfo.oracles.protocol import Found, Unknown
from sfo.pipeline.diagnostics import (
    STOP_TEXT,
    STOPPED_ON_FAIL,
    cut_short,
    followed_for_long,
    notes_on,
    only_tried,
    read_differently,
    skipped_bounds,
    wider_bound,
)
from sfo.pipeline.options import Options
from sfo.pipeline.session import Progress, Run, silent, without_disagreements
from sfo.pipeline.unreachable_code import with_unreached
from sfo.spectra.measures import Measure, find
from sfo.spectra.ranking import rank

if TYPE_CHECKING:
    from sfo.execution.native import Replayer
    from sfo.pipeline.refinement import Problem

Phase: TypeAlias = Literal["failing", "passing", "angelic", "repair", "exact", "sets"]
"""What makes a ranking better than the one before it."""

Heard: TypeAlias = Callable[[Phase, Result], None]
"""Given what is known after a phase, while the next one is still to come."""


def localize(
    paths: Sequence[str], options: Options, progress: Progress = silent, heard: Heard | None = None
) -> Result:
    """Failing executions until they are optimal, passing ones if asked for, and the ranking.

    ``heard`` is given the ranking after each phase: ``failing``, ``passing``, ``angelic``, ``repair``,
    ``exact`` (if that is wanted) and ``sets``.
    """
    measure = find(options.measure)
    run = Run(paths, options, progress)
    with run.replayer() as replayer:
        return run.traced(_localize(run, options, measure, replayer, progress, heard))


def _localize(
    run: Run,
    options: Options,
    measure: Measure,
    replayer: Replayer | None,
    progress: Progress,
    heard: Heard | None,
) -> Result:
    def by_coverage(phase: Phase, failing: FailingRuns, passing: PassingRuns) -> None:
        """Tell what is known so far."""
        if heard is None:
            return
        known = run.result(search, run.slices.found(joined(tests, failing, passing)))
        ranking = rank(known.dataset, measure)
        optimal, undecided = failing.optimal, failing.undecided
        known = replace(known, measure=measure.name, rank="coverage", ranking=ranking)
        heard(phase, replace(known, optimal=optimal, undecided=undecided))

    tests = run.tests()
    search = run.search()
    start = seeds(tests, search.first)
    if not start:
        return replace(_nothing_found(run, search, progress), measure=measure.name, rank=options.rank)
    search = replace(search, first=start[0])
    with run.stages.stage("failing"), run.leaving_time(), run.sharing(search.oracle):
        progress("failing executions: proving that no other one covers less")
        failing = failing_runs(search.oracle, *start)
    passing, wide = PassingRuns(executions=()), search
    by_coverage("failing", failing, passing)
    if options.passing:
        with run.stages.stage("passing"), run.leaving_time():
            progress("passing executions")
            passing, wide = _passing(run, search, failing, passing_tests(tests))
        by_coverage("passing", failing, passing)
    search = run.decide_completeness(search)
    executions = run.confirmed(run.slices.found(joined(tests, failing, passing)))
    checks, said = run.replay(replayer, executions)
    executions = run.with_unread(without_disagreements(executions, checks))
    result = run.result(search, executions)
    stops = [stop for stop in (tests.stop, failing.stop, passing.stop) if stop is not None]
    stop = next((stop for stop in stops if stop != "tried"), None)
    result = replace(
        result,
        reason=STOP_TEXT[stop or stops[0]] if stops else None,
        optimal=failing.optimal,
        undecided=failing.undecided,
        measure=measure.name,
        rank=options.rank,
        notes=(
            *run.premises(),
            *read_differently(search),
            *skipped_bounds(search),
            *followed_for_long(search),
            *said_of_tests(tests, executions),
            *notes_on(result, passing, asked=options.passing),
            *only_tried(search),
            *wider_bound(wide, search),
            *said,
            *run.complaints(),
        ),
        stopped=stop,
        native=checks,
    )
    if failing.optimal:
        result = run.double_checked(result, search, covered_by_all(failing.executions))
    if len(result.dataset.failing) < len(failing.executions):
        result = _doubted(result)
    if not result.dataset.failing:
        return replace(result, ranking=())
    if options.rank == "coverage":
        return replace(result, ranking=rank(result.dataset, measure))
    never = _never_passing(result.dataset, passing)
    if not (result.dataset.passing or passing.exhausted):
        with run.stages.stage("passing"):
            wide = run.widened(search)
    problem = run.problem(wide, result.dataset, measure, never)
    return _in_full(run, result, problem, heard, exactly=options.angelic == "exact")


def _passing(
    run: Run, search: BoundSearch, failing: FailingRuns, known: tuple[Execution, ...]
) -> tuple[PassingRuns, BoundSearch]:
    """Passing executions beside the ``known`` ones, and the search in whose bound they are."""
    passing = run.passing(search.oracle, failing, known)
    if passing.executions or known or not passing.exhausted:
        return passing, search
    wide = run.widened(search)
    if wide.oracle is not search.oracle:
        passing = run.passing(wide.oracle, failing, ())
    return passing, wide


def _never_passing(dataset: Dataset, passing: PassingRuns) -> tuple[UnitId, ...]:
    """The units of all failing executions that are proved to be covered by no passing one."""
    if not passing.exhausted:
        return passing.never
    covered = covered_by_any(dataset.passing)
    return tuple(unit for unit in dataset.intersection if unit not in covered)


def _in_full(run: Run, result: Result, problem: Problem, heard: Heard | None, *, exactly: bool) -> Result:
    """``result`` ranked by what could save the failing runs; what ends a phase leaves the ranking before it."""
    from sfo.pipeline.refinement import find_exactly, find_savings, find_sets, find_verified_repairs

    def ranked(
        phase: Phase, angelic: Angelic, repairs: Repairs | None = None, sets: Diagnoses | None = None
    ) -> Result:
        found = replace(
            result,
            dataset=problem.known(repairs),
            ranking=problem.ranking(angelic, repairs),
            angelic=angelic,
            diagnoses=sets,
            repairs=repairs,
            notes=(*result.notes, *cut_short(angelic, repairs)),
            statistics=run.statistics(),
        )
        if heard is not None:
            heard(phase, found)
        return found

    def phases() -> Iterator[tuple[Result, Stop | None]]:
        with run.stages.stage("angelic"):
            angelic = find_savings(problem)
        yield ranked("angelic", angelic), angelic.stop
        with run.stages.stage("repair"):
            repairs = find_verified_repairs(problem, angelic)
        yield ranked("repair", angelic, repairs), repairs.stop
        if exactly:
            with run.stages.stage("exact"):
                angelic = find_exactly(problem, angelic, repairs)
            yield ranked("exact", angelic, repairs), angelic.stop
        with run.stages.stage("sets"):
            sets = find_sets(problem, angelic, repairs)
        yield ranked("sets", angelic, repairs, sets), sets and sets.stop

    known = replace(result, ranking=rank(problem.dataset, problem.measure, late=problem.late))
    stop: Stop | None = None
    coming = phases()
    try:
        # A phase takes some time before it looks at the clock.
        while stop is None and not run.loop.time_is_up() and (phase := next(coming, None)) is not None:
            known, stop = phase
    except KeyboardInterrupt as error:
        stop = stop_of(error)
    stop = result.stopped or stop or run.loop.stopped
    return replace(known, stopped=stop, reason=result.reason or (stop and STOP_TEXT[stop]))


def _doubted(result: Result) -> Result:
    """A result some of whose failing executions were not natively what the formula says."""
    reason = "a failing execution disagrees with its native run"
    if not result.dataset.failing:
        return replace(
            result, verdict="unknown", optimal=None, undecided=(), reason=reason, stopped="unknown"
        )
    return replace(result, optimal=False, undecided=result.intersection, reason=reason)


def generate(paths: Sequence[str], options: Options, progress: Progress = silent) -> Result:
    """The dataset of ``localize`` without a ranking."""
    return replace(localize(paths, options, progress), measure=None, rank=None, ranking=())


def check(paths: Sequence[str], options: Options, progress: Progress = silent) -> Result:
    """The status of each property within the bound, with one execution for each that is violated.

    With ``stop_on_fail`` the first of these is all that is looked for.
    """
    run = Run(paths, options, progress)
    search = run.search()
    if not isinstance(search.first, Execution):
        return _nothing_found(run, search, progress)
    if options.stop_on_fail:
        result = run.result(search, _with_whole_text(run, (search.first,)))
        return run.traced(replace(result, notes=(*result.notes, *only_tried(search), STOPPED_ON_FAIL)))
    found = [search.first]
    answer: Found = search.first
    with run.stages.stage("properties"):
        while isinstance(answer, Execution):
            progress(f"properties: {len(found)} violated")
            answer = search.oracle.violating(run.chosen - {execution.property for execution in found})
            if isinstance(answer, Execution):
                found.append(answer)
    stop = answer.stop if isinstance(answer, Unknown) else None
    result = run.result(run.decide_completeness(search), _with_whole_text(run, found))
    if stop == "tried":
        return run.traced(replace(result, notes=(*result.notes, *only_tried(search))))
    if stop is not None:
        return replace(result, reason=STOP_TEXT[stop], stopped=stop)
    decided = tuple(
        replace(item, status="safe") if item.status == "unknown" and item.property.id in run.chosen else item
        for item in result.properties
    )
    rest = run.chosen - {execution.property for execution in found}
    return run.traced(run.double_checked(replace(result, properties=decided), search, None, rest))


def _nothing_found(run: Run, search: BoundSearch, progress: Progress) -> Result:
    """The result without a failing execution; where it is safe, with what no execution reaches."""
    result = run.double_checked(run.result(search), search, None)
    if result.verdict == "safe":
        progress("units that no execution reaches")
    return with_unreached(result, run, search)


def _with_whole_text(run: Run, executions: Sequence[Execution]) -> tuple[Execution, ...]:
    """``executions`` with what only the reference has read of their text, where text is read."""
    return run.with_unread(executions) if run.program.tree.reads_text else tuple(executions)


def question(
    paths: Sequence[str], options: Options, progress: Progress = silent
) -> tuple[EncodedProgram, Term]:
    """The program within its bound, and the condition under which an execution fails."""
    run = Run(paths, options, progress)
    bound = run.search().bound if options.unwind is None else next(options.bounds())
    encoded = run.encode(bound)
    return encoded, failure(encoded, run.chosen)
