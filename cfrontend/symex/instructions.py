"""Instructions compiled to steps: each changes the machine and says where execution goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heappush
from typing import TYPE_CHECKING, assert_never, final

from cfrontend import goto, printf, tree
from cfrontend.errors import InputError, Location, ResourceError, UnsupportedError
from cfrontend.formula import OutputArgument, OutputEvent
from cfrontend.slice.dependence import written_expression
from cfrontend.slice.omitted import NO_DECISIONS, computed_place
from cfrontend.slice.pointers import allocated
from cfrontend.symex import copies, memory, paths, store
from cfrontend.symex.agreement import is_null
from cfrontend.symex.choices import any_value
from cfrontend.symex.elsewhere import OtherVariables
from cfrontend.symex.expressions import (
    ExpressionCompiler,
    Slot,
    Value,
    Values,
    followed_write,
    write_slot,
)
from cfrontend.symex.functions import (
    DEAD,
    CompiledFunction,
    FunctionVariables,
    Given,
    Step,
    World,
    compiler_for,
    loops_of,
    make_local,
    scalars_read,
    terms_of,
)
from cfrontend.symex.machine import Machine, State, effective_limit, is_bounded_alone
from cfrontend.symex.relevance import NOTHING, Node
from cfrontend.terms import FALSE, TRUE, Term
from cfrontend.types import (
    DOUBLE,
    LONG_DOUBLE,
    ArrayType,
    CType,
    IntType,
    PointerType,
    StructType,
    is_complete,
    is_scalar,
    size_of,
)
from cfrontend.units import InputSite, MemoryPlace, UnitId

if TYPE_CHECKING:
    from cfrontend.symex.calls import Caller


_FREE_FORKS = 4_096
"""Rounds of a loop that are free although a test in them that is not decided may leave the loop."""

_LIBRARY_ITERATIONS = 100_000
"""Iterations of a library function's loop that are free at least, however short the program's own loops are."""

_NULL = b"(null)\0"
"""What glibc's ``%s`` prints for a null pointer."""

_FEW = 64
"""Elements of an object whose size may be anything: more are not followed."""

_WORD = 8
"""Bytes of an element whose type is not known."""

_WIDEST = 64
"""Bits of the widest integer that is printed."""

_WIDE_LENGTHS = frozenset({"ll", "j", "q"})
"""Lengths of ``printf`` that are said of 64 bits in every data model."""

_LARGEST = 1 << 30
"""Allocations beyond this many bytes are refused."""


def compile_function(world: World, name: str, caller: Caller) -> CompiledFunction:
    """The compiled function ``name`` (made once)."""
    found = world.compiled.get(name)
    if found is not None:
        return found
    source = world.program.start if name == world.program.start.name else world.program.functions[name]
    cells = world.value_cells(source.result)
    variables = FunctionVariables(world, source, cells)
    tested = goto.tested_once(source)
    result = CompiledFunction(
        source=source,
        slots=0,
        objects=0,
        result_slots=cells,
        may_end_without_value=goto.may_end_without_value(source),
        tested_once=tested,
        decisions=NO_DECISIONS if world.omissions is None else world.omissions.of(source),
        static_slots=world.static_slots,
        slot_of=variables.slots,
    )
    loops_of(source, result)
    for parameter in source.parameters:
        width = (
            8 * size_of(parameter.type, world.program.structs) if isinstance(parameter.type, IntType) else 0
        )
        slot: Slot | int
        if is_scalar(parameter.type) and parameter.key not in world.program.escaping:
            found_slot = variables.find(parameter)
            assert isinstance(found_slot, Slot)
            slot = found_slot
        else:
            slot = variables.object_index(parameter)
        result.parameters.append((slot, parameter, width))
    steps = _Steps(world, result, variables, caller)
    for pc, instruction in enumerate(source.instructions):
        step = steps.compile(pc, instruction)
        result.steps.append(_at_head(result, pc, step) if pc in result.heads else step)
    result.slots = max(variables.next_slot, result.decisions.count)
    result.objects = len(variables.symbols)
    world.compiled[name] = result
    return result


def _at_head(function: CompiledFunction, pc: int, step: Step) -> Step:
    """A loop head: coming from outside the loop starts its counts again."""
    backs = function.heads[pc]

    def head(m: Machine) -> int | None:
        frame = m.frame
        assert frame is not None
        if frame.came_back:
            frame.came_back = False
        else:
            for back in backs:
                frame.counts.pop(back, None)
                frame.rounds.pop(back, None)
                frame.progress.pop(back, None)
                frame.forks.pop(back, None)
                frame.advanced.discard(back)
                frame.older[back] = m.object_count
        return step(m)

    return head


@final
@dataclass(slots=True)
class _Steps:
    """Compiles the instructions of one function."""

    world: World
    function: CompiledFunction
    variables: FunctionVariables
    caller: Caller

    @property
    def x(self) -> ExpressionCompiler:
        """The expression compiler."""
        return compiler_for(self.world, self.variables)

    def compile(self, pc: int, i: goto.Instruction) -> Step:
        """The step of one instruction."""
        step = self.plain(pc, i)
        return step if self.world.omissions is None else self.followed(pc, i, step)

    def plain(self, pc: int, i: goto.Instruction) -> Step:
        """The same where nobody asks what matters."""
        match i:
            case goto.Cover():
                return _cover(i)
            case goto.Declare():
                return self.declare(i)
            case goto.Dead():
                return self.dead(i)
            case goto.Assign():
                return self.assign(pc, i)
            case goto.Input():
                return self.input(i)
            case goto.Symbolic():
                return self.symbolic(i)
            case goto.Allocate():
                return self.allocate(pc, i)
            case goto.Free():
                freed = self.x.value(i.pointer)
                return lambda m: memory.free(m, freed(m))
            case goto.ObjectSize():
                write, pointer = self.x.store(i.target), self.x.value(i.pointer)
                return lambda m: write(m, memory.object_size(m, pointer(m)))
            case goto.Copy():
                to, source, size = self.x.value(i.target), self.x.value(i.source), self.x.value(i.size)
                return lambda m: copies.copy(m, to(m), source(m), size(m))
            case goto.Fill():
                to, byte, size = self.x.value(i.target), self.x.value(i.byte), self.x.value(i.size)
                return lambda m: copies.fill(m, to(m), byte(m), size(m))
            case goto.VariableArguments():
                return self.variable_arguments(i)
            case goto.Assume():
                return self.assume(i)
            case goto.Assert():
                return self.check(pc, i)
            case goto.Branch():
                return self.branch(pc, i)
            case goto.Jump():
                return self.jump(pc, i)
            case goto.Call():
                return self.call(i)
            case goto.Return():
                return self.return_(i)
            case goto.Exit():
                return self.exit(i)
            case goto.Output():
                return self.output(i)
            case goto.Observe():
                return self.observe(i)
            case goto.Refuse():
                return _refuse(i)
            case _:
                assert_never(i)

    # -- what matters ------------------------------------------------------------------------------------------

    def followed(self, pc: int, i: goto.Instruction, step: Step) -> Step:
        """A step that is followed by ``cfrontend.symex.relevance``."""
        match i:
            case goto.Cover() | goto.Jump() | goto.Dead() | goto.Refuse() | goto.Call():
                return step
            case goto.Exit() | goto.Output() | goto.Observe():
                return self.unfollowed(step)
            case goto.Declare():
                return self.followed_declaration(pc, i, step)
            case goto.Assume():
                return self.unfollowed(step) if i.unchecked else self.followed_assumption(i, step)
            case goto.Assert():
                return self.followed_check(i, step)
            case goto.Branch():
                return self.followed_branch(i, step)
            case goto.Return():
                return self.followed_return(pc, i, step)
            case (
                goto.Assign()
                | goto.Input()
                | goto.Symbolic()
                | goto.Allocate()
                | goto.Free()
                | goto.ObjectSize()
                | goto.Copy()
                | goto.Fill()
                | goto.VariableArguments()
            ):
                return self.followed_write(pc, i, step)
            case _:
                assert_never(i)

    def unfollowed(self, step: Step) -> Step:
        """What is read here matters to nothing."""

        def read(m: Machine) -> int | None:
            assert m.relevance is not None
            m.relevance.end()
            return step(m)

        return read

    def followed_write(self, pc: int, i: goto.Instruction, step: Step) -> Step:
        """Something is written, perhaps to a place that is computed."""
        unit, killed = i.unit, self.function.decisions.kills.get(pc)
        target = written_expression(i)
        if isinstance(i, goto.Copy | goto.Fill):
            place: tuple[tree.Expression, ...] = (i.target, i.size)
        else:
            place = () if target is None else computed_place(target)
        parts = [self.x.value(e) for e in place]

        def write(m: Machine) -> int | None:
            followed = m.relevance
            assert followed is not None
            chosen = NOTHING
            if parts:
                chosen = followed.begin(m, unit)
                for part in parts:
                    part(m)
            followed.begin(m, unit)
            if parts:
                followed.add(chosen)
                followed.choosing()
            result = step(m)
            if parts:
                followed.chosen(m, chosen)
            if killed is not None:
                followed.kill(m, killed)
            followed.end()
            return result

        return write

    def followed_declaration(self, pc: int, i: goto.Declare, step: Step) -> Step:
        """A variable begins anew."""
        place, killed = self.variables.find(i.symbol), self.function.decisions.kills.get(pc)

        def declare(m: Machine) -> int | None:
            followed = m.relevance
            assert followed is not None
            followed.end()
            result = step(m)
            if isinstance(place, Slot):
                followed.forget(m, m.base + place.number)
            elif killed is not None:
                followed.kill(m, killed)
            return result

        return declare

    def followed_assumption(self, i: goto.Assume, step: Step) -> Step:
        """Everything behind an assumption depends on it."""
        unit = i.unit

        def assume(m: Machine) -> int | None:
            followed = m.relevance
            assert followed is not None
            node = followed.begin(m, unit)
            result = step(m)
            followed.end()
            if result is None:
                followed.ends(m, node)
            return result

        return assume

    def followed_check(self, i: goto.Assert, step: Step) -> Step:
        """A property is what things matter to."""
        unit, kind = i.unit, i.property

        def check(m: Machine) -> int | None:
            followed = m.relevance
            assert followed is not None
            node = followed.begin(m, unit)
            before = len(m.violations)
            result = step(m)
            followed.end()
            name = m.property_here(kind)
            if name is not None:
                violated = m.t.any_of(v.condition for v in m.violations[before:])
                held = FALSE if result == DEAD else m.path.term
                followed.evaluate(m, node, name, violated=violated, held=held)
            return result

        return check

    def followed_branch(self, i: goto.Branch, step: Step) -> Step:
        """A decision."""
        unit = i.unit

        def branch(m: Machine) -> int | None:
            assert m.relevance is not None
            m.relevance.decide(m, unit)
            return step(m)

        return branch

    def followed_return(self, pc: int, i: goto.Return, step: Step) -> Step:
        """A value is returned, and what stands behind is left out."""
        unit = i.unit
        places = () if unit is None else self.function.decisions.jumped_over.get(pc, ())

        def return_(m: Machine) -> int | None:
            followed = m.relevance
            assert followed is not None
            node = followed.begin(m, unit)
            result = step(m)
            followed.end()
            followed.omit(m, m.overlay, places, node)
            return result

        return return_

    # -- data ------------------------------------------------------------------------------------------------

    def declare(self, i: goto.Declare) -> Step:
        """A variable comes to life."""
        symbol = i.symbol
        place = self.variables.find(symbol)
        if not isinstance(place, Slot):
            return self.declare_object(i)
        number, width, zero = place.number, self.x.width(symbol.type), i.zero

        def declare(m: Machine) -> None:
            assert m.frame is not None
            if zero:
                value = m.t.const(0, width)
            else:
                context = m.name_here(symbol.key)
                place = MemoryPlace(
                    object=symbol.key, ordinal=m.instance(symbol.key), offset=0, size=width // 8
                )
                value = m.indeterminate(symbol.name, symbol.type, width, context, symbol.location, place)
                m.born(value)
                m.draw(symbol, context)
            m.writes[m.base + number] = value

        return _nothing if i.initialised else declare

    def declare_object(self, i: goto.Declare) -> Step:
        """A variable with an object of its own."""
        index = self.variables.object_index(i.symbol)
        symbol, zero, written = i.symbol, i.zero, i.zero or i.initialised

        def declare(m: Machine) -> None:
            assert m.frame is not None
            obj = make_local(m, m.frame, index, symbol, zero=zero)
            if not written:
                m.draw(symbol, obj.context)

        def declare_again(m: Machine) -> None:
            assert m.frame is not None
            obj = m.frame.objects[index]
            if obj is None or m.alive(obj) == FALSE:
                declare(m)
                return
            context = m.renewed(obj, zero=zero)
            if not written:
                m.draw(symbol, context)

        return declare_again if i.again else declare

    def dead(self, i: goto.Dead) -> Step:
        """The lifetime of a variable ends."""
        index = self.variables.object_index(i.symbol)

        def dead(m: Machine) -> None:
            assert m.frame is not None
            obj = m.frame.objects[index]
            if obj is not None:
                m.end_object(obj)

        return dead

    def assign(self, pc: int, i: goto.Assign) -> Step:
        """A scalar or a structure is written."""
        if isinstance(i.target.type, StructType):
            return self.assign_structure(i)
        write, value = self.x.store(i.target), self.x.value(i.value)
        if i.yields:
            value = self.relaxable(i, value, i.target.type)
            if self.x.bit_field(i.target) is None:
                return self.misplaceable(pc, i, write, value)

        def assign(m: Machine) -> None:
            new = value(m)
            self.note_write(m, i, [new])
            write(m, new)

        return assign

    def note_write(self, m: Machine, i: goto.Assign | goto.Input, values: Sequence[Term]) -> None:
        """Where steps are recorded: what is about to be written, and where if that is not a plain variable."""
        if m.recorder is None:
            return
        is_plain = isinstance(i.target, tree.VariableRef) and not isinstance(i.target.type, StructType)
        has_address = not is_plain and self.x.bit_field(i.target) is None
        m.note_write(i.unit, i.target, self.x.address(i.target)(m) if has_address else None, values)

    def assign_structure(self, i: goto.Assign) -> Step:
        """All scalars of a structure at once."""
        write, values = self.x.store_structure(i.target), self.x.structure(i.value)
        if i.yields:
            values = self.relaxable_structure(i, values)

        def assign(m: Machine) -> None:
            new = values(m)
            self.note_write(m, i, new)
            write(m, new)

        return assign

    def relaxable(self, i: goto.Instruction, value: Value, ctype: CType) -> Value:
        """The value of a unit, or any value at all where that unit is relaxed."""
        unit, width = i.unit, self.x.width(ctype)

        def any_or_value(m: Machine) -> Term:
            return any_value(m, ctype, width, _relaxed_name(m, unit)) if unit in m.relax else value(m)

        return any_or_value

    def misplaceable(
        self, pc: int, i: goto.Assign, write: Callable[[Machine, Term], None], value: Value
    ) -> Step:
        """A write that goes elsewhere where the unit is misplaced: a variable's to another one of its type.

        Any other goes to any place of its type. A value that is computed from what stands at the place is then any
        value.
        """
        unit, pointer = i.unit, PointerType(i.target.type)
        width, size = self.x.width(pointer), self.x.width(i.target.type)
        updates = i.target in goto.subexpressions(i.value)
        others = (
            OtherVariables(pc, i.target, self.x, self.variables)
            if isinstance(i.target, tree.VariableRef)
            else None
        )

        def assign(m: Machine) -> None:
            if unit not in m.misplaced:
                new = value(m)
                self.note_write(m, i, [new])
                write(m, new)
                return
            new = any_value(m, i.target.type, size, _relaxed_name(m, unit)) if updates else value(m)
            if others is not None:
                others.write(m, new, _relaxed_name(m, unit))
                return
            place = any_value(m, pointer, width, _relaxed_name(m, unit))
            m.assume(m.t.not_(m.t.eq(place, m.t.const(0, width))))
            memory.store_through(m, place, 0, (), new)

        return assign

    def relaxable_condition(self, i: goto.Branch, condition: Value) -> Value:
        """The same for a test."""
        unit = i.unit
        return lambda m: m.t.var(_relaxed_name(m, unit), 0) if unit in m.relax else condition(m)

    def relaxable_structure(self, i: goto.Instruction, values: Values) -> Values:
        """The same for structures."""
        unit = i.unit

        def any_values(m: Machine) -> list[Term]:
            given = values(m)
            if unit not in m.relax:
                return given
            return [m.t.var(_relaxed_name(m, unit), m.t.width[v]) for v in given]

        return any_values

    def input(self, i: goto.Input) -> Step:
        """The next input."""
        write, site = self.x.store(i.target), i.site
        width = self.x.width(i.target.type)

        def read(m: Machine) -> None:
            value = m.input(site, width)
            self.note_write(m, i, [value])
            write(m, value)

        return read

    def symbolic(self, i: goto.Symbolic) -> Step:
        """Every scalar at an address becomes an input."""
        pointer, size = self.x.value(i.pointer), self.x.value(i.size)

        def read(m: Machine) -> None:
            found = memory.targets(m, pointer(m))
            count = m.t.value[size(m)]
            if len(found) != 1 or m.t.value[found[0][2]] != 0 or count != found[0][1].layout.size:
                raise UnsupportedError(
                    "klee_make_symbolic of anything but a whole object is not supported yet", i.location
                )
            obj = found[0][1]
            obj.untyped = False
            ordinal = m.instance("klee_make_symbolic")
            for cell in obj.layout.scalars():
                ctype = cell.type
                signed = isinstance(ctype, IntType) and ctype.signed
                place = MemoryPlace(
                    object="klee_make_symbolic", ordinal=ordinal, offset=cell.offset, size=cell.size
                )
                site = InputSite(
                    name=i.name + cell.name,
                    type=str(ctype),
                    width=8 * cell.size,
                    signed=signed,
                    location=i.location,
                    memory=place,
                )
                m.writes[obj.base + cell.number] = m.input(site, 8 * cell.size)
                if m.relevance is not None:
                    m.relevance.wrote(m, obj.base + cell.number, TRUE, obj.place)

        return read

    def allocate(self, pc: int, i: goto.Allocate) -> Step:
        """A new object; one of no constant size is as large as it can be, with a limit.

        Executions that ask for more than sfo follows leave the bound.
        """
        write, size = self.x.store(i.target), self.x.value(i.size)
        element, location = i.element, i.location
        place = allocated(self.function.source.name, pc)
        unit = (
            size_of(element, self.world.program.structs)
            if element is not None and is_complete(element, self.world.program.structs)
            else 0
        )
        layouts = self.world.layouts

        def allocate(m: Machine) -> int | None:
            frame = m.frame
            assert frame is not None
            where = m.place_of(location)
            amount = size(m)
            possible = m.values.of(amount)
            sizes = () if possible is None else [size for size in possible if size <= _LARGEST]
            most = max(sizes, default=_FEW * (unit or _WORD))
            if possible is None or len(sizes) < len(possible):
                if m.t.value[amount] is not None:
                    raise ResourceError(f"allocation of {m.t.value[amount]} bytes", where)
                followed = m.t.ule(amount, m.t.const(most, m.word))
                m.cut_where(m.t.not_(followed), location)
                if not m.assume(followed):
                    m.drop()
                    return DEAD
            typed = unit > 0 and most % unit == 0 and most > 0
            layout = (
                layouts.of(ArrayType(element, most // unit))
                if typed and element is not None
                else layouts.bytes(most)
            )
            context = m.fresh_name(f"allocated@{frame.context()}")
            obj = m.new_object(
                layout,
                "allocated",
                context,
                "zero" if i.zero else "unknown",
                where,
                made_by="alloca" if i.automatic else m.allocator(),
                place=place,
            )
            obj.allocated = not i.automatic
            m.writes[obj.made] = TRUE
            obj.untyped = not typed
            obj.limit = None if possible is not None and len(possible) == 1 else amount
            if i.automatic:
                frame.made.append(obj)
            write(m, m.t.const(m.address(obj), m.word))
            return None

        return allocate

    def variable_arguments(self, i: goto.VariableArguments) -> Step:
        """Where the arguments beyond the parameters begin."""
        if not self.function.source.variadic:
            message = "va_start in a function without variable arguments"
            return _refuse(goto.Refuse(location=i.location, message=message, unsupported=False))
        write = self.x.store(i.target)

        def start(m: Machine) -> None:
            assert m.frame is not None
            assert m.frame.beyond is not None
            write(m, m.t.const(m.address(m.frame.beyond), m.word))

        return start

    # -- properties ------------------------------------------------------------------------------------------

    def assume(self, i: goto.Assume) -> Step:
        """What does not satisfy the condition ends without an outcome."""
        condition = self.x.condition(i.condition)

        def assume(m: Machine) -> int | None:
            c = condition(m)
            if c == TRUE:
                return None
            m.assume_input_ranges(c)
            if c != FALSE and m.assume(c):
                return None
            m.drop()
            return DEAD

        return assume

    def check(self, pc: int, i: goto.Assert) -> Step:
        """What does not satisfy the condition ends here, violating the property.

        What a relaxed unit computes is replaced, so that its checks, and what they guard, are left out.
        """
        condition, name, unit = self.x.condition(i.condition), i.property, i.unit
        yields = i.yields
        behind = self._computed_until(pc) if yields or i.of_place else None

        def check(m: Machine) -> int | None:
            if m.is_free and behind is not None and unit in (m.relax if yields else m.misplaced):
                return behind
            m.checked.add(name)
            c = condition(m)
            if c == TRUE:
                return None
            c = m.balance.simplify(c)
            if c == TRUE:
                return None
            m.violated(name, m.t.not_(c))
            if c != FALSE and m.assume(c):
                return None
            m.drop()
            return DEAD

        return check

    def _computed_until(self, pc: int) -> int | None:
        """The instruction after the check at ``pc`` that yields the value of its unit, or checks the place it goes to.

        None where what comes before it does more than compute the value.
        """
        code = self.function.source.instructions
        unit = code[pc].unit
        for n in range(pc + 1, len(code)):
            match code[n]:
                case goto.Assert(yields=True):
                    continue
                case goto.Assign(yields=False, target=tree.VariableRef(symbol=symbol)) if (
                    symbol.name.startswith("$")
                ):
                    continue
                case goto.Assert(of_place=True):
                    return n
                case following:
                    return n if following.yields and following.unit == unit else None
        return None

    # -- control ---------------------------------------------------------------------------------------------

    def branch(self, pc: int, i: goto.Branch) -> Step:
        """A two-way decision; both ways are followed where neither is excluded."""
        condition = self.x.condition(i.condition)
        if i.yields:
            condition = self.relaxable_condition(i, condition)
        target, when = i.target, i.when
        backward = target <= pc
        around = self.function.loops_around[pc]
        leaves = [back for back in around if not self._inside(back, target)]
        falls_out = [back for back in around if back not in leaves and self._falls_out(pc, back)]
        tested = None
        if leaves or falls_out or backward:
            scalars = scalars_read(i.condition)
            tested = Tested(
                values=terms_of([self.x.value(v) for v in scalars]),
                pointers=tuple(isinstance(v.type, PointerType) for v in scalars),
            )
        location, inverted = i.location, i.inverted
        tested_unit = i.unit if i.yields and i.unit in self.function.tested_once else None
        omitted = self.function.decisions.omitted
        jumping, falling = omitted.get((pc, target), ()), omitted.get((pc, pc + 1), ())

        def branch(m: Machine) -> int | None:
            c = condition(m)
            followed = m.relevance
            decision = NOTHING if followed is None else followed.end()
            if tested_unit is not None and m.vector is not None and c in {TRUE, FALSE}:
                m.note_test(tested_unit, (c == TRUE) != inverted)
            if not when:
                c = m.t.not_(c)
            if c == FALSE:
                if followed is not None:
                    followed.omit(m, m.overlay, falling, decision)
                if tested is not None and leaves:
                    _note_progress(m, leaves, tested)
                return None
            if c == TRUE:
                if followed is not None:
                    followed.omit(m, m.overlay, jumping, decision)
                if tested is not None and (backward or falls_out):
                    _note_progress(m, [pc] if backward else falls_out, tested)
                return _back(m, pc, target, location) if backward else target
            m.tick()
            frame = m.frame
            assert frame is not None
            for back in leaves or falls_out:
                frame.forks[back] = frame.forks.get(back, 0) + 1
            other = m.fork()
            if followed is not None:
                followed.omit(m, m.overlay, jumping if backward else falling, decision)
                followed.omit(m, other.overlay, falling if backward else jumping, decision)
            if backward:
                other.path = m.path
                park_or_drop(m, pc + 1, other, m.t.not_(c))
                if not m.assume(c):
                    m.drop()
                    return DEAD
                return _back(m, pc, target, location)
            park_or_drop(m, target, other, c)
            if not m.assume(m.t.not_(c)):
                m.drop()
                return DEAD
            return None

        return branch

    def _inside(self, back: int, target: int) -> bool:
        return self.function.loops[back][1] <= target <= back

    def _falls_out(self, pc: int, back: int) -> bool:
        """Whether what stands behind a branch leaves a loop, by ``return`` or ``break``, before anything joins."""
        for i in self.function.source.instructions[pc + 1 :]:
            if isinstance(i, goto.Return | goto.Exit):
                return True
            if isinstance(i, goto.Jump):
                return not self._inside(back, i.target)
            if isinstance(i, goto.Branch):
                return False
        return True

    def jump(self, pc: int, i: goto.Jump) -> Step:
        """A jump; backwards it closes a loop."""
        target, location = i.target, i.location
        if target > pc:
            return lambda m: target
        return lambda m: _back(m, pc, target, location)

    # -- calls -----------------------------------------------------------------------------------------------

    def argument(self, e: tree.Expression) -> Values:
        """An argument as the list of its scalars."""
        if isinstance(e.type, StructType):
            return self.x.structure(e)
        value = self.x.value(e)
        return lambda m: [value(m)]

    def call(self, i: goto.Call) -> Step:
        """A direct or indirect call."""
        arguments = [self.argument(a) for a in i.arguments]
        types, unit = [a.type for a in i.arguments], i.unit
        if i.yields:
            arguments = [
                self.relaxable_argument(i, given, a.type)
                for given, a in zip(arguments, i.arguments, strict=True)
            ]
        write_result = self.result_writer(i)
        caller = self.caller

        def given_to(m: Machine) -> Given:
            followed = m.relevance
            if followed is None:
                return Given([a(m) for a in arguments], types)
            nodes: list[Node] = []
            values: list[list[Term]] = []
            for argument in arguments:
                nodes.append(followed.begin(m, unit))
                values.append(argument(m))
            return Given(values, types, tuple(nodes), followed.begin(m, unit))

        if isinstance(i.callee, tree.FunctionRef):
            name = i.callee.name

            def call(m: Machine) -> int | None:
                return caller.call(m, name, given_to(m), write_result, i.location)

            return call
        pointer = self.x.value(i.callee)

        def call_through(m: Machine) -> int | None:
            given = given_to(m)
            return caller.call_pointer(m, pointer(m), given, write_result, i.location)

        return call_through

    def relaxable_argument(self, i: goto.Call, values: Values, ctype: CType) -> Values:
        """An argument of a call that is a unit of its own, or any value where that unit is relaxed."""
        if not is_scalar(ctype):
            return values
        unit, width = i.unit, self.x.width(ctype)

        def any_or_values(m: Machine) -> list[Term]:
            return [any_value(m, ctype, width, _relaxed_name(m, unit))] if unit in m.relax else values(m)

        return any_or_values

    def result_writer(self, i: goto.Call) -> Callable[[Machine, list[Term]], None] | None:
        """How a call's result reaches the variable that takes it."""
        if i.result is None:
            return None
        write = self.writer_of(i.result)
        if self.world.omissions is None:
            return write
        unit = i.unit

        def receive(m: Machine, values: list[Term]) -> None:
            assert m.relevance is not None
            m.relevance.receive(m, unit)
            write(m, values)

        return receive

    def writer_of(self, symbol: tree.Symbol) -> Callable[[Machine, list[Term]], None]:
        """How a variable takes a value."""
        reference = tree.VariableRef(type=symbol.type, location=symbol.location, symbol=symbol)
        if isinstance(symbol.type, StructType):
            return self.x.store_structure(reference)
        write = self.x.store(reference)
        return lambda m, values: write(m, values[0])

    def return_(self, i: goto.Return) -> Step:
        """The value goes to the first slots of the frame, execution to the end of the function."""
        end = len(self.function.source.instructions)
        if i.value is None:
            return lambda m: end
        if isinstance(i.value.type, StructType):
            values = self.x.structure(i.value)
            if i.yields:
                values = self.relaxable_structure(i, values)

            def return_structure(m: Machine) -> int:
                for n, value in enumerate(values(m)):
                    m.writes[m.base + n] = value
                    if m.relevance is not None:
                        m.relevance.wrote(m, m.base + n, TRUE, None)
                return end

            return return_structure
        value = self.x.value(i.value)
        if i.yields:
            value = self.relaxable(i, value, i.value.type)
        into = write_slot if self.world.omissions is None else followed_write
        write = into(Slot(0, is_static=False))

        def return_scalar(m: Machine) -> int:
            write(m, value(m))
            return end

        return return_scalar

    def exit(self, i: goto.Exit) -> Step:
        """The program ends, wherever it is."""
        status = None if i.status is None else self.x.value(i.status)
        end = self.caller.end

        def exit_(m: Machine) -> int:
            end(m, exits=True, value=() if status is None else (status(m),))
            return DEAD

        return exit_

    # -- output ----------------------------------------------------------------------------------------------

    def output(self, i: goto.Output) -> Step:
        """Output is recorded with the path that prints it."""
        try:
            wanted = [
                (kind, conversion)
                for conversion in printf.conversions(i.format)
                for kind in conversion.arguments()
            ]
        except ValueError as error:
            return _refuse(
                goto.Refuse(location=i.location, message=f"printf with {error} is not supported yet")
            )
        if len(wanted) > len(i.arguments):
            message = "printf has fewer arguments than its format"
            return _refuse(goto.Refuse(location=i.location, message=message, unsupported=False))
        for (kind, conversion), argument in zip(wanted, i.arguments, strict=False):
            if not _suits(kind, conversion, argument.type) or not self.has_size(
                kind, conversion, argument.type
            ):
                message = f"'{conversion.text}' prints an argument of type {argument.type}"
                return _refuse(goto.Refuse(location=i.location, message=message, unsupported=False))
        readers = [self.printed(kind, a) for (kind, _), a in zip(wanted, i.arguments, strict=False)]
        template = i.format if self.x.word == _WIDEST else _without_lengths(i.format)

        def output(m: Machine) -> int | None:
            arguments = tuple(read(m) for read in readers)
            if m.print(OutputEvent(format=template, arguments=arguments, condition=m.path.term)):
                return None
            m.drop()
            return DEAD

        return output

    def observe(self, i: goto.Observe) -> Step:
        """Values that a reference has to have as well."""
        readers = [(self.x.value(e), isinstance(e.type, PointerType)) for e in i.arguments]

        def observe(m: Machine) -> int | None:
            if m.agreement is None:
                return None
            words = tuple(is_null(m.t, read(m)) if is_pointer else read(m) for read, is_pointer in readers)
            if m.agreement.observes(m, words):
                return None
            m.drop()
            return DEAD

        return observe

    def has_size(self, kind: str, conversion: printf.Conversion, ctype: CType) -> bool:
        """Whether an argument takes as many words as its conversion takes; only where some are wider than a word."""
        if self.x.word == _WIDEST or kind in printf.REALS:
            return True
        wide = kind in printf.INTEGERS and conversion.kind == kind and conversion.length in _WIDE_LENGTHS
        return self.x.width(ctype) == (64 if wide else 32)

    def printed(self, kind: str, e: tree.Expression) -> Callable[[Machine], OutputArgument]:
        """How one argument is read for printing."""
        value = self.x.value(e)
        signed = isinstance(e.type, IntType) and e.type.signed
        if kind != "s":
            return lambda m: OutputArgument(value=value(m), signed=signed)

        def text(m: Machine) -> OutputArgument:
            pointer = value(m)
            return OutputArgument(value=pointer, signed=False, characters=_characters(m, pointer, e))

        return text


def _without_lengths(template: bytes) -> bytes:
    """A format whose ``l``, ``z`` and ``t`` are left out: what they are said of has the size of an int."""
    pieces = [
        piece.replace(b"%", b"%%") if isinstance(piece, bytes) else _without_length(piece).encode()
        for piece in printf.parse(template)
    ]
    return b"".join(pieces)


def _without_length(conversion: printf.Conversion) -> str:
    text = conversion.text
    if conversion.length not in {"l", "z", "t"} or conversion.kind not in printf.INTEGERS:
        return text
    return text[: -1 - len(conversion.length)] + conversion.kind


def _suits(kind: str, conversion: printf.Conversion, ctype: CType) -> bool:
    """Whether an argument is a floating value exactly where the format says so, and a string is a pointer.

    Integers and addresses print as each other; a structure takes as many words as it has.
    """
    if kind == "s":
        return isinstance(ctype, PointerType)
    if kind not in printf.REALS:
        return isinstance(ctype, IntType | PointerType)
    return ctype == (LONG_DOUBLE if conversion.length == "L" else DOUBLE)


def _characters(m: Machine, pointer: Term, e: tree.Expression) -> tuple[Term, ...]:
    """The characters of a string up to the end of its object, or to the first that is surely zero."""
    t = m.t
    found = memory.targets(m, pointer)
    null = t.eq(pointer, t.const(0, m.word))
    if not found and null == FALSE:
        raise UnsupportedError("printing a string through this pointer is not supported yet", e.location)
    longest = max([obj.layout.size for _, obj, _ in found], default=0)
    characters: list[Term] = []
    inside = TRUE
    for n in range(max(longest, len(_NULL) if null != FALSE else 0)):
        m.deciders.append((inside, None))  # what stands behind the end is not read
        character = memory.load_pointer(m, t.add(pointer, t.const(n, m.word)), 1)
        m.deciders.pop()
        if null != FALSE:
            character = t.ite(null, t.const(_NULL[n] if n < len(_NULL) else 0, 8), character)
        characters.append(character)
        if t.value[character] == 0:
            break
        inside = t.and_(inside, t.not_(t.eq(character, t.const(0, 8))))
    return tuple(characters)


def park_or_drop(m: Machine, pc: int, state: State, condition: Term) -> None:
    """Park a forked state at ``pc`` with one more condition, unless that contradicts its path."""
    state.path = paths.extend(m.t, state.path, condition)
    if state.path.term == FALSE:
        store.release(state.overlay)
    else:
        park(m, pc, state)


def park(m: Machine, pc: int, state: State) -> None:
    """Let a state wait at ``pc`` of the current frame."""
    frame = m.frame
    assert frame is not None
    waiting = frame.parked.get(pc)
    if waiting is None:
        frame.parked[pc] = [state]
        heappush(frame.heap, pc)
    else:
        waiting.append(state)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """The scalars that a test reads, and which of them are pointers."""

    values: Callable[[Machine], tuple[Term, ...]]
    pointers: tuple[bool, ...]


def _note_progress(m: Machine, backs: list[int], tested: Tested) -> None:
    """A test that could leave loops was decided without the solver: did what it tests change since last time?

    Library models may always run on so: how they loop is not the user's to know.

    Only constants that change lead anywhere: a test can be decided although it reads a word that is not known
    (``x & 3 < 9``), and stay so for ever. So can one of what the loop itself allocates (``if (p == NULL) return;``): a
    walk through objects that were there before comes to an end, one through ever new objects need not.
    """
    frame = m.frame
    assert frame is not None
    if not (m.bound.free or frame.function.source.foreign):
        return
    now = tested.values(m)
    if any(m.t.value[word] is None for word in now):
        return
    for back in backs:
        older = frame.older.get(back, 0)
        seen = tuple(
            None if is_pointer and m.is_allocated_after(older, m.t.value[word] or 0) else word
            for word, is_pointer in zip(now, tested.pointers, strict=True)
        )
        if frame.progress.get(back) != seen and any(word is not None for word in seen):
            frame.progress[back] = seen
            frame.advanced.add(back)


def _back(m: Machine, pc: int, head: int, location: Location) -> int:
    """Close a loop: jump to its head unless the bound is reached."""
    m.tick()
    frame = m.frame
    assert frame is not None
    loop = frame.function.loops[pc][0]
    rounds = frame.rounds.get(pc, 0) + 1
    frame.rounds[pc] = rounds
    forks = frame.forks.get(pc, 0)
    advanced = pc in frame.advanced and not is_bounded_alone(m.bound, loop) and forks < _FREE_FORKS
    limit = None if advanced else effective_limit(m.bound, loop)
    if advanced or (limit is None and m.bound.free):
        frame.advanced.discard(pc)
        free_limit = m.bound.free_limit
        if frame.function.source.foreign:
            free_limit = max(free_limit, _LIBRARY_ITERATIONS)
        within = rounds < free_limit
    else:
        count = frame.counts[pc] = frame.counts.get(pc, 0) + 1
        within = limit is None or count < limit
    m.most_rounds[loop] = max(m.most_rounds.get(loop, 0), rounds if within else 0)
    if within:
        frame.came_back = True
        return head
    m.cut_here(location)
    m.drop()
    return DEAD


def _cover(i: goto.Cover) -> Step:
    unit = i.unit
    assert unit is not None

    def cover(m: Machine) -> None:
        here = m.cover.get(unit)
        if here is None:
            here = m.cover[unit] = {}
        term = m.path.term
        here[term] = here.get(term, 0) + 1
        if m.vector is not None:
            m.note_step(unit)

    return cover


def _nothing(_: Machine) -> None:
    return None


def _relaxed_name(m: Machine, unit: UnitId | None) -> str:
    assert m.frame is not None
    return m.fresh_name(f"any {unit}@{m.frame.context()}")


def _refuse(i: goto.Refuse) -> Step:
    def refuse(m: Machine) -> int | None:
        if i.unsupported:
            raise UnsupportedError(i.message, m.place_of(i.location))
        raise InputError(i.message, m.place_of(i.location))

    return refuse
