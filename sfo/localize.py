"""The pipeline: files in, one frozen result out.

    load -> bound search -> Algorithm 1 -> passing executions -> rank

A time limit, Ctrl-C or a solver that gives up ends a stage, not the run: what is known by then is in the result,
with ``stopped`` and ``reason`` saying what is missing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, final

from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.formula import Bound, EncodedProgram
from cfrontend.program import Program, ProgramOptions, encode, load
from cfrontend.record import dataclass
from cfrontend.termeval import evaluate
from cfrontend.terms import TRUE, Term, Terms
from cfrontend.units import InputNumber, Property, UnitId
from sfo.algorithm import FailingRuns, PassingRuns, covered_by_all, failing_runs, passing_runs
from sfo.data import (
    Angelic,
    BoundUsed,
    Dataset,
    Diagnoses,
    Execution,
    NativeCheck,
    PropertyResult,
    PropertyStatus,
    Repairs,
    Result,
    Slicing,
    Statistics,
    Stop,
    Verdict,
    stop_of,
)
from sfo.existing import Case, Ran, executed, joined, passing_tests, seeds
from sfo.existing import said as said_of_tests
from sfo.formats.vectors import NO_VECTOR, InputVector, VectorTable
from sfo.guided import Strategy, guided_passing_runs
from sfo.measures import Measure, find
from sfo.oracle import (
    FIRST_EFFORT,
    BoundedOracle,
    EncodedOracle,
    Found,
    Loop,
    SolverLoop,
    Unknown,
    failure,
    observations,
    read_execution,
)
from sfo.ranking import full_keys, rank
from sfo.slicing import Slices
from sfo.solvers import Answer, make_solver
from sfo.solvers.narrowing_solver import NarrowingSolver
from sfo.traces import traced

if TYPE_CHECKING:
    from sfo.cbmc.asking import CbmcSession
    from sfo.double_check import SecondOpinion
    from sfo.full import Problem
    from sfo.replay import Replayer

Progress: TypeAlias = Callable[[str], None]
"""Told in a few words what happens now."""

Phase: TypeAlias = Literal["failing", "passing", "angelic", "repair", "exact", "sets"]
"""What makes a ranking better than the one before it."""

Heard: TypeAlias = Callable[[Phase, Result], None]
"""Given what is known after a phase, while the next one is still to come."""

Backend: TypeAlias = Literal["sfo", "cbmc"]
"""Who finds executions: our own encoding and a solver, or CBMC."""

CbmcMode: TypeAlias = Literal["encode-once", "process"]
"""One formula for all questions, or a process of CBMC for each."""

MAX_UNWIND: Final = 64
"""Where the search for the smallest failing bound ends."""

_CONCRETE_ITERATIONS: Final = 10_000_000
"""A loop on given inputs is taken to have no end after so many."""

Rank: TypeAlias = Literal["coverage", "full"]
"""``coverage`` ranks by the measure alone, as the paper does; ``full`` by what could save the failing runs first."""

AngelicQuestion: TypeAlias = Literal["weak", "exact"]
"""``weak`` asks of the failing runs that are known what could save them, ``exact`` of every failing input within the bound, too."""

STOP_TEXT: Final[Mapping[Stop, str]] = {
    "timeout": "the time limit was reached",
    "memory": "the memory limit was reached",
    "interrupt": "interrupted",
    "unknown": "the solver gave up",
}
"""What ended a search early, in words."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a run does with a program.

    ``unwind`` None searches the smallest failing bound up to ``max_unwind``. ``properties`` are ids, empty for
    all. ``solver_only``: Algorithm 1 to the letter, each execution the first model of its question. ``passing`` is how often a passing execution is asked for; ``timeout`` is in seconds. ``backend`` answers the
    questions about executions; ``cbmc_mode`` is how CBMC is asked.
    ``replay``: each execution is compared with a native run on its inputs. Algorithm 1 starts from the executions of
    the existing ``tests``. ``double_check``: the last refutation is
    proved again by another engine. ``traces`` is how many failing and how many passing executions have their steps recorded.
    ``angelic`` is what ``rank`` ``full`` asks. ``slicing`` says which of the evaluated units count as covered.
    """

    program: ProgramOptions
    unwind: int | None = None
    unwindset: Mapping[str, int] = field(default_factory=dict)
    max_unwind: int = MAX_UNWIND
    properties: tuple[str, ...] = ()
    passing: int = 0
    passing_strategy: Strategy = "any"
    measure: str = "naish2"
    rank: Rank = "coverage"
    angelic: AngelicQuestion = "weak"
    solver: str = "auto"
    solver_only: bool = False
    timeout: float | None = None
    replay: bool = False
    tests: tuple[Case, ...] = ()
    traces: int = 0
    double_check: bool = False
    backend: Backend = "sfo"
    cbmc_mode: CbmcMode = "encode-once"
    slicing: Slicing = "none"


def _silent(_message: str) -> None:
    """No progress."""


# -- commands ----------------------------------------------------------------------------------------------------


def localize(
    paths: Sequence[str], options: Options, progress: Progress = _silent, heard: Heard | None = None
) -> Result:
    """Failing executions until they are optimal, passing ones if asked for, and the ranking.

    ``heard`` is given the ranking after each phase: ``failing``, ``passing``, ``angelic``, ``repair``,
    ``exact`` (if that is wanted) and ``sets``.
    """
    measure = find(options.measure)
    run = _Run(paths, options, progress)
    with run.replayer() as replayer:
        return run.traced(_localize(run, options, measure, replayer, progress, heard))


def _localize(
    run: _Run,
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
        result = run.double_checked(run.result(search), search, None)
        return replace(result, measure=measure.name, rank=options.rank)
    search = replace(search, first=start[0])
    with run.stages.stage("failing"):
        progress("failing executions: proving that no other one covers less")
        failing = failing_runs(search.oracle, *start)
    passing = PassingRuns(executions=())
    by_coverage("failing", failing, passing)
    if options.passing:
        with run.stages.stage("passing"):
            progress("passing executions")
            passing = run.passing(search.oracle, failing, passing_tests(tests))
        by_coverage("passing", failing, passing)
    search = run.decide_completeness(search)
    executions = run.slices.found(joined(tests, failing, passing))
    checks, said = run.replay(replayer, executions)
    result = run.result(search, without_disagreements(executions, checks))
    stop = tests.stop or failing.stop or passing.stop
    result = replace(
        result,
        reason=stop and STOP_TEXT[stop],
        optimal=failing.optimal,
        undecided=failing.undecided,
        measure=measure.name,
        rank=options.rank,
        notes=(
            *run.premises(),
            *_read_differently(search),
            *_skipped(search),
            *said_of_tests(tests, executions),
            *_notes(result, passing, asked=options.passing),
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
    problem = run.problem(search, result.dataset, measure, never)
    return _in_full(run, result, problem, heard, exactly=options.angelic == "exact")


def _never_passing(dataset: Dataset, passing: PassingRuns) -> tuple[UnitId, ...]:
    """The units of all failing executions that are proved to be covered by no passing one."""
    if not passing.exhausted:
        return passing.never
    covered = frozenset().union(*(run.covered for run in dataset.passing))
    return tuple(unit for unit in dataset.intersection if unit not in covered)


def _in_full(run: _Run, result: Result, problem: Problem, heard: Heard | None, *, exactly: bool) -> Result:
    """``result`` ranked by what could save the failing runs; what ends a phase leaves the ranking before it."""
    from sfo.full import find_exactly, find_savings, find_sets, find_verified_repairs

    def ranked(
        phase: Phase, angelic: Angelic, repairs: Repairs | None = None, sets: Diagnoses | None = None
    ) -> Result:
        keys = full_keys(problem.dataset, angelic, repairs, problem.never)
        found = replace(
            result,
            ranking=rank(problem.dataset, problem.measure, keys),
            angelic=angelic,
            diagnoses=sets,
            repairs=repairs,
            statistics=run.statistics(),
        )
        if heard is not None:
            heard(phase, found)
        return found

    known = replace(result, ranking=rank(problem.dataset, problem.measure))
    stop: Stop | None = None
    try:
        with run.stages.stage("angelic"):
            angelic = find_savings(problem)
        known, stop = ranked("angelic", angelic), angelic.stop
        repairs = None
        if stop is None:
            with run.stages.stage("repair"):
                repairs = find_verified_repairs(problem, angelic)
            known, stop = ranked("repair", angelic, repairs), repairs and repairs.stop
        if stop is None and exactly:
            with run.stages.stage("exact"):
                angelic = find_exactly(problem, angelic, repairs)
            known, stop = ranked("exact", angelic, repairs), angelic.stop
        if stop is None:
            with run.stages.stage("sets"):
                sets = find_sets(problem, angelic, repairs)
            known, stop = ranked("sets", angelic, repairs, sets), sets and sets.stop
    except KeyboardInterrupt as error:
        stop = stop_of(error)
    stop = result.stopped or stop or run.loop.stopped
    return replace(known, stopped=stop, reason=result.reason or (stop and STOP_TEXT[stop]))


def without_disagreements(
    executions: Sequence[Execution], checks: Sequence[NativeCheck] | None
) -> tuple[Execution, ...]:
    """``executions``, those without an outcome whose native run was another one."""
    wrong = {check.execution for check in checks or () if check.status == "disagrees"}
    return tuple(
        replace(e, outcome=None, property=None, ended=f"{e.ended}, not so natively") if e.id in wrong else e
        for e in executions
    )


def _doubted(result: Result) -> Result:
    """A result some of whose failing executions were not natively what the formula says."""
    reason = "a failing execution disagrees with its native run"
    if not result.dataset.failing:
        return replace(
            result, verdict="unknown", optimal=None, undecided=(), reason=reason, stopped="unknown"
        )
    return replace(result, optimal=False, undecided=result.intersection, reason=reason)


def generate(paths: Sequence[str], options: Options, progress: Progress = _silent) -> Result:
    """The dataset of ``localize`` without a ranking."""
    return replace(localize(paths, options, progress), measure=None, rank=None, ranking=())


def check(paths: Sequence[str], options: Options, progress: Progress = _silent) -> Result:
    """The status of each property within the bound, with one execution for each that is violated."""
    run = _Run(paths, options, progress)
    search = run.search()
    if not isinstance(search.first, Execution):
        return run.double_checked(run.result(search), search, None)
    found = [search.first]
    answer: Found = search.first
    with run.stages.stage("properties"):
        while isinstance(answer, Execution):
            progress(f"properties: {len(found)} violated")
            answer = search.oracle.violating(run.chosen - {execution.property for execution in found})
            if isinstance(answer, Execution):
                found.append(answer)
    stop = answer.stop if isinstance(answer, Unknown) else None
    result = run.result(run.decide_completeness(search), tuple(found))
    if stop is not None:
        return replace(result, reason=STOP_TEXT[stop], stopped=stop)
    decided = tuple(
        replace(item, status="safe") if item.status == "unknown" and item.property.id in run.chosen else item
        for item in result.properties
    )
    rest = run.chosen - {execution.property for execution in found}
    return run.traced(run.double_checked(replace(result, properties=decided), search, None, rest))


def question(
    paths: Sequence[str], options: Options, progress: Progress = _silent
) -> tuple[EncodedProgram, Term]:
    """The program within its bound, and the condition under which an execution fails."""
    run = _Run(paths, options, progress)
    bound = run.search().bound if options.unwind is None else next(iter(bounds(options)))
    encoded = run.encode(bound)
    return encoded, failure(encoded, run.chosen)


def run_vectors(
    paths: Sequence[str], table: VectorTable, options: Options, progress: Progress = _silent
) -> Result:
    """The execution of each vector of ``table``, and the ranking of the dataset if one of them fails.

    Raises UsageError for a row that is too short, too long or has a value outside the type of its input.
    """
    run = _Run(paths, options, progress)
    with run.replayer() as replayer:
        return run.traced(_run_vectors(run, table, options, replayer, progress))


def _run_vectors(
    run: _Run, table: VectorTable, options: Options, replayer: Replayer | None, progress: Progress
) -> Result:
    measure = find(options.measure)
    executions: list[Execution] = []
    unwindset: dict[str, int] = {}
    bound = Bound(
        unwind=options.unwind, unwindset=options.unwindset, free=True, free_limit=_CONCRETE_ITERATIONS
    )
    stop: Stop | None = None
    with run.stages.stage("run"):
        for number, vector in enumerate(table.vectors, start=1):
            progress(f"vector {number} of {len(table.vectors)}")
            try:
                encoded = run.encode_inputs(bound, vector.values)
                executions.append(run.slices.of(_concrete(encoded, table, vector, number, run.chosen)))
            except KeyboardInterrupt as error:
                stop = stop_of(error)
                break
            except ResourceError:
                if not run.loop.time_is_up():
                    raise
                stop = "timeout"
                break
            for loop, count in encoded.unwindset.items():
                unwindset[loop] = max(count, unwindset.get(loop, 0))
    checks, said = run.replay(replayer, executions)
    complete = all(execution.ended != "leaves the bound" for execution in executions)
    dataset = Dataset(units=run.program.units, executions=without_disagreements(executions, checks))
    return Result(
        verdict="violated" if dataset.failing else "unknown",
        reason=STOP_TEXT[stop] if stop else None,
        bound=run.bound_used(options.unwind, unwindset, complete=complete),
        optimal=None,
        undecided=(),
        intersection=dataset.intersection,
        dataset=dataset,
        properties=run.statuses("unknown", dataset.failing, None),
        measure=measure.name,
        rank="coverage",
        ranking=rank(dataset, measure) if dataset.failing else (),
        statistics=run.statistics(),
        files=run.program.files,
        notes=(*run.premises(), *said),
        stopped=stop,
        native=checks,
        slice=run.slices.used,
    )


def _concrete(
    encoded: EncodedProgram, table: VectorTable, vector: InputVector, number: int, chosen: frozenset[str]
) -> Execution:
    """The one execution of a program encoded with the values of ``vector``."""
    given = len(vector.values)
    missing = encoded.missing_input
    if missing is not None:
        read = f"{missing.name} ({missing.type})"
        if table is NO_VECTOR:
            raise UsageError(
                f"the program reads the input {read}; give vectors by --inputs", missing.location
            )
        raise UsageError(
            f"row too short: it has {given} value{'' if given == 1 else 's'}, and the read of {read}"
            f" at {missing.location} found none",
            vector.location,
        )
    if encoded.unused_inputs:
        first = given - encoded.unused_inputs
        place = replace(vector.location, column=vector.columns[first])
        raise UsageError(f"row too long: {table.column_name(first)} is never read", place)
    execution = read_execution(encoded, evaluate(encoded.terms, observations(encoded), {}), number, chosen)
    sites = (event.site for event in encoded.inputs if event.condition == TRUE)
    for value, site, column in zip(vector.values, sites, vector.columns, strict=True):
        if site.floating:
            continue
        if isinstance(value, str) or not -(1 << site.width) // 2 <= value < 1 << site.width:
            place = replace(vector.location, column=column)
            raise UsageError(f"{value} does not fit into {site.name} ({site.type})", place)
    return execution


# -- the bound ---------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BoundSearch:
    """Where the search for the smallest failing bound ended.

    ``first`` is a failing execution within ``bound``, None when there is none. ``complete``: no execution
    leaves the bound (None: not decided). ``refuted`` is the largest unwinding up to which it is known that
    there is no failing execution; ``skipped`` are smaller unwindings than that of ``bound`` which were left
    undecided because a failing execution was easier to find in a larger one.
    """

    bound: Bound
    oracle: BoundedOracle
    first: Found
    complete: bool | None = None
    refuted: int | None = None
    skipped: tuple[int, ...] = ()


def bounds(options: Options) -> Iterator[Bound]:
    """The one bound that the user gave, or growing ones in which constant loops run free."""
    if options.unwind is not None:
        yield Bound(unwind=options.unwind, unwindset=options.unwindset)
        return
    for unwind in range(1, options.max_unwind + 1):
        yield Bound(unwind=unwind, unwindset=options.unwindset, free=True)


def search_bound(candidates: Iterable[Bound], oracle_for: Callable[[Bound], BoundedOracle]) -> BoundSearch:
    """The first of ``candidates`` (growing, at least one) that has a failing execution or that none exceeds.

    A violation that is hard to decide does not keep the search from larger bounds; it is decided when nothing
    else is left. Raises KeyboardInterrupt, or ResourceError for the time limit, when not even the first bound
    could be encoded.
    """
    last: BoundSearch | None = None
    for bound in candidates:
        if last is not None and last.oracle.loop.time_is_up():
            return replace(last, first=Unknown(last.oracle.loop.why()))
        try:
            oracle = oracle_for(bound)
        except KeyboardInterrupt as error:
            if last is None:
                raise
            return replace(last, first=Unknown(stop_of(error)))
        except ResourceError:
            if last is None or not last.oracle.loop.time_is_up():
                raise
            return replace(last, first=Unknown("timeout"))
        last = _within(bound, oracle, last)
        if isinstance(last.first, Execution) or last.complete:
            break
    if last is None:
        raise UsageError("no bound to search: the largest unwinding must be at least 1")
    if isinstance(last.first, Unknown) and not last.oracle.loop.time_is_up():
        smaller = tuple(unwind for unwind in last.skipped if unwind != last.bound.unwind)
        last = replace(last, first=last.oracle.failing(), skipped=smaller)
    return last


def _within(bound: Bound, oracle: BoundedOracle, before: BoundSearch | None) -> BoundSearch:
    """What a limited effort finds within one bound, after the search up to ``before``."""
    first = oracle.failing(effort=FIRST_EFFORT)
    skipped = () if before is None else before.skipped
    refuted = None if before is None else before.refuted
    if isinstance(first, Execution):
        return BoundSearch(bound=bound, oracle=oracle, first=first, refuted=refuted, skipped=skipped)
    if first is None:
        refuted, skipped = bound.unwind, ()
    elif bound.unwind is not None:
        skipped += (bound.unwind,)
    return BoundSearch(
        bound=bound, oracle=oracle, first=first, complete=oracle.complete(), refuted=refuted, skipped=skipped
    )


# -- one run -----------------------------------------------------------------------------------------------------


@final
class Stages:
    """Seconds and solver calls of each stage, as they happen."""

    def __init__(self, calls: Callable[[], int]) -> None:
        self.begin: Final = time.monotonic()
        self.seconds: Final[dict[str, float]] = {}
        self.calls: Final[dict[str, int]] = {}
        self._count = calls

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Charge what happens inside to ``name``."""
        start, calls = time.monotonic(), self._count()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - start
            self.calls[name] = self.calls.get(name, 0) + self._count() - calls


@final
class _Run:
    """What the stages of one command share: the program, one store of terms, one solver, the clock."""

    def __init__(self, paths: Sequence[str], options: Options, progress: Progress) -> None:
        deadline = None if options.timeout is None else time.monotonic() + options.timeout
        self._options = options
        self._progress = progress
        self._terms = Terms()
        self._cbmc = _cbmc_session(options, deadline)
        self._solver_loop: SolverLoop | None = None
        if self._cbmc is None:
            solver = NarrowingSolver(make_solver(options.solver, self._terms), self._terms)
            self._solver_loop = SolverLoop(solver, deadline)
        self.loop = self._loop()
        self.stages = Stages(lambda: self.loop.solver.statistics.calls)
        progress("loading")
        self.program: Program = load(paths, options.program)
        self.chosen = _chosen(self.program.properties, options.properties)
        _must_be_loops(self.program, options.unwindset)
        with nullcontext() if options.slicing == "none" else self.stages.stage("slice"):
            self.slices = Slices(self.program, options.slicing, self.chosen, deadline)

    def _loop(self) -> Loop:
        """Through which the questions go."""
        if self._cbmc is not None:
            return self._cbmc
        assert self._solver_loop is not None
        return self._solver_loop

    def complaints(self) -> tuple[str, ...]:
        """How often CBMC failed, and how."""
        failures = [] if self._cbmc is None else self._cbmc.failures
        counts = Counter(failures)
        return tuple(f"{said} ({count} times)" if count > 1 else said for said, count in counts.items())

    @contextmanager
    def replayer(self) -> Iterator[Replayer | None]:
        """Where executions are replayed, if that is wanted; compiling begins at once."""
        if not self._options.replay:
            yield None
            return
        from sfo.replay import Replayer

        with Replayer(self.program) as replayer:
            yield replayer

    def replay(
        self, replayer: Replayer | None, executions: Sequence[Execution]
    ) -> tuple[tuple[NativeCheck, ...] | None, tuple[str, ...]]:
        """The native check of each execution, and what is to be said of them."""
        if replayer is None:
            return None, ()
        self._progress("native runs of the executions")
        try:
            with self.stages.stage("replay"):
                compared = replayer.compare(self.slices.whole(executions))
        except (InputError, ResourceError) as error:
            return None, (f"nothing was replayed: {error}",)
        except KeyboardInterrupt as error:
            return None, (f"nothing was replayed: {STOP_TEXT[stop_of(error)]}",)
        from sfo.replay import check as check_of

        checks = tuple(check_of(e.id, c) for e, c in zip(executions, compared, strict=True))
        return checks, tuple(_disagreement(check) for check in checks if check.status == "disagrees")

    def passing(self, oracle: BoundedOracle, failing: FailingRuns, known: Sequence[Execution]) -> PassingRuns:
        """Passing executions by the strategy that was chosen."""
        strategy, attempts = self._options.passing_strategy, self._options.passing
        if strategy == "any" or not isinstance(oracle, EncodedOracle):
            return passing_runs(oracle, attempts, known)
        return guided_passing_runs(oracle, failing.executions, strategy, attempts, known)

    def encode(self, bound: Bound) -> EncodedProgram:
        """What is sliced of the program within ``bound``."""
        with self.stages.stage("encode"):
            return encode(
                self.slices.program,
                bound,
                terms=self._terms,
                deadline=self.loop.deadline,
                mattering=self.slices.mattering,
            )

    def encode_inputs(self, bound: Bound, inputs: Sequence[InputNumber]) -> EncodedProgram:
        """The execution of the whole program on ``inputs``, in a store of its own."""
        with self.stages.stage("encode"):
            return encode(self.program, bound, fixed_inputs=inputs, deadline=self.loop.deadline)

    def traced(self, result: Result) -> Result:
        """``result`` with the steps of its first failing and passing executions."""
        return traced(self.program, result, self._options.traces, self.loop.deadline)

    def tests(self) -> Ran:
        """The executions of the existing tests."""
        if not self._options.tests:
            return Ran(executions=())
        with self.stages.stage("tests"):
            ran = executed(
                self.program,
                self._options.tests,
                self.chosen,
                deadline=self.loop.deadline,
                progress=self._progress,
            )
            cut: list[Execution] = []
            try:
                cut += map(self.slices.of, ran.executions)
            except KeyboardInterrupt as error:
                return replace(ran, executions=tuple(cut), stop=stop_of(error))
            except ResourceError:
                return replace(ran, executions=tuple(cut), stop="timeout")
            return replace(ran, executions=tuple(cut))

    def search(self) -> BoundSearch:
        """The bound to work in and a first failing execution. Raises InputError when nothing can fail."""
        if not self.program.properties:
            self.encode(Bound(unwind=1))  # what is refused may be why there is none
            raise InputError(
                "the program has no property to violate: no assertion, and no check that applies"
            )

        def oracle_for(bound: Bound) -> BoundedOracle:
            self._progress(f"looking for a failing execution within unwind {bound.unwind}")
            if self._solver_loop is not None:
                return EncodedOracle(
                    self.encode(bound), self._solver_loop, self.chosen, solver_only=self._options.solver_only
                )
            from sfo.cbmc.oracle import CbmcOracle, bound_for

            assert self._cbmc is not None
            with self.stages.stage("encode"):
                theirs = bound_for(self.slices.program, bound, self._terms, self._cbmc.deadline)
            return CbmcOracle(self.slices.program, theirs, self._cbmc, self.chosen, self._terms)

        with self.stages.stage("bound"):
            return search_bound(bounds(self._options), oracle_for)

    def decide_completeness(self, search: BoundSearch) -> BoundSearch:
        """Whether some execution leaves the bound of a failing search."""
        with self.stages.stage("bound"):
            return replace(search, complete=search.oracle.complete())

    def double_checked(
        self,
        result: Result,
        search: BoundSearch,
        avoiding: Collection[UnitId] | None,
        properties: Collection[str] | None = None,
    ) -> Result:
        """``result`` with a second opinion on what was refuted last, if that is wanted.

        That is: no execution violates one of ``properties`` (None: of those chosen) and leaves out some unit of ``avoiding``.
        """
        nothing_refuted = result.verdict == "unknown" or (properties is not None and not properties)
        if not self._options.double_check or nothing_refuted or not isinstance(search.oracle, EncodedOracle):
            return result
        from sfo.double_check import refute_again

        self._progress("a second opinion on the last refutation")
        with self.stages.stage("double check"):
            opinion = refute_again(
                search.oracle, properties, avoiding, self._options.solver, self.loop.deadline
            )
        result = replace(result, statistics=self.statistics())
        return _with_opinion(result, opinion)

    def problem(
        self, search: BoundSearch, dataset: Dataset, measure: Measure, never: Sequence[UnitId]
    ) -> Problem:
        """What is asked about after Algorithm 1."""
        from sfo.full import Problem

        return Problem(
            program=self.program,
            dataset=dataset,
            never=never,
            measure=measure,
            oracle=search.oracle,
            bound=search.bound,
            properties=self.chosen,
            solver=self._options.solver,
            searched=sum(self.stages.seconds.get(stage, 0.0) for stage in ("bound", "failing", "passing")),
            progress=self._progress,
        )

    def result(self, search: BoundSearch, executions: tuple[Execution, ...] = ()) -> Result:
        """What is known after ``search``, with the ``executions`` of the stages that came after it."""
        verdict, stop = _verdict(search.first)
        dataset = Dataset(units=self.program.units, executions=executions)
        shown = _nothing_shown(self.program, search)
        return Result(
            verdict=verdict,
            reason=_why_unknown(stop, search.refuted) if stop else None,
            bound=self.bound_used(search.bound.unwind, search.oracle.unwindset, complete=search.complete),
            optimal=None,
            undecided=(),
            intersection=dataset.intersection,
            dataset=dataset,
            properties=self.statuses(verdict, executions, search.oracle),
            measure=None,
            rank=None,
            ranking=(),
            statistics=self.statistics(),
            files=self.program.files,
            notes=(*self.premises(), *shown, *_read_differently(search)),
            stopped=stop,
            slice=self.slices.used,
        )

    def bound_used(
        self, unwind: int | None, unwindset: Mapping[str, int], *, complete: bool | None
    ) -> BoundUsed:
        """What the result holds for, with the command line of a ``main`` that reads it."""
        used = BoundUsed(unwind=unwind, unwindset=unwindset, complete=complete)
        if not self.program.reads_arguments:
            return used
        arguments = self._options.program.arguments
        length = arguments.length if arguments.count > 1 else None
        return replace(used, argc=arguments.count, argv_length=length)

    def premises(self) -> tuple[str, ...]:
        """What was taken for granted because nobody said otherwise."""
        if self._options.program.argv is not None or not self.program.reads_arguments:
            return ()
        return ("main reads its arguments: argc is 1 unless --argv N is given",)

    def statuses(
        self, verdict: Verdict, executions: Sequence[Execution], oracle: BoundedOracle | None
    ) -> tuple[PropertyResult, ...]:
        """Each property: violated by one of ``executions``, safe as far as the oracle or the verdict says."""
        violated = {execution.property for execution in executions}

        def status(item: Property) -> PropertyStatus:
            if item.id in violated:
                return "violated"
            if oracle is not None and oracle.impossible(item.id):
                return "safe"
            return "safe" if verdict == "safe" and item.id in self.chosen else "unknown"

        return tuple(PropertyResult(property=item, status=status(item)) for item in self.program.properties)

    def statistics(self) -> Statistics:
        """Calls and seconds so far."""
        totals = self.loop.solver.statistics
        seconds = {
            "total": time.monotonic() - self.stages.begin,
            **self.program.seconds,
            **self.stages.seconds,
            "translate": totals.translate,
            "solve": totals.seconds,
        }
        return Statistics(
            solver=self.loop.solver.name, calls=totals.calls, seconds=seconds, stage_calls=self.stages.calls
        )


def _with_opinion(result: Result, opinion: SecondOpinion) -> Result:
    """``result``; a disagreement takes back what was said to be proved."""
    if opinion.answer is not Answer.SAT:
        said = (
            f"{opinion.solver} proves it again on the terms as they were built"
            if opinion.answer is Answer.UNSAT
            else f"{opinion.solver} did not end: the last refutation is that of one engine"
        )
        return replace(result, notes=(*result.notes, f"double check: {said}"))
    reason = (
        f"the double check by {opinion.solver} DISAGREES with what was refuted (a bug, which please report)"
    )
    if opinion.execution is None:
        detail = f"{opinion.solver} gives a model that is no such execution"
    else:
        inputs = " ".join(f"{item.name}={item.value}" for item in opinion.execution.inputs)
        detail = f"there is an execution that {opinion.execution.ended}, on the inputs {inputs or '(none)'}"
    doubted = replace(result, reason=reason, stopped="unknown", notes=(*result.notes, f"{reason}: {detail}"))
    if result.optimal:
        return replace(doubted, optimal=False, undecided=result.intersection)
    unknown = tuple(
        replace(item, status="unknown") if item.status == "safe" else item for item in result.properties
    )
    return replace(
        doubted, verdict="unknown" if result.verdict == "safe" else result.verdict, properties=unknown
    )


def _cbmc_session(options: Options, deadline: float | None) -> CbmcSession | None:
    """The CBMC that answers, if that is chosen. Raises UsageError when there is none that fits."""
    if options.backend != "cbmc":
        return None
    if options.slicing == "dynamic":
        raise UsageError("--backend cbmc cannot follow what matters: --slice dynamic needs --backend sfo")
    if options.double_check:
        raise UsageError("--double-check is for refutations by sfo itself: use --backend sfo")
    if options.program.reference:
        raise UsageError("--backend cbmc cannot compare with a --reference: use --backend sfo")
    if options.passing_strategy != "any":
        raise UsageError(
            "--backend cbmc finds any passing executions: --passing-strategy needs --backend sfo"
        )
    from sfo.cbmc.asking import CbmcSession
    from sfo.cbmc.process import DATA_MODELS, find_cbmc

    cbmc = replace(find_cbmc(), options=DATA_MODELS[options.program.preprocess.model.name])
    return CbmcSession(cbmc, options.cbmc_mode, deadline)


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


def _disagreement(check: NativeCheck) -> str:
    """A native run that was another one than the execution, with the lines of both."""
    from sfo.replay.compare import shown_lines

    return (
        f"execution {check.execution} DISAGREES with the native run on its inputs and is left out of the ranking"
        f" (undefined behaviour, or a bug of sfo, which please report): {'; '.join(check.problems)}; sfo covers"
        f" lines {shown_lines(check.lines)}, gcc {shown_lines(check.native_lines)}"
    )


def _nothing_shown(program: Program, search: BoundSearch) -> tuple[str, ...]:
    """A function alone that nothing can be wrong with, because no inputs meet its preconditions."""
    if program.harness is None or search.first is not None or search.oracle.passing(()) is not None:
        return ()
    return ("no execution meets the preconditions and returns within the bound, so that this says nothing",)


def _verdict(first: Found) -> tuple[Verdict, Stop | None]:
    match first:
        case Execution():
            return "violated", None
        case None:
            return "safe", None
        case Unknown(stop=stop):
            return "unknown", stop


def _why_unknown(stop: Stop, refuted: int | None) -> str:
    """A reason for the verdict "unknown", with what is known nevertheless."""
    known = "" if refuted is None else f"; there is no failing execution within unwind {refuted}"
    return STOP_TEXT[stop] + known


def _notes(result: Result, passing: PassingRuns, *, asked: int) -> tuple[str, ...]:
    """What a user should know about a dataset with failing executions."""
    notes: list[str] = []
    if all(not run.covered for run in result.dataset.failing):
        notes.append("the failing executions evaluate no unit before they violate the property")
    elif not result.intersection:
        violated = ",".join(dict.fromkeys(run.property or "" for run in result.dataset.failing))
        notes.append(
            "no single unit explains all failing runs: they may have several causes; look at one property at a"
            f" time with --property ID (violated: {violated})"
        )
    if asked and not passing.executions and passing.exhausted:
        notes.append(_no_passing(complete=result.bound.complete))
    if passing.stop is not None:
        notes.append(f"passing executions: {STOP_TEXT[passing.stop]} after {len(passing.executions)}")
    return tuple(notes)


def _read_differently(search: BoundSearch) -> tuple[str, ...]:
    """Where executions were not followed because the program reads another kind of input than its reference."""
    if not isinstance(search.oracle, EncodedOracle):
        return ()
    return tuple(
        f"{place}: reads another kind of input than the reference does at this point; such executions are left out"
        for place in search.oracle.encoded.differently_read
    )


def _skipped(search: BoundSearch) -> tuple[str, ...]:
    """Smaller bounds that were not decided, in words."""
    if not search.skipped:
        return ()
    unwindings = ", ".join(map(str, search.skipped))
    return (f"a smaller bound may have a failing execution too: unwind {unwindings} was not decided",)


def _no_passing(*, complete: bool | None) -> str:
    if complete:
        return "there is no passing execution at all: each one fails or breaks an assumption"
    return (
        "there is no passing execution within this bound: what does not fail leaves the bound, so the main loop"
        " never ends within it"
    )
