"""Function calls and the scheduler of a frame, which resumes the least advanced parked state so that paths join."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop
from typing import final

from cfrontend.errors import InputError, Location, ResourceError, UnsupportedError
from cfrontend.lower.dialect import BUILT_IN
from cfrontend.slice.points_to import variadic_arguments
from cfrontend.symex import pointers
from cfrontend.symex.addresses import as_type, note_end_of_object
from cfrontend.symex.dynamic_slice import NOTHING, Node
from cfrontend.symex.functions import (
    Arguments,
    World,
    make_local,
)
from cfrontend.symex.instructions import compile_function
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.paths import PathCondition
from cfrontend.symex.state import DEAD, CompiledFunction, FrameState, ParkedState, Slot
from cfrontend.syntax.types import (
    CType,
    FloatType,
    IntType,
    PointerType,
    VoidType,
    is_scalar_type,
    value_bytes_of_type,
)
from cfrontend.terms import FALSE, TRUE, Term
from cfrontend.terms.floats import FORMATS
from cfrontend.units import MemoryPlace

FREE_DEPTH = 2_000
"""Maximum recursion depth of an unbounded recursion whose arguments are all constants."""

_ACTIVATION = 16
"""Bytes of the stack that a call takes by itself: the address to return to, and the frame pointer."""


@final
class Caller:
    """Interpreter of calls: executes the functions of one program on machines."""

    def __init__(self, world: World) -> None:
        self.world = world

    def call(self, m: SymbolicMachine, name: str, arguments: Arguments) -> int | None:
        """Call a function by name and write its result; DEAD when no execution returns."""
        write, where = arguments.write, arguments.where
        if name not in self.world.program.functions:
            if name in BUILT_IN:
                message = f"the library function '{name}' called through a pointer is not supported yet"
                raise UnsupportedError(message, where)
            raise InputError(f"undefined function '{name}' is called; define it or give its file", where)
        if not self.may_enter(m, name, arguments):
            return m.drop()
        function = compile_function(self.world, name, self)
        results = self.run(m, function, arguments)
        if results is None:
            return DEAD
        if write is not None:
            if not results and isinstance(function.source.result, VoidType):
                message = f"a call of '{name}' as a function that returns a value, which it does not,"
                raise UnsupportedError(f"{message} is not supported yet", where)
            write(m, results)
        return None

    def may_enter(self, m: SymbolicMachine, name: str, arguments: Arguments) -> bool:
        """Whether the bound allows one more activation of a function; marks the cut where it does not."""
        m.tick()
        earlier = m.active.get(name)
        if not earlier:
            return True
        active = len(earlier)
        constant = all(m.t.value[term] is not None for argument in arguments.values for term in argument)
        # A parser that calls itself with the same pointer again gets on, if at all, by what it reads.
        moves = m.path.term == TRUE or earlier[-1] != arguments.values
        if m.bound.free and constant and moves and not m.has_own_limit(name):
            allowed = active < FREE_DEPTH
        else:
            limit = m.unwinding_limit(name)
            if limit is None and m.patience is not None:
                limit = FREE_DEPTH
            allowed = limit is None or active <= limit
        if not allowed:
            m.end_of_unwinding(arguments.where)
        elif active > 20_000:
            message = f"recursion of '{name}' is deeper than 20000; give --unwind"
            raise ResourceError(message, arguments.where)
        else:
            m.deepest[name] = max(active, m.deepest.get(name, 1))
        return allowed

    def call_pointer(self, m: SymbolicMachine, pointer: Term, arguments: Arguments) -> int | None:
        """Call through a pointer: a case split over the possible functions; the resulting states are joined."""
        found = [
            (c, m.functions[obj.number])
            for c, obj, _ in pointers.targets_of(m, pointer)
            if obj.number in m.functions
        ]
        if not found:
            message = "a call through a pointer that may not point to a function is not supported yet"
            raise UnsupportedError(message, arguments.where)
        if len(found) == 1:
            return self._call_of_pointer(m, found[0][1], arguments)
        after: list[ParkedState] = []
        states = [m.fork() for _ in found[1:]]
        states.insert(0, m.take())
        for (condition, name), state in zip(found, states, strict=True):
            m.path, m.overlay, m.writes = state.path, state.overlay, state.overlay.writes
            if condition == FALSE or not m.assume(condition):
                m.drop()
            elif self._call_of_pointer(m, name, arguments) is None:
                after.append(m.take())
        if not after:
            return DEAD
        m.resume(after)
        return None

    def _call_of_pointer(self, m: SymbolicMachine, name: str, arguments: Arguments) -> int | None:
        """Call a function that a pointer leads to; inputs that lead to one that takes other arguments leave the bound.

        Often a tag beside the pointer says which function it is, and no execution comes there.
        """
        if (
            m.path.term != TRUE
            and name in self.world.program.functions
            and self._misfit(m, compile_function(self.world, name, self), arguments) is not None
        ):
            m.cut_here(arguments.where)
            return m.drop()
        return self.call(m, name, arguments)

    def end(self, m: SymbolicMachine, *, exits: bool, value: Sequence[Term]) -> None:
        """End the program in the current state, by ``exit`` with a status or with the result of the entry function."""
        if all(observer.ends(m, exits=exits, value=value) for observer in m.observers):
            m.passes()

    def run(self, m: SymbolicMachine, function: CompiledFunction, arguments: Arguments) -> list[Term] | None:
        """Execute one activation on the current state; the returned terms, or None when none returns."""
        outer = m.frame
        name = function.source.name
        frame = FrameState(
            function, m.top, m.top + function.slots, outer, [None] * function.objects, before=m.objects.count
        )
        m.reserve(
            frame,
            (0 if outer is None else outer.stack) + _ACTIVATION + m.word // 8 * function.slots,
            function.source.location,
        )
        if function.source.foreign:
            frame.written = arguments.written or (() if outer is None else outer.written)
        if m.relevance is not None:
            m.relevance.enter(m, frame, arguments.entered_by)
        base, top = m.base, m.top
        m.frame, m.base, m.top = frame, frame.base, frame.top
        m.active.setdefault(name, []).append(arguments.values)
        results: list[Term | None] | None = None
        try:
            self.bind(m, frame, arguments)
            if function.may_end_without_value:
                self.indeterminate_result(m, function)
            if _execute_frame(m, frame):
                if m.is_fixed:
                    m.note_step(None)
                results = [m.overlay.lookup(m.base + n) for n in range(function.result_slots)]
                if m.relevance is not None:
                    m.relevance.leave(m, function.result_slots)
        finally:
            m.active[name].pop()
            m.frame, m.base, m.top = outer, base, top
        for obj in frame.made:
            note_end_of_object(m, obj, TRUE)
            m.end_for_good(obj)
        if results is None:
            return None
        size = value_bytes_of_type(function.source.result, m.layouts.structs) if None in results else 0
        return [m.t.const(0, 8 * size) if r is None else r for r in results]  # of main (C11 5.1.2.2.3)

    def indeterminate_result(self, m: SymbolicMachine, function: CompiledFunction) -> None:
        """The indeterminate result of a function that ends without a ``return`` value: an input where it is read."""
        source = function.source
        key = f"{source.name}()"
        for slot, cell in enumerate(self.world.layouts.of(source.result).scalars()):
            place = MemoryPlace(object=key, ordinal=m.source.ordinal(key), offset=cell.offset, size=cell.size)
            context = m.source.name_here(m, key + cell.name)
            value = m.indeterminate(key + cell.name, cell.type, context, source.location, place)
            m.writes[m.base + slot] = value
            if m.relevance is not None:
                m.relevance.forget(m, m.base + slot)

    def bind(self, m: SymbolicMachine, frame: FrameState, arguments: Arguments) -> None:
        """Bind the parameters to the arguments; promoted ones of an old-style call are converted back.

        Where such a call passes 32 bits for a parameter of 64, the others are zero, as gcc leaves them in a register.
        Raises UnsupportedError where it passes too few arguments, or something of another kind.
        """
        function = frame.function
        if misfit := self._misfit(m, function, arguments):
            where = None if frame.outer is None else frame.outer.instruction().location
            message = f"a call of '{frame.function.source.name}' with {misfit} is not supported yet"
            raise UnsupportedError(message, where)
        writers = iter(arguments.written_by)
        for (parameter, symbol, width), values, given in zip(
            function.parameters, arguments.values, arguments.types, strict=False
        ):
            if width and m.t.width[values[0]] > width:
                values = [m.t.extract(as_type(m, values[0], symbol.type), width - 1, 0)]  # noqa: PLW2901 - the same value, as it is stored
            elif isinstance(symbol.type, FloatType) and isinstance(given, FloatType):
                wide, format_ = FORMATS[given.width], FORMATS[symbol.type.width]
                values = [self.world.floats.convert(wide, format_, values[0])]  # noqa: PLW2901
            elif isinstance(symbol.type, IntType | PointerType):
                needed = width or m.word
                if m.t.width[values[0]] < needed:
                    values = [m.t.zext(values[0], needed)]  # noqa: PLW2901
                elif type(symbol.type) is not type(given):
                    values = [as_type(m, values[0], symbol.type)]  # noqa: PLW2901
            if m.trace is not None and len(values) == 1:
                m.trace.enter(m, symbol, values[0])
            writer = next(writers, NOTHING)
            if isinstance(parameter, Slot):
                _bind_cell(m, frame.base + parameter.number, values[0], writer)
                continue
            obj = make_local(m, frame, parameter, symbol, zero=False)
            for cell, value in zip(obj.layout.scalars(), values, strict=True):
                _bind_cell(m, obj.base + cell.number, value, writer)
        if function.source.variadic:
            self.bind_beyond(m, frame, arguments)

    def _misfit(self, m: SymbolicMachine, function: CompiledFunction, arguments: Arguments) -> str | None:
        """Mismatch of the arguments of a call and the parameters of a function, in words; None where they fit."""
        if len(arguments.values) < len(function.parameters):
            return "fewer arguments than it has parameters"
        for (_, symbol, _), given in zip(function.parameters, arguments.types, strict=False):
            if symbol.type is not given and not self._fits(m, symbol.type, given):
                return f"an argument of type {given} for the parameter '{symbol.name}' of type {symbol.type}"
        return None

    def _fits(self, m: SymbolicMachine, parameter: CType, given: CType) -> bool:
        """Whether the calling convention passes an argument where the parameter is looked for, with enough bits.

        It is no smaller than what a register holds.
        """
        if isinstance(parameter, IntType | PointerType):
            sizes = [
                m.word if isinstance(t, PointerType) else t.width
                for t in (parameter, given)
                if isinstance(t, IntType | PointerType)
            ]
            return len(sizes) == 2 and (sizes[0] <= max(sizes[1], 32) or (m.word == 64 and sizes[0] == 64))
        if isinstance(parameter, FloatType):
            return isinstance(given, FloatType)
        if parameter == given:
            return True
        layouts = self.world.layouts
        return not is_scalar_type(given) and [
            (c.offset, c.size) for c in layouts.of(parameter).scalars()
        ] == [(c.offset, c.size) for c in layouts.of(given).scalars()]

    def bind_beyond(self, m: SymbolicMachine, frame: FrameState, arguments: Arguments) -> None:
        """Store the variadic arguments, those beyond the parameters, one behind the other in an object.

        A narrow number fills its word, as in a register: what ``f(n, 0)`` passes is null for ``va_arg(list, char *)``.
        """
        first = len(frame.function.parameters)
        word = self.world.program.structs.model.ulong
        given = arguments.types[first:]
        narrow = [isinstance(ctype, IntType) and ctype.width < word.width for ctype in given]
        layout = self.world.layouts.arguments(
            [word if is_narrow else ctype for ctype, is_narrow in zip(given, narrow, strict=True)]
        )
        where = frame.function.source.location
        context = m.fresh_name(f"arguments@{frame.context()}")
        place = variadic_arguments(frame.function.source.name)
        obj = m.new_object(layout, "variable arguments", context, "unknown", where, place=place)
        frame.made.append(obj)
        frame.beyond = obj
        written_by = arguments.written_by or (NOTHING,) * len(arguments.values)
        triples = zip(arguments.values[first:], written_by[first:], narrow, strict=True)
        values = [
            (m.t.zext(value, word.width) if is_narrow else value, node)
            for argument, node, is_narrow in triples
            for value in argument
        ]
        for cell, (value, node) in zip(obj.layout.scalars(), values, strict=True):
            _bind_cell(m, obj.base + cell.number, value, node)


def _bind_cell(m: SymbolicMachine, cell: int, value: Term, writer: Node) -> None:
    """Store a value in a cell of a parameter."""
    m.writes[cell] = value
    if m.relevance is not None:
        m.relevance.bound(m, cell, writer)


def _leave_out(m: SymbolicMachine, error: UnsupportedError, path: PathCondition) -> None:
    """Leave out the executions of ``path``, which come to what is not supported; raises it where all do.

    In whole programs only pointers are left out: the solver says whether there are such executions.
    """
    may_be_none = isinstance(error, pointers.ComputedPointerError) and not m.source.is_fixed
    if not (m.is_tolerant or may_be_none) or path.term == TRUE:
        raise error
    m.path, m.refused[error] = path, path.term
    m.deciders.clear()
    m.cut_here(error.location or Location("", 0))
    m.drop()


def _execute_frame(m: SymbolicMachine, frame: FrameState) -> bool:
    """Run the frame's function from its start to its end; False when no state reaches the end."""
    steps = frame.function.steps
    end = len(steps)
    heap = frame.heap
    pc = 0
    while True:
        if heap and heap[0] == pc:
            heappop(heap)
            states = frame.parked.pop(pc)
            states.append(m.take())
            m.resume(states)
        if pc == end:
            return True
        frame.pc = pc
        path = m.path
        try:
            target = steps[pc](m)
        except UnsupportedError as error:
            _leave_out(m, error, path)
            target = DEAD
        if target is None:
            pc += 1
            continue
        if target == DEAD:
            if not heap:
                return False
            pc = heappop(heap)
            m.resume(frame.parked.pop(pc))
            if pc == end:
                return True
            continue
        if target > pc and heap and heap[0] < target:
            m.park(target, m.take())
            pc = heappop(heap)
            m.resume(frame.parked.pop(pc))
            continue
        pc = target
