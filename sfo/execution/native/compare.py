"""Comparison of an execution with the native execution on the same inputs: the differences, in words.

A violation that nothing native shows (a read beyond the end of one object that hits another, an integer
conversion that loses bits) is `unobserved`, not a disagreement: the native execution goes on. What it covered up to
there is compared all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final, TypeAlias, final

from cfrontend.errors import Location
from cfrontend.goto import (
    BranchInstruction,
    CoverInstruction,
    DeadInstruction,
    DeclareInstruction,
    GotoProgram,
    JumpInstruction,
    goto_expressions_of,
    goto_subexpressions,
)
from cfrontend.record import dataclass
from cfrontend.syntax.tree import VariableRef
from cfrontend.units import InputNumber, UnitId
from sfo.core.executions import ASSUMPTION_BROKEN, ENDLESS, Execution, ExecutionNativeCheck, NativeStatus

Line: TypeAlias = tuple[str, int]
Span: TypeAlias = tuple[str, int, int]
"""File, first and last line."""

_CRASH: Final = frozenset({"memory", "signal-11", "signal-7"})

_INSIDE: Final = _CRASH | {"overflow", "signal-4"}
"""Ends in the middle of a basic block: what gcov counts in the same function is then no evidence.

It derives most counts from those of other arcs, as if the block had been left: lines after the end have been
executed by its count, and lines before it sometimes have not.
"""

OBSERVED: Final[Mapping[str, frozenset[str]]] = {
    "assert": frozenset({"fail"}),
    "ensures": frozenset({"ensures"}),
    "reach": frozenset({"fail", "signal-4"}),
    "bounds": _CRASH | {"bounds", "pointer"},
    "pointer": _CRASH | {"bounds", "pointer"},
    "double-free": _CRASH,
    "overlap": frozenset({"memory"}),
    "div0": frozenset({"div0", "signal-8"}),
    "overflow": frozenset({"overflow"}),
    "shift": frozenset({"shift"}),
}
"""Ends of a native execution that show a violation, by check."""

LOST: Final = "lost"
"""The end of a native execution that says nothing of the program."""

CERTAIN: Final = frozenset({"assert", "ensures", "reach"})
"""Checks whose violation every native execution shows."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedNativeExecution:
    """One native execution: ``end`` as the harness names it (pass, fail, assume, missing, bounds, signal-8, …).

    The end ``lost`` is none of the program's: the process could not be started or was killed by somebody else, and
    ``why`` says how that is known.
    ``inputs`` are the values that calls read; ``covered`` is None where nobody counted. ``executable`` are the
    lines that gcov counts, without a ``switch`` whose count is 0: gcov 12 loses some that were executed, such as
    one in a loop on a plain variable. ``function`` are the lines of the function in which the execution ended.
    """

    end: str
    why: str = ""
    line: Line | None = None
    inputs: tuple[InputNumber, ...] = ()
    printed: str = ""
    covered: frozenset[Line] | None = None
    executable: frozenset[Line] = frozenset()
    function: frozenset[Line] = frozenset()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionToCompareNatively:
    """Prediction of the native execution: ``end`` is pass, fail, assume, missing, cut or endless.

    ``kind`` is the violated check.
    ``inputs`` are the values of calls; ``covered`` and ``units`` the lines of the covered units and of all units;
    ``shared`` are lines with code that belongs to no unit (an assertion, the head of a function).
    """

    end: str
    kind: str | None = None
    place: Location | None = None
    inputs: tuple[InputNumber, ...] = ()
    printed: str = ""
    covered: frozenset[Span] = frozenset()
    units: frozenset[Span] = frozenset()
    shared: frozenset[Line] = frozenset()

    @property
    def line(self) -> int | None:
        """The line of the violation."""
        return None if self.place is None else self.place.line


_ENDLESS: Final = "endless"
"""The end of an execution that has none."""

_ENDS: Final = {
    ENDLESS: _ENDLESS,
    "ends regularly": "pass",
    "leaves the bound": "cut",
    ASSUMPTION_BROKEN: "assume",
}


def predict_execution_to_compare(program: GotoProgram, execution: Execution) -> ExecutionToCompareNatively:
    """Predict the native execution on the inputs of ``execution``."""
    kinds = {p.id: p for p in program.properties}
    constant = _constant_conditions(program)
    name = execution.property
    if name is None and execution.ended.startswith("violates "):
        name = execution.ended.removeprefix("violates ").split(",", maxsplit=1)[0]
    violated = kinds[name] if name and execution.ended != ENDLESS else None
    spans = {
        u.id: (u.location.file, u.location.line, max(u.location.line, u.location.end_line))
        for u in program.units
        if u.id not in constant
    }
    return ExecutionToCompareNatively(
        end="fail" if violated else _ENDS.get(execution.ended, execution.outcome or execution.ended),
        kind=violated.kind if violated else None,
        place=violated.location if violated else None,
        inputs=tuple(i.value for i in execution.inputs if i.memory is None),
        printed=execution.output,
        covered=frozenset(spans[u] for u in execution.covered if u in spans),
        units=frozenset(spans.values()),
        shared=_code_without_unit(program),
    )


def _code_without_unit(program: GotoProgram) -> frozenset[Line]:
    """Lines that gcc covers whether a unit on them is covered or not."""
    lines: set[Line] = set()
    for function in program.functions.values():
        lines.add((function.location.file, function.location.line))
        for i in function.instructions:
            if i.unit is None and not isinstance(
                i,
                CoverInstruction | JumpInstruction | BranchInstruction | DeclareInstruction | DeadInstruction,
            ):
                lines.add((i.location.file, i.location.line))
    return frozenset(lines)


def _constant_conditions(program: GotoProgram) -> frozenset[UnitId]:
    """Conditions such as that of ``while (1)``: gcc makes no code for them, or only the jump back."""
    constant = {u.id for u in program.units if u.kind == "condition"}
    for function in program.functions.values():
        for i in function.instructions:
            if i.unit in constant and not isinstance(i, CoverInstruction | JumpInstruction):
                parts = [e for top in goto_expressions_of(i) for e in goto_subexpressions(top)]
                if not isinstance(i, BranchInstruction) or any(isinstance(e, VariableRef) for e in parts):
                    constant.remove(i.unit)
    return frozenset(constant)


def compare_native_execution(
    predicted: ExecutionToCompareNatively, native: ComparedNativeExecution, number: int = 0
) -> ExecutionNativeCheck:
    """Check of execution ``number``: outcome, place of the violation, inputs and lines covered, side by side."""
    status, problems = _compared(predicted, native)
    return native_check(number, predicted, status, problems, native)


def native_check(
    number: int,
    predicted: ExecutionToCompareNatively,
    status: NativeStatus,
    problems: tuple[str, ...],
    native: ComparedNativeExecution | None = None,
) -> ExecutionNativeCheck:
    """Record of the comparison of an execution: what differs, or why nothing could be compared."""
    units = {(file, n) for file, first, last in predicted.units for n in range(first, last + 1)}
    covered = native.covered if native is not None else None
    place = "" if native is None or native.line is None else f" at line {native.line[1]}"
    return ExecutionNativeCheck(
        execution=number,
        status=status,
        problems=problems,
        ended="" if native is None else native.end + place,
        lines=tuple(sorted({(file, first) for file, first, _ in predicted.covered})),
        native_lines=tuple(sorted(units & (covered or frozenset()))),
    )


def _compared(
    predicted: ExecutionToCompareNatively, native: ComparedNativeExecution
) -> tuple[NativeStatus, tuple[str, ...]]:
    """The outcome of the comparison, and what differs, in words."""
    if native.end == LOST:
        why = native.why or "nothing says how it ended"
        return "impossible", (f"the native execution was lost: {why}",)
    given_up = (f"the native execution was given up ({native.end})",)
    if native.end == "unsupported":
        return "impossible", given_up
    if predicted.end == _ENDLESS and native.end == "missing":  # it reads on behind the inputs that there are
        return "unobserved", ()
    if predicted.end == _ENDLESS:
        # What goes on for so long is a failure; natively it may go on until it leaves its memory.
        leaves = native.end in OBSERVED["bounds"] | OBSERVED["pointer"]
        if native.end.startswith("limit-") or leaves:
            return "agrees", ()
        return "disagrees", (f"end: sfo {ENDLESS}, gcc {native.end}",)
    if native.end.startswith("limit-"):
        return "impossible", given_up
    inside = native.function if native.end in _INSIDE else frozenset()
    if predicted.kind is not None and predicted.kind not in CERTAIN and not _shows(predicted, native):
        problems = _coverage(predicted, native, more=None, fewer=inside)
        return "disagrees" if problems else "unobserved", problems
    problems = (*_ends(predicted, native), *_inputs(predicted, native))
    problems += _coverage(predicted, native, more=_ending_lines(predicted) | inside, fewer=inside)
    return "disagrees" if problems else "agrees", problems


def _ending_lines(predicted: ExecutionToCompareNatively) -> frozenset[Line]:
    """Lines of the violation that ends the execution: gcov counts them, but units behind it there were not reached."""
    place = predicted.place
    if place is None:
        return frozenset()
    return frozenset((place.file, n) for n in range(place.line, max(place.line, place.end_line) + 1))


def _shows(predicted: ExecutionToCompareNatively, native: ComparedNativeExecution) -> bool:
    """True if the native execution ends as the violation predicts, at its place."""
    return native.end in OBSERVED.get(predicted.kind or "", ()) and _same_place(predicted.place, native.line)


def _same_place(place: Location | None, line: Line | None) -> bool:
    """True if a violation is on ``line``; inside a library function any line of a call will do.

    So is one that is shown natively in what stands around an entry function: what should hold when it returns.
    """
    if place is None or line is None or place.file.startswith("<"):
        return True
    if Path(line[0]).name.startswith(("<", "--")):
        return True
    return place.line <= line[1] <= max(place.line, place.end_line)


def _ends(predicted: ExecutionToCompareNatively, native: ComparedNativeExecution) -> tuple[str, ...]:
    if _shows(predicted, native) if predicted.end == "fail" else predicted.end == native.end:
        return ()
    mine = predicted.end if predicted.kind is None else f"{predicted.kind} violated at line {predicted.line}"
    where = "" if native.line is None else f" at line {native.line[1]}"
    return (f"end: sfo {mine}, gcc {native.end}{where}",)


def _inputs(predicted: ExecutionToCompareNatively, native: ComparedNativeExecution) -> tuple[str, ...]:
    if predicted.inputs == native.inputs:
        return ()
    return (f"inputs read by calls: sfo {list(predicted.inputs)}, gcc {list(native.inputs)}",)


def _coverage(
    predicted: ExecutionToCompareNatively,
    native: ComparedNativeExecution,
    *,
    more: Collection[Line] | None,
    fewer: frozenset[Line],
) -> tuple[str, ...]:
    """Differences in covered lines, in words; gcc may also cover lines of ``more`` (None: any), and miss ``fewer``.

    Coverage is compared on lines that have a unit and that gcov counts. gcov puts parts of an expression that
    takes several lines on any of them, so lines that share a unit are taken together.
    """
    if native.covered is None:
        return ()
    ours: list[Span] = []
    theirs: list[Span] = []
    begun = {(file, first) for file, first, _ in predicted.covered}
    for file, first, last in _groups(predicted.units):
        whole = {(file, n) for n in range(first, last + 1)}
        lines = whole & native.executable
        if not lines:
            continue
        mine = not whole.isdisjoint(begun)
        native_too = bool(lines & native.covered)
        if mine and not native_too and not lines & fewer:
            ours.append((file, first, last))
        tolerated = more is None or lines & frozenset(more) or lines & predicted.shared
        if native_too and not mine and not tolerated:
            theirs.append((file, first, last))
    words = []
    if ours:
        words.append(f"covered only in sfo: lines {_shown(ours)}")
    if theirs:
        words.append(f"covered only in gcc: lines {_shown(theirs)}")
    return tuple(words)


def _groups(spans: Iterable[Span]) -> list[Span]:
    """Spans that overlap, put together."""
    groups: list[Span] = []
    for file, first, last in sorted(spans):
        if groups and groups[-1][0] == file and first <= groups[-1][2]:
            groups[-1] = (file, groups[-1][1], max(last, groups[-1][2]))
        else:
            groups.append((file, first, last))
    return groups


def _shown(spans: Iterable[Span]) -> str:
    return ", ".join(str(a) if a == b else f"{a}-{b}" for _, a, b in spans)
