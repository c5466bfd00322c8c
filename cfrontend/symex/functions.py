"""Compiled functions: a slot for each scalar, an object for the rest, a closure for each instruction."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias, final

from cfrontend.errors import InternalError, Location
from cfrontend.goto import GotoFunction, GotoProgram
from cfrontend.record import dataclass
from cfrontend.slice.omitted_writes import OmittedWrites
from cfrontend.slice.points_to import Place
from cfrontend.symex import unwritten
from cfrontend.symex.access import ObjectOf, Value
from cfrontend.symex.dynamic_slice import NOTHING, Node
from cfrontend.symex.layout import Layouts
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.state import (
    LITERAL,
    CompiledFunction,
    Default,
    FrameState,
    MemoryObject,
    Slot,
    WrittenPart,
)
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import UCHAR, CType, VoidType, is_scalar_type, value_bytes_of_type
from cfrontend.terms import Term, Terms
from cfrontend.terms.floats import FloatTerms
from cfrontend.units import CoverageGoals, MemoryPlace

Step: TypeAlias = Callable[[SymbolicMachine], int | None]
"""Closure of one instruction. Its result: None goes on, a number jumps, ``DEAD`` ends the state."""


@final
@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call: the scalars and the type of each. ``write`` takes the result, ``where`` is its place.

    Where the dynamic slice is recorded, ``written_by`` are the nodes of their values and ``entered_by`` is that of the
    call. ``written`` are the parts of objects that a library function is given to write to, if it is given parts.
    """

    values: list[list[Term]]
    types: Sequence[CType]
    written_by: tuple[Node, ...] = ()
    entered_by: Node = NOTHING
    written: tuple[WrittenPart, ...] = ()
    write: Callable[[SymbolicMachine, list[Term]], None] | None = None
    where: Location = Location("", 0)


@final
class FunctionVariables:
    """Environment of one function: slots and objects are given to variables in order of appearance.

    The first slots hold the returned value. ``followed``: it is followed what its value matters to. ``is_placed``:
    addresses that are seen are variables.
    """

    def __init__(self, world: World, function: GotoFunction, result_slots: int) -> None:
        self.world = world
        self.function = function
        self.slots: dict[str, int] = {}
        self.objects: dict[str, int] = {}
        self.symbols: list[SyntaxSymbol] = []
        self.next_slot = result_slots
        self.followed = world.omissions is not None
        self.is_placed = world.is_placed

    def find(self, symbol: SyntaxSymbol) -> Slot | ObjectOf:
        """The slot of a scalar that has no address, else the object that the variable is now."""
        if symbol.storage in ("static", "extern"):
            return self.world.static(symbol)
        if is_scalar_type(symbol.type) and symbol.key not in self.world.program.escaping:
            number = self.slots.get(symbol.key)
            if number is None:
                number = self.slots[symbol.key] = self.next_slot
                self.next_slot += 1
            return Slot(number, is_static=False)
        index = self.object_index(symbol)

        def current(m: SymbolicMachine) -> MemoryObject:
            frame = m.activation()
            obj = frame.objects[index]
            return make_local(m, frame, index, symbol, zero=False) if obj is None else obj

        return current

    def object_index(self, symbol: SyntaxSymbol) -> int:
        """The number of a variable among the objects of its frame."""
        index = self.objects.get(symbol.key)
        if index is None:
            index = self.objects[symbol.key] = len(self.symbols)
            self.symbols.append(symbol)
        return index


def make_local(
    m: SymbolicMachine, frame: FrameState, index: int, symbol: SyntaxSymbol, *, zero: bool
) -> MemoryObject:
    """Allocate a new object for a local variable, in place of the one it was before."""
    context = m.source.name_here(m, symbol.key)
    obj = m.new_variable(symbol, context, "zero" if zero else "unknown")
    obj.automatic = True
    if frame.objects[index] is None:
        m.reserve(frame, obj.layout.size, symbol.location)
    frame.objects[index] = obj
    frame.made.append(obj)
    return obj


@final
class World:
    """Program-wide state of the executor: the program, its static memory and the functions compiled so far."""

    def __init__(
        self,
        program: GotoProgram,
        terms: Terms,
        omissions: OmittedWrites | None = None,
        goals: CoverageGoals | None = None,
        *,
        is_placed: bool = False,
    ) -> None:
        self.program = program
        self.is_placed = is_placed
        self.omissions = omissions
        self.goals = goals
        self.terms = terms
        self.floats = FloatTerms(terms)
        self.layouts = Layouts(program.structs)
        self.compiled: dict[str, CompiledFunction] = {}
        self._static_slots: dict[str, int] = {}
        self._static_symbols: dict[str, SyntaxSymbol] = {}
        for variable in program.variables:
            symbol = variable.symbol
            self._static_symbols[symbol.key] = symbol
            if is_scalar_type(symbol.type) and symbol.key not in program.escaping:
                self._static_slots[symbol.key] = len(self._static_slots)
        self.static_objects: Sequence[ObjectOf] = [
            partial(self._shared, key=f"&{key}", symbol=symbol)
            for key, symbol in self._static_symbols.items()
            if key not in self._static_slots
        ]

    @property
    def static_slots(self) -> Mapping[Place, int]:
        """The cells of the static scalars without an address, by their keys."""
        return self._static_slots

    def start(self, m: SymbolicMachine) -> None:
        """Initialise static memory with zeros; a variable that no file defines holds unknown values."""
        for key, slot in self._static_slots.items():
            symbol = self._static_symbols[key]
            size = value_bytes_of_type(symbol.type, self.program.structs)
            if symbol.storage == "extern":
                place = MemoryPlace(object=key, ordinal=m.source.ordinal(key), offset=0, size=size)
                value = m.indeterminate(symbol.name, symbol.type, f"&{key}", symbol.location, place)
            else:
                value = self.terms.const(0, 8 * size)
            m.writes[slot] = value

    def set(self, m: SymbolicMachine, key: str, value: int | None) -> None:
        """Set a static scalar without an address, named by its variable, to a value or to an unknown one (None)."""
        slot, symbol = self._static_slots[key], self._static_symbols[key]
        width = 8 * value_bytes_of_type(symbol.type, self.program.structs)
        m.writes[slot] = self.terms.var(key, width) if value is None else self.terms.const(value, width)

    def static(self, symbol: SyntaxSymbol) -> Slot | ObjectOf:
        """The slot or object of a static variable."""
        slot = self._static_slots.get(symbol.key)
        if slot is not None:
            return Slot(slot, is_static=True)
        if symbol.key not in self._static_symbols:
            raise InternalError(f"static variable {symbol.key} is not in the program", symbol.location)
        return lambda m: self._shared(m, f"&{symbol.key}", symbol)

    def written_scalars(
        self, m: SymbolicMachine, symbol: SyntaxSymbol, written: Sequence[int]
    ) -> dict[int, CType]:
        """The scalars of a static variable among the cells ``written``, in order: their types by number."""
        found = self.static(symbol)
        if isinstance(found, Slot):
            return {0: symbol.type}
        obj = found(m)
        begin = bisect_left(written, obj.base)
        end = bisect_left(written, obj.base + obj.layout.count, lo=begin)
        cells = {key - obj.base: obj.layout.cell_with_number(key - obj.base) for key in written[begin:end]}
        return {number: cell.type for number, cell in cells.items() if cell.type is not None}

    def static_scalar(self, m: SymbolicMachine, symbol: SyntaxSymbol, number: int) -> Term:
        """The value of a static scalar, which does not count as read."""
        found = self.static(symbol)
        key = found.number if isinstance(found, Slot) else found(m).base + number
        return unwritten.unread_value(m, partial(unwritten.read_cell, key=key))

    def initial_scalar(self, m: SymbolicMachine, symbol: SyntaxSymbol, number: int) -> Term:
        """The initial value of a static scalar that was never written."""
        found = self.static(symbol)
        assert not isinstance(found, Slot), "a plain variable is written where it begins"
        return m.initial(found(m), number)

    def _shared(self, m: SymbolicMachine, key: str, symbol: SyntaxSymbol) -> MemoryObject:
        found = m.shared.get(key)
        if found is None:
            default: Default = "unknown" if symbol.storage == "extern" else "zero"
            found = m.shared[key] = m.new_variable(symbol, key, default)
        return found

    def literal(self, data: bytes, ctype: CType) -> ObjectOf:
        """The object of a string literal; equal literals share one."""
        layout = self.layouts.of(ctype)
        size = layout.stride
        key = f'"{size}{data!r}'
        starts = range(0, len(data), size)
        constants = [self.terms.const(int.from_bytes(data[n : n + size], "little"), 8 * size) for n in starts]

        def obj(m: SymbolicMachine) -> MemoryObject:
            found = m.shared.get(key)
            if found is None:
                found = m.new_object(layout, LITERAL, key, "zero", Location("", 0), writable=False)
                m.shared[key] = found
                base = m.overlay.root()
                for n, constant in enumerate(constants):
                    base.writes[found.base + n] = constant
            return found

        return obj

    def function_address(self, name: str) -> Value:
        """The address of a function, by an object that stands for it."""
        layout, key = self.layouts.of(UCHAR), f"function {name}"

        def address(m: SymbolicMachine) -> Term:
            found = m.shared.get(key)
            if found is None:
                found = m.new_object(layout, name, key, "zero", Location("", 0), writable=False)
                m.shared[key] = found
                m.functions[found.number] = name
            return m.pointer_to(found)

        return address

    def value_cells(self, ctype: CType) -> int:
        """The number of terms that represent a value of the type."""
        return 0 if isinstance(ctype, VoidType) else sum(1 for _ in self.layouts.of(ctype).scalars())


def fill_loops(function: GotoFunction, compiled: CompiledFunction) -> None:
    """Fill in the loops of a function: each backward jump with everything between it and its target."""
    compiled.loops = {back: (name, head) for name, head, back in function.loops()}
    around: list[list[int]] = [[] for _ in range(len(function.instructions) + 1)]
    for back, (_, head) in compiled.loops.items():
        compiled.heads.setdefault(head, []).append(back)
        for pc in range(head, back + 1):
            around[pc].append(back)
    compiled.loops_around = [tuple(a) for a in around]
