"""Data steps: declarations, writes, inputs and memory."""

from __future__ import annotations

from collections.abc import Sequence

from cfrontend import goto
from cfrontend.errors import ResourceError, UnsupportedError
from cfrontend.slice.points_to import allocated_objects
from cfrontend.symex import memory, pointers
from cfrontend.symex.addresses import SURROUNDINGS, note_end_of_object
from cfrontend.symex.functions import Step, make_local
from cfrontend.symex.inputs import allocation_site, read_input
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.state import Slot, input_site
from cfrontend.symex.steps.angelic import angelic_step, angelic_structure
from cfrontend.symex.steps.context import StepContext, refusal_step
from cfrontend.syntax import tree
from cfrontend.syntax.types import StructType, is_complete_type, size_of_type
from cfrontend.terms import FALSE, TRUE, Term
from cfrontend.units import MemoryPlace

_FEW = 64
"""Maximum number of followed elements of an object of symbolic size."""

_WORD = 8
"""Bytes of an element whose type is not known."""

_LARGEST = 1 << 30
"""Maximum size in bytes of an allocation; larger ones are refused."""

_ADDRESSABLE = {64: 1 << 47, 32: 1 << 31}
"""Size in bytes, by bits of a pointer, from which on ``malloc`` is null, whatever the machine."""


def declare_step(f: StepContext, _pc: int, i: goto.DeclareInstruction) -> Step:
    """The step of a declaration: the lifetime of a variable begins."""
    symbol = i.symbol
    place = f.variables.find(symbol)
    if not isinstance(place, Slot):
        return _declare_object(f, i)
    number, width, zero = place.number, f.x.width(symbol.type), i.zero

    def declare(m: SymbolicMachine) -> None:
        if zero:
            value = m.t.const(0, width)
        else:
            context = m.source.name_here(m, symbol.key)
            place = MemoryPlace(
                object=symbol.key, ordinal=m.source.ordinal(symbol.key), offset=0, size=width // 8
            )
            value = m.indeterminate(symbol.name, symbol.type, context, symbol.location, place)
            m.born(value)
            m.source.comes_to_life(m, symbol, context)
        m.writes[m.base + number] = value

    return (lambda m: None) if i.initialised else declare


def _declare_object(f: StepContext, i: goto.DeclareInstruction) -> Step:
    """The step of a declaration of a variable with an object of its own."""
    index = f.variables.object_index(i.symbol)
    symbol, zero, written = i.symbol, i.zero, i.zero or i.initialised

    def declare(m: SymbolicMachine) -> None:
        obj = make_local(m, m.activation(), index, symbol, zero=zero)
        if not written:
            m.source.comes_to_life(m, symbol, obj.context)

    def declare_again(m: SymbolicMachine) -> None:
        obj = m.activation().objects[index]
        if obj is None or m.alive(obj) == FALSE:
            declare(m)
            return
        context = m.renewed(obj, zero=zero)
        if not written:
            m.source.comes_to_life(m, symbol, context)

    return declare_again if i.again else declare


def dead_step(f: StepContext, _pc: int, i: goto.DeadInstruction) -> Step:
    """The step that ends the lifetime of a variable, or of the variable-length array that a pointer stands for."""
    place = f.variables.find(i.symbol)
    if isinstance(place, Slot):
        number = place.number

        def dead_array(m: SymbolicMachine) -> None:
            pointer = m.overlay.lookup(m.base + number)
            if pointer is not None:
                memory.end_pointed_objects(m, pointer, automatic=True)

        return dead_array
    index = f.variables.object_index(i.symbol)

    def dead(m: SymbolicMachine) -> None:
        obj = m.activation().objects[index]
        if obj is not None:
            note_end_of_object(m, obj, m.path.term)
            m.end_object(obj)

    return dead


def assign_step(f: StepContext, _pc: int, i: goto.AssignInstruction) -> Step:
    """The step of an assignment of a scalar or a structure, all its scalars at once."""
    if isinstance(i.target.type, StructType):
        write_all, values = f.x.store_structure(i.target), f.x.structure(i.value)
        if i.yields:
            values = angelic_structure(i, values)

        def assign_structure(m: SymbolicMachine) -> None:
            all_new = values(m)
            _note_write(f, m, i, all_new)
            write_all(m, all_new)

        return assign_structure
    write, value = f.x.store(i.target), f.x.value(i.value)
    if i.yields:
        value = angelic_step(f, i, value, i.target.type)

    def assign(m: SymbolicMachine) -> None:
        new = value(m)
        _note_write(f, m, i, [new])
        write(m, new)

    return assign


def _note_write(
    f: StepContext,
    m: SymbolicMachine,
    i: goto.AssignInstruction | goto.InputInstruction,
    values: Sequence[Term],
) -> None:
    """Record a write for a trace: what is about to be written, and where if that is not a plain variable."""
    if m.trace is None:
        return
    is_plain = isinstance(i.target, tree.VariableRef) and not isinstance(i.target.type, StructType)
    has_address = not is_plain and f.x.bit_field(i.target) is None
    pointer = f.x.address(i.target)(m) if has_address else None
    m.trace.write(m, i.unit, i.target, pointer, values)


def input_step(f: StepContext, _pc: int, i: goto.InputInstruction) -> Step:
    """The step that reads the next input."""
    write, site = f.x.store(i.target), i.site
    width = f.x.width(i.target.type)

    def read(m: SymbolicMachine) -> None:
        value = read_input(m, site, width)
        _note_write(f, m, i, [value])
        write(m, value)

    return read


def symbolic_step(f: StepContext, _pc: int, i: goto.SymbolicInstruction) -> Step:
    """The step that makes every scalar at an address an input."""
    pointer, size = f.x.value(i.pointer), f.x.value(i.size)

    def read(m: SymbolicMachine) -> None:
        found = pointers.targets_of(m, pointer(m))
        count = m.t.value[size(m)]
        if count == 0 and i.is_partial:
            return
        first = m.t.value[found[0][2]] if len(found) == 1 else None
        whole = len(found) == 1 and first == 0 and count == found[0][1].layout.size
        part = i.is_partial and len(found) == 1 and not found[0][1].untyped
        if first is None or count is None or not (whole or part):
            raise UnsupportedError(
                "making inputs of anything but a whole object is not supported yet", i.location
            )
        obj = found[0][1]
        obj.untyped = False
        ordinal = m.source.ordinal("klee_make_symbolic")
        touched = [
            cell
            for cell in obj.layout.scalars()
            if cell.offset + cell.size > first and cell.offset < first + count
        ]
        if any(cell.offset < first or cell.offset + cell.size > first + count for cell in touched):
            raise UnsupportedError("making a part of a number an input is not supported yet", i.location)
        for cell in touched:
            place = MemoryPlace(
                object="klee_make_symbolic", ordinal=ordinal, offset=cell.offset, size=cell.size
            )
            site = input_site(i.name + cell.name, cell.type, 8 * cell.size, i.location, place)
            m.writes[obj.base + cell.number] = read_input(m, site, 8 * cell.size)
            if m.relevance is not None:
                m.relevance.wrote(m, obj.base + cell.number, TRUE, obj.place)

    return read


def allocate_step(f: StepContext, pc: int, i: goto.AllocateInstruction) -> Step:
    """The step that allocates a new object; one of symbolic size is as large as it can be, with a limit.

    Executions that ask for more than sfo follows leave the bound.
    """
    write, size = f.x.store(i.target), f.x.value(i.size)
    element, location = i.element, i.location
    is_heap = not i.automatic and not i.lasting
    place = allocated_objects(f.compiled.source.name, pc)
    layouts, structs = f.world.layouts, f.world.program.structs
    is_typed = element is not None and is_complete_type(element, structs)
    unit = size_of_type(element, structs) if element is not None and is_typed else 0

    def allocate(m: SymbolicMachine) -> int | None:
        frame = m.activation()
        where = m.place_of(location)
        amount = size(m)
        possible = m.values.of(amount)
        sizes = () if possible is None else [size for size in possible if size <= _LARGEST]
        most = max(sizes, default=_FEW * (unit or _WORD))
        if possible is None or len(sizes) < len(possible):
            known = m.t.value[amount]
            if known is not None and known >= _ADDRESSABLE[m.word] and not i.automatic:
                write(m, m.t.const(0, m.word))
                return None
            if known is not None:
                raise ResourceError(
                    f"allocation of {known} bytes: more than {_LARGEST} are not followed", where
                )
            followed = m.t.ule(amount, m.t.const(most, m.word))
            if not m.cut_where(m.t.not_(followed), location):
                return m.drop()
        typed = layouts.elements(layouts.of(element), most) if unit and element is not None else None
        context = m.fresh_name(f"allocated@{frame.context()}")
        obj = m.new_object(
            layouts.bytes(most) if typed is None else typed,
            "allocated",
            context,
            "zero" if i.zero else "unknown",
            where,
            made_by="alloca" if i.automatic else allocation_site(m),
            place=place,
        )
        m.source.allocated(m, obj)
        obj.allocated, obj.can_leak = is_heap, is_heap and location.file not in SURROUNDINGS
        m.writes[obj.made] = TRUE
        obj.untyped = typed is None
        obj.limit = None if possible is not None and len(possible) == 1 else amount
        if i.automatic:
            obj.automatic, obj.reserved = True, most
            m.reserve(frame, most, where)
            frame.made.append(obj)
        write(m, m.pointer_to(obj))
        return None

    return allocate


def variable_arguments_step(f: StepContext, pc: int, i: goto.VariableArgumentsInstruction) -> Step:
    """The step of ``va_start``: the pointer to where the arguments beyond the parameters begin."""
    if not f.compiled.source.variadic:
        message = "va_start in a function without variable arguments"
        return refusal_step(
            f, pc, goto.RefuseInstruction(location=i.location, message=message, unsupported=False)
        )
    write = f.x.store(i.target)

    def start(m: SymbolicMachine) -> None:
        beyond = m.activation().beyond
        assert beyond is not None
        write(m, m.pointer_to(beyond))

    return start


def free_step(f: StepContext, _pc: int, i: goto.FreeInstruction) -> Step:
    """The step that ends an allocated object."""
    freed = angelic_step(f, i, f.x.value(i.pointer), i.pointer.type)
    return lambda m: memory.end_pointed_objects(m, freed(m))


def object_size_step(f: StepContext, _pc: int, i: goto.ObjectSizeInstruction) -> Step:
    """The step that takes the size of an object."""
    write, pointer = f.x.store(i.target), f.x.value(i.pointer)
    return lambda m: write(m, memory.object_size_at(m, pointer(m)))


def copy_step(f: StepContext, _pc: int, i: goto.CopyInstruction) -> Step:
    """The step that copies a block."""
    target, source, size = f.x.value(i.target), f.x.value(i.source), f.x.value(i.size)
    return lambda m: memory.copy_block(m, target(m), source(m), size(m))


def fill_step(f: StepContext, _pc: int, i: goto.FillInstruction) -> Step:
    """The step that fills a block."""
    target, byte, size = f.x.value(i.target), f.x.value(i.byte), f.x.value(i.size)
    return lambda m: memory.fill_block(m, target(m), byte(m), size(m))
