"""Execution of given tests: those that are there, and texts like them where none of these fails beside a reference."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

from cfrontend.bound import larger_bounds
from cfrontend.program import Program
from sfo.core.executions import Native
from sfo.execution.example_fuzzing import FuzzedExamples, fuzzed_examples
from sfo.execution.reduced_tests import execute_and_reduce_tests
from sfo.execution.test_import.cases import Case, TextTestCase
from sfo.execution.test_import.execute import ExecutedImportedTests

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
    """The executions of ``cases``, and before them that of a fuzzed example that fails, where no case does.

    That is tried where the domain of the inputs was learnt from the examples and ``native`` executions are allowed.
    Options and errors are those of ``execute_imported_tests``.
    """

    def executed(some: Sequence[Case]) -> ExecutedImportedTests:
        return execute_and_reduce_tests(
            program, some, properties, deadline=deadline, progress=progress, lenient=lenient
        )

    given = executed(cases)
    if given.stop is not None or any(one.outcome == "fail" for one in given.executions):
        return given
    progress("existing tests: texts like them")
    fuzzed = _fuzzed(program, cases, native)
    given = replace(given, fuzzed=fuzzed.executed)
    for case in fuzzed.differing:
        more = executed([replace(case, unwritten=0)])
        failing = next((one for one in more.executions if one.outcome == "fail"), None)
        if failing is not None:
            found = replace(failing, id=len(given.executions) + 1)
            needed = larger_bounds(given.unwindset, more.unwindset)
            return replace(given, executions=(found, *given.executions), unwindset=needed)
        if more.stop is not None:
            break
    return given


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
