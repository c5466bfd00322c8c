r"""Execution of given tests, and beside a reference, where none of them fails, of texts like them.

"2\n3 4" and "1\n9" go right   ->   "2\n4 4" fails
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

from cfrontend.bound import larger_bounds
from cfrontend.program import Program
from sfo.core.executions import MADE_TEXT, Native
from sfo.core.policy import policy
from sfo.execution.test_import.cases import Case, TextTestCase
from sfo.execution.test_import.execute import ExecutedImportedTests, execute_imported_tests
from sfo.execution.text_mutations import texts_like_examples

FUZZED_TEXTS: Final = "texts made of the examples: "
"""Beginning of the note on texts like the examples, behind which their number stands."""


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
    """The executions of ``cases``, and before them, where none of these fails, that of a text like them that does.

    Texts are tried if the domain of the inputs was learnt from the examples and ``native`` executions are allowed.
    Options and errors are those of ``execute_imported_tests``.
    """

    def executed(some: Sequence[Case]) -> ExecutedImportedTests:
        return execute_imported_tests(
            program, some, properties, deadline=deadline, progress=progress, lenient=lenient
        )

    given = executed(cases)
    if given.stop is not None or given.failing:
        return given
    progress("existing tests: texts like them")
    texts = [case for case in cases if isinstance(case, TextTestCase) and case.arguments is None]
    tried, differing = _texts_that_differ(program, texts, native)
    given = replace(given, fuzzed=tried)
    for number, data in enumerate(differing, start=1):
        more = executed([TextTestCase(name=f"{MADE_TEXT}{number}", data=data, unwritten=0)])
        if more.failing:
            found = replace(more.failing[0], id=len(given.executions) + 1)
            needed = larger_bounds(given.unwindset, more.unwindset)
            return replace(given, executions=(found, *given.executions), unwindset=needed)
        if more.stop is not None:
            break
    return given


def _texts_that_differ(
    program: Program, cases: Sequence[TextTestCase], native: Native
) -> tuple[int, tuple[bytes, ...]]:
    """How many texts like tests were executed natively, and those of the domain that tell program and reference apart.

    The shortest ones come first, as many as the policy says.
    """
    domain = program.options.domain
    if domain is None or not cases or native == "off":
        return 0, ()
    from sfo.execution.learnt_domain import DomainMembership
    from sfo.execution.native.texts import texts_that_differ

    given = policy().fuzzed_examples
    texts = tuple(texts_like_examples([case.data for case in cases], given.texts))
    found = texts_that_differ(program, texts, native)
    if found is None:
        return 0, ()
    membership, like = DomainMembership(program.options, domain), list[bytes]()
    for data in sorted(found, key=lambda data: (len(data), data))[: given.looked_at]:
        if data in membership:
            like.append(data)
        if len(like) == given.tried:
            break
    return len(texts), tuple(like)
