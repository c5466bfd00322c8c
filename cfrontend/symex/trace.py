"""Execution trace on given inputs: the steps with their unit, depth of calls, and writes; and the final values.

least = input1       TraceStep(unit=1, depth=1, outcome=None, writes=(TraceWrite(1, "least", -3),))
if (most < input2)   TraceStep(unit=3, depth=1, outcome=True, writes=())
f(5)                 TraceStep(unit=4, depth=1, outcome=None, writes=(TraceWrite(2, "value", 5),))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from cfrontend.encoded_program import FinalValue
from cfrontend.events import TraceStepEvent, TraceWriteEvent
from cfrontend.goto import GotoProgram, base_variable
from cfrontend.settings import SETTINGS
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.symex import pointers
from cfrontend.symex.functions import World
from cfrontend.symex.machine import Observer, SymbolicMachine
from cfrontend.symex.state import FrameState
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import CType, FloatType, IntType, PointerType
from cfrontend.terms import Term, Terms
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.text import show_float_text
from cfrontend.units import InputSite, UnitId


@final
class TraceRecorder:
    """Recorder of the trace. What library functions do inside is not recorded."""

    def __init__(self) -> None:
        self._steps: list[tuple[UnitId, int, list[bool], list[TraceWriteEvent]]] = []

    def steps(self) -> tuple[TraceStepEvent, ...]:
        """The recorded steps so far; a unit that goes on behind a call is a step of its own."""
        return tuple(
            TraceStepEvent(
                unit=unit, depth=depth, outcome=outcomes[-1] if outcomes else None, writes=tuple(writes)
            )
            for unit, depth, outcomes, writes in self._steps
        )

    def step(self, m: SymbolicMachine, unit: UnitId) -> None:
        """Record that the evaluation of ``unit`` begins."""
        self._steps.append((unit, _depth(m.frame), [], []))

    def test(self, m: SymbolicMachine, unit: UnitId, outcome: bool) -> None:
        """Record that the condition ``unit`` comes out true or false."""
        if self._is_own(m):
            self._current(m, unit)[2].append(outcome)

    def write(
        self,
        m: SymbolicMachine,
        unit: UnitId | None,
        target: Expression,
        pointer: Term | None,
        values: Sequence[Term],
    ) -> None:
        """Record that ``unit`` writes the scalars of ``target``, at ``pointer`` unless it is a plain variable."""
        root = base_variable(target)
        if unit is None or not self._is_own(m) or (root is not None and root.name.startswith("$")):
            return
        depth = _depth(m.frame) if root is not None and "::" in root.key else 0
        cells = _cells(m, target, pointer, len(values))
        self._current(m, unit)[3].extend(
            TraceWriteEvent(depth=depth, name=name, value=value_text(m, ctype, value))
            for (name, ctype), value in zip(cells, values, strict=False)
        )

    def reads_unwritten(self, m: SymbolicMachine, site: InputSite, value: Term) -> None:
        """Record that memory that nobody wrote is read, and so has a value from here on."""
        number = m.t.value[value]
        if not self._steps or number is None or not self._is_own(m):
            return
        if site.floating:
            shown = show_float_text(FORMATS[site.width], number)
        else:
            shown = str(Terms.signed(number, site.width) if site.signed else number)
        self._steps[-1][3].append(TraceWriteEvent(depth=_depth(m.frame), name=site.name, value=shown))

    def enter(self, m: SymbolicMachine, parameter: SyntaxSymbol, value: Term) -> None:
        """Record that a function of the program is entered; the step before it is the call."""
        if self._steps and self._is_own(m):
            shown = value_text(m, parameter.type, value)
            self._steps[-1][3].append(
                TraceWriteEvent(depth=_depth(m.frame), name=parameter.name, value=shown)
            )

    def _current(
        self, m: SymbolicMachine, unit: UnitId
    ) -> tuple[UnitId, int, list[bool], list[TraceWriteEvent]]:
        depth = _depth(m.frame)
        if not self._steps or self._steps[-1][:2] != (unit, depth):
            self._steps.append((unit, depth, [], []))
        return self._steps[-1]

    @staticmethod
    def _is_own(m: SymbolicMachine) -> bool:
        return m.frame is not None and not m.frame.function.source.foreign


def _depth(frame: FrameState | None) -> int:
    """Call depth: activations of the program's own functions, from 1 in the entry function."""
    depth = 0
    while frame is not None:
        depth += not frame.function.source.foreign
        frame = frame.outer
    return depth


def _cells(
    m: SymbolicMachine, target: Expression, pointer: Term | None, count: int
) -> list[tuple[str, CType]]:
    """Name and type of each of the ``count`` scalars of ``target``, by its object and the place in it."""
    found = () if pointer is None else pointers.targets_of(m, pointer)
    offset = m.t.value[found[0][2]] if len(found) == 1 else None
    if offset is None:
        return [(print_syntax(target), target.type)] if count == 1 else []
    obj = found[0][1]
    name = obj.name or print_syntax(target)
    if count == 1:
        return [(f"{name}{obj.layout.cell(offset).name}", target.type)]
    inside = m.layouts.of(target.type).scalars()
    return [
        (f"{name}{obj.layout.cell(offset + cell.offset).name}", cell.type)
        for cell in inside
        if cell.type is not None
    ]


def value_text(m: SymbolicMachine, ctype: CType, value: Term) -> str:
    """A value in C's spelling; a pointer as its target, ``?`` for what is not known."""
    number = m.t.value[value]
    if number is None:
        return "?"
    if isinstance(ctype, FloatType):
        return show_float_text(FORMATS[ctype.width], number)
    if isinstance(ctype, PointerType):
        return "NULL" if number == 0 else _place(m, value, number)
    if isinstance(ctype, IntType) and ctype.signed:
        return str(Terms.signed(number, ctype.width))
    return str(number)


def _place(m: SymbolicMachine, pointer: Term, number: int) -> str:
    for _, obj, offset in pointers.targets_of(m, pointer):
        if obj.number in m.functions:
            return m.functions[obj.number]
        distance = m.t.value[offset]
        if distance is not None:
            signed = Terms.signed(distance, m.t.width[offset])
            if 0 <= signed < obj.layout.size:
                return f"&{obj.name}{obj.layout.cell(signed).name}"
            return f"&{obj.name}{signed:+}"
    return hex(number)


# -- final values --------------------------------------------------------------------------------------------------

_STATUS: Final = 0xFF
"""Bits of an exit status that can be seen."""


@final
class FinalValues(Observer):
    """Observer that takes the values of the written variables of ``program`` at the end of its only execution.

    int total;   total += 3;   ->   (("total", 0, 3),)

    Two versions of a program leave the same where these are equal. Pointers are left out.
    ``status`` is that of the process, where it is executed from ``main`` on.
    """

    def __init__(self, world: World, program: GotoProgram) -> None:
        self._world = world
        self._symbols = [
            variable.symbol
            for variable in program.variables
            if variable.symbol.key not in SETTINGS
            and not is_preprocessed_foreign_file(variable.symbol.location.file)
        ]
        self.values: frozenset[FinalValue] = frozenset()
        self.status: int | None = None

    def ends(self, m: SymbolicMachine, *, exits: bool, value: Sequence[Term]) -> bool:
        """Take the values; what is not known, as nobody wrote it, is left out."""
        written = m.overlay.keys()
        found: set[FinalValue] = set()
        for symbol in self._symbols:
            for number, ctype in self._world.written_scalars(m, symbol, written).items():
                bits = m.t.value[self._world.static_scalar(m, symbol, number)]
                if bits is not None and not isinstance(ctype, PointerType):
                    found.add((symbol.key, number, bits))
        self.values = frozenset(found)
        status = m.t.value[value[0]] if value else None
        self.status = None if status is None else status & _STATUS
        return True
