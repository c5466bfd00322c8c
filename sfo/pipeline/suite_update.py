"""Update of a generated suite after a change of the program: which of its tests it keeps, and why others are left out.

    tests 1 2 3 4, of which 2 reads too few values and the others reach what 4 reaches
        ->  1 and 3 stay as they are, new ones have ids from 5 on, and the report names 2 and 4

A test has its id as its name, so what it is called does not depend on what is left out beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from sfo.core.executions import Execution
from sfo.core.result import Result
from sfo.core.suite_coverage import ChangedExpectation, SuiteUpdate
from sfo.execution.test_import import ExecutedImportedTests, KeptSuiteTest
from sfo.pipeline.options import SuiteOptions
from sfo.spectra.matrix import coverage_matrix_from_dataset
from sfo.spectra.suite_reduction import reduce_suite
from sfo.test_generation.goal_search import ReachingExecution
from sfo.test_generation.seed_tests import numbered_seed_tests


def with_executions_of_tests(
    result: Result, ran: ExecutedImportedTests, suite: SuiteOptions
) -> tuple[Result, tuple[Execution, ...]]:
    """``result`` with the tests that ``ran`` where it has no executions, and all these executions.

    In an updated suite, what ends in no way that is a test's is among the latter only.
    """
    executions = result.dataset.executions
    if not executions:
        executions = numbered_seed_tests(ran.executions, suite.ids)
    left = executions
    if suite.update is not None:
        left = tuple(e for e in executions if e.outcome is not None)
    return replace(result, dataset=replace(result.dataset, executions=left)), executions


def kept_by_update(
    result: Result, given: Sequence[ReachingExecution], suite: SuiteOptions, telling: int
) -> tuple[list[ReachingExecution], list[ReachingExecution]]:
    """The executions that the updated suite has in any case, and those that it has where they reach a goal.

    In it are the fewest failing ones that share no more units than all do, and as many passing ones of different
    coverage as would tell them from passing ones in a new suite, ``telling``. Where only the goals of some functions
    are asked for, every test is kept: it may be the one that reaches something elsewhere.
    """
    reduced = reduce_suite(coverage_matrix_from_dataset(result.dataset))
    wanted = set(reduced.failing)
    if wanted and not suite.minimise:
        wanted.update(reduced.passing[:telling])
    kept = [
        e
        for n, e in enumerate(given)
        if n in wanted or (suite.functions is not None and e.execution.test in suite.ids)
    ]
    return kept, [e for e in given if e not in kept]


def updated_suite(
    tests: Sequence[KeptSuiteTest],
    ran: ExecutedImportedTests,
    tested: Sequence[Execution],
    executions: Sequence[Execution],
) -> SuiteUpdate:
    """What became of the ``tests``, which were ``tested``; some are among the ``executions`` of the suite."""
    left = {e.id: e for e in executions if e.test}
    ended = {e.test: e for e in tested if e.test}
    invalid: dict[int, str] = {}
    redundant: list[int] = []
    changed: list[ChangedExpectation] = []
    for test in tests:
        execution = ended.get(test.case.name)
        if execution is not None:
            changed += _changed_expectation(test, execution, named=test.id not in left)
        if test.id in left:
            continue
        if execution is None:
            invalid[test.id] = ran.unfit.get(test.case.name, "the limit was reached before its execution")
        elif execution.outcome is None:
            invalid[test.id] = execution.ended
        else:
            redundant.append(test.id)
    return SuiteUpdate(
        kept=tuple(test.id for test in tests if test.id in left),
        turned=tuple(t.id for t in tests if t.id in left and left[t.id].outcome != t.outcome),
        redundant=tuple(redundant),
        invalid=invalid,
        added=tuple(e.id for e in executions if not e.test),
        changed=tuple(changed),
    )


def _changed_expectation(
    test: KeptSuiteTest, execution: Execution, *, named: bool
) -> Iterator[ChangedExpectation]:
    """What a test printed where that is something else now, and how it ended where it is left out and so ``named``."""
    if execution.outcome is None:
        return
    name = f"test {test.id}"
    if named and test.outcome and execution.outcome != test.outcome:
        before = "passes" if test.outcome == "pass" else "fails"
        yield ChangedExpectation(test=name, before=before, now=execution.ended)
    elif test.outcome == execution.outcome == "pass" and test.output not in (None, execution.output):
        yield ChangedExpectation(test=name, before=_shown(test.output or ""), now=_shown(execution.output))


def _shown(printed: str) -> str:
    """Printed text as a literal that is short enough to be read."""
    return json.dumps(printed if len(printed) <= _MOST_SHOWN else f"{printed[:_MOST_SHOWN]}...")


_MOST_SHOWN: Final = 40
"""Characters of printed text that are shown of a changed expectation."""
