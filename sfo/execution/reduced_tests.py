"""Reduced tests: of a list of numbers or lines that fails, those without which it no longer does, by delta debugging.

"0 0 17 300 1 0 5 -1"   ->   "1 -1"

ddmin of Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE Transactions on Software
Engineering 28(2), 2002: halves first, then smaller parts and what is left without them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from cfrontend.errors import ResourceError, UsageError
from cfrontend.program import Program
from sfo.core.executions import ENDLESS, Execution
from sfo.core.policy import policy
from sfo.execution.test_import.cases import Case, ExampleList, TextTestCase
from sfo.execution.test_import.execute import (
    ExecutedImportedTests,
    execute_imported_test,
    execute_imported_tests,
)


def execute_and_reduce_tests(
    program: Program,
    cases: Sequence[Case],
    properties: Collection[str] | None = None,
    *,
    deadline: float | None = None,
    progress: Callable[[str], None] = lambda _message: None,
    lenient: bool = False,
) -> ExecutedImportedTests:
    """The executions of ``cases``, and before them that of the first failing one that is a list, reduced.

    It violates the same property. So many executions as the policy says look for it. Options and errors are those of
    ``execute_imported_tests``.
    """
    executed = execute_imported_tests(
        program, cases, properties, deadline=deadline, progress=progress, lenient=lenient
    )
    lists = {
        case.name: case.parts for case in cases if isinstance(case, TextTestCase) and case.parts is not None
    }
    failing = next((one for one in executed.executions if one.outcome == "fail" and one.test in lists), None)
    if failing is None or executed.stop is not None:
        return executed
    progress("existing tests: a shorter one that fails")
    whole, known = lists[failing.test], {case.data for case in cases if isinstance(case, TextTestCase)}
    found: Execution | None = None
    given = policy().given_tests
    left = given.endless_reductions if failing.ended == ENDLESS else given.reductions

    def fails(items: tuple[bytes, ...]) -> bool:
        nonlocal found, left
        case = replace(whole.part(items, "reduced"), unwritten=0)
        if left == 0 or case.data in known:
            return False
        left -= 1
        known.add(case.data)
        try:
            execution, _ = execute_imported_test(
                program, case, len(executed.executions) + 1, properties, deadline
            )
        except (ResourceError, UsageError):
            return False
        if execution.outcome != "fail" or execution.property != failing.property:
            return False
        found = execution
        return True

    _reduced(whole, fails)
    return executed if found is None else replace(executed, executions=(found, *executed.executions))


def _reduced(whole: ExampleList, fails: Callable[[tuple[bytes, ...]], bool]) -> tuple[bytes, ...]:
    """A part of the items that ``fails``, and does no longer without any further one of them."""
    items, parts = whole.items, 2
    while len(items) > whole.least:
        for part in _parts(items, min(parts, len(items))):
            if len(part) >= whole.least and fails(part):
                items, parts = part, max(2, parts - 1)
                break
        else:
            if parts >= len(items):
                return items
            parts *= 2
    return items


def _parts(items: tuple[bytes, ...], count: int) -> Iterator[tuple[bytes, ...]]:
    """Equal parts of a list, and the lists without one of these."""
    bounds = [len(items) * n // count for n in range(count + 1)]
    for first, behind in pairwise(bounds):
        yield items[first:behind]
    for first, behind in pairwise(bounds):
        yield (*items[:first], *items[behind:])
