"""A suite of texts for the standard input, for programs all of whose inputs come from there.

    tests/pass-2.in  tests/pass-2.out     what is read, and what the program then prints
                     tests/pass-2.status  and its exit status
    tests/fail-1.in  tests/fail-1.fails   what is read, and which property is violated
    tests/fail-3.in  tests/fail-3.fails  tests/fail-3.out     and what the reference prints, where that differs

The program's own files are compiled where they are, so that a suite which is kept says something of each later version
of them: ``make check-mended``, or ``ctest`` with a test for each text.

What a correct program prints is known of passing executions, as far as the program is right there, and from a
reference. Of other failing ones there is no expected output, because nobody has said what it should be. Each text was
executed by ``sfo`` again: it is written only if that is the same execution.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from cfrontend.errors import ResourceError, UsageError
from cfrontend.program import Program
from cfrontend.source.preprocess import NATIVE_HEADERS
from sfo.core.executions import Execution
from sfo.execution.native.build import plan_native_build
from sfo.execution.native.compare import OBSERVED, predict_execution_to_compare
from sfo.execution.test_import import PrintedOutput, execute_imported_text
from sfo.formats.standard_input_text import standard_inputs
from sfo.report.wording import output_difference
from sfo.test_export.unwritten_memory import PATTERN_RULES, PATTERN_WORD

_RULES: Final = """\
# make check: each test ends as predicted, for the program that the tests were made from.
# make check-mended PROGRAM=FILE.c (seen from this directory): no test fails, and each prints and returns what its
# .out and .status say.
CC = gcc
{pattern}
CFLAGS = {flags}
PROGRAM = {program}

check: program
\tsh ./run-tests predicted

check-mended: program
\tsh ./run-tests mended

# Always built: which files it was made from last, nobody knows.
program:
\t$(CC) {word} $(CFLAGS) $(PROGRAM) dialect.c -lm -o $@

clean:
\trm -f program *.printed *.errors

.PHONY: check check-mended clean program
"""


def stdin_suite(program: Program, executions: Sequence[Execution], directory: Path) -> Mapping[str, bytes]:
    """The files of the suite in ``directory``.

    Raises UsageError for inputs that are not read from the standard input, and when there is no text for any test.
    """
    found: dict[str, bytes] = {}
    left_out: list[str] = []
    for execution in executions:
        named = f"{execution.outcome}-{execution.id}"
        if not _shows(program, execution):
            left_out.append(f"{named}: nothing shows natively that it violates {execution.property}")
            continue
        text = stdin_text_of_execution(program, execution)
        if text is None:
            left_out.append(f"{named}: its inputs are those of no text")
            continue
        data, output = text
        found[f"tests/{named}.in"] = data
        if execution.outcome == "pass":
            found[f"tests/{named}.out"] = output.printed
            if output.status is not None:
                found[f"tests/{named}.status"] = f"{output.status}\n".encode()
            continue
        found[f"tests/{named}.fails"] = os.fsencode(_verdict(program, execution))
        if output_difference(execution) is not None and output.expected is not None:
            found[f"tests/{named}.out"] = output.expected
    if executions and not found:
        raise UsageError(f"no test can be written as text for the standard input ({'; '.join(left_out)})")
    if left_out:
        found["left-out.txt"] = os.fsencode("".join(f"{line}\n" for line in left_out))
    found["Makefile"] = os.fsencode(_makefile(program, directory))
    found["CMakeLists.txt"] = _cmake(
        sorted(Path(name).stem for name in found if name.endswith(".in"))
    ).encode()
    found[".gitignore"] = b"/program\n/*.printed\n/*.errors\n"
    found["run-tests"] = (files("sfo.test_export") / "run-tests.sh").read_bytes()
    found["dialect.c"] = (files("sfo.test_export") / "dialect.c").read_bytes()
    return found


def _shows(program: Program, execution: Execution) -> bool:
    """True if a native execution can show how the execution ends, or prints something else than the reference."""
    return (
        execution.outcome == "pass"
        or output_difference(execution) is not None
        or bool(OBSERVED.get(predict_execution_to_compare(program.goto, execution).kind or ""))
    )


def stdin_text_of_execution(program: Program, execution: Execution) -> tuple[bytes, PrintedOutput] | None:
    """Text to read, and what is printed; None where no text makes our own execution the same again."""
    whole = () if execution.text is None else (execution.text,)
    for data in dict.fromkeys((*whole, *standard_inputs(execution.inputs))):
        try:
            output = execute_imported_text(program, data, execution)
        except (UsageError, ResourceError):
            continue
        if output is not None:
            return data, output
    return None


def _verdict(program: Program, execution: Execution) -> str:
    item = next(item for item in program.properties if item.id == execution.property)
    return f"violates {item.id} at {item.location}: {item.description}\n"


def _makefile(program: Program, directory: Path) -> str:
    paths = [path if Path(path).is_absolute() else os.path.relpath(path, directory) for path in program.paths]
    flags = list(_flags(plan_native_build(program).own[0].flags, directory))
    return _RULES.format(
        pattern="\n".join(PATTERN_RULES), word=PATTERN_WORD, flags=_words(flags), program=_words(paths)
    )


def _cmake(names: Sequence[str]) -> str:
    """Rules for ctest: the program is built from its own files, and a test of that name passes where it is right."""
    here = "WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}"
    lines = [
        "# ctest: no test fails, and each prints and returns what its .out and .status say.",
        "cmake_minimum_required(VERSION 3.16)",
        "project(suite NONE)",
        "enable_testing()",
        "",
        f"add_test(NAME build COMMAND make program {here})",
        "set_tests_properties(build PROPERTIES FIXTURES_SETUP program)",
    ]
    for name in names:
        lines.append(f"add_test(NAME {name} COMMAND sh ./run-tests mended {name} {here})")
        lines.append(f"set_tests_properties({name} PROPERTIES FIXTURES_REQUIRED program)")
    return "\n".join([*lines, ""])


def _flags(flags: Sequence[str], directory: Path) -> Iterator[str]:
    """The flags of a native execution, with paths as they are right in ``directory``.

    A file finds its own directory itself.
    """
    before = ""
    for flag in flags:
        if before == "-include":
            yield _seen_from(flag, directory)
        elif flag.startswith("-I"):
            yield f"-I{_seen_from(flag.removeprefix('-I'), directory)}"
        elif not flag.startswith("-iquote") and flag not in NATIVE_HEADERS:
            yield flag
        before = flag


def _seen_from(path: str, directory: Path) -> str:
    return path if Path(path).is_absolute() else os.path.relpath(path, directory)


def _words(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(word).replace("$", "$$") for word in words)
