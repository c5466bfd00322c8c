"""Steps of calls, returns and the end of the program."""

from __future__ import annotations

from collections.abc import Callable

from cfrontend import goto
from cfrontend.source.written_parameters import ParameterUse, written_parameters
from cfrontend.symex.access import Value, Values, slot_writer
from cfrontend.symex.addresses import as_type
from cfrontend.symex.dynamic_slice import Node
from cfrontend.symex.functions import Arguments, Step
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.pointers import possible_targets
from cfrontend.symex.state import DEAD, Slot, WrittenPart
from cfrontend.symex.steps.angelic import angelic_argument, angelic_step, angelic_structure
from cfrontend.symex.steps.context import StepContext
from cfrontend.syntax import queries, tree
from cfrontend.syntax.types import (
    ArrayType,
    PointerType,
    StructType,
    StructTypeTable,
    is_complete_object_type,
    size_of_type,
)
from cfrontend.terms import TRUE, Term


def call_step(f: StepContext, _pc: int, i: goto.CallInstruction) -> Step:
    """The step of a direct or indirect call."""
    arguments = [_argument(f, a) for a in i.arguments]
    types, unit = [a.type for a in i.arguments], i.unit
    if i.unit is not None:
        arguments = [
            angelic_argument(f, i, given, a.type) for given, a in zip(arguments, i.arguments, strict=True)
        ]
    write_result = _result_writer(f, i)
    caller = f.caller
    written = _written_parts(f, i)

    def given_to(m: SymbolicMachine) -> Arguments:
        followed = m.relevance
        if followed is None:
            values = [a(m) for a in arguments]
            return Arguments(values, types, written=written(m), write=write_result, where=i.location)
        nodes: list[Node] = []
        values = []
        for argument in arguments:
            nodes.append(followed.begin(m, unit))
            values.append(argument(m))
        call = followed.begin(m, unit)
        return Arguments(values, types, tuple(nodes), call, written(m), write=write_result, where=i.location)

    if isinstance(i.callee, tree.FunctionRef):
        name = i.callee.name
        return lambda m: caller.call(m, name, given_to(m))
    pointer = f.x.value(i.callee)

    def call_through(m: SymbolicMachine) -> int | None:
        given = given_to(m)
        return caller.call_pointer(m, pointer(m), given)

    return call_through


def _written_parts(
    f: StepContext, i: goto.CallInstruction
) -> Callable[[SymbolicMachine], tuple[WrittenPart, ...]]:
    """The closure of the parts of objects that a call of the library names as what is written: ``strcpy(u.name, s)``.

    Objects that it is given otherwise may be written as a whole.
    """
    name = i.callee.name if isinstance(i.callee, tree.FunctionRef) else ""
    called = f.world.program.functions.get(name)
    if f.compiled.source.foreign or called is None or not called.foreign:
        return lambda _: ()
    structs = f.world.program.structs
    uses = written_parameters(name, [a.type for a in i.arguments]) or ()
    given: list[tuple[Value, int | None]] = []
    for argument, use in zip(i.arguments, uses, strict=False):
        if use and isinstance(argument.type, PointerType):
            part = _limiting_part(argument, use, structs)
            if part is None:
                given.append((f.x.value(argument), None))
            else:
                start = tree.AddressOf(type=PointerType(part.type), location=part.location, operand=part)
                given.append((f.x.value(start), size_of_type(part.type, structs)))
    if all(size is None for _, size in given):
        return lambda _: ()
    return lambda m: tuple(
        (condition, obj.number, offset, size)
        for start, size in given
        for condition, obj, offset in possible_targets(m, start(m))
    )


def _limiting_part(
    argument: tree.Expression, use: ParameterUse, structs: StructTypeTable
) -> tree.Expression | None:
    """The member or row that an argument names and that ends before its object may; None where there is none.

    Rows of an array, and members that are no arrays, are no limit to what takes ``void *``, such as ``memset``.
    """
    found = queries.pointed_part(argument, structs)
    part = None if found is None else found.part
    while use == "bytes" and isinstance(part, tree.Index):
        part = part.base
    if not isinstance(part, tree.MemberAccess | tree.Index) or queries.is_open_ended_array(part, structs):
        return None
    is_array = isinstance(part.type, ArrayType)
    return part if (is_array or use == "typed") and is_complete_object_type(part.type, structs) else None


def _argument(f: StepContext, e: tree.Expression) -> Values:
    """The closure of an argument, as the list of its scalars."""
    if isinstance(e.type, StructType):
        return f.x.structure(e)
    value = f.x.value(e)
    return lambda m: [value(m)]


def _result_writer(
    f: StepContext, i: goto.CallInstruction
) -> Callable[[SymbolicMachine, list[Term]], None] | None:
    """The closure that writes a call's result to the variable that takes it."""
    if i.result is None:
        return None
    write = _writer_of(f, i.result)
    if f.world.omissions is None:
        return write
    unit = i.unit

    def receive(m: SymbolicMachine, values: list[Term]) -> None:
        assert m.relevance is not None
        m.relevance.receive(m, unit)
        write(m, values)

    return receive


def _writer_of(f: StepContext, symbol: tree.SyntaxSymbol) -> Callable[[SymbolicMachine, list[Term]], None]:
    """The closure that writes a value to a variable, in which a pointer of the called function may be a number."""
    reference = tree.VariableRef(type=symbol.type, location=symbol.location, symbol=symbol)
    if isinstance(symbol.type, StructType):
        return f.x.store_structure(reference)
    write = f.x.store(reference)
    return lambda m, values: write(m, as_type(m, values[0], symbol.type))


def return_step(f: StepContext, _pc: int, i: goto.ReturnInstruction) -> Step:
    """The step of ``return``: the value goes to the first slots of the frame, execution to the end of the function."""
    end = len(f.compiled.source.instructions)
    if i.value is None:
        return lambda m: end
    if isinstance(i.value.type, StructType):
        values = f.x.structure(i.value)
        if i.yields:
            values = angelic_structure(i, values)

        def return_structure(m: SymbolicMachine) -> int:
            for n, value in enumerate(values(m)):
                m.writes[m.base + n] = value
                if m.relevance is not None:
                    m.relevance.wrote(m, m.base + n, TRUE, None)
            return end

        return return_structure
    value = f.x.value(i.value)
    if i.yields:
        value = angelic_step(f, i, value, i.value.type)
    write = slot_writer(Slot(0, is_static=False), is_followed=f.variables.followed)

    def return_scalar(m: SymbolicMachine) -> int:
        write(m, value(m))
        return end

    return return_scalar


def exit_step(f: StepContext, _pc: int, i: goto.ExitInstruction) -> Step:
    """The step that ends the program, wherever it is."""
    status = None if i.status is None else f.x.value(i.status)
    end = f.caller.end

    def exit_(m: SymbolicMachine) -> int:
        end(m, exits=True, value=() if status is None else (status(m),))
        return DEAD

    return exit_
