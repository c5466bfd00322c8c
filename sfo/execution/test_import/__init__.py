"""Existing tests as executions: each is one execution of the program on fixed inputs.

    execute_imported_tests(program, read_imported_tests("tests"))
        ->  ExecutedImportedTests((Execution(test="tests/t1.in", outcome="fail", ...), ...))

What a test gives the program is asked for when the program reads it, so a test needs no types of its own.
"""

from __future__ import annotations

from sfo.execution.test_import.cases import Case, TextTestCase, supply_of_test_case
from sfo.execution.test_import.execute import (
    ExecutedImportedTests,
    PrintedOutput,
    execute_imported_tests,
    execute_imported_text,
)
from sfo.execution.test_import.read import KeptSuiteTest, read_imported_tests, read_kept_suite

__all__ = [
    "Case",
    "ExecutedImportedTests",
    "KeptSuiteTest",
    "PrintedOutput",
    "TextTestCase",
    "execute_imported_tests",
    "execute_imported_text",
    "read_imported_tests",
    "read_kept_suite",
    "supply_of_test_case",
]
