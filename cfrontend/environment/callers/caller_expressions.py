"""Values of expressions in a caller, and what a condition says of its variables.

n = 4;  if (p != 0 && k < n) f(p, k);     ->   at the call p is not null, k is at most 3

A state maps local variables whose address nobody takes to what is known of them; others may have any value of their
type. What an expression changes is forgotten around it, so that no order of evaluation matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias, final

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

State: TypeAlias = dict[str, ValueSet]
"""Abstract state: the value sets of variables, by their keys."""

_TRUTH: Final = Integers(0, 1)
_COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
_CHANGES: Final = (tree.Assign, tree.CompoundAssign, tree.IncDec)


def changed_variables(*parts: object) -> list[str]:
    """The variables that are changed somewhere in parts of a tree, once for each place."""
    found: list[str] = []
    for node in queries.syntax_nodes_within(parts):
        match node:
            case tree.Assign(target=target) | tree.CompoundAssign(target=target) | tree.IncDec(target=target):
                if isinstance(target, tree.VariableRef):
                    found.append(target.symbol.key)
            case tree.Declaration(symbol=symbol):
                found.append(symbol.key)
            case _:
                pass
    return found


@final
class CallerExpressions:
    """Evaluation of expressions over states; ``tracked`` are the variables that states may hold.

    ``heard`` gets each direct call of a function with the values of its arguments.
    """

    def __init__(
        self,
        structs: StructTypeTable,
        tracked: frozenset[str],
        heard: Callable[[tree.Call, str, list[ValueSet]], None],
    ) -> None:
        self._structs = structs
        self._tracked = tracked
        self._heard = heard
        self._changing: list[str] = []

    def evaluated(self, e: Expression, state: State) -> ValueSet:
        """The value of a whole expression, whose changes are made in ``state``."""
        match e:
            case tree.Comma():
                self.evaluated(e.left, state)
                return self.evaluated(e.right, state)
            case tree.Cast(operand=operand, type=VoidType()):
                self.evaluated(operand, state)
                return None
            case tree.Assign(target=tree.VariableRef(symbol=symbol), value=value):
                given = self.evaluated(value, state)
                self.assign(symbol.key, given, state)
                return given
            case tree.CompoundAssign(target=tree.VariableRef(symbol=symbol), value=value) if (
                symbol.key not in changed_variables(value)
            ):
                return self._change(e, symbol.key, self.evaluated(value, state), state)
            case tree.IncDec(target=tree.VariableRef(symbol=symbol)):
                self._change(e, symbol.key, constants([1]), state)
                return None
            case _:
                changed = self._changing = changed_variables(e)
                self.forget(changed, state)
                known = self._value(e, state)
                self.forget(changed, state)
                return known

    def _change(
        self, e: tree.CompoundAssign | tree.IncDec, key: str, operand: ValueSet, state: State
    ) -> ValueSet:
        known = self._changed(e, key, operand, state)
        self.assign(key, known, state)
        return known

    def assign(self, key: str, known: ValueSet, state: State) -> None:
        """Give a variable a value."""
        state.pop(key, None)
        if key in self._tracked and known is not None:
            state[key] = known

    def forget(self, keys: list[str], state: State) -> None:
        """Forget what is known of variables."""
        for key in keys:
            state.pop(key, None)

    def _changed(
        self, e: tree.CompoundAssign | tree.IncDec, key: str, right: ValueSet, state: State
    ) -> ValueSet:
        own = e.target.type
        if isinstance(own, PointerType):
            before = state.get(key)
            return Pointer(isinstance(before, Pointer) and before.is_never_null)
        computed = e.operation_type if isinstance(e, tree.CompoundAssign) else own
        if not isinstance(own, IntType) or not isinstance(computed, IntType):
            return None
        left = state.get(key)
        before_ = left if isinstance(left, Integers) else all_integers_of(own)
        if not isinstance(right, Integers) or not is_within(before_, all_integers_of(computed)):
            return None
        return converted_integers(computed_integers(e.op, before_, right, computed), own)

    # -- values ----------------------------------------------------------------------------------------------

    def _value(self, e: Expression, state: State) -> ValueSet:
        """The value of an expression; what it changes is not in ``state``. What it follows is not null from there."""
        known = self._known(e, state)
        if isinstance(e.type, IntType):
            return known if isinstance(known, Integers) else all_integers_of(e.type)
        return known if isinstance(e.type, PointerType) and isinstance(known, Pointer) else None

    def _known(self, e: Expression, state: State) -> ValueSet:
        match e:
            case tree.IntConstant(value=value):
                return constants([value])
            case tree.VariableRef(symbol=symbol):
                return state.get(symbol.key)
            case tree.Cast(operand=operand, type=ctype):
                known = self._value(operand, state)
                if isinstance(ctype, IntType) and isinstance(known, Integers):
                    return converted_integers(known, ctype)
                return known
            case tree.Decay(operand=operand) | tree.AddressOf(operand=operand):
                return self._address(operand, state)
            case tree.Unary(op=op, operand=operand, type=IntType() as ctype):
                inner = self._value(operand, state)
                if op == "-" and isinstance(inner, Integers):
                    return computed_integers("-", constants([0]), inner, ctype)
                return _TRUTH if op == "!" else None
            case tree.Binary():
                return self._binary(e, state)
            case tree.Logical(op=op, left=left, right=right):
                self._value(left, state)
                inside = self._limited(dict(state), left, op == "&&", self._changing)
                if inside is not None:
                    self._value(right, inside)
                return _TRUTH
            case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
                self._value(condition, state)
                sides = [
                    (part, self._limited(dict(state), condition, holds, self._changing))
                    for part, holds in ((then, True), (otherwise, False))
                ]
                values = [self._value(part, inside) for part, inside in sides if inside is not None]
                return values[0] if len(values) == 1 else joined_values(*values) if values else None
            case tree.Call():
                return self._called(e, state)
            case tree.Deref(pointer=pointer):
                self._value(pointer, state)
                self._follow(pointer, state)
            case tree.Index(base=base, index=index):
                self._value(index, state)
                if isinstance(base.type, PointerType):
                    self._value(base, state)
                    self._follow(base, state)
                else:
                    self._address(base, state)
            case tree.Comma(left=left, right=right):
                self._value(left, state)
                return self._value(right, state)
            case tree.Assign(target=target, value=value):
                self._value(target, state)
                return self._value(value, state)
            case _:
                self._each_below(e, state)
        return None

    def _each_below(self, e: Expression, state: State) -> None:
        """Evaluate what stands in an expression of another kind: of parts that are statements, nothing is known."""
        for node in _expressions_below(e):
            if isinstance(e, tree.StatementExpression | tree.CompoundLiteral):
                self.blindly(node)
            else:
                self._value(node, state)

    def blindly(self, top: object) -> None:
        """Hear of all calls in a part of a tree, without anything known of variables."""
        for node in queries.syntax_nodes_within(top):
            if isinstance(node, tree.Call) and isinstance(node.callee, tree.FunctionRef):
                self._heard(node, node.callee.name, [self._value(each, {}) for each in node.arguments])

    def _binary(self, e: tree.Binary, state: State) -> ValueSet:
        left, right = self._value(e.left, state), self._value(e.right, state)
        if e.op in _COMPARISONS:
            return _TRUTH
        if isinstance(e.type, PointerType):
            if not isinstance(left, Pointer):
                return None
            room = self._behind(left.room, right, e.type.target) if e.op == "+" else None
            return Pointer(left.is_never_null, room)
        if isinstance(e.type, IntType) and isinstance(left, Integers) and isinstance(right, Integers):
            return computed_integers(e.op, left, right, e.type)
        return None

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

    def _follow(self, pointer: Expression, state: State) -> None:
        """An execution that goes on has followed a pointer that is not null."""
        below = queries.syntax_below_conversions(pointer)
        if not isinstance(below, tree.VariableRef) or not isinstance(below.symbol.type, PointerType):
            return
        key = below.symbol.key
        if key in self._tracked and key not in self._changing:
            before = state.get(key)
            state[key] = Pointer(True, before.room if isinstance(before, Pointer) else None)

    def _address(self, e: Expression, state: State) -> Pointer:
        """The address of an lvalue, which is not read."""
        match e:
            case tree.VariableRef() | tree.StringLiteral() | tree.FunctionRef():
                return Pointer(True, self._size(e.type))
            case tree.CompoundLiteral():
                self._each_below(e, state)
                return Pointer(True, self._size(e.type))
            case tree.MemberAccess(base=base):
                outer = self._address(base, state)
                is_open = queries.is_flexible_array_syntax(e, self._structs)
                return Pointer(outer.is_never_null, None if is_open else self._size(e.type))
            case tree.Index(base=base, index=index):
                number = self._value(index, state)
                if isinstance(base.type, PointerType):
                    known = self._value(base, state)
                    start = known if isinstance(known, Pointer) else Pointer()
                else:
                    start = self._address(base, state)
                return Pointer(start.is_never_null, self._behind(start.room, number, e.type))
            case tree.Deref(pointer=pointer):
                known = self._value(pointer, state)
                return known if isinstance(known, Pointer) else Pointer()
            case _:
                self._value(e, state)
                return Pointer()

    def _called(self, e: tree.Call, state: State) -> ValueSet:
        if not isinstance(e.callee, tree.FunctionRef):
            self._value(e.callee, state)
        arguments = [self._value(each, state) for each in e.arguments]
        if not isinstance(e.callee, tree.FunctionRef):
            return None
        self._heard(e, e.callee.name, arguments)
        sizes = [each for each in arguments if isinstance(each, Integers) and each.low == each.high]
        if e.callee.name in {"malloc", "calloc"} and sizes and len(sizes) == len(arguments):
            room = 1
            for each in sizes:
                room *= each.low
            return Pointer(False, room)
        return None

    # -- conditions ------------------------------------------------------------------------------------------

    def limited(self, state: State, condition: Expression, holds: bool) -> State | None:
        """``state``, changed by a condition that ``holds`` or does not; None where it cannot be so."""
        return self._limited(state, condition, holds, changed_variables(condition))

    def _limited(self, state: State, condition: Expression, holds: bool, changed: list[str]) -> State | None:
        below = queries.syntax_below_implicit_conversions(condition)
        match below:
            case tree.Logical(op=op, left=left, right=right) if (op == "&&") == holds:
                inside = self._limited(state, left, holds, changed)
                return None if inside is None else self._limited(inside, right, holds, changed)
            case tree.Unary(op="!", operand=operand):
                return self._limited(state, operand, not holds, changed)
            case tree.Binary(op=op, left=left, right=right) if op in _COMPARISONS:
                said = op if holds else negated_comparison(op)
                limited = self._compared(state, left, said, right, changed)
                if limited is None:
                    return None
                return self._compared(limited, right, flipped_comparison(said), left, changed)
            case tree.IntConstant(value=value):
                return state if bool(value) == holds else None
            case _:
                return self._compared(state, condition, "!=" if holds else "==", None, changed)

    def _compared(
        self, state: State, one: Expression, op: str, other: Expression | None, changed: list[str]
    ) -> State | None:
        """``state`` where a value compares so with another one, or with zero."""
        symbol = self._variable(one, state, changed)
        if symbol is None:
            return state
        if isinstance(symbol.type, PointerType):
            is_null = other is None or _is_zero(other)
            before = state.get(symbol.key)
            if op == "!=" and is_null:
                state[symbol.key] = Pointer(True, before.room if isinstance(before, Pointer) else None)
            if op == "==" and is_null and isinstance(before, Pointer) and before.is_never_null:
                return None
            return state
        right = constants([0]) if other is None else self._quietly(other, state, changed)
        if not isinstance(symbol.type, IntType) or not isinstance(right, Integers):
            return state
        own = state.get(symbol.key)
        known = limited_integers(
            own if isinstance(own, Integers) else all_integers_of(symbol.type), op, right
        )
        if known is None:
            return None
        state[symbol.key] = known
        return state

    def _quietly(self, e: Expression, state: State, changed: list[str]) -> ValueSet:
        """The value of an expression whose calls are heard of elsewhere."""
        if any(isinstance(node, (tree.Call, *_CHANGES)) for node in queries.syntax_nodes_within(e)):
            return None
        without = {key: value for key, value in state.items() if key not in changed}
        return self._value(e, without)

    def _variable(self, e: Expression, state: State, changed: list[str]) -> tree.SyntaxSymbol | None:
        """The variable whose value an expression is, as a number that no conversion changes."""
        inner = e
        casts: list[IntType] = []
        while isinstance(inner, tree.Cast):
            if isinstance(inner.type, IntType):
                casts.append(inner.type)
            elif not isinstance(inner.type, PointerType):
                return None
            inner = inner.operand
        times = 0
        if isinstance(inner, tree.Assign):
            inner, times = inner.target, 1
        if not isinstance(inner, tree.VariableRef):
            return None
        symbol = inner.symbol
        if symbol.key not in self._tracked or changed.count(symbol.key) != times:
            return None
        if isinstance(symbol.type, PointerType):
            return None if casts else symbol
        if not isinstance(symbol.type, IntType):
            return None
        own = state.get(symbol.key)
        values = own if isinstance(own, Integers) else all_integers_of(symbol.type)
        return symbol if all(is_within(values, all_integers_of(cast)) for cast in casts) else None


def _is_zero(e: Expression) -> bool:
    below = queries.syntax_below_conversions(e)
    return isinstance(below, tree.IntConstant) and below.value == 0


def _expressions_below(e: Expression) -> Iterator[Expression]:
    """The expressions that stand directly in another one, or in its statements or its initialiser."""
    match e:
        case tree.StatementExpression():
            yield e
        case tree.CompoundLiteral(initializer=initializer):
            yield from (item.value for item in initializer.items)
        case tree.Unary(operand=operand):
            yield operand
        case tree.MemberAccess(base=base):
            yield base
        case tree.CompoundAssign(target=target, value=value):
            yield from (target, value)
        case tree.IncDec(target=target):
            yield target
        case tree.MathFunctionCall(arguments=arguments):
            yield from arguments
        case _:
            pass


def tracked_variables(function: tree.Function) -> frozenset[str]:
    """The local variables and parameters of a function whose address nobody takes."""
    nodes = list(queries.syntax_nodes_within(function.body))
    symbols: Mapping[str, tree.SyntaxSymbol] = {
        **{p.key: p for p in function.parameters},
        **{n.symbol.key: n.symbol for n in nodes if isinstance(n, tree.Declaration)},
    }
    taken = {
        n.operand.symbol.key
        for n in nodes
        if isinstance(n, tree.AddressOf) and isinstance(n.operand, tree.VariableRef)
    }
    return frozenset(
        key
        for key, symbol in symbols.items()
        if symbol.storage in {"auto", "parameter"}
        and isinstance(symbol.type, IntType | PointerType)
        and key not in taken
    )
