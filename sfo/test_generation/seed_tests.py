"""Algorithm 1 started from existing tests: what it starts from, and one dataset of both.

existing fail {1,2,4} pass {1,4}, found {1,2,3,4}   ->   start from the failing test alone: {1,2,4} is narrower
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from sfo.core.executions import Execution, covered_by_all_executions
from sfo.execution.given_tests import FUZZED_TEXTS
from sfo.execution.test_import.execute import ExecutedImportedTests
from sfo.oracles.protocol import Found
from sfo.test_generation.algorithm1 import Algorithm1FailingExecutions, Algorithm1PassingExecutions


def executions_of_seed_tests(ran: ExecutedImportedTests, found: Found) -> tuple[Execution, ...]:
    """Executions that Algorithm 1 starts from: the failing tests, and the one found where it misses what they share."""
    tests = ran.failing
    if not isinstance(found, Execution) or (tests and covered_by_all_executions(tests) <= found.covered):
        return tests
    return (*tests, found)


def joined_seed_tests(
    ran: ExecutedImportedTests,
    failing: Algorithm1FailingExecutions,
    passing: Algorithm1PassingExecutions,
    ids: Mapping[str, int],
) -> tuple[Execution, ...]:
    """Failing executions, passing ones, and tests that are neither, numbered from 1; of each kind tests come first.

    A test whose name is among ``ids`` has the id that it has there, others have larger ones.
    """
    neither = tuple(execution for execution in ran.executions if execution.outcome is None)
    executions = (*failing.executions, *ran.passing, *passing.executions, *neither)
    if not ran.executions and not ids:
        return executions
    return numbered_seed_tests(executions, ids)


def numbered_seed_tests(executions: Sequence[Execution], ids: Mapping[str, int]) -> tuple[Execution, ...]:
    """``executions`` in order, with the ``ids`` of the tests that have one, and larger ones for the others."""
    following = count(max(ids.values(), default=0) + 1)
    return tuple(
        replace(execution, id=ids[execution.test] if execution.test in ids else next(following))
        for execution in executions
    )


def describe_seed_tests(ran: ExecutedImportedTests, executions: Sequence[Execution]) -> tuple[str, ...]:
    """Notes with the numbers of existing tests, of executions added to them, and of texts made of the tests."""
    if not ran.executions:
        return ()
    failing, passing = len(ran.failing), len(ran.passing)
    words = [f"existing tests: {failing} failing, {passing} passing"]
    neither = len(ran.executions) - failing - passing
    if neither:
        words.append(f"{neither} neither (an assumption does not hold, or another property is violated)")
    new = sum(not execution.test and execution.outcome == "fail" for execution in executions)
    more = sum(not execution.test and execution.outcome == "pass" for execution in executions)
    words.append(f"added: {new} failing, {more} passing")
    return ("; ".join(words), *describe_fuzzed_tests(ran))


def describe_fuzzed_tests(ran: ExecutedImportedTests) -> tuple[str, ...]:
    """Note with the number of texts made of the tests, where none of these fails, nor any test."""
    if not ran.fuzzed or ran.failing:
        return ()
    return (f"{FUZZED_TEXTS}{ran.fuzzed} executed natively, none of which fails",)
