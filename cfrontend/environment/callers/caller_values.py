"""Forward data-flow analysis of a caller: what is known of its variables at each call of its goto program.

if (n < 1) return;  for (i = 0; i < n; i++) f(i, n);     ->   at the call i >= 0 and n >= 1

A state maps local variables whose address nobody takes, and temporaries, to their value sets; others may have any
value of their type. A temporary is refined together with the variables whose values it has or is computed from. Where
paths meet the sets are joined; after some rounds of a loop, ends that still grow are given up.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import Final, final

from cfrontend import goto
from cfrontend.environment.callers.value_sets import (
    Integers,
    Pointer,
    ValueSet,
    all_integers_of,
    computed_integers,
    constants,
    converted_integers,
    flipped_comparison,
    is_within,
    joined_values,
    limited_integers,
    negated_comparison,
)
from cfrontend.lower import lower_program
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    IntType,
    PointerType,
    StructTypeTable,
    VoidType,
    is_complete_object_type,
    size_of_type,
)

_TRUTH: Final = Integers(0, 1)
_COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
_LEAVING: Final = frozenset({"exit", "abort", "_exit", "_Exit", "quick_exit"})

_MOST_VISITS: Final = 10
"""Number of changes of the state at one place after which ends of intervals that grow are given up."""


@dataclass(slots=True)
class State:
    """Abstract state: value sets of variables, and the expressions that temporaries and their copies stand for."""

    values: dict[str, ValueSet] = field(default_factory=dict)
    meanings: dict[str, Expression] = field(default_factory=dict)

    def copy(self) -> State:
        """Copy of the state."""
        return State(dict(self.values), dict(self.meanings))


def arguments_of_calls(
    caller: tree.Function, unit: tree.TranslationUnit, callee: str, given: Mapping[str, ValueSet]
) -> Iterator[list[ValueSet]]:
    """The values of the arguments of each direct call of ``callee`` that executions of ``caller`` can come to.

    ``given`` has what is known of its parameters, by their keys. Where jumps to ``setjmp`` write to its
    variables, nothing is known of these.
    """
    functions = {name: f if name == caller.name else _emptied(f) for name, f in unit.functions.items()}
    code = lower_program(replace(unit, functions=functions), frozenset(), "statement").functions
    is_known = not any(
        isinstance(node, tree.FunctionRef) and "setjmp" in node.name
        for node in queries.syntax_nodes_within(caller.body)
    )
    ending = _LEAVING | {name for name, f in unit.functions.items() if f.never_returns}
    for function in (one for one in code.values() if one.instructions):
        tracked = _unaddressed_variables(caller) if is_known and function.name == caller.name else None
        flow = _Flow(function, unit.structs, tracked, ending)
        yield from flow.arguments(callee, given if tracked is not None else {})


def _emptied(function: tree.Function) -> tree.Function:
    """The function with a body that does nothing, so that its calls stay calls."""
    at = function.location
    return replace(function, body=tree.Compound(items=(), location=at, end=at))


def _unaddressed_variables(function: tree.Function) -> frozenset[str]:
    """The local variables and parameters of a function whose address nobody takes."""
    nodes = list(queries.syntax_nodes_within(function.body))
    symbols = [*function.parameters, *(n.symbol for n in nodes if isinstance(n, tree.Declaration))]
    taken = {
        n.operand.symbol.key
        for n in nodes
        if isinstance(n, tree.AddressOf) and isinstance(n.operand, tree.VariableRef)
    }
    return frozenset(
        symbol.key
        for symbol in symbols
        if symbol.storage in {"auto", "parameter"}
        and isinstance(symbol.type, IntType | PointerType)
        and symbol.key not in taken
    )


@final
class _Flow:
    """Data flow in one function: the states before its instructions, None where no execution comes.

    Of variables that are not ``tracked`` nothing is known, of all where that is None; calls of functions that are
    ``ending`` do not return.
    """

    def __init__(
        self,
        function: goto.GotoFunction,
        structs: StructTypeTable,
        tracked: frozenset[str] | None,
        ending: Collection[str],
    ) -> None:
        self._code = function.instructions
        self._structs = structs
        self._tracked = tracked
        self._ending = ending
        self._types: dict[str, IntType] = {}

    def arguments(self, callee: str, given: Mapping[str, ValueSet]) -> Iterator[list[ValueSet]]:
        """The values of the arguments of each call of ``callee``; ``given`` are those of parameters."""
        states = self._states(State({key: value for key, value in given.items() if self._is_tracked(key)}))
        for i, state in zip(self._code, states, strict=True):
            match i:
                case goto.CallInstruction(callee=tree.FunctionRef(name=name)) if name == callee and state:
                    yield [self._value(argument, state) for argument in i.arguments]
                case _:
                    pass

    def _states(self, first: State) -> list[State | None]:
        """The fixed point, by the order of the instructions."""
        states: list[State | None] = [first, *[None] * (len(self._code) - 1)]
        visits = [0] * len(self._code)
        waiting = [0]
        while waiting:
            n = heappop(waiting)
            state = states[n]
            assert state is not None
            for target, after in self._step(n, state.copy()):
                if target >= len(self._code):
                    continue
                before = states[target]
                joined = after if before is None else _joined(before, after)
                if joined == before:
                    continue
                visits[target] += 1
                if before is not None and visits[target] > _MOST_VISITS:
                    joined = self._widened(before, joined)
                states[target] = joined
                if target not in waiting:
                    heappush(waiting, target)
        return states

    def _step(self, n: int, state: State) -> Iterator[tuple[int, State]]:
        """The states behind an instruction, with their places; ``state`` is used up."""
        i = self._code[n]
        match i:
            case goto.BranchInstruction(condition=condition, target=target, when=when):
                for place, holds in ((target, when), (n + 1, not when)):
                    limited = self._limited(state.copy(), condition, holds=holds)
                    if limited is not None:
                        yield place, limited
                return
            case goto.JumpInstruction(target=target):
                yield target, state
                return
            case goto.ReturnInstruction() | goto.ExitInstruction():
                return
            case goto.AssumeInstruction(condition=goto.ValidPointerCondition(pointer=pointer)):
                self._follow(pointer, state)
            case goto.AssignInstruction(target=tree.VariableRef(symbol=symbol), value=value):
                self._assign(symbol, self._value(value, state), state, value)
            case goto.CallInstruction(callee=tree.FunctionRef(name=name)) if name in self._ending:
                return
            case goto.CallInstruction(result=tree.SyntaxSymbol() as symbol):
                self._assign(symbol, self._allocated(i, state), state)
            case goto.DeclareInstruction(symbol=symbol):
                self._assign(symbol, None, state)
            case _:
                target_ = getattr(i, "target", None)
                if isinstance(target_, tree.VariableRef):
                    self._assign(target_.symbol, None, state)
        yield n + 1, state

    def _widened(self, before: State, now: State) -> State:
        """The state ``now``, but ends of intervals that have grown since ``before`` are those of the types."""
        values = dict(now.values)
        for key, value in now.values.items():
            old, ctype = before.values[key], self._types.get(key)
            if (
                isinstance(value, Integers)
                and isinstance(old, Integers)
                and value != old
                and ctype is not None
            ):
                every = all_integers_of(ctype)
                low = value.low if value.low == old.low else every.low
                values[key] = Integers(low, value.high if value.high == old.high else every.high)
        return State(values, now.meanings)

    # -- states ----------------------------------------------------------------------------------------------

    def _is_tracked(self, key: str) -> bool:
        return self._tracked is not None and (key in self._tracked or _is_temporary(key))

    def _assign(
        self, symbol: tree.SyntaxSymbol, known: ValueSet, state: State, value: Expression | None = None
    ) -> None:
        """Give a variable a value; what it is computed from is remembered of a temporary and of its copies."""
        key = symbol.key
        state.values.pop(key, None)
        kept = {other: e for other, e in state.meanings.items() if other != key and key not in _variables(e)}
        state.meanings = kept
        if not self._is_tracked(key):
            return
        if known is not None:
            state.values[key] = known
        if isinstance(symbol.type, IntType):
            self._types[key] = symbol.type
        names = _variables(value) if value is not None else frozenset[str]()
        is_copy = isinstance(value, tree.VariableRef) and any(map(_is_temporary, names))
        if value is not None and key not in names and (is_copy or _is_temporary(key)):
            kept[key] = value

    def _follow(self, pointer: Expression, state: State) -> None:
        """An execution that goes on behind the check of ``&p->x`` and its like has followed a pointer, not null."""
        place = queries.syntax_below_conversions(pointer)
        while isinstance(place, tree.AddressOf | tree.MemberAccess):
            place = place.operand if isinstance(place, tree.AddressOf) else place.base
        if isinstance(place, tree.Deref):
            self._compare(state, place.pointer, "!=", None)
        elif isinstance(place, tree.Index) and isinstance(place.base.type, PointerType):
            self._compare(state, place.base, "!=", None)

    # -- values ----------------------------------------------------------------------------------------------

    def _value(self, e: Expression, state: State) -> ValueSet:
        known = self._known(e, state)
        if isinstance(e.type, IntType):
            return known if isinstance(known, Integers) else all_integers_of(e.type)
        return known if isinstance(e.type, PointerType) and isinstance(known, Pointer) else None

    def _known(self, e: Expression, state: State) -> ValueSet:
        match e:
            case tree.IntConstant(value=value):
                return constants([value])
            case tree.VariableRef(symbol=symbol):
                return self._of_variable(symbol.key, state)
            case tree.Cast(operand=operand, type=ctype):
                known = self._value(operand, state)
                if isinstance(ctype, IntType) and isinstance(known, Integers):
                    return converted_integers(known, ctype)
                return known
            case tree.Decay(operand=operand) | tree.AddressOf(operand=operand):
                return self._address(operand, state)
            case tree.Unary(op="-", operand=operand, type=IntType() as ctype):
                inner = self._value(operand, state)
                return (
                    computed_integers("-", constants([0]), inner, ctype)
                    if isinstance(inner, Integers)
                    else None
                )
            case tree.Unary(op="!") | tree.Logical():
                return _TRUTH
            case tree.Binary():
                return self._binary(e, state)
            case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
                sides = [
                    self._value(part, inside)
                    for part, holds in ((then, True), (otherwise, False))
                    if (inside := self._limited(state.copy(), condition, holds=holds)) is not None
                ]
                return functools.reduce(joined_values, sides) if sides else None
            case _:
                return None

    def _of_variable(self, key: str, state: State) -> ValueSet:
        """Abstract value of a variable: known by itself, and by the temporary whose value it has."""
        known, meaning = state.values.get(key), state.meanings.get(key)
        if not isinstance(meaning, tree.VariableRef):
            return known
        other = self._of_variable(meaning.symbol.key, state)
        if isinstance(known, Integers) and isinstance(other, Integers):
            return limited_integers(known, "==", other)
        if isinstance(known, Pointer) and isinstance(other, Pointer):
            return Pointer(known.is_never_null or other.is_never_null, known.room or other.room)
        return other if known is None else known

    def _binary(self, e: tree.Binary, state: State) -> ValueSet:
        left, right = self._value(e.left, state), self._value(e.right, state)
        if e.op in _COMPARISONS:
            return _TRUTH
        if isinstance(e.type, PointerType) and isinstance(left, Pointer):
            room = self._behind(left.room, right, e.type.target) if e.op == "+" else None
            return Pointer(left.is_never_null, room)
        if isinstance(e.type, IntType) and isinstance(left, Integers) and isinstance(right, Integers):
            return computed_integers(e.op, left, right, e.type)
        return None

    def _address(self, e: Expression, state: State) -> Pointer:
        """The address of an lvalue, which is not read."""
        match e:
            case tree.VariableRef() | tree.StringLiteral() | tree.FunctionRef() | tree.CompoundLiteral():
                return Pointer(True, self._size(e.type))
            case tree.MemberAccess(base=base):
                outer = self._address(base, state)
                is_open = queries.is_flexible_array_syntax(e, self._structs)
                return Pointer(outer.is_never_null, None if is_open else self._size(e.type))
            case tree.Index(base=base, index=index):
                is_pointer = isinstance(base.type, PointerType)
                start = self._value(base, state) if is_pointer else self._address(base, state)
                start = start if isinstance(start, Pointer) else Pointer()
                room = self._behind(start.room, self._value(index, state), e.type)
                return Pointer(start.is_never_null, room)
            case tree.Deref(pointer=pointer):
                known = self._value(pointer, state)
                return known if isinstance(known, Pointer) else Pointer()
            case _:
                return Pointer()

    def _behind(self, room: int | None, index: ValueSet, element: CType) -> int | None:
        """The room behind some elements of an object."""
        size = self._size(element)
        if room is None or size is None or not isinstance(index, Integers) or index.low != index.high:
            return None
        return room - index.low * size if 0 <= index.low * size <= room else None

    def _size(self, ctype: CType) -> int | None:
        """The size of an object in bytes, 1 for what a pointer to void counts in."""
        if isinstance(ctype, VoidType):
            return 1
        element: CType = ctype
        while isinstance(element, ArrayType):
            if element.length is None:
                return None
            element = element.element
        is_known = is_complete_object_type(ctype, self._structs)
        return size_of_type(ctype, self._structs) if is_known else None

    def _allocated(self, call: goto.CallInstruction, state: State) -> ValueSet:
        """Abstract result of an allocation: memory of so many bytes, perhaps null; None for other functions."""
        name = call.callee.name if isinstance(call.callee, tree.FunctionRef) else ""
        sizes = [self._value(argument, state) for argument in call.arguments]
        if name not in {"malloc", "calloc"}:
            return None
        room = math.prod(each.low for each in sizes if isinstance(each, Integers) and each.low == each.high)
        is_known = all(isinstance(each, Integers) and each.low == each.high for each in sizes)
        return Pointer(False, room if is_known else None)

    # -- conditions ------------------------------------------------------------------------------------------

    def _limited(self, state: State, condition: Expression, *, holds: bool) -> State | None:
        """``state``, changed by a condition that ``holds`` or does not; None where it cannot be so."""
        below = queries.syntax_below_implicit_conversions(condition)
        match below:
            case tree.Logical(op=op, left=left, right=right) if (op == "&&") == holds:
                inside = self._limited(state, left, holds=holds)
                return None if inside is None else self._limited(inside, right, holds=holds)
            case tree.Unary(op="!", operand=operand):
                return self._limited(state, operand, holds=not holds)
            case tree.Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                said = op if holds else negated_comparison(op)
                limited = self._compare(state, left, said, right)
                return limited and self._compare(limited, right, flipped_comparison(said), left)
            case tree.IntConstant(value=value):
                return state if bool(value) == holds else None
            case tree.VariableRef(symbol=symbol) if symbol.key in state.meanings:
                inside = self._limited(state, state.meanings[symbol.key], holds=holds)
                return inside and self._compare(inside, condition, "!=" if holds else "==", None)
            case _:
                return self._compare(state, condition, "!=" if holds else "==", None)

    def _compare(self, state: State, one: Expression, op: str, other: Expression | None) -> State | None:
        """``state`` where a value compares so with another one, or with zero; None where it cannot."""
        symbol = self._variable(one, state)
        if symbol is None:
            return state
        known = self._of_variable(symbol.key, state)
        if isinstance(symbol.type, PointerType):
            is_null = other is None or _is_zero(other)
            before = known if isinstance(known, Pointer) else Pointer()
            if op == "!=" and is_null:
                self._refine(symbol.key, Pointer(True, before.room), state)
            return None if op == "==" and is_null and before.is_never_null else state
        right = constants([0]) if other is None else self._value(other, state)
        if not isinstance(symbol.type, IntType) or not isinstance(right, Integers):
            return state
        own = known if isinstance(known, Integers) else all_integers_of(symbol.type)
        limited = limited_integers(own, op, right)
        if limited is None:
            return None
        self._refine(symbol.key, limited, state)
        return state

    def _refine(self, key: str, known: ValueSet, state: State) -> None:
        """Give a variable the values that it can have, and the temporary whose value it has."""
        state.values[key] = known
        meaning = state.meanings.get(key)
        if isinstance(meaning, tree.VariableRef) and self._is_tracked(meaning.symbol.key):
            self._refine(meaning.symbol.key, known, state)

    def _variable(self, e: Expression, state: State) -> tree.SyntaxSymbol | None:
        """The variable whose value an expression is, as a number that no conversion changes."""
        casts: list[IntType] = []
        while isinstance(e, tree.Cast):
            if isinstance(e.type, IntType):
                casts.append(e.type)
            elif not isinstance(e.type, PointerType):
                return None
            e = e.operand
        if not isinstance(e, tree.VariableRef) or not self._is_tracked(e.symbol.key):
            return None
        if isinstance(e.symbol.type, PointerType):
            return None if casts else e.symbol
        if not isinstance(e.symbol.type, IntType):
            return None
        own = self._value(e, state)
        is_same = isinstance(own, Integers) and all(is_within(own, all_integers_of(cast)) for cast in casts)
        return e.symbol if is_same else None


def _is_zero(e: Expression) -> bool:
    below = queries.syntax_below_conversions(e)
    return isinstance(below, tree.IntConstant) and below.value == 0


def _is_temporary(key: str) -> bool:
    """Whether a variable is one that lowering has made: it is written before each use, and has no address."""
    return "$" in key


def _variables(e: Expression) -> frozenset[str]:
    """The keys of the variables in an expression."""
    parts = goto.goto_subexpressions(e)
    return frozenset(part.symbol.key for part in parts if isinstance(part, tree.VariableRef))


def _joined(one: State, two: State) -> State:
    """Join of two states: what both know."""
    both = {
        key: joined_values(one.values[key], two.values[key]) for key in one.values.keys() & two.values.keys()
    }
    return State(
        {key: value for key, value in both.items() if value is not None},
        {key: e for key, e in one.meanings.items() if two.meanings.get(key) == e},
    )
