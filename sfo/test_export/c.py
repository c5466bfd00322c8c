"""Suites in C and for pytest: the program, the harness, a vector for each test, a Makefile and a CMakeLists.txt.

    make check    or    cmake -B build && ctest --test-dir build

builds one binary and starts each test as a process of it, which ends with 0 when the execution ended as predicted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.program import Program
from cfrontend.source.preprocess import HEADERS
from sfo.core.executions import Execution
from sfo.execution.native.build import NativeBuildPlan, plan_native_build
from sfo.execution.native.compare import OBSERVED, predict_execution_to_compare
from sfo.execution.native.execute import NativeInputVector, native_vector_of_execution
from sfo.execution.native.objects import SourceToBuild
from sfo.test_export.suite_text import flags_seen_from_suite, suite_text

_HEADERS: Final = "headers"
"""Our C headers in a suite: those that the system does not have, and those that library models include."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedCTest:
    """A test with predicted end: its vector, the line where it ends (0: not known) and the ends that are right."""

    name: str
    vector: NativeInputVector
    line: int
    ends: tuple[str, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        """Command-line arguments of the test binary."""
        return (f"vectors/{self.name}.txt", str(self.line), *self.ends)

    @property
    def listed(self) -> str:
        """These arguments as a list of Python."""
        return repr(list(self.arguments))


def c_suite(program: Program, executions: Sequence[Execution], directory: Path) -> Mapping[str, bytes]:
    """The files of the suite. Raises UsageError where a test cannot be written."""
    return _suite(program, executions, directory)[0]


def pytest_suite(program: Program, executions: Sequence[Execution], directory: Path) -> Mapping[str, bytes]:
    """The suite in C, and a module for pytest that builds it and runs each test. Raises what ``c_suite`` raises."""
    files, tests = _suite(program, executions, directory)
    return {**files, "test_program.py": suite_text("test_program.py.jinja", tests=tests)}


def _suite(
    program: Program, executions: Sequence[Execution], directory: Path
) -> tuple[dict[str, bytes], tuple[PredictedCTest, ...]]:
    planned = plan_native_build(program, coverage=False)
    tests = predicted_c_tests(program, executions, planned)
    files: dict[str, bytes] = {f"vectors/{test.name}.txt": test.vector.text().encode() for test in tests}
    sources = (*planned.own, *planned.others)
    files |= {source.name: source.text for source in sources}
    for header in sorted(HEADERS.rglob("*.h")):
        files[f"{_HEADERS}/{header.relative_to(HEADERS)}"] = header.read_bytes()

    def flags(source: SourceToBuild) -> list[str]:
        moved = flags_seen_from_suite(source.flags, directory)
        return [_HEADERS if flag == str(HEADERS) else flag for flag in moved]

    objects = " ".join(source.object for source in sources)
    files["Makefile"] = suite_text(
        "c.make.jinja", plan=planned, sources=sources, objects=objects, flags=flags, tests=tests
    )
    commands = [(test.name, f"./program {' '.join(test.arguments)}") for test in tests]
    files["CMakeLists.txt"] = suite_text("cmake.jinja", comment="", tests=commands)
    return files, tests


def predicted_c_tests(
    program: Program, executions: Sequence[Execution], planned: NativeBuildPlan
) -> tuple[PredictedCTest, ...]:
    """The tests that a native execution can decide; a violation that nothing shows natively makes none."""
    tests: list[PredictedCTest] = []
    for execution in executions:
        predicted = predict_execution_to_compare(program.goto, execution)
        ends = sorted(OBSERVED.get(predicted.kind or "", ())) if predicted.end == "fail" else ["pass"]
        if not ends:
            continue
        vector = native_vector_of_execution(program, execution, planned)
        if isinstance(vector, str):
            raise UsageError(f"execution {execution.id} cannot be written as a test: {vector}")
        place = predicted.place
        one_line = place is not None and place.end_line <= place.line and not place.file.startswith("<")
        tests.append(
            PredictedCTest(
                name=f"{execution.outcome}-{execution.id}",
                vector=vector,
                line=place.line if place is not None and one_line else 0,
                ends=tuple(ends),
            )
        )
    return tuple(tests)
