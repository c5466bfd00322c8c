r"""Crash reports: what a sanitizer or a debugger wrote about the end of an execution.

    read_crash_report("asan.txt")   ->   CrashReport(said="heap-buffer-overflow", kinds={"bounds", "pointer"},
                                                     frames=(CrashFrame(function="pick", file="t.c", line=5), ...))

Read are the reports of AddressSanitizer, LeakSanitizer, MemorySanitizer and UndefinedBehaviorSanitizer, those of
valgrind's memcheck, what glibc's ``assert`` prints, and backtraces of gdb. The first report in a text that says
something which is checked here counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import field
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import read_regular_file_bytes
from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CrashFrame:
    """Activation in a crash report: a ``function``, empty where the report names none, at a line of a file."""

    function: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.function or '?'} at {self.file}:{self.line}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CrashReport:
    """A crash: ``said`` is its kind in the report's words, ``frames`` are its activations, the innermost first.

    ``kinds`` are those of the properties that it can violate, empty where the report does not say. ``wherever``: where
    its line is not that of the violation, which is anywhere in the function (a protected stack is looked at when
    the function returns) or behind it (memory that is not freed).
    """

    name: str
    said: str
    kinds: frozenset[str]
    frames: tuple[CrashFrame, ...] = field(default=())
    wherever: bool = False


_MEMORY: Final = frozenset({"bounds", "pointer"})

_ADDRESS: Final = (
    (
        r"(?:heap|stack|dynamic-stack|global)-buffer-overflow|stack-buffer-underflow|container-overflow",
        _MEMORY,
    ),
    (r"heap-use-after-free|stack-use-after-return|stack-use-after-scope|use-after-poison", _MEMORY),
    (r"unknown-crash|negative-size-param|SEGV|BUS", _MEMORY),
    (r"FPE", {"div0"}),
    (r"ABRT", {"assert", "reach", "double-free"}),
    (r"attempting double-free|attempting free", {"double-free"}),
    (r"(?:memcpy|strcpy|strcat|strncpy|strncat)-param-overlap", {"overlap"}),
    (r"detected memory leaks", {"leak"}),
    (r"use-of-uninitialized-value", {"uninit"}),
)
"""Kinds of property by a pattern of what stands behind ``ERROR: AddressSanitizer:`` and its kin."""

_UNDEFINED: Final = (
    (r"division of .* by -1 cannot be represented", {"div0", "overflow"}),
    (r"division by zero", {"div0", "float-div0"}),
    (r"passing zero to ", {"div0"}),
    (r"unsigned integer overflow", {"unsigned-overflow"}),
    (r"signed integer overflow|negation of ", {"overflow"}),
    (r"shift exponent |left shift of ", {"shift"}),
    (r"outside the range of representable values|implicit conversion from", {"conversion"}),
    (r"index .* out of bounds|insufficient space for an object|null pointer|variable length array", _MEMORY),
    (r"(addition|subtraction) of unsigned offset|pointer index expression|applying .* offset", _MEMORY),
)
"""Kinds of property by a pattern of the message of UBSan."""

_SIGNALS: Final = {
    "SIGSEGV": _MEMORY,
    "SIGBUS": _MEMORY,
    "SIGFPE": frozenset({"div0"}),
    "SIGABRT": frozenset({"assert", "reach", "double-free"}),
}

_MEMCHECK: Final = (
    (r"Invalid (?:read|write) of size \d+|Jump to the invalid address", _MEMORY),
    (r"Invalid free\(\)", {"double-free"}),
    (r"Source and destination overlap in ", {"overlap"}),
    (r"Conditional jump or move depends on uninitialised value|Use of uninitialised value", {"uninit"}),
    (r".* are definitely lost in loss record ", {"leak"}),
    *(
        (rf"Process terminating with default action of signal \d+ \({signal}\)", kinds)
        for signal, kinds in _SIGNALS.items()
    ),
)
"""Kinds of property by a pattern of the message of memcheck."""

_ABORTING: Final = (
    (("__assert_fail", "__assert_fail_base", "__GI___assert_fail"), frozenset({"assert"})),
    (("__stack_chk_fail", "__stack_chk_fail_local"), _MEMORY),
    (("__fortify_fail", "__chk_fail", "__GI___chk_fail", "__GI___fortify_fail"), _MEMORY),
    (("malloc_printerr",), frozenset({"double-free"})),
)
"""Abort messages of glibc, by the function in the backtrace that writes them."""

_ERROR: Final = re.compile(
    r"^==\d+==\s*(?:ERROR|WARNING): (?:Address|Leak|Memory|Thread|UndefinedBehavior)Sanitizer: (?P<said>.*)$"
)
_RUNTIME: Final = re.compile(
    r"^(?P<file>[^\s:][^:]*):(?P<line>\d{1,9}):(?:\d+:)? runtime error: (?P<said>.*)$"
)
_ASSERTION: Final = re.compile(
    r"^(?:[^:]*: )?(?P<file>[^\s:][^:]*):(?P<line>\d{1,9}): (?P<function>[^:]*): (?P<said>Assertion `.*' failed)\."
)
_OF_MEMCHECK: Final = re.compile(r"^==\d+== (?P<said>\S.*)$")
_MEMCHECK_FRAME: Final = re.compile(
    r"^==\d+==\s+(?:at|by) 0x[0-9A-F]+: (?P<function>\S+) \((?P<file>[^()]+):(?P<line>\d{1,9})\)$"
)
_ANY_MEMCHECK_FRAME: Final = re.compile(r"^==\d+==\s+(?:at|by) 0x[0-9A-F]+: ")
_SIGNAL: Final = re.compile(r"(?:terminated with|received) signal (?P<said>SIG\w+)")
_FRAME: Final = re.compile(
    r"^\s*#(?P<number>\d{1,9})\s+0x[0-9a-f]+ in (?P<function>\S+)(?:\(.*\))? (?P<file>\S.*?):(?P<line>\d{1,9})(?::\d+)?$"
)
_ANY_FRAME: Final = re.compile(r"^\s*#\d+\s+0x[0-9a-f]+ ")
_BACKTRACE: Final = re.compile(r"^#(?P<number>\d{1,9})\s+(?:0x[0-9a-f]+ in )?(?P<function>[^\s(]+) ?\(")
_AT: Final = re.compile(r".*\) at (?P<file>\S.*?):(?P<line>\d{1,9})$")


def read_crash_report(path: str) -> CrashReport:
    """The crash that the report in the file ``path`` is about.

    Raises UsageError for a text that is no report, and for one of a crash that is no property here.
    """
    return parse_crash_report(read_regular_file_bytes(path).decode("utf-8", "replace"), path)


def parse_crash_report(text: str, name: str) -> CrashReport:
    """The crash that ``text`` is about, which is called ``name``. Raises as ``read_crash_report`` does."""
    lines = text.splitlines()
    refused: str | None = None
    for report in _sanitized(lines, name):
        if report.kinds:
            return report
        refused = refused or report.said
    traced = _backtrace(lines, name)
    if traced is not None:
        return traced
    if refused is not None:
        raise UsageError(f"{name}: {refused!r} is nothing that is checked here")
    raise UsageError(
        f"{name}: no crash report: neither a sanitizer's or memcheck's, nor a failed assertion's, nor a backtrace of gdb"
    )


# -- sanitizers --------------------------------------------------------------------------------------------------


def _sanitized(lines: list[str], name: str) -> Iterator[CrashReport]:
    """Each report of a sanitizer, memcheck or ``assert``, in order; without kinds where nothing here is like it."""
    for number, line in enumerate(lines):
        frames = _frames(lines, number + 1)
        if found := _ERROR.match(line):
            said, kinds = _address(found["said"])
            yield CrashReport(name=name, said=said, kinds=kinds, frames=frames, wherever="leak" in kinds)
        elif found := _RUNTIME.match(line):
            said = found["said"]
            place = CrashFrame(function="", file=found["file"], line=int(found["line"]))
            yield CrashReport(name=name, said=said, kinds=_kinds(_UNDEFINED, said), frames=frames or (place,))
        elif found := _ASSERTION.match(line):
            place = CrashFrame(
                function=_plain(found["function"]), file=found["file"], line=int(found["line"])
            )
            yield CrashReport(name=name, said=found["said"], kinds=frozenset({"assert"}), frames=(place,))
        elif (found := _OF_MEMCHECK.match(line)) and (kinds := _kinds(_MEMCHECK, found["said"])):
            frames = _frames(lines, number + 1, _ANY_MEMCHECK_FRAME, _MEMCHECK_FRAME)
            said = found["said"]
            yield CrashReport(name=name, said=said, kinds=kinds, frames=frames, wherever="leak" in kinds)


def _address(said: str) -> tuple[str, frozenset[str]]:
    """The name of what AddressSanitizer and its kin report, and the kinds of property that it can violate."""
    for pattern, kinds in _ADDRESS:
        if found := re.match(rf"(?:{pattern})(?![\w-])", said):
            return found[0], frozenset(kinds)
    return said.partition(" ")[0].rstrip(":"), frozenset()


def _kinds(known: Iterable[tuple[str, Collection[str]]], said: str) -> frozenset[str]:
    """The kinds of property that a message is about, by the patterns that are ``known``; none for another one."""
    return next((frozenset(kinds) for pattern, kinds in known if re.search(pattern, said)), frozenset())


def _frames(
    lines: list[str], start: int, is_frame: re.Pattern[str] = _ANY_FRAME, known: re.Pattern[str] = _FRAME
) -> tuple[CrashFrame, ...]:
    """The first stack behind line ``start`` of a report, before the next report begins.

    Its frames have a file and a line where the program was compiled with ``-g``; the others are left out.
    """
    frames: list[CrashFrame] = []
    inside = False
    for line in lines[start:]:
        if is_frame.match(line):
            inside = True
            if found := known.match(line):
                frames.append(_frame(found["function"], found["file"], found["line"]))
        elif inside or _ERROR.match(line) or _RUNTIME.match(line):
            break
    return tuple(frames)


def _frame(function: str, file: str, line: str) -> CrashFrame:
    return CrashFrame(function=_plain(function), file=file, line=int(line))


def _plain(function: str) -> str:
    """The name of a function in the source, without what a compiler adds to those that it has copied or cut."""
    return function.partition(".")[0].partition("(")[0]


# -- gdb ---------------------------------------------------------------------------------------------------------


def _backtrace(lines: list[str], name: str) -> CrashReport | None:
    """The crash of the first backtrace of gdb in a text; None where there is none."""
    called: list[str] = []
    frames: list[CrashFrame] = []
    for text in _whole_frames(lines):
        found = _BACKTRACE.match(text)
        if found is None:
            continue
        if int(found["number"]) < len(called):
            break  # the backtrace of another thread
        called.append(found["function"])
        if place := _AT.search(text):
            frames.append(_frame(found["function"], place["file"], place["line"]))
    if not called:
        return None
    signal = next((found["said"] for line in lines if (found := _SIGNAL.search(line))), "")
    for functions, kinds in _ABORTING:
        if culprit := next((one for one in called if one in functions), None):
            smashed = "stack_chk" in culprit
            return CrashReport(name=name, said=culprit, kinds=kinds, frames=tuple(frames), wherever=smashed)
    if signal and signal not in _SIGNALS:
        raise UsageError(f"{name}: {signal} is nothing that is checked here")
    kinds = _SIGNALS.get(signal, frozenset())
    return CrashReport(name=name, said=signal or "a backtrace", kinds=kinds, frames=tuple(frames))


def _whole_frames(lines: list[str]) -> Iterator[str]:
    """The frames of backtraces, each on one line; gdb breaks long ones."""
    whole = ""
    for line in lines:
        if line.startswith("#"):
            if whole:
                yield whole
            whole = line.rstrip()
        elif whole and line[:1].isspace() and not _AT.search(whole):
            whole = f"{whole} {line.strip()}"
        elif whole:
            yield whole
            whole = ""
    if whole:
        yield whole
