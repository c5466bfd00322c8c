"""A suite for pytest: the suite in C, and a module that builds it and runs each test."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from cfrontend.program import Program
from sfo.core.executions import Execution
from sfo.execution.native.build import plan_native_build
from sfo.test_export.c import c_suite, predicted_c_tests

_MODULE: Final = '''\
"""Generated tests: each runs the program natively on one input vector and expects it to end as predicted."""

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent

TESTS = {
%s}


@pytest.fixture(scope="module", autouse=True)
def program():
    subprocess.run(["make", "program"], cwd=HERE, check=True, capture_output=True)


@pytest.mark.parametrize("name", TESTS)
def test_ends_as_predicted(name):
    done = subprocess.run(["./program", *TESTS[name]], cwd=HERE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
'''


def pytest_suite(program: Program, executions: Sequence[Execution], directory: Path) -> Mapping[str, bytes]:
    """The files of the suite. Raises UsageError where a test cannot be written."""
    tests = predicted_c_tests(program, executions, plan_native_build(program))
    lines = "".join(f'    "{test.name}": {list(test.arguments)!r},\n' for test in tests)
    return {**c_suite(program, executions, directory), "test_program.py": os.fsencode(_MODULE % lines)}
