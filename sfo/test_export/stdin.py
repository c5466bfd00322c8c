"""A suite of texts for the standard input, for programs all of whose inputs come from there.

    tests/pass-2.in  tests/pass-2.out     what is read, and what the program then prints
                     tests/pass-2.status  and its exit status
    tests/fail-1.in  tests/fail-1.fails   what is read, and which property is violated
    tests/fail-3.in  tests/fail-3.fails  tests/fail-3.out     and what the reference prints, where that differs

The program's own files are compiled where they are, so that a suite which is kept says something of each later version
of them: ``make check-mended``, or ``ctest`` with a test for each text.

What a correct program prints is known of passing executions, as far as the program is right there, and from a
reference. Of other failing ones there is no expected output, because nobody has said what it should be.

A corpus for fuzzers, libFuzzer and AFL++ among them, has the texts alone: ``afl-fuzz -i seeds -o found ./program``.

    seeds/pass-2  crashes/fail-1     what is read; no fuzzer should start from a crash

Each text was executed by ``sfo`` again: it is written only if that is the same execution.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
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
from sfo.report import wording
from sfo.test_export.suite_text import flags_seen_from_suite, seen_from_suite, suite_text


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
        if wording.output_difference(execution) is not None and output.expected is not None:
            found[f"tests/{named}.out"] = output.expected
    if executions and not found:
        raise UsageError(f"no test can be written as text for the standard input ({'; '.join(left_out)})")
    if left_out:
        found["left-out.txt"] = os.fsencode("".join(f"{line}\n" for line in left_out))
    own = plan_native_build(program, coverage=False).own[0].flags  # a file finds its own directory itself
    flags = [flag for flag in own if not flag.startswith("-iquote") and flag not in NATIVE_HEADERS]
    paths = [seen_from_suite(path, directory) for path in program.paths]
    found["Makefile"] = suite_text(
        "stdin.make.jinja", flags=list(flags_seen_from_suite(flags, directory)), paths=paths
    )
    names = sorted(Path(name).stem for name in found if name.endswith(".in"))
    found["CMakeLists.txt"] = suite_text(
        "cmake.jinja",
        comment="no test fails, and each prints and returns what its .out and .status say.",
        tests=[(name, f"sh ./run-tests mended {name}") for name in names],
    )
    found[".gitignore"] = b"/program\n/*.printed\n/*.errors\n"
    found["run-tests"] = (files("sfo.test_export") / "run-tests.sh").read_bytes()
    found["dialect.c"] = (files("sfo.test_export") / "dialect.c").read_bytes()
    return found


def _shows(program: Program, execution: Execution) -> bool:
    """True if a native execution can show how the execution ends, or prints something else than the reference."""
    return (
        execution.outcome == "pass"
        or wording.output_difference(execution) is not None
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


_FOLDERS: Final = {"pass": "seeds", "fail": "crashes"}


def corpus_suite(program: Program, executions: Sequence[Execution]) -> Mapping[str, bytes]:
    """The files of the corpus, which are texts and nothing else, and what has no text beside their folders.

    Raises UsageError for inputs that are not read from the standard input, and when there is no text for any execution.
    """
    found: dict[str, bytes] = {}
    left_out: list[str] = []
    for execution in executions:
        named = f"{execution.outcome}-{execution.id}"
        text = stdin_text_of_execution(program, execution)
        if text is None:
            left_out.append(f"{named}: its inputs are those of no text")
        elif not text[0]:
            left_out.append(f"{named}: it reads nothing, and AFL refuses empty files")
        else:
            found[f"{_FOLDERS[execution.outcome or 'pass']}/{named}"] = text[0]
    if executions and not found:
        raise UsageError(f"no execution can be written as text for a corpus ({'; '.join(left_out)})")
    if left_out:
        found["left-out.txt"] = os.fsencode("".join(f"{line}\n" for line in left_out))
    return found
