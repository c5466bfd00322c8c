"""Steps of calls, returns and the end of the program."""

from __future__ import annotations

from collections.abc import Callable

from cfrontend import goto
from cfrontend.symex.access import AccessSlot, Values, followed_write, write_slot
from cfrontend.symex.dynamic_slice import Node
from cfrontend.symex.functions import DEAD, CallArguments, Step
from cfrontend.symex.machine import Machine
from cfrontend.symex.steps.angelic import relaxable_argument, relaxable_step, relaxable_structure
from cfrontend.symex.steps.context import CompiledContext
from cfrontend.syntax import tree
from cfrontend.syntax.types import StructType
from cfrontend.terms import TRUE, Term


def call_step(f: CompiledContext, i: goto.Call) -> Step:
    """The step of a direct or indirect call."""
    arguments = [_argument(f, a) for a in i.arguments]
    types, unit = [a.type for a in i.arguments], i.unit
    if i.unit is not None:
        arguments = [
            relaxable_argument(f, i, given, a.type) for given, a in zip(arguments, i.arguments, strict=True)
        ]
    write_result = _result_writer(f, i)
    caller = f.caller

    def given_to(m: Machine) -> CallArguments:
        followed = m.relevance
        if followed is None:
            return CallArguments([a(m) for a in arguments], types)
        nodes: list[Node] = []
        values: list[list[Term]] = []
        for argument in arguments:
            nodes.append(followed.begin(m, unit))
            values.append(argument(m))
        return CallArguments(values, types, tuple(nodes), followed.begin(m, unit))

    if isinstance(i.callee, tree.FunctionRef):
        name = i.callee.name

        def call(m: Machine) -> int | None:
            return caller.call(m, name, given_to(m), write_result, i.location)

        return call
    pointer = f.x.value(i.callee)

    def call_through(m: Machine) -> int | None:
        given = given_to(m)
        return caller.call_pointer(m, pointer(m), given, write_result, i.location)

    return call_through


def _argument(f: CompiledContext, e: tree.Expression) -> Values:
    """The closure of an argument, as the list of its scalars."""
    if isinstance(e.type, StructType):
        return f.x.structure(e)
    value = f.x.value(e)
    return lambda m: [value(m)]


def _result_writer(f: CompiledContext, i: goto.Call) -> Callable[[Machine, list[Term]], None] | None:
    """The closure that writes a call's result to the variable that takes it."""
    if i.result is None:
        return None
    write = _writer_of(f, i.result)
    if f.world.omissions is None:
        return write
    unit = i.unit

    def receive(m: Machine, values: list[Term]) -> None:
        assert m.relevance is not None
        m.relevance.receive(m, unit)
        write(m, values)

    return receive


def _writer_of(f: CompiledContext, symbol: tree.Symbol) -> Callable[[Machine, list[Term]], None]:
    """The closure that writes a value to a variable."""
    reference = tree.VariableRef(type=symbol.type, location=symbol.location, symbol=symbol)
    if isinstance(symbol.type, StructType):
        return f.x.store_structure(reference)
    write = f.x.store(reference)
    return lambda m, values: write(m, values[0])


def return_(f: CompiledContext, i: goto.Return) -> Step:
    """The step of ``return``: the value goes to the first slots of the frame, execution to the end of the function."""
    end = len(f.compiled.source.instructions)
    if i.value is None:
        return lambda m: end
    if isinstance(i.value.type, StructType):
        values = f.x.structure(i.value)
        if i.yields:
            values = relaxable_structure(i, values)

        def return_structure(m: Machine) -> int:
            for n, value in enumerate(values(m)):
                m.writes[m.base + n] = value
                if m.relevance is not None:
                    m.relevance.wrote(m, m.base + n, TRUE, None)
            return end

        return return_structure
    value = f.x.value(i.value)
    if i.yields:
        value = relaxable_step(f, i, value, i.value.type)
    into = write_slot if f.world.omissions is None else followed_write
    write = into(AccessSlot(0, is_static=False))

    def return_scalar(m: Machine) -> int:
        write(m, value(m))
        return end

    return return_scalar


def end_program(f: CompiledContext, i: goto.Exit) -> Step:
    """The step that ends the program, wherever it is."""
    status = None if i.status is None else f.x.value(i.status)
    end = f.caller.end

    def exit_(m: Machine) -> int:
        end(m, exits=True, value=() if status is None else (status(m),))
        return DEAD

    return exit_
