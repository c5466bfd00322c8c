"""Suites that reach coverage goals: passing executions beside the failing ones, as few as do, and proof of the rest.

    kept: what fails, and what tells failing executions from passing ones      chosen: the fewest that reach the rest

Whether an execution reaches a goal is said by the interpreter on its inputs, not by the formula that it was found with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, final

from cfrontend.bound import Bound
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError
from cfrontend.goto.coverage_goals import coverage_goals
from cfrontend.program import Program, encode_program
from cfrontend.record import dataclass
from cfrontend.slice.reachable_definitions import definitions_reachable_from
from cfrontend.terms import TRUE
from cfrontend.units import CoverageGoals, GoalKind
from sfo.core.dataset import Dataset
from sfo.core.executions import ENDLESS, Execution
from sfo.core.halt import LIMITS, Stop, halt_reason_of
from sfo.core.interpret import inputs_of_execution, interpret
from sfo.core.policy import policy
from sfo.core.result import Result
from sfo.core.suite_coverage import DecidedGoal, GoalsOfTests, SuiteCoverage
from sfo.pipeline.diagnostics import diagnostic_of_stop
from sfo.pipeline.options import PipelineOptions, SuiteOptions
from sfo.pipeline.session import AnalysisSession, Progress, session_without_disagreements
from sfo.pipeline.suite_choice import (
    Confirm,
    SuiteChoice,
    choose_confirmed,
    choose_executions,
    goals_reached,
    has_turned,
    kept_by_update,
    updated_suite,
    with_executions_of_tests,
)
from sfo.test_generation.goal_search import GoalsFound, ReachingExecution, search_goals

if TYPE_CHECKING:
    from sfo.execution.native import NativeExecutionReplayer

_PARTED: Final = "a check or a call stands between the operands of the condition"
"""Why goal mcdc is not decided of some conditions."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Executions that are known before goals are looked for: those that the suite has in any case, and others."""

    kept: tuple[ReachingExecution, ...]
    spare: tuple[ReachingExecution, ...] = ()

    def reached(self, suite: SuiteOptions) -> frozenset[int]:
        """The goals for which no further execution is looked for."""
        return goals_reached((*self.kept, *(e for e in self.spare if not has_turned(e, suite))))


def with_coverage_suite(
    result: Result, session: AnalysisSession, suite: SuiteOptions, replayer: NativeExecutionReplayer | None
) -> Result:
    """``result`` with further executions that reach what the goal of ``suite`` names, and what is known of the rest.

    These are replayed by ``replayer``.
    """
    used: Collection[str] = definitions_reachable_from(session.program.goto, session.program.start).functions
    result, tested = with_executions_of_tests(result, session.tests(), suite)
    session.progress(f"passing executions that reach {suite.goal}")
    with session.stages.stage("coverage"):
        look = _search_for_mutants if suite.goal == "mutants" else _search_for_goals
        goals, before, found, confirm = look(session, result, suite, used)
    candidates = _numbered([*before.spare, *found.executions], result, suite)
    known = {check.execution for check in result.native or ()}
    fresh = [c.execution for c in (*before.kept, *candidates) if c.execution.id not in known]
    checks, said = session.replay(replayer, fresh) if fresh else ((), ())
    wrong = {e.id for e in session_without_disagreements(fresh, checks) if e.outcome is None}
    kept = [c for c in before.kept if c.execution.id not in wrong]
    candidates = [c for c in candidates if c.execution.id not in wrong]
    choice, candidates = choose_confirmed(kept, candidates, suite, confirm)
    coverage = _coverage(
        goals,
        choice,
        candidates,
        found,
        limited=bool(result.bound.assumptions),
        effort=session.options.effort,
    )
    executions = tuple(session.slices.of(c.execution) for c in (*choice.kept, *choice.chosen))
    if suite.update is not None:
        ended = session_without_disagreements(tested, checks)
        coverage = replace(coverage, update=updated_suite(suite.update, session.tests(), ended, executions))
        executions = tuple(replace(e, test="") for e in sorted(executions, key=lambda e: e.id))
    native = None if result.native is None and not checks else (*(result.native or ()), *(checks or ()))
    ids = {e.id for e in executions}
    cut = found.stop if found.stop in LIMITS and result.stopped is None else None
    return replace(
        result,
        dataset=replace(result.dataset, executions=executions),
        coverage=coverage,
        native=native if native is None else tuple(c for c in native if c.execution in ids),
        notes=(*result.notes, *(text for text in said if text not in result.notes)),
        stopped=cut or result.stopped,
        reason=diagnostic_of_stop(cut, session.options.effort) if cut else result.reason,
        statistics=session.statistics(),
    )


def _search_for_goals(
    session: AnalysisSession, result: Result, suite: SuiteOptions, functions: Collection[str]
) -> tuple[CoverageGoals, _Known, GoalsFound, Confirm]:
    """The goals, the known executions, and executions that reach what these leave open.

    Beside the tests of a suite that is updated, executions are looked for as if it had none of them, too: they show how
    small a suite can be.
    """
    goals = coverage_goals(session.program.goto, suite.goal, functions, session.program.files)
    known = _known(
        [execution_reaching_goals(session.program, goals, e) for e in result.dataset.executions],
        result,
        suite,
        session,
    )
    search = _GoalSearch(session, goals)
    found = search.beyond(known.reached(suite))
    if suite.update is not None:
        candidates = (*known.spare, *found.executions)
        if len(choose_executions(known.kept, candidates, suite).chosen) > 1:
            reached = goals_reached(known.kept)
            open_still = search.wanted - reached - goals_reached(candidates)
            others = search.beyond(reached | open_still).executions
            found = replace(found, executions=(*found.executions, *others))
    return goals, known, _in_interpreter(session, goals, found), lambda reaching, _ask: reaching


def _search_for_mutants(
    session: AnalysisSession, result: Result, suite: SuiteOptions, functions: Collection[str]
) -> tuple[CoverageGoals, _Known, GoalsFound, Confirm]:
    """Mutants as goals: executions that reach all branches, and what the solver finds for those that these leave."""
    from sfo.pipeline.mutant_goals import MutantGoals
    from sfo.pipeline.mutant_search import search_mutants

    with MutantGoals(session, functions) as mutants:
        _, _, branches, _ = _search_for_goals(session, result, replace(suite, goal="branches"), functions)
        session.progress(f"passing executions that kill {suite.goal}")
        given = mutants.reached_by(result.dataset.executions)
        known = _known(given, result, suite, session)
        start = [e.execution for e in branches.executions]
        bounds = [b for b in _bounds(session.options) if (b.unwind or 0) >= branches.unwind]
        bounds = bounds or list(_bounds(session.options))[-1:]
        rounds = max(result.bound.unwindset.values(), default=1) if result.bound.complete else None
        found = search_mutants(mutants, session, start, known.reached(suite), bounds, rounds)
        return mutants.goals, known, found, mutants.confirmed


# -- executions that may be part of the suite --------------------------------------------------------------------


def _known(
    given: Sequence[ReachingExecution], result: Result, suite: SuiteOptions, session: AnalysisSession
) -> _Known:
    """The known executions that the suite has in any case, and those that it has where they reach a goal."""
    if suite.update is not None:
        kept, spare = kept_by_update(result, given, session.options.passing)
        return _Known(kept=tuple(kept), spare=tuple(spare))
    return _Known(kept=tuple(given))


def execution_reaching_goals(
    program: Program, goals: CoverageGoals, execution: Execution, deadline: float | None = None
) -> ReachingExecution:
    """The goals that the interpreter reaches on the inputs of an execution; none where that cannot be followed.

    That is so, too, where the ``deadline`` comes first, a time of ``time.monotonic``.

    Of one that does not end where its reference does, it is what is reached in as many rounds as show that.
    """
    limits = policy().executions
    endless = execution.ended == ENDLESS
    limit = limits.iterations_beside_reference if endless else limits.iterations
    try:
        encoded = interpret(
            program,
            inputs_of_execution(execution),
            limit,
            patience=1 if endless else None,
            goals=goals,
            deadline=deadline,
        )
    except (InputError, ResourceError):
        return ReachingExecution(execution=execution, goals=frozenset())
    reached = frozenset(goal for goal, term in encoded.goals.items() if term == TRUE)
    return ReachingExecution(execution=execution, goals=reached)


def _in_interpreter(session: AnalysisSession, goals: CoverageGoals, found: GoalsFound) -> GoalsFound:
    """``found`` with what the interpreter says that its executions reach.

    Where a limit of the user ends this, those that had no turn reach what the formula says.
    """
    executions: list[ReachingExecution] = []
    stop: Stop | None = None
    try:
        for one in found.executions:
            reached = execution_reaching_goals(session.program, goals, one.execution, session.loop.deadline)
            if (stop := session.loop.poll()) is not None:
                break
            executions.append(reached)
    except KeyboardInterrupt as error:
        stop = halt_reason_of(error)
    rest = found.executions[len(executions) :]
    return replace(found, executions=(*executions, *rest), stop=stop or found.stop)


@final
class _GoalSearch:
    """The search for executions that reach goals; ``wanted`` are those that can be looked for."""

    def __init__(self, session: AnalysisSession, goals: CoverageGoals) -> None:
        self.wanted: Final = frozenset(
            goal.id for goal in goals.goals if goal.kind != "mcdc" or not goal.parted
        )
        self._session: Final = session
        self._goals: Final = goals
        self._encoded: Final[dict[int | None, EncodedProgram]] = {}
        self._terms, self._loop = session.another_loop()
        self._loop.deadline = session.deadline  # failing executions have had their part of the time

    def beyond(self, reached: frozenset[int]) -> GoalsFound:
        """Executions that reach goals beside those ``reached``, within the effort of a search for executions."""
        session, loop = self._session, self._loop
        effort = session.effort_for_executions()
        with loop.within(policy().suites.reaching), loop.limited(effort):
            return search_goals(
                list(_bounds(session.options)), self._encoded_within, loop, sorted(self.wanted), reached
            )

    def _encoded_within(self, bound: Bound) -> EncodedProgram:
        session, kind = self._session, self._goals.kind
        session.progress(f"passing executions that reach {kind} within unwind {bound.unwind}")
        if bound.unwind not in self._encoded:
            self._encoded[bound.unwind] = encode_program(
                session.program,
                bound,
                terms=self._terms,
                goals=self._goals,
                deadline=self._loop.deadline,
            )
        return self._encoded[bound.unwind]


def _bounds(options: PipelineOptions) -> Iterable[Bound]:
    """The bound of the user, or growing ones."""
    if options.unwind is not None:
        return options.bounds()
    largest = [unwind for unwind in policy().unreachable.goal_bounds if unwind <= options.max_unwind]
    return [Bound(unwind=unwind, unwindset=options.unwindset, free=True) for unwind in largest or [1]]


def _numbered(
    candidates: Sequence[ReachingExecution], result: Result, suite: SuiteOptions
) -> list[ReachingExecution]:
    """Candidates with ids of their own."""
    known = {e.id for e in result.dataset.executions}.union(suite.ids.values())
    following = max(known, default=0) + 1
    numbered = []
    for candidate in candidates:
        if candidate.execution in result.dataset.executions:
            numbered.append(candidate)
            continue
        numbered.append(replace(candidate, execution=replace(candidate.execution, id=following)))
        following += 1
    return numbered


# -- what is known of each goal ----------------------------------------------------------------------------------


def _coverage(
    goals: CoverageGoals,
    choice: SuiteChoice,
    candidates: Sequence[ReachingExecution],
    found: GoalsFound,
    *,
    limited: bool,
    effort: float,
) -> SuiteCoverage:
    suite = (*choice.kept, *choice.chosen)
    by_goal: Mapping[int, list[int]] = {goal.id: [] for goal in goals.goals}
    for execution in suite:
        for goal in sorted(execution.goals):
            by_goal[goal].append(execution.execution.id)
    spare = frozenset[int]().union(*(c.goals for c in candidates))

    def decided(goal_id: int, *, parted: bool) -> DecidedGoal:
        goal = goals.goals[goal_id]
        if by_goal[goal_id]:
            reached, said = tuple(by_goal[goal_id]), found.said.get(goal_id, "")
            return DecidedGoal(goal=goal, status="covered", executions=reached, reason=said)
        if goal_id in spare:
            return DecidedGoal(goal=goal, status="left out", reason="the suite may have no more executions")
        if goal_id in found.unreached:
            proved = found.unreached[goal_id]
            unwind = None if found.complete and not limited else proved
            said = "no execution" if unwind is None else f"no execution within unwind {unwind}"
            reason = (
                f"{said} shows a difference" if goals.kind == "mutants" else f"{said} that passes reaches it"
            )
            return DecidedGoal(goal=goal, status="unreachable", unwind=unwind, reason=reason)
        why = diagnostic_of_stop(found.stop, effort) if found.stop else "the solver gave no answer"
        why = _PARTED if parted else found.said.get(goal_id, why)
        return DecidedGoal(goal=goal, status="undecided", reason=why)

    return SuiteCoverage(
        kind=goals.kind,
        goals=tuple(decided(goal.id, parted=goal.kind == "mcdc" and goal.parted) for goal in goals.goals),
        chosen=len(choice.chosen),
        at_least=min(choice.at_least, len(choice.chosen)),
        unwind=found.unwind,
    )


# -- existing tests --------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GoalsOfExecutedTests:
    """The executions of tests that fail or pass, and what each of them reaches of each kind of goal."""

    dataset: Dataset
    goals: tuple[GoalsOfTests, ...]


def goals_of_tests(
    paths: Sequence[str],
    options: PipelineOptions,
    kinds: Sequence[GoalKind],
    progress: Progress,
) -> GoalsOfExecutedTests:
    """Execute the tests of ``options``, and see what they reach of each kind of goal.

    Raises UsageError where a kind is none that the program can have.
    """
    first: GoalKind = "mutants" if "mutants" in kinds else "branches"
    session = AnalysisSession(paths, replace(options, suite=SuiteOptions(goal=first)), progress)
    executions = tuple(e for e in session.tests().executions if e.outcome is not None)
    return GoalsOfExecutedTests(
        dataset=Dataset(units=session.program.units, executions=executions),
        goals=tuple(_goals_of(session, kind, executions) for kind in dict.fromkeys(kinds)),
    )


def _goals_of(session: AnalysisSession, kind: GoalKind, executions: Sequence[Execution]) -> GoalsOfTests:
    functions = definitions_reachable_from(session.program.goto, session.program.start).functions
    session.progress(f"what the tests reach of {kind}")
    if kind == "mutants":
        from sfo.pipeline.mutant_goals import MutantGoals

        with MutantGoals(session, functions) as mutants:
            found = mutants.reached_by(executions)
            return GoalsOfTests(
                kind=kind, number=len(mutants.goals.goals), reached=tuple(e.goals for e in found)
            )
    goals = coverage_goals(session.program.goto, kind, functions, session.program.files)
    known: dict[tuple[object, ...], ReachingExecution] = {}
    for execution in executions:
        if execution.vector not in known:
            known[execution.vector] = execution_reaching_goals(session.program, goals, execution)
    return GoalsOfTests(
        kind=kind, number=len(goals.goals), reached=tuple(known[e.vector].goals for e in executions)
    )
