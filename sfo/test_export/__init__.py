"""Test suites from executions, for other tools: the files of a suite, by their path in its directory.

    exported_suite_files("stdin", program, executions, directory)  ->  {"tests/fail-1.in": b"3 4", ...}

Every file is a function of the program and the executions alone, so that the same executions make the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from cfrontend.errors import UsageError
from cfrontend.program import Program
from sfo.core.executions import Execution, ExecutionNativeCheck, Native
from sfo.core.suite_coverage import SuiteCoverage
from sfo.report import wording
from sfo.test_export.c import c_suite, pytest_suite
from sfo.test_export.stdin import corpus_suite, stdin_suite
from sfo.test_export.testcomp import testcomp_suite
from sfo.test_export.unit_test_frameworks import UNIT_TEST_FRAMEWORKS
from sfo.test_export.unit_tests import unit_test_suite

NATIVE: Final = frozenset({"c", "pytest", "stdin", *UNIT_TEST_FRAMEWORKS})
"""Forms whose tests predict how a native execution ends."""


def require_suite_form_for(form: str, paths: Sequence[str], entry: str) -> None:
    """Raise UsageError where no suite of this form can be made for a program of these files and this entry."""
    if form in {"stdin", "corpus"} and entry != "main":
        raise UsageError(
            f"tests of the form {form} are for programs that start in main, which read their input"
        )
    if form == "testcomp" and entry != "main":
        made = f"sfo harness {entry} {paths[0]} -o harness.c, with --requires and --ensures as here"
        raise UsageError(
            f"a Test-Comp suite is for a file that starts in main: make one ({made}) and generate from it"
        )
    if form == "testcomp" and len(paths) != 1:
        raise UsageError(
            f"a Test-Comp suite is for one file, not {len(paths)}: one that includes the others will do"
        )


def exported_suite_files(
    form: str,
    program: Program,
    executions: Sequence[Execution],
    directory: Path,
    checks: Sequence[ExecutionNativeCheck] | None = None,
    native: Native = "sandboxed",
    coverage: SuiteCoverage | None = None,
) -> Mapping[str, bytes]:
    """The suite in ``directory`` written as ``form``: c, pytest, testcomp, stdin, corpus, or a framework.

    Executions without an outcome and those that the bound cuts are no tests, nor are those, in forms that predict
    native executions, of which ``checks`` say that a native execution does not show how they end. Unit tests are
    called after the goals of ``coverage``. Raises UsageError for inputs that the form has no place for.
    """
    require_suite_form_for(form, program.paths, program.options.entry)
    unseen = {check.execution for check in checks or () if check.status in {"unobserved", "impossible"}}
    if form == "stdin":  # the test looks at what is printed, which the check does not
        unseen -= {e.id for e in executions if wording.output_difference(e) is not None}
    hidden = unseen if form in NATIVE else frozenset()
    tests = tuple(e for e in executions if e.outcome is not None and not e.is_cut and e.id not in hidden)
    if hidden and not tests:
        raise UsageError(f"no test of the form {form}: no native execution shows how the executions end")
    match form:
        case "c":
            return c_suite(program, tests, directory)
        case "pytest":
            return pytest_suite(program, tests, directory)
        case "stdin":
            return stdin_suite(program, tests, directory)
        case "corpus":
            return corpus_suite(program, tests)
        case "testcomp":
            return testcomp_suite(program, tests)
        case _:
            return unit_test_suite(UNIT_TEST_FRAMEWORKS[form], program, tests, directory, native, coverage)


__all__ = ["exported_suite_files", "require_suite_form_for"]
