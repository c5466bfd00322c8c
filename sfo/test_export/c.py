"""A suite in C: the program, the harness and one vector for each test, with a Makefile and a CMakeLists.txt.

    make check    or    cmake -B build && ctest --test-dir build

builds one binary and starts each test as a process of it, which ends with 0 when the execution ended as predicted.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.program import Program
from cfrontend.source.preprocess import HEADERS, preprocessor_command_word
from sfo.core.executions import Execution
from sfo.execution.native.build import NativeBuildPlan, plan_native_build
from sfo.execution.native.compare import OBSERVED, predict_execution_to_compare
from sfo.execution.native.execute import NativeInputVector, native_vector_of_execution
from sfo.execution.native.objects import SourceToBuild
from sfo.test_export.unwritten_memory import PATTERN_RULES, PATTERN_WORD

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


def c_suite(program: Program, executions: Sequence[Execution], directory: Path) -> Mapping[str, bytes]:
    """The files of the suite. Raises UsageError where a test cannot be written."""
    planned = plan_native_build(program)
    tests = predicted_c_tests(program, executions, planned)
    files: dict[str, bytes] = {f"vectors/{test.name}.txt": test.vector.text().encode() for test in tests}
    sources = (*planned.own, *planned.others)
    files |= {source.name: source.text for source in sources}
    for header in sorted(HEADERS.rglob("*.h")):
        files[f"{_HEADERS}/{header.relative_to(HEADERS)}"] = header.read_bytes()
    files["Makefile"] = os.fsencode(_makefile(planned, tests, directory))
    files["CMakeLists.txt"] = os.fsencode(_cmake(tests))
    return files


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


def _makefile(planned: NativeBuildPlan, tests: Sequence[PredictedCTest], directory: Path) -> str:
    """Rules for each object, the binary and ``check``."""
    own, others = planned.own, planned.others
    objects = " ".join(source.object for source in (*own, *others))
    lines = [
        "CC = gcc",
        *PATTERN_RULES,
        "",
        f"program: {objects}",
        f"\t$(CC) {_words(planned.link)} {objects} -lm -o $@",
        "",
    ]
    for source in (*own, *others):
        lines.append(f"{source.object}: {source.name}")
        pattern = f"{PATTERN_WORD} " if source in own else ""
        lines.append(f"\t$(CC) {pattern}{_words(_moved(source, directory))} -c $< -o $@")
        if source.symbols:
            lines.append(f"\tobjcopy {_words(source.symbols)} $@")
        lines.append("")
    lines.append("check: program")
    lines += [f"\t./program {_words(test.arguments)}" for test in tests]
    lines += ["", "clean:", f"\trm -f program {objects}", "", ".PHONY: check clean", ""]
    return "\n".join(lines)


def _words(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(word).replace("$", "$$") for word in words)


def _moved(source: SourceToBuild, directory: Path) -> list[str]:
    """The flags of a source as they are right in ``directory``."""
    flags: list[str] = []
    before = ""
    for flag in source.flags:
        if flag == str(HEADERS):
            flags.append(_HEADERS)
        elif before == "-include":
            flags.append(preprocessor_command_word(_seen_from(flag, directory)))
        elif flag.startswith(("-iquote", "-I")):
            option = "-iquote" if flag.startswith("-iquote") else "-I"
            flags.append(option + _seen_from(flag.removeprefix(option), directory))
        else:
            flags.append(flag)
        before = flag
    return flags


def _seen_from(path: str, directory: Path) -> str:
    return path if Path(path).is_absolute() else os.path.relpath(path, directory)


def _cmake(tests: Sequence[PredictedCTest]) -> str:
    lines = [
        "cmake_minimum_required(VERSION 3.16)",
        "project(suite NONE)",
        "enable_testing()",
        "add_custom_target(program ALL COMMAND make program WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})",
        "",
        "add_test(NAME build COMMAND make program WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})",
        "set_tests_properties(build PROPERTIES FIXTURES_SETUP program)",
    ]
    for test in tests:
        lines.append(
            f"add_test(NAME {test.name} COMMAND ./program {' '.join(test.arguments)}"
            " WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})"
        )
        lines.append(f"set_tests_properties({test.name} PROPERTIES FIXTURES_REQUIRED program)")
    return "\n".join([*lines, ""])
