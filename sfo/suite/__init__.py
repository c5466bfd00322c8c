"""Executions as test suites that others can run: the files of a suite, by their path in its directory.

    suite_files("ktest", program, executions, directory)  ->  {"fail-1.ktest": b"KTEST...", ...}

Every file is a function of the program and the executions alone, so that the same executions make the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from cfrontend.program import Program
from sfo.data import Execution
from sfo.suite.c import c_suite
from sfo.suite.ktest import ktest_suite
from sfo.suite.pytest_module import pytest_suite
from sfo.suite.stdin import stdin_suite
from sfo.suite.testcomp import testcomp_suite


def suite_files(
    form: str, program: Program, executions: Sequence[Execution], directory: Path
) -> Mapping[str, bytes]:
    """The suite in ``directory`` written as ``form``, one of c, pytest, testcomp, ktest and stdin.

    Executions without an outcome are no tests. Raises UsageError for inputs that the form has no place for.
    """
    tests = tuple(e for e in executions if e.outcome is not None)
    match form:
        case "c":
            return c_suite(program, tests, directory)
        case "pytest":
            return pytest_suite(program, tests, directory)
        case "stdin":
            return stdin_suite(program, tests, directory)
        case "testcomp":
            return testcomp_suite(program, tests)
        case _:
            return ktest_suite(program, tests)


__all__ = ["suite_files"]
