"""Program dependence graph: the data and control dependences of each part of an instruction.

    0 IF !(c) GOTO 2      1 x = y      2 z = x      ->      2 depends on 1, and 1 on the writes of y and on 0

Calls have a part for each argument and one for their result, so that what goes into a function it does not use is no
part of what comes out. That is the system dependence graph of Horwitz, Reps and Binkley 1990 without its summary
edges: it is not told apart by which call a function was entered (context-insensitive).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, TypeAlias, final

from cfrontend import goto
from cfrontend.goto import GotoFunction, GotoProgram
from cfrontend.slice import points_to
from cfrontend.slice.control_flow import ENTRY, ReachingWrites, control_dependences
from cfrontend.slice.points_to import Place, PointsTo
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import ArrayType, is_scalar_type
from cfrontend.units import UnitId

Part: TypeAlias = int
"""Part of an instruction: ``ITSELF``, ``RESULT`` or the number of an argument."""

Node: TypeAlias = tuple[str, int, Part]
"""Node of the dependence graph: (function, instruction number, part)."""

ITSELF: Final = -1
"""Part for the effect of an instruction: of a call, that it is made; of a return, that it ends the function."""

RESULT: Final = -2
"""Part for the value of a call, or of a return."""

LVALUES: Final = (tree.VariableRef, tree.MemberAccess, tree.Index, tree.Deref, tree.StringLiteral)
"""Lvalue nodes: expressions that stand for an object or a part of one."""


@final
class ProgramDependence:
    """Program dependence graph of the functions that are reachable from ``entry``."""

    def __init__(self, program: GotoProgram, entry: str) -> None:
        self.pointers: Final = PointsTo(program, entry)
        self.functions: Final = self.pointers.functions
        self.entry: Final = entry
        self._escaping = program.escaping
        self._sites = points_to.call_sites(self.functions, self.pointers)
        self._control = {name: control_dependences(f) for name, f in self.functions.items()}
        self.locals: Final = {name: self._locals_of(f) for name, f in self.functions.items()}
        """The unaliased variables of each function, which nothing else can name."""
        self._local_writes: dict[str, dict[int, str]] = {}
        self._reaching: dict[str, ReachingWrites] = {}
        self._writers: dict[Place, dict[Node, None]] = {}
        for name in self.functions:
            self._note_writes(name)

    # -- nodes -------------------------------------------------------------------------------------------------

    def nodes(self) -> Iterator[tuple[Node, goto.Instruction]]:
        """All nodes: every part of every instruction, with that instruction."""
        for name, function in self.functions.items():
            for pc, i in enumerate(function.instructions):
                yield (name, pc, ITSELF), i
                if isinstance(i, goto.CallInstruction | goto.ReturnInstruction):
                    yield (name, pc, RESULT), i
                if isinstance(i, goto.CallInstruction):
                    yield from (((name, pc, n), i) for n in range(len(i.arguments)))

    def instruction(self, node: Node) -> goto.Instruction:
        """The instruction of a node."""
        return self.functions[node[0]].instructions[node[1]]

    def on(self, node: Node, seen: dict[str, int]) -> list[Node]:
        """Direct dependences of a node, without those that an earlier call with ``seen`` has given."""
        name, pc, part = node
        i = self.instruction(node)
        found = [(name, decider, ITSELF) for decider in self._control[name][pc]]
        found += [(caller, at, ITSELF) for caller, at, _ in self._sites[name]]
        if isinstance(i, goto.CallInstruction) and part != ITSELF:
            found.append((name, pc, ITSELF))
        found += self._read(name, pc, self._places_read(i, part), seen)
        if isinstance(i, goto.CallInstruction) and part == RESULT:
            for callee in self.pointers.callees(i):
                found += [(callee, at, RESULT) for at in self._returns(callee)]
        return found

    def _evaluated(self, i: goto.Instruction, part: Part) -> tuple[Expression, ...]:
        """The expressions that a part evaluates; an lvalue that it writes to is given as its address."""
        match i:
            case goto.CallInstruction():
                return (i.callee,) if part == ITSELF else i.arguments[part : part + 1] if part >= 0 else ()
            case goto.ReturnInstruction():
                return (i.value,) if part == RESULT and i.value is not None else ()
            case _:
                target = written_expression(i)
                whole = goto.goto_expressions_of(i)
                return whole if target is None else (_address(target), *(e for e in whole if e is not target))

    def _returns(self, function: str) -> list[int]:
        code = self.functions[function].instructions
        return [pc for pc, i in enumerate(code) if isinstance(i, goto.ReturnInstruction)]

    # -- reads -------------------------------------------------------------------------------------------------

    def reads(self, e: Expression) -> dict[Place, None]:
        """The objects that are read to compute the value of ``e``."""
        found: dict[Place, None] = {}
        stack = [e]
        while stack:
            top = stack.pop()
            if isinstance(top, LVALUES):
                found |= dict.fromkeys(sorted(self.pointers.places(top)))
                stack += _address_parts(top)
            elif isinstance(top, tree.AddressOf | tree.Decay) and isinstance(top.operand, LVALUES):
                stack += _address_parts(top.operand)
            else:
                stack += goto.direct_goto_subexpressions(top)
        return found

    def _read(self, name: str, pc: int, places: Iterable[Place], seen: dict[str, int]) -> list[Node]:
        """Data dependences: the nodes that wrote what is read at an instruction."""
        found: list[Node] = []
        for place in places:
            if place not in self.locals[name]:
                found += () if place in seen else self._writers.get(place, ())
                seen[place] = 0
                continue
            for writer in self._writes(name).before(pc, place, seen):
                if writer == ENTRY:
                    found += self._arguments(name, place)
                else:
                    found += self._writing(name, writer)
        return found

    def _writes(self, name: str) -> ReachingWrites:
        known = self._reaching.get(name)
        if known is None:
            function, written = self.functions[name], self._local_writes[name]
            parameters = [p.key for p in function.parameters if p.key in self.locals[name]]
            unwritten = [pc for pc in written if _begins_unwritten(function.instructions[pc])]
            known = self._reaching[name] = ReachingWrites(function, written, parameters, unwritten)
        return known

    def may_be_unwritten(self, node: Node) -> bool:
        """Whether a part of an instruction may read uninitialised memory, which makes it an input."""
        name, pc, part = node
        for place in self._places_read(self.instruction(node), part):
            if place not in self.locals[name]:
                if place in self._unwritten:
                    return True
                continue
            if self._writes(name).may_be_unwritten(pc, place):
                return True
        return False

    def _places_read(self, i: goto.Instruction, part: Part) -> dict[Place, None]:
        """The objects that a part of an instruction reads."""
        found: dict[Place, None] = {}
        for e in self._evaluated(i, part):
            found |= self.reads(e)
        if isinstance(i, goto.AssumeInstruction | goto.AssertInstruction) and isinstance(
            i.condition, goto.ValidStringCondition
        ):
            found |= dict.fromkeys(sorted(self.pointers.of(i.condition.pointer)))
        if isinstance(i, goto.CopyInstruction):
            found |= dict.fromkeys(sorted(self.pointers.of(i.source)))
        return found

    @cached_property
    def _unwritten(self) -> frozenset[Place]:
        """The objects that begin uninitialised."""
        found: set[Place] = set()
        for (name, pc, _), i in self.nodes():
            if isinstance(i, goto.AllocateInstruction) and not i.zero:
                found.add(points_to.allocated_objects(name, pc))
            if _begins_unwritten(i):
                assert isinstance(i, goto.DeclareInstruction)
                found.add(i.symbol.key)
        return frozenset(found)

    # -- writes ------------------------------------------------------------------------------------------------

    def _locals_of(self, function: GotoFunction) -> frozenset[Place]:
        """The unaliased variables of a function, which nothing else can name: a write replaces what was there."""
        symbols = (*function.parameters, *map(written_variable, function.instructions))
        return frozenset(s.key for s in symbols if s is not None and self._is_local(s))

    def _is_local(self, symbol: SyntaxSymbol) -> bool:
        return symbol.storage == "auto" and is_scalar_type(symbol.type) and symbol.key not in self._escaping

    def _note_writes(self, name: str) -> None:
        """Record what an instruction writes: a local variable of the function, or any of some objects."""
        function, own = self.functions[name], self.locals[name]
        local_writes: dict[int, str] = {}
        for pc, i in enumerate(function.instructions):
            symbol = written_variable(i)
            is_written = not (isinstance(i, goto.DeclareInstruction) and i.initialised)
            if symbol is not None and symbol.key in own and is_written:
                local_writes[pc] = symbol.key
            for place, node in self._other_writes(name, pc, i, is_local=pc in local_writes):
                self._writers.setdefault(place, {})[node] = None
        self._local_writes[name] = local_writes

    def _other_writes(
        self, name: str, pc: int, i: goto.Instruction, *, is_local: bool
    ) -> Iterator[tuple[Place, Node]]:
        if isinstance(i, goto.CallInstruction):
            for callee in self.pointers.callees(i):
                for n, place in enumerate(points_to.argument_places(self.functions[callee], i)):
                    yield place, (name, pc, n)
            if i.result is not None and not is_local:
                yield i.result.key, (name, pc, RESULT)
        elif not is_local:
            yield from ((place, (name, pc, ITSELF)) for place in self.places_written(i))

    def places_written(self, i: goto.Instruction) -> list[Place]:
        """The objects that an instruction may write, but for what a call does."""
        match i:
            case goto.SymbolicInstruction():
                return sorted(self.pointers.of(i.pointer))
            case goto.CopyInstruction() | goto.FillInstruction():
                return sorted(self.pointers.of(i.target))
            case _:
                target = written_expression(i)
                return [] if target is None else sorted(self.pointers.places(target))

    def _writing(self, name: str, pc: int) -> list[Node]:
        """The part of an instruction that writes a local variable."""
        i = self.functions[name].instructions[pc]
        if isinstance(i, goto.DeclareInstruction):
            return []
        return [(name, pc, RESULT if isinstance(i, goto.CallInstruction) else ITSELF)]

    def _arguments(self, name: str, parameter: Place) -> Iterator[Node]:
        """Parameter bindings: the nodes that a parameter takes its value from."""
        for caller, pc, call in self._sites[name]:
            for n, place in enumerate(points_to.argument_places(self.functions[name], call)):
                if place == parameter:
                    yield caller, pc, n

    # -- calls -------------------------------------------------------------------------------------------------

    def recursive(self) -> frozenset[str]:
        """The recursive functions: those that can be entered again before they have ended."""
        below: dict[str, list[str]] = {name: [] for name in self.functions}
        for name, sites in self._sites.items():
            for caller, _, _ in sites:
                below[caller].append(name)
        return frozenset(name for name in self.functions if name in _reached(below, below[name]))


def unit_dependences(program: GotoProgram, entry: str) -> tuple[tuple[UnitId, UnitId], ...]:
    """Edges of the program dependence graph between units, from what depends to what it depends on, in order.

    Instructions that belong to no unit are contracted.
    """
    graph = ProgramDependence(program, entry)
    found: set[tuple[UnitId, UnitId]] = set()
    for node, i in graph.nodes():
        if i.unit is None:
            continue
        seen: dict[str, int] = {}
        waiting, known = [node], {node}
        while waiting:
            for other in graph.on(waiting.pop(), seen):
                unit = graph.instruction(other).unit
                if unit is not None:
                    found.add((i.unit, unit))
                elif other not in known:
                    known.add(other)
                    waiting.append(other)
    return tuple(sorted(edge for edge in found if edge[0] != edge[1]))


def _reached(following: dict[str, list[str]], start: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    stack = list(start)
    while stack:
        name = stack.pop()
        if name not in seen:
            seen.add(name)
            stack += following[name]
    return seen


def written_expression(i: goto.Instruction) -> Expression | None:
    """The lvalue that an instruction writes, if it names one."""
    match i:
        case (
            goto.AssignInstruction(target=target)
            | goto.InputInstruction(target=target)
            | goto.AllocateInstruction(target=target)
            | goto.ObjectSizeInstruction(target=target)
            | goto.VariableArgumentsInstruction(target=target)
        ):
            return target
        case _:
            return None


def written_variable(i: goto.Instruction) -> SyntaxSymbol | None:
    """The variable of which an instruction writes all, or begins the lifetime."""
    match i:
        case goto.DeclareInstruction():
            return i.symbol
        case goto.CallInstruction():
            return i.result
        case _:
            target = written_expression(i)
            return target.symbol if isinstance(target, tree.VariableRef) else None


def _address(target: Expression) -> Expression:
    return tree.AddressOf(type=target.type, location=target.location, operand=target)


def _address_parts(lvalue: Expression) -> list[Expression]:
    """The parts of an lvalue that are evaluated to find its address."""
    found: list[Expression] = []
    stack = [lvalue]
    while stack:
        top = stack.pop()
        match top:
            case tree.VariableRef() | tree.StringLiteral():
                continue
            case tree.MemberAccess():
                stack.append(top.base)
            case tree.Index():
                found.append(top.index)
                if isinstance(top.base.type, ArrayType):
                    stack.append(top.base)
                else:
                    found.append(top.base)
            case tree.Deref():
                found.append(top.pointer)
            case _:
                found.append(top)
    return found


def _begins_unwritten(i: goto.Instruction) -> bool:
    return isinstance(i, goto.DeclareInstruction) and not (i.zero or i.initialised)
