"""Execution of given tests, and of shorter ones or texts like them that show a fault better.

"0 0 17 300 1 0 5 -1"   ->   "1 -1"

Of a list of numbers or lines that fails, those without which it no longer does are taken out by delta debugging: ddmin
of Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE Transactions on Software Engineering
28(2), 2002: halves first, then smaller parts and what is left without them. Where nothing fails beside a reference,
texts like the tests are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from cfrontend.bound import larger_bounds
from cfrontend.errors import ResourceError, UsageError
from cfrontend.program import Program
from sfo.core.executions import ENDLESS, Execution, Native
from sfo.core.policy import policy
from sfo.execution.example_lists import FuzzedExamples, fuzzed_examples
from sfo.execution.test_import.cases import Case, ExampleList, TextTestCase
from sfo.execution.test_import.execute import (
    ExecutedImportedTests,
    execute_imported_test,
    execute_imported_tests,
)

FUZZED_TEXTS: Final = "texts made of the examples: "
"""Beginning of the note on fuzzed examples, behind which their number stands."""


def execute_given_tests(
    program: Program,
    cases: Sequence[Case],
    properties: Collection[str] | None = None,
    *,
    native: Native = "off",
    deadline: float | None = None,
    progress: Callable[[str], None] = lambda _message: None,
    lenient: bool = False,
) -> ExecutedImportedTests:
    """The executions of ``cases``, and before them that of a reduced case, or of a fuzzed example that fails.

    The first failing case that is a list is reduced; it violates the same property. Where none fails, fuzzed examples
    are tried, if the domain of the inputs was learnt from the examples and ``native`` executions are allowed. Options
    and errors are those of ``execute_imported_tests``.
    """

    def executed(some: Sequence[Case]) -> ExecutedImportedTests:
        found = execute_imported_tests(
            program, some, properties, deadline=deadline, progress=progress, lenient=lenient
        )
        if found.stop is not None:
            return found
        progress("existing tests: a shorter one that fails")
        return _with_reduced(found, some, program, properties, deadline)

    given = executed(cases)
    if given.stop is not None or given.failing:
        return given
    progress("existing tests: texts like them")
    fuzzed = _fuzzed(program, cases, native)
    given = replace(given, fuzzed=fuzzed.executed)
    for case in fuzzed.differing:
        more = executed([replace(case, unwritten=0)])
        if more.failing:
            found = replace(more.failing[0], id=len(given.executions) + 1)
            needed = larger_bounds(given.unwindset, more.unwindset)
            return replace(given, executions=(found, *given.executions), unwindset=needed)
        if more.stop is not None:
            break
    return given


def _with_reduced(
    executed: ExecutedImportedTests,
    cases: Sequence[Case],
    program: Program,
    properties: Collection[str] | None,
    deadline: float | None,
) -> ExecutedImportedTests:
    """``executed`` with the first failing list, reduced by so many executions as the policy says."""
    texts = [case for case in cases if isinstance(case, TextTestCase)]
    lists = {case.name: case.parts for case in texts if case.parts is not None}
    failing = next((one for one in executed.executions if one.outcome == "fail" and one.test in lists), None)
    if failing is None:
        return executed
    whole, known = lists[failing.test], {case.data for case in texts}
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
        number = len(executed.executions) + 1
        try:
            execution, _ = execute_imported_test(program, case, number, properties, deadline)
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


def _fuzzed(program: Program, cases: Sequence[Case], native: Native) -> FuzzedExamples:
    """Fuzzed examples of the program's domain on which it differs natively from its reference."""
    lists = [case.parts for case in cases if isinstance(case, TextTestCase) and case.parts is not None]
    domain = program.options.domain
    if domain is None or not lists or native == "off":
        return FuzzedExamples()
    from sfo.execution.learnt_domain import DomainMembership
    from sfo.execution.native.texts import texts_that_differ

    return fuzzed_examples(
        lists,
        lambda texts: texts_that_differ(program, texts, native),
        DomainMembership(program.options, domain).__contains__,
    )
