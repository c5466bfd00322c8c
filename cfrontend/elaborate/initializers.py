"""Initialisers into single writes (C11 6.7.9): designators, brace elision, strings, structure values.

First a plan, a list of ways into the object with a value each, because only its end tells the length of ``a[]``;
then the plan becomes lvalues of the finished object.

    struct p { int x, y; } a[] = {1, 2, [1].y = 4};
    -> a[0].x = 1, a[0].y = 2, a[1].y = 4, the rest zero; a has two elements
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, final

from pycparser import c_ast

from cfrontend import tree
from cfrontend.elaborate.constant_initializers import is_static_constant
from cfrontend.elaborate.constants import is_complete
from cfrontend.elaborate.context import Context, place
from cfrontend.elaborate.conversions import assigned, decay, described
from cfrontend.elaborate.records import find_member
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.parse import RangeExpression
from cfrontend.types import (
    CHAR,
    INT,
    SCHAR,
    UCHAR,
    ULONG,
    ArrayType,
    CType,
    Member,
    StructType,
)

Step: TypeAlias = int | tuple[str, Member]
"""One step into an object: an array index, or a structure key with a member of it."""

Way: TypeAlias = tuple[Step, ...]

_CHARACTERS: Final = (CHAR, SCHAR, UCHAR)


@final
@dataclass(frozen=True, slots=True)
class Write:
    """A value for the part of the object at the end of a way."""

    way: Way
    value: tree.Expression


@final
@dataclass(slots=True)
class Plan:
    """The writes of an initialiser; ``lengths`` is what array of unknown length turned out to need."""

    is_static: bool
    writes: list[Write] = field(default_factory=list)
    length: int = 0


@final
class _Items:
    """The items between two braces, read once from front to back."""

    def __init__(self, nodes: Sequence[Any]) -> None:
        self._nodes = nodes
        self._position = 0
        self._value: tree.Expression | None = None

    def peek(self) -> Any:
        return self._nodes[self._position] if self._position < len(self._nodes) else None

    def advance(self) -> None:
        self._position += 1
        self._value = None

    def value(self, context: Context) -> tree.Expression:
        """The current item as an expression, elaborated once however often it is looked at."""
        if self._value is None:
            self._value = context.expressions.designator(_item_value(self.peek()))
        return self._value

    def has_undesignated(self) -> bool:
        """Whether an item follows that goes on where the last one ended."""
        node = self.peek()
        return node is not None and not isinstance(node, c_ast.NamedInitializer)


@final
class Initializers:
    """Elaborates the initialisers of one file."""

    def __init__(self, context: Context) -> None:
        self._context = context

    # -- entry points ----------------------------------------------------------------------------------------

    def plan(self, ctype: CType, node: Any, *, is_static: bool) -> tuple[Plan, CType]:
        """The writes of an initialiser, and the type with its length completed."""
        plan = Plan(is_static)
        braces = self._unwrapped(ctype, node, is_static=is_static)
        if isinstance(braces, c_ast.InitList):
            self._braced(plan, (), ctype, braces)
        else:
            self._single(plan, ctype, braces)
        if isinstance(ctype, ArrayType) and ctype.length is None:
            return plan, ArrayType(ctype.element, plan.length)
        return plan, ctype

    def build(self, plan: Plan, symbol: tree.Symbol, at: Location) -> tree.Initializer:
        """The plan as writes to a variable."""
        items = tuple([
            tree.InitItem(target=self._target(symbol, write), value=write.value) for write in plan.writes
        ])
        zero_fill = isinstance(symbol.type, ArrayType | StructType) and not any(not w.way for w in plan.writes)
        return tree.Initializer(items=items, zero_fill=zero_fill, location=at)

    def compound_literal(self, node: Any) -> tree.Expression:
        """``(T){...}``: at file scope a variable without a name, inside a function a node of its own."""
        context, at = self._context, place(node)
        is_static = context.function is None
        plan, ctype = self.plan(context.types.of(node.type), node.init, is_static=is_static)
        if not is_complete(ctype, context.structs):
            raise InputError(f"compound literal of incomplete {described(ctype)}", at)
        if not is_static:
            symbol = context.new_local("<literal>", ctype, at)
            initializer = self.build(plan, symbol, place(node.init))
            return tree.CompoundLiteral(type=ctype, location=at, symbol=symbol, initializer=initializer)
        key = context.program.unique("<literal>")
        symbol = context.program.declare_variable(key, "<literal>", ctype, "static", None, at)
        context.program.define_variable(key, self.build(plan, symbol, place(node.init)), at)
        return tree.VariableRef(type=ctype, location=at, symbol=symbol)

    # -- whole objects ---------------------------------------------------------------------------------------

    def _unwrapped(self, ctype: CType, node: Any, *, is_static: bool) -> Any:
        """The braces of a compound literal where gcc takes it as an initialiser; else the node itself."""
        if not isinstance(node, c_ast.CompoundLiteral):
            return node
        literal = self._context.types.of(node.type)
        if isinstance(ctype, ArrayType) or (is_static and literal == ctype):
            return node.init
        return node

    def _single(self, plan: Plan, ctype: CType, node: Any) -> None:
        """An initialiser without braces."""
        value = self._context.expressions.designator(node)
        if isinstance(ctype, ArrayType):
            if not _is_string_for(value, ctype) or not isinstance(value, tree.StringLiteral):
                raise InputError("invalid initializer for an array", place(node))
            self._string(plan, (), ctype, value)
        else:
            self._write(plan, (), ctype, value)

    def _write(self, plan: Plan, way: Way, ctype: CType, value: tree.Expression) -> None:
        if not is_complete(ctype, self._context.structs):
            raise InputError(f"initializer for incomplete {described(ctype)}", value.location)
        converted = assigned(decay(value), ctype, "initialization")
        if plan.is_static and not is_static_constant(converted):
            raise InputError("initializer element is not constant", value.location)
        plan.writes.append(Write(way, converted))

    def _string(self, plan: Plan, way: Way, ctype: ArrayType, literal: tree.StringLiteral) -> None:
        """A string as the characters of an array; one without room for the closing zero loses it."""
        room = len(literal.data) if ctype.length is None else ctype.length
        for index, byte in enumerate(literal.data[:room]):
            character = tree.IntConstant(type=INT, location=literal.location, value=byte - 256 * (byte > 127))
            self._write(plan, (*way, index), ctype.element, character)
        if not way:
            plan.length = max(plan.length, room)

    # -- braces ----------------------------------------------------------------------------------------------

    def _braced(self, plan: Plan, way: Way, ctype: CType, node: Any) -> None:
        """``{...}`` for an object of any type."""
        items = _Items(node.exprs)
        if isinstance(ctype, ArrayType) and len(node.exprs) == 1 and _may_be_string(ctype, node.exprs[0]):
            value = items.value(self._context)
            if isinstance(value, tree.StringLiteral):
                self._string(plan, way, ctype, value)
                return
        if isinstance(ctype, ArrayType | StructType):
            self._aggregate(plan, way, ctype, items)
        elif items.peek() is not None:
            self._part(plan, way, ctype, items)
        else:
            zero = tree.IntConstant(type=INT, location=place(node), value=0)
            self._write(plan, way, ctype, zero)
        if items.peek() is not None:
            raise InputError("excess elements in initializer", place(items.peek()))

    def _aggregate(self, plan: Plan, way: Way, ctype: ArrayType | StructType, items: _Items) -> None:
        """All items between braces; a designator says where to go on."""
        position = 0
        while (node := items.peek()) is not None:
            if isinstance(node, c_ast.NamedInitializer):
                position = self._designated(plan, way, ctype, items)
            elif position < self._count(ctype):
                self._part(plan, (*way, self._step(ctype, position)), self._part_type(ctype, position), items)
                position = self._next(ctype, position)
                self._note_length(plan, way, position)
            else:
                return

    def _elided(self, plan: Plan, way: Way, ctype: ArrayType | StructType, items: _Items, position: int = 0) -> None:
        """Parts of an aggregate without braces of its own: it takes what it needs and leaves the rest."""
        while position < self._count(ctype) and items.has_undesignated():
            self._part(plan, (*way, self._step(ctype, position)), self._part_type(ctype, position), items)
            position = self._next(ctype, position)

    def _part(self, plan: Plan, way: Way, ctype: CType, items: _Items) -> None:
        """One part takes the current item, or several of them if it is an aggregate."""
        node = _item_value(items.peek())
        if isinstance(node, c_ast.InitList):
            items.advance()
            self._braced(plan, way, ctype, node)
            return
        if not isinstance(ctype, ArrayType | StructType):
            self._write(plan, way, ctype, items.value(self._context))
            items.advance()
            return
        value = items.value(self._context)
        if isinstance(ctype, ArrayType) and isinstance(value, tree.StringLiteral) and _is_string_for(value, ctype):
            self._refuse_flexible(ctype, value.location)
            self._string(plan, way, ctype, value)
            items.advance()
        elif value.type == ctype and isinstance(ctype, StructType):
            self._write(plan, way, ctype, value)
            items.advance()
        else:
            self._refuse_flexible(ctype, value.location)
            self._descend(plan, way, ctype, items)

    def _descend(self, plan: Plan, way: Way, ctype: ArrayType | StructType, items: _Items) -> None:
        if self._count(ctype) == 0:
            raise InputError(f"initializer for empty {described(ctype)}", place(items.peek()))
        if isinstance(items.peek(), c_ast.NamedInitializer):
            # The value of a designator: its first part is not designated itself.
            self._part(plan, (*way, self._step(ctype, 0)), self._part_type(ctype, 0), items)
            self._elided(plan, way, ctype, items, self._next(ctype, 0))
        else:
            self._elided(plan, way, ctype, items)

    @staticmethod
    def _refuse_flexible(ctype: CType, at: Location) -> None:
        if isinstance(ctype, ArrayType) and ctype.length is None:
            raise UnsupportedError("an initializer for a flexible array member is not supported yet", at)

    # -- designators -----------------------------------------------------------------------------------------

    def _designated(self, plan: Plan, way: Way, ctype: ArrayType | StructType, items: _Items) -> int:
        """An item with designators, and what follows it inside the same part; the position to go on at."""
        designators = list(items.peek().name)
        at = place(items.peek())
        first, last, rest = self._resolve(ctype, designators, at)
        for position in range(first, last):
            self._range_copy(plan, way, ctype, position, rest, items)
        self._follow(plan, way, ctype, last, rest, items)
        self._note_length(plan, way, last + 1)
        return self._next(ctype, last)

    def _range_copy(
        self, plan: Plan, way: Way, ctype: ArrayType | StructType, position: int, rest: list[Any], items: _Items
    ) -> None:
        """The value of ``[a ... b]`` for one of the elements before the last."""
        single = _Items([items.peek()])
        self._follow(plan, way, ctype, position, rest, single)

    def _follow(
        self, plan: Plan, way: Way, ctype: ArrayType | StructType, position: int, rest: list[Any], items: _Items
    ) -> None:
        """Along the remaining designators to the part that takes the item, then on behind it."""
        way, part = (*way, self._step(ctype, position)), self._part_type(ctype, position)
        if not rest:
            self._part(plan, way, part, items)
            return
        if not isinstance(part, ArrayType | StructType):
            raise InputError(f"designator into {described(part)}", place(items.peek()))
        first, last, deeper = self._resolve(part, rest, place(items.peek()))
        for inner in range(first, last):
            self._range_copy(plan, way, part, inner, deeper, items)
        self._follow(plan, way, part, last, deeper, items)
        self._elided(plan, way, part, items, self._next(part, last))

    def _resolve(
        self, ctype: ArrayType | StructType, designators: list[Any], at: Location
    ) -> tuple[int, int, list[Any]]:
        """First and last position of the leading designator, and the designators behind it."""
        designator, rest = designators[0], designators[1:]
        if isinstance(designator, c_ast.ArrayDesignator):
            if not isinstance(ctype, ArrayType):
                raise InputError(f"array index in initializer of {described(ctype)}", at)
            return (*self._positions(ctype, designator.expr), rest)
        if not isinstance(ctype, StructType):
            raise InputError(f"member name '{designator.name}' in initializer of {described(ctype)}", at)
        way = find_member(ctype.key, designator.name, self._context.structs)
        if way is None:
            raise InputError(f"'{ctype}' has no member named '{designator.name}'", at)
        position = self._context.structs[ctype.key].members.index(way[0][1])
        # A member of an anonymous member is one designator that takes two steps.
        return position, position, rest if len(way) == 1 else [designator, *rest]

    def _positions(self, ctype: ArrayType, node: Any) -> tuple[int, int]:
        if isinstance(node, RangeExpression):
            low = self._context.constant(node.low, "an array index in an initializer")
            high = self._context.constant(node.high, "an array index in an initializer")
        else:
            low = high = self._context.constant(node, "an array index in an initializer")
        if not 0 <= low <= high < self._count(ctype):
            raise InputError("array index in initializer exceeds the array", place(node))
        return low, high

    # -- parts of aggregates ---------------------------------------------------------------------------------

    def _count(self, ctype: ArrayType | StructType) -> int:
        if isinstance(ctype, ArrayType):
            return 2**62 if ctype.length is None else ctype.length
        if ctype.key not in self._context.structs:
            return 0
        return len(self._context.structs[ctype.key].members)

    def _next(self, ctype: ArrayType | StructType, position: int) -> int:
        """The position behind one; a union has room for one member only."""
        is_union = isinstance(ctype, StructType) and self._context.structs[ctype.key].is_union
        return self._count(ctype) if is_union else position + 1

    def _step(self, ctype: ArrayType | StructType, position: int) -> Step:
        if isinstance(ctype, ArrayType):
            return position
        return ctype.key, self._context.structs[ctype.key].members[position]

    def _part_type(self, ctype: ArrayType | StructType, position: int) -> CType:
        if isinstance(ctype, ArrayType):
            return ctype.element
        return self._context.structs[ctype.key].members[position].type

    @staticmethod
    def _note_length(plan: Plan, way: Way, length: int) -> None:
        if not way:
            plan.length = max(plan.length, length)

    def _target(self, symbol: tree.Symbol, write: Write) -> tree.Expression:
        """The lvalue at the end of a way."""
        at = write.value.location
        target: tree.Expression = tree.VariableRef(type=symbol.type, location=at, symbol=symbol)
        for step in write.way:
            if isinstance(step, int):
                index = tree.IntConstant(type=ULONG, location=at, value=step)
                element = target.type.element if isinstance(target.type, ArrayType) else target.type
                target = tree.Index(type=element, location=at, base=target, index=index)
            else:
                key, member = step
                target = tree.MemberAccess(
                    type=member.type, location=at, base=target, struct_key=key, member=member.name
                )
        return target


def _item_value(node: Any) -> Any:
    """The initialiser of an item, without its designators."""
    return node.expr if isinstance(node, c_ast.NamedInitializer) else node


def _may_be_string(ctype: ArrayType, node: Any) -> bool:
    return ctype.element in _CHARACTERS and isinstance(node, c_ast.Constant) and node.type == "string"


def _is_string_for(value: tree.Expression, ctype: ArrayType) -> bool:
    return ctype.element in _CHARACTERS and isinstance(value, tree.StringLiteral)

