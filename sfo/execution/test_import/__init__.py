"""Existing tests as executions: each is one execution of the program on fixed inputs.

    executed(program, read_tests("tests"), ...)  ->  Ran((Execution(test="tests/t1.ktest", outcome="fail", ...), ...))

What a test gives the program is asked for when the program reads it, so a test needs no types of its own.
"""

from __future__ import annotations

from sfo.execution.test_import.cases import Case, TextCase, supply_of_case
from sfo.execution.test_import.execute import ExecutedTests, execute_tests, same_execution
from sfo.execution.test_import.read import read_tests

__all__ = [
    "Case",
    "ExecutedTests",
    "TextCase",
    "execute_tests",
    "read_tests",
    "same_execution",
    "supply_of_case",
]
