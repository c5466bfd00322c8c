"""Where a crash report points to in a program: the properties that the crash violates, and its functions.

heap-buffer-overflow in pick at t.c:5, main at t.c:21   ->   pick.pointer.1, functions pick and main
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import final

from cfrontend.errors import Location, UsageError
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.units import Property, UnitId
from sfo.core.dataset import Dataset
from sfo.execution.test_import.cases import TextTestCase
from sfo.execution.test_import.execute import execute_imported_test
from sfo.formats.crash_reports import CrashFrame, CrashReport
from sfo.pipeline.options import PipelineOptions


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CrashPlace:
    """A crash in a program: what was ``said`` of it, the ids of its ``properties``, the ``functions`` of its frames."""

    said: str
    properties: frozenset[str]
    functions: frozenset[str]

    def near(self, program: Program, dataset: Dataset) -> frozenset[UnitId]:
        """Units of these functions that all failing executions of ``dataset`` cover."""
        common = frozenset(dataset.intersection)
        return frozenset(
            unit.id for unit in program.units if unit.id in common and unit.function in self.functions
        )

    def note(self, entry: str) -> str:
        """What is to be said of it in the report of a localisation from the function ``entry`` on."""
        asked = ", ".join(sorted(self.properties))
        return (
            f"crash: {self.said}; executions start in {entry}, nothing but {asked} is looked at, and suspects in"
            " the functions of the crash come first among equals"
        )


def crash_options(options: PipelineOptions, report: CrashReport, paths: Sequence[str]) -> PipelineOptions:
    """``options`` for the crash of ``report``: its kinds are checked, and executions start in its functions.

    Where the outermost function that the files ``paths`` have is not the entry, as with a library that a test calls,
    executions start there, unless the user has chosen where.
    """
    program = options.program
    entry = program.entry
    if entry == "main":
        own = [frame for frame in report.frames if crash_file(frame.file, paths) is not None]
        entry = next((frame.function for frame in reversed(own) if frame.function), entry)
    program = replace(program, entry=entry, checks=program.checks | report.kinds)
    return replace(options, program=program, crash=report)


def crash_input_options(options: PipelineOptions, case: TextTestCase) -> PipelineOptions:
    """``options`` for a crash on a standard input and arguments: executions have as many arguments.

    Raises UsageError where executions start elsewhere, or have another number of arguments.
    """
    program, arguments = options.program, case.arguments or ()
    if program.entry != "main":
        raise UsageError(
            f"--input and --arguments are for programs that start in main, not in {program.entry}"
        )
    if program.argv not in (None, len(arguments) + 1):
        raise UsageError(f"--argv {program.argv}: --arguments has {len(arguments)}, and argc is one more")
    longest = max([program.argv_length, *map(len, arguments)])
    program = replace(program, argv=len(arguments) + 1, argv_length=longest)
    return replace(options, program=program, tests=(case, *options.tests), crash_input=case)


def crash_place_of_options(
    program: Program, options: PipelineOptions, deadline: float | None
) -> CrashPlace | None:
    """The place of the crash that ``options`` ask about, by its report or its input; None where they ask of none.

    Raises UsageError where the input does not crash, or not as the report says.
    """
    place = None if options.crash is None else find_crash_place(program, options.crash)
    case = options.crash_input
    if case is None:
        return place
    execution, _ = execute_imported_test(program, case, 1, deadline=deadline)
    if execution.outcome != "fail" or execution.property is None:
        raise UsageError(
            f"{case.name}: the execution on this input does not fail (--check LIST looks at more)"
        )
    violated = next(item for item in program.properties if item.id == execution.property)
    where = f"{violated.location.file}:{violated.location.line}"
    if place is not None and violated.id not in place.properties:
        raise UsageError(
            f"{case.name}: the execution on this input violates {violated.id} at {where}, which is not the crash of"
            f" the report ({place.said})"
        )
    return place or CrashPlace(
        said=f"{violated.description}, {where}",
        properties=frozenset({violated.id}),
        functions=frozenset({violated.function}),
    )


def find_crash_place(program: Program, report: CrashReport) -> CrashPlace:
    """The place of a crash in ``program``.

    It is in the innermost frame that is in its files: a function of the library fails for its caller. Raises
    UsageError where no frame is in the program, and where nothing that is checked there can fail so.
    """
    files = {unit.location.file for unit in program.units} | {
        item.location.file for item in program.properties
    }
    own = [(frame, file) for frame in report.frames if (file := crash_file(frame.file, files)) is not None]
    own = [(frame, file) for frame, file in own if _is_within(program, frame, file)]
    if not own:
        frames = ", ".join(map(str, report.frames[:3])) or "none with a file and a line (compile with -g)"
        raise UsageError(f"{report.name}: the crash is not in this program; its places are {frames}")
    frame, file = own[0]
    kinds = report.kinds or frozenset(item.kind for item in program.properties)
    asked = [item for item in program.properties if item.kind in kinds]
    found = _at(program, frame, file, asked, wherever=report.wherever)
    if not found:
        what = f"{', '.join(sorted(report.kinds))} is" if report.kinds else "nothing is"
        raise UsageError(
            f"{report.name}: {what} {'not ' if report.kinds else ''}checked at {file}:{frame.line}"
            f" ({report.said}): `sfo show --properties` lists what is"
        )
    functions = {frame.function for frame, _ in own if frame.function} | {item.function for item in found}
    return CrashPlace(
        said=f"{report.said}, {file}:{frame.line}",
        properties=frozenset(item.id for item in found),
        functions=frozenset(functions),
    )


def crash_file(named: str, files: Iterable[str]) -> str | None:
    """The file of ``files`` that a report names otherwise; None where it is none of them.

    The names of directories differ where the program was compiled elsewhere: the file with most parts in common at
    the end is meant.
    """
    alike = {file: _common(named, file) for file in files}
    return max(alike, key=lambda file: (alike[file], file), default=None) if any(alike.values()) else None


def _common(first: str, second: str) -> int:
    """The number of parts that two paths have in common at their ends."""
    pairs = zip(reversed(PurePath(first).parts), reversed(PurePath(second).parts), strict=False)
    count = 0
    for one, other in pairs:
        if one != other:
            break
        count += 1
    return count


def _is_within(program: Program, frame: CrashFrame, file: str) -> bool:
    """Whether a frame is in a function of the program, in a line that there is."""
    lines = program.files.get(file)
    if lines is not None and frame.line > len(lines):
        return False
    return not frame.function or frame.function in program.goto.functions


def _at(
    program: Program, frame: CrashFrame, file: str, asked: Sequence[Property], *, wherever: bool
) -> Collection[Property]:
    """Those of ``asked`` that are at the line of a frame, or else in its statement."""
    if wherever:
        leaks = [item for item in asked if item.kind == "leak"]
        return leaks or [item for item in asked if item.function == frame.function]
    here = [item for item in asked if item.location.file == file]
    if frame.function:
        here = [item for item in here if item.function == frame.function]
    if exact := [item for item in here if _spans(item.location, frame.line)]:
        return exact
    statements = [
        unit.location
        for unit in program.units
        if unit.location.file == file and _spans(unit.location, frame.line)
    ]
    return [item for item in here if any(_spans(place, item.location.line) for place in statements)]


def _spans(place: Location, line: int) -> bool:
    return place.line <= line <= max(place.line, place.end_line)
