"""Goals of existing tests: what the execution of each test reaches, so that a suite can be reduced without a loss.

    tests  ->  their executions, and for each of these the branches that it takes and the mutants that it kills

The interpreter says so, as it does of generated suites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import final

from cfrontend.goto.coverage_goals import coverage_goals
from cfrontend.record import dataclass
from cfrontend.slice.reachable_definitions import definitions_reachable_from
from cfrontend.units import GoalKind
from sfo.core.dataset import Dataset
from sfo.core.executions import Execution
from sfo.core.suite_coverage import GoalsOfTests
from sfo.pipeline.coverage_suite import execution_reaching_goals
from sfo.pipeline.mutant_goals import MutantGoals
from sfo.pipeline.options import PipelineOptions, SuiteOptions
from sfo.pipeline.session import AnalysisSession, Progress
from sfo.test_generation.goal_search import ReachingExecution


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
