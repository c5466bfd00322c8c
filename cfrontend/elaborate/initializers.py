"""Initialisers into single writes: the initialiser of a variable, and compound literals (C11 6.7.9).

First a plan, a list of ways into the object with a value each, because only its end tells the length of ``a[]``;
then the plan becomes lvalues of the finished object. An aggregate without braces of its own takes the items it needs
and leaves the rest to what encloses it; a designator moves on to another part.

    struct p { int x, y; } a[] = {1, 2, [1].y = 4};
    -> a[0].x = 1, a[0].y = 2, a[1].y = 4, the rest zero; a has two elements

A later item takes the place of an earlier one, which is not evaluated then (gcc): of the value for the same part, of
all values within a part that gets braces or one value of its own, and of a value for more than this part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import partial
from typing import Any, Final, TypeAlias, TypeGuard, final

from pycparser import c_ast

from cfrontend.elaborate import records, type_names
from cfrontend.elaborate.constants import is_constant_initializer, static_nan_constant
from cfrontend.elaborate.context import Context, location_of
from cfrontend.elaborate.conversions import convert_for_assignment, decayed, require_complete
from cfrontend.elaborate.records import find_record_member
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.record import dataclass
from cfrontend.source.parse import RangeNode
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    CHAR,
    INT,
    SCHAR,
    UCHAR,
    ArrayType,
    CType,
    FloatType,
    IntType,
    StructMember,
    StructType,
)

Step: TypeAlias = int | tuple[str, StructMember]
"""One step into an object: an array index, or a structure key with a member of it."""

Way: TypeAlias = tuple[Step, ...]

_Place: TypeAlias = tuple[int | str, ...]
"""A way by the names of its members."""

Aggregate: TypeAlias = ArrayType | StructType

_CHARACTERS: Final = (CHAR, SCHAR, UCHAR)


@final
@dataclass(frozen=True, slots=True)
class Write:
    """A value for the part of the object at the end of a way."""

    way: Way
    value: Expression


@final
@dataclass(slots=True)
class Plan:
    """The writes of an initialiser.

    ``length`` is what an array of unknown length turned out to need, ``elements`` the flexible array member at the
    end of a structure.
    """

    is_static: bool
    length: int = 0
    elements: int = 0
    repeats: int = 0
    is_designated: bool = False
    _forward: list[Write] = field(default_factory=list)
    _writes: dict[_Place, Write] = field(default_factory=dict)
    _within: dict[_Place, dict[_Place, None]] = field(default_factory=dict)

    @property
    def writes(self) -> list[Write]:
        """Assignments to parts of the object that no later initialiser overrides, in the order of the text."""
        return [*self._forward, *self._writes.values()]

    def begin_designating(self) -> None:
        """From now on items may go to parts that have a value; before the first designator they only go forward."""
        self.is_designated = True
        forward, self._forward = self._forward, []
        for write in forward:
            self.write(write.way, write.value)

    def write(self, way: Way, value: Expression) -> None:
        """Give a part of the object a value."""
        if not self.is_designated:
            self._forward.append(Write(way, value))
            return
        self.clear(way)
        place = _place(way)
        self._writes[place] = Write(way, value)
        for depth in range(len(place)):
            self._within.setdefault(place[:depth], {})[place] = None

    def clear(self, way: Way) -> None:
        """Forget the values of a part, of its parts, and those for more than this part."""
        if not self._writes:
            return
        place = _place(way)
        overlapping = [place[:depth] for depth in range(len(place) + 1) if place[:depth] in self._writes]
        overlapping += self._within.get(place, ())
        for other in overlapping:
            self._forget(other)

    def enter_member_of_union(self, way: Way) -> None:
        """Forget the values of all members of a union but the one that a way leads to."""
        place = _place(way)
        for other in list(self._within.get(place[:-1], ())):
            if other[: len(place)] != place:
                self._forget(other)

    def _forget(self, place: _Place) -> None:
        del self._writes[place]
        for depth in range(len(place)):
            del self._within[place[:depth]][place]


@final
class _Items:
    """The items between two braces, read once from front to back."""

    def __init__(self, nodes: Sequence[Any], plan: Plan) -> None:
        self.plan = plan
        self._nodes = nodes
        self._position = 0
        self._value: Expression | None = None

    def peek(self) -> Any:
        return self._nodes[self._position] if self._position < len(self._nodes) else None

    def advance(self) -> None:
        self._position += 1
        self._value = None

    def value(self, context: Context) -> Expression:
        """The current item as an expression, elaborated once however often it is looked at."""
        if self._value is None:
            self._value = context.designator(_item_value(self.peek()))
        return self._value

    def has_undesignated(self) -> bool:
        """True if an item follows that has no designator."""
        node = self.peek()
        return node is not None and not isinstance(node, c_ast.NamedInitializer)


# -- entry points -------------------------------------------------------------------------------------------


def planned(context: Context, ctype: CType, node: Any, *, is_static: bool) -> tuple[Plan, CType]:
    """The writes of an initialiser, and the type with its length completed."""
    plan = Plan(is_static)
    braces = _unwrapped(context, ctype, node, is_static=is_static)
    if isinstance(braces, c_ast.InitList):
        _braced(context, plan, (), ctype, braces)
    else:
        _single(context, plan, ctype, braces)
    if isinstance(ctype, ArrayType) and ctype.length is None:
        return plan, ArrayType(ctype.element, plan.length)
    if isinstance(ctype, StructType) and plan.elements:
        return plan, records.with_elements(context, ctype, plan.elements)
    return plan, ctype


def build(context: Context, plan: Plan, symbol: tree.SyntaxSymbol, at: Location) -> tree.Initializer:
    """The plan as writes to a variable."""
    writes = plan.writes
    if plan.is_designated:
        writes.sort(key=partial(_numbers_of_parts, context))
    items = tuple([tree.InitItem(target=_target(context, symbol, w), value=w.value) for w in writes])
    zero_fill = isinstance(symbol.type, ArrayType | StructType) and all(w.way for w in writes)
    return tree.Initializer(items=items, zero_fill=zero_fill, location=at)


def compound_literal(context: Context, node: Any) -> Expression:
    """``(T){...}``: at file scope a variable without a name, inside a function a node of its own."""
    at = location_of(node)
    is_static = context.function is None
    plan, ctype = planned(context, type_names.of(context, node.type), node.init, is_static=is_static)
    require_complete(ctype, context.structs, at, "compound literal of")
    if not is_static:
        symbol = context.new_local("<literal>", ctype, at, declared=node.type)
        initializer = build(context, plan, symbol, location_of(node.init))
        return tree.CompoundLiteral(type=ctype, location=at, symbol=symbol, initializer=initializer)
    key = context.program.unique("<literal>")
    symbol = context.program.declare_variable(
        key,
        "<literal>",
        ctype,
        "static",
        at,
        unit=context.path,
        is_constant=context.is_constant(node.type),
    )
    context.program.define_variable(key, build(context, plan, symbol, location_of(node.init)), at)
    return symbol.reference(at)


def _unwrapped(context: Context, ctype: CType, node: Any, *, is_static: bool) -> Any:
    """The braces of a compound literal where gcc takes it as an initialiser; else the node itself."""
    if not isinstance(node, c_ast.CompoundLiteral):
        return node
    literal = type_names.of(context, node.type)
    if isinstance(ctype, ArrayType) or (is_static and literal == ctype):
        return node.init
    return node


def _numbers_of_parts(context: Context, write: Write) -> tuple[int, ...]:
    """Where the part of a write stands in the object: the order in which gcc evaluates what designators mix."""
    structs = context.structs
    return tuple(
        [step if isinstance(step, int) else structs[step[0]].members.index(step[1]) for step in write.way]
    )


def _target(context: Context, symbol: tree.SyntaxSymbol, write: Write) -> Expression:
    """The lvalue at the end of a way."""
    at = write.value.location
    target: Expression = symbol.reference(at)
    for step in write.way:
        if isinstance(step, int):
            index = tree.IntConstant(type=context.model.ulong, location=at, value=step)
            element = target.type.element if isinstance(target.type, ArrayType) else target.type
            target = tree.Index(type=element, location=at, base=target, index=index)
        else:
            key, member = step
            target = tree.MemberAccess(
                type=member.type, location=at, base=target, struct_key=key, member=member.name
            )
    return target


# -- whole objects ---------------------------------------------------------------------------------------


def _single(context: Context, plan: Plan, ctype: CType, node: Any) -> None:
    """An initialiser without braces."""
    value = context.designator(node)
    if isinstance(ctype, ArrayType):
        if not _is_string_for(value, ctype) or not isinstance(value, tree.StringLiteral):
            raise InputError("invalid initializer for an array", location_of(node))
        _string(context, plan, (), ctype, value)
    else:
        _write(context, plan, (), ctype, value)


def _write(context: Context, plan: Plan, way: Way, ctype: CType, value: Expression) -> None:
    require_complete(ctype, context.structs, value.location, "initializer for")
    converted = convert_for_assignment(decayed(value), ctype, "initialization")
    if plan.is_static and not is_constant_initializer(converted, context.program.constants):
        raise InputError("initializer element is not constant", value.location)
    if plan.is_static and isinstance(ctype, FloatType):
        converted = static_nan_constant(converted, context.structs) or converted
    if plan.repeats and _has_effects_to_repeat(converted):
        message = "a range in an initializer whose value has side effects is not supported yet"
        raise UnsupportedError(message, value.location)
    plan.write(way, converted)


def _string(context: Context, plan: Plan, way: Way, ctype: ArrayType, literal: tree.StringLiteral) -> None:
    """A string as the characters of an array; one without room for the closing zero loses it."""
    plan.clear(way)
    room = len(_characters(literal)) if ctype.length is None else ctype.length
    for index, value in enumerate(_characters(literal)[:room]):
        character = tree.IntConstant(type=INT, location=literal.location, value=value)
        _write(context, plan, (*way, index), ctype.element, character)
    _note_length(plan, way, room)


# -- braces ----------------------------------------------------------------------------------------------


def _braced(context: Context, plan: Plan, way: Way, ctype: CType, node: Any) -> None:
    """``{...}`` for an object of any type."""
    plan.clear(way)
    items = _Items(node.exprs, plan)
    if isinstance(ctype, ArrayType) and node.exprs and _may_be_string(ctype, node.exprs[0]):
        value = items.value(context)
        if isinstance(value, tree.StringLiteral):
            _check_string_fits(value, ctype)
            if len(node.exprs) > 1:
                raise InputError(
                    "excess elements behind the string that initializes an array", value.location
                )
            _string(context, plan, way, ctype, value)
            return
    if _is_aggregate(ctype):
        _aggregate(context, way, ctype, items)
    elif items.peek() is not None:
        _part(context, way, ctype, items)
    else:
        zero = tree.IntConstant(type=INT, location=location_of(node), value=0)
        _write(context, plan, way, ctype, zero)
    # Elements in excess are dropped, as gcc does with a warning.


def _aggregate(context: Context, way: Way, ctype: Aggregate, items: _Items) -> None:
    """Take all items between braces; a designator says where to go on."""
    position = 0
    while (node := items.peek()) is not None:
        if isinstance(node, c_ast.NamedInitializer):
            position = _designated(context, way, ctype, items)
        elif position < _count(context, ctype):
            _part(
                context, (*way, _step(context, ctype, position)), _part_type(context, ctype, position), items
            )
            position = _next(context, ctype, position)
            _note_length(items.plan, way, position)
        else:
            return


def _elided(context: Context, way: Way, ctype: Aggregate, items: _Items, position: int = 0) -> None:
    """Parts of an aggregate without braces of its own: it takes what it needs and leaves the rest."""
    while position < _count(context, ctype) and items.has_undesignated():
        _part(context, (*way, _step(context, ctype, position)), _part_type(context, ctype, position), items)
        position = _next(context, ctype, position)


def _part(context: Context, way: Way, ctype: CType, items: _Items) -> None:
    """Take the current item for one part, or several items if the part is an aggregate."""
    node = _item_value(items.peek())
    if way and _is_member_of_union(context, way[-1]):
        items.plan.enter_member_of_union(way)
    if items.plan.is_static and _is_literal_of(context, node, ctype):
        node = node.init
    if isinstance(node, c_ast.InitList):
        if not _is_flexible_end(items.plan, way):
            _refuse_flexible(ctype, location_of(node))
        items.advance()
        _braced(context, items.plan, way, ctype, node)
        return
    if not _is_aggregate(ctype):
        _write(context, items.plan, way, ctype, items.value(context))
        items.advance()
        return
    value = items.value(context)
    if (
        isinstance(ctype, ArrayType)
        and isinstance(ctype.element, IntType)
        and isinstance(value, tree.StringLiteral)
    ):
        _check_string_fits(value, ctype)
        if not _is_flexible_end(items.plan, way):
            _refuse_flexible(ctype, value.location)
        _string(context, items.plan, way, ctype, value)
        items.advance()
    elif isinstance(ctype, StructType) and value.type == ctype:
        _write(context, items.plan, way, ctype, value)
        items.advance()
    else:
        _refuse_flexible(ctype, value.location)
        _descend(context, way, ctype, items)


def _is_member_of_union(context: Context, step: Step) -> bool:
    return not isinstance(step, int) and context.structs[step[0]].is_union


def _is_literal_of(context: Context, node: Any, ctype: CType) -> bool:
    """Whether an item is a compound literal, whose braces gcc takes for a part of a static object."""
    is_literal = isinstance(node, c_ast.CompoundLiteral) and isinstance(ctype, StructType)
    return is_literal and type_names.of(context, node.type) == ctype


def _descend(context: Context, way: Way, ctype: Aggregate, items: _Items) -> None:
    if _count(context, ctype) == 0:
        raise InputError(f"initializer for empty {type_in_words(ctype)}", location_of(items.peek()))
    if isinstance(items.peek(), c_ast.NamedInitializer):
        # The value of a designator: its first part is not designated itself.
        _part(context, (*way, _step(context, ctype, 0)), _part_type(context, ctype, 0), items)
        _elided(context, way, ctype, items, _next(context, ctype, 0))
    else:
        _elided(context, way, ctype, items)


def _refuse_flexible(ctype: CType, at: Location) -> None:
    if isinstance(ctype, ArrayType) and ctype.length is None:
        raise UnsupportedError("an initializer for a flexible array member is not supported yet", at)


# -- designators -----------------------------------------------------------------------------------------


def _designated(context: Context, way: Way, ctype: Aggregate, items: _Items) -> int:
    """Take an item with designators, and the items behind it inside the same part; returns the next position."""
    if not items.plan.is_designated:
        items.plan.begin_designating()
    designators = list(items.peek().name)
    at = location_of(items.peek())
    first, last, rest = _resolve(context, ctype, designators, at)
    for position in range(first, last):
        _range_copy(context, way, ctype, position, rest, items)
    _follow(context, way, ctype, last, rest, items)
    _note_length(items.plan, way, last + 1)
    return _next(context, ctype, last)


def _range_copy(
    context: Context, way: Way, ctype: Aggregate, position: int, rest: list[Any], items: _Items
) -> None:
    """The value of ``[a ... b]`` for one of the elements before the last."""
    single = _Items([items.peek()], items.plan)
    items.plan.repeats += 1
    _follow(context, way, ctype, position, rest, single)
    items.plan.repeats -= 1


def _follow(
    context: Context, way: Way, ctype: Aggregate, position: int, rest: list[Any], items: _Items
) -> None:
    """Along the remaining designators to the part that takes the item, then on behind it."""
    way, part = (*way, _step(context, ctype, position)), _part_type(context, ctype, position)
    if rest and _is_member_of_union(context, way[-1]):
        items.plan.enter_member_of_union(way)
    if not rest:
        _part(context, way, part, items)
        return
    if not _is_aggregate(part):
        raise InputError(f"designator into {type_in_words(part)}", location_of(items.peek()))
    first, last, deeper = _resolve(context, part, rest, location_of(items.peek()))
    for inner in range(first, last):
        _range_copy(context, way, part, inner, deeper, items)
    _follow(context, way, part, last, deeper, items)
    _elided(context, way, part, items, _next(context, part, last))


def _resolve(
    context: Context, ctype: Aggregate, designators: list[Any], at: Location
) -> tuple[int, int, list[Any]]:
    """First and last position of the leading designator, and the designators behind it."""
    designator, rest = designators[0], designators[1:]
    if isinstance(designator, c_ast.ArrayDesignator):
        if not isinstance(ctype, ArrayType):
            raise InputError(f"array index in initializer of {type_in_words(ctype)}", at)
        return (*_positions(context, ctype, designator.expr), rest)
    if not isinstance(ctype, StructType):
        raise InputError(f"member name '{designator.name}' in initializer of {type_in_words(ctype)}", at)
    require_complete(ctype, context.structs, at, "initializer for")
    way = find_record_member(ctype.key, designator.name, context.structs)
    if way is None:
        raise InputError(f"'{ctype}' has no member named '{designator.name}'", at)
    position = context.structs[ctype.key].members.index(way[0][1])
    # A member of an anonymous member is one designator that takes two steps.
    return position, position, rest if len(way) == 1 else [designator, *rest]


def _positions(context: Context, ctype: ArrayType, node: Any) -> tuple[int, int]:
    if isinstance(node, RangeNode):
        low = context.constant(node.low, "an array index in an initializer")
        high = context.constant(node.high, "an array index in an initializer")
    else:
        low = high = context.constant(node, "an array index in an initializer")
    if not 0 <= low <= high < _count(context, ctype):
        raise InputError("array index in initializer exceeds the array", location_of(node))
    return low, high


# -- parts of aggregates ---------------------------------------------------------------------------------


def _count(context: Context, ctype: Aggregate) -> int:
    if isinstance(ctype, ArrayType):
        return 2**62 if ctype.length is None else ctype.length
    if ctype.key not in context.structs:
        return 0
    return len(context.structs[ctype.key].members)


def _next(context: Context, ctype: Aggregate, position: int) -> int:
    """The position behind one; a union has room for one member only."""
    is_union = isinstance(ctype, StructType) and context.structs[ctype.key].is_union
    return _count(context, ctype) if is_union else position + 1


def _step(context: Context, ctype: Aggregate, position: int) -> Step:
    if isinstance(ctype, ArrayType):
        return position
    return ctype.key, context.structs[ctype.key].members[position]


def _part_type(context: Context, ctype: Aggregate, position: int) -> CType:
    if isinstance(ctype, ArrayType):
        return ctype.element
    return context.structs[ctype.key].members[position].type


def _note_length(plan: Plan, way: Way, length: int) -> None:
    if not way:
        plan.length = max(plan.length, length)
    elif _is_flexible_end(plan, way):
        plan.elements = max(plan.elements, length)


def _is_aggregate(ctype: CType) -> TypeGuard[Aggregate]:
    """True for what braces name the parts of."""
    return isinstance(ctype, ArrayType | StructType)


def _is_flexible_end(plan: Plan, way: Way) -> bool:
    """True if a way leads to the flexible array member of a static structure, which may get a length (GNU)."""
    match way:
        case ((_, StructMember(type=ArrayType(length=None))),):
            return plan.is_static
        case _:
            return False


def _place(way: Way) -> _Place:
    return tuple([step if isinstance(step, int) else step[1].name for step in way])


def _has_effects_to_repeat(value: Expression) -> bool:
    """Whether evaluating a value again does something again; a compound literal by itself is only made again."""
    value = queries.syntax_below_conversions(value)
    if isinstance(value, tree.CompoundLiteral):
        return any(_has_effects_to_repeat(item.value) for item in value.initializer.items)
    return queries.has_side_effects(value)


def _item_value(node: Any) -> Any:
    """The initialiser of an item, without its designators."""
    return node.expr if isinstance(node, c_ast.NamedInitializer) else node


def _may_be_string(ctype: ArrayType, node: Any) -> bool:
    return isinstance(ctype.element, IntType) and isinstance(node, c_ast.Constant) and node.type == "string"


def _is_string_for(value: Expression, ctype: ArrayType) -> bool:
    if not isinstance(value, tree.StringLiteral) or not isinstance(value.type, ArrayType):
        return False
    return ctype.element == value.type.element or {ctype.element, value.type.element} <= set(_CHARACTERS)


def _check_string_fits(value: tree.StringLiteral, ctype: ArrayType) -> None:
    """Raise InputError where a string is no initializer of an array of integers: its characters are of another type."""
    if not _is_string_for(value, ctype) and isinstance(value.type, ArrayType):
        elements = type_in_words(ctype.element)
        characters = type_in_words(value.type.element)
        raise InputError(
            f"an array of {elements} cannot be initialized from a string of {characters}", value.location
        )


def _characters(literal: tree.StringLiteral) -> list[int]:
    """The values of the characters of a string, the closing zero included."""
    element = literal.type.element if isinstance(literal.type, ArrayType) else CHAR
    assert isinstance(element, IntType)
    size = element.width // 8
    return [
        int.from_bytes(literal.data[n : n + size], "little", signed=element.signed)
        for n in range(0, len(literal.data), size)
    ]
