"""Braces into writes: which part of the object each item goes to (C11 6.7.9 paragraphs 17 to 22).

An aggregate without braces of its own takes the items it needs and leaves the rest to what encloses it; a designator
moves on to another part. The ways found here become lvalues in ``initializers``.

    struct { int a[2], b; } s = {1, 2, .a[1] = 3, 4};
    -> (a, 0) = 1, (a, 1) = 3, (b) = 4

A later item takes the place of an earlier one, which is not evaluated then (gcc): of the value for the same part, of
all values within a part that gets braces or one value of its own, and of a value for more than this part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any, Final, TypeAlias, TypeGuard, final

from pycparser import c_ast

from cfrontend.elaborate.complex_numbers import complex_parts_of_pair
from cfrontend.elaborate.constants import is_constant_initializer, static_nan_constant
from cfrontend.elaborate.context import ElaborationContext, location_of
from cfrontend.elaborate.conversions import convert_for_assignment, decayed, require_complete
from cfrontend.elaborate.records import find_record_member
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.record import dataclass
from cfrontend.source.parse import RangeNode
from cfrontend.syntax import queries, tree
from cfrontend.syntax.complex_types import is_complex_type, is_record_type
from cfrontend.syntax.printer import type_in_words
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
    value: tree.Expression


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

    def write(self, way: Way, value: tree.Expression) -> None:
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
        self._value: tree.Expression | None = None

    def peek(self) -> Any:
        return self._nodes[self._position] if self._position < len(self._nodes) else None

    def advance(self) -> None:
        self._position += 1
        self._value = None

    def value(self, context: ElaborationContext) -> tree.Expression:
        """The current item as an expression, elaborated once however often it is looked at."""
        if self._value is None:
            self._value = context.expressions.designator(_item_value(self.peek()))
        return self._value

    def has_undesignated(self) -> bool:
        """True if an item follows that has no designator."""
        node = self.peek()
        return node is not None and not isinstance(node, c_ast.NamedInitializer)


@final
class Filling:
    """Fills plans with the items of braces."""

    def __init__(self, context: ElaborationContext) -> None:
        self._context = context

    # -- whole objects ---------------------------------------------------------------------------------------

    def single(self, plan: Plan, ctype: CType, node: Any) -> None:
        """An initialiser without braces."""
        value = self._context.expressions.designator(node)
        if isinstance(ctype, ArrayType):
            if not _is_string_for(value, ctype) or not isinstance(value, tree.StringLiteral):
                raise InputError("invalid initializer for an array", location_of(node))
            self._string(plan, (), ctype, value)
        else:
            self._write(plan, (), ctype, value)

    def _write(self, plan: Plan, way: Way, ctype: CType, value: tree.Expression) -> None:
        require_complete(ctype, self._context.structs, value.location, "initializer for")
        value = self._context.complex_numbers.converted(decayed(value), ctype)
        converted = convert_for_assignment(value, ctype, "initialization")
        if plan.is_static and is_complex_type(ctype) and (parts := complex_parts_of_pair(converted)):
            for member, part in zip(self._members(ctype), parts, strict=True):
                self._write(plan, (*way, member), part.type, part)
            return
        if plan.is_static and not is_constant_initializer(converted, self._context.program.constants):
            raise InputError("initializer element is not constant", value.location)
        if plan.is_static and isinstance(ctype, FloatType):
            converted = static_nan_constant(converted, self._context.structs) or converted
        if plan.repeats and _has_effects_to_repeat(converted):
            message = "a range in an initializer whose value has side effects is not supported yet"
            raise UnsupportedError(message, value.location)
        plan.write(way, converted)

    def _members(self, ctype: CType) -> Sequence[Step]:
        """The steps to both parts of a complex number."""
        assert isinstance(ctype, StructType)
        return [(ctype.key, member) for member in self._context.structs[ctype.key].members]

    def _string(self, plan: Plan, way: Way, ctype: ArrayType, literal: tree.StringLiteral) -> None:
        """A string as the characters of an array; one without room for the closing zero loses it."""
        plan.clear(way)
        room = len(_characters(literal)) if ctype.length is None else ctype.length
        for index, value in enumerate(_characters(literal)[:room]):
            character = tree.IntConstant(type=INT, location=literal.location, value=value)
            self._write(plan, (*way, index), ctype.element, character)
        self._note_length(plan, way, room)

    # -- braces ----------------------------------------------------------------------------------------------

    def braced(self, plan: Plan, way: Way, ctype: CType, node: Any) -> None:
        """``{...}`` for an object of any type."""
        plan.clear(way)
        items = _Items(node.exprs, plan)
        if isinstance(ctype, ArrayType) and node.exprs and _may_be_string(ctype, node.exprs[0]):
            value = items.value(self._context)
            if isinstance(value, tree.StringLiteral):
                _check_string_fits(value, ctype)
                if len(node.exprs) > 1:
                    raise InputError(
                        "excess elements behind the string that initializes an array", value.location
                    )
                self._string(plan, way, ctype, value)
                return
        if _is_aggregate(ctype):
            self._aggregate(way, ctype, items)
        elif items.peek() is not None:
            self._part(way, ctype, items)
        else:
            zero = tree.IntConstant(type=INT, location=location_of(node), value=0)
            self._write(plan, way, ctype, zero)
        # Elements in excess are dropped, as gcc does with a warning.

    def _aggregate(self, way: Way, ctype: Aggregate, items: _Items) -> None:
        """Take all items between braces; a designator says where to go on."""
        position = 0
        while (node := items.peek()) is not None:
            if isinstance(node, c_ast.NamedInitializer):
                position = self._designated(way, ctype, items)
            elif position < self._count(ctype):
                self._part((*way, self._step(ctype, position)), self._part_type(ctype, position), items)
                position = self._next(ctype, position)
                self._note_length(items.plan, way, position)
            else:
                return

    def _elided(self, way: Way, ctype: Aggregate, items: _Items, position: int = 0) -> None:
        """Parts of an aggregate without braces of its own: it takes what it needs and leaves the rest."""
        while position < self._count(ctype) and items.has_undesignated():
            self._part((*way, self._step(ctype, position)), self._part_type(ctype, position), items)
            position = self._next(ctype, position)

    def _part(self, way: Way, ctype: CType, items: _Items) -> None:
        """Take the current item for one part, or several items if the part is an aggregate."""
        node = _item_value(items.peek())
        if way and self._is_member_of_union(way[-1]):
            items.plan.enter_member_of_union(way)
        if items.plan.is_static and self._is_literal_of(node, ctype):
            node = node.init
        if isinstance(node, c_ast.InitList):
            if not _is_flexible_end(items.plan, way):
                self._refuse_flexible(ctype, location_of(node))
            items.advance()
            self.braced(items.plan, way, ctype, node)
            return
        if not _is_aggregate(ctype):
            self._write(items.plan, way, ctype, items.value(self._context))
            items.advance()
            return
        value = items.value(self._context)
        if (
            isinstance(ctype, ArrayType)
            and isinstance(ctype.element, IntType)
            and isinstance(value, tree.StringLiteral)
        ):
            _check_string_fits(value, ctype)
            if not _is_flexible_end(items.plan, way):
                self._refuse_flexible(ctype, value.location)
            self._string(items.plan, way, ctype, value)
            items.advance()
        elif isinstance(ctype, StructType) and value.type == ctype:
            self._write(items.plan, way, ctype, value)
            items.advance()
        else:
            self._refuse_flexible(ctype, value.location)
            self._descend(way, ctype, items)

    def _is_member_of_union(self, step: Step) -> bool:
        return not isinstance(step, int) and self._context.structs[step[0]].is_union

    def _is_literal_of(self, node: Any, ctype: CType) -> bool:
        """Whether an item is a compound literal, whose braces gcc takes for a part of a static object."""
        is_literal = isinstance(node, c_ast.CompoundLiteral) and isinstance(ctype, StructType)
        return is_literal and self._context.types.of(node.type) == ctype

    def _descend(self, way: Way, ctype: Aggregate, items: _Items) -> None:
        if self._count(ctype) == 0:
            raise InputError(f"initializer for empty {type_in_words(ctype)}", location_of(items.peek()))
        if isinstance(items.peek(), c_ast.NamedInitializer):
            # The value of a designator: its first part is not designated itself.
            self._part((*way, self._step(ctype, 0)), self._part_type(ctype, 0), items)
            self._elided(way, ctype, items, self._next(ctype, 0))
        else:
            self._elided(way, ctype, items)

    @staticmethod
    def _refuse_flexible(ctype: CType, at: Location) -> None:
        if isinstance(ctype, ArrayType) and ctype.length is None:
            raise UnsupportedError("an initializer for a flexible array member is not supported yet", at)

    # -- designators -----------------------------------------------------------------------------------------

    def _designated(self, way: Way, ctype: Aggregate, items: _Items) -> int:
        """Take an item with designators, and the items behind it inside the same part; returns the next position."""
        if not items.plan.is_designated:
            items.plan.begin_designating()
        designators = list(items.peek().name)
        at = location_of(items.peek())
        first, last, rest = self._resolve(ctype, designators, at)
        for position in range(first, last):
            self._range_copy(way, ctype, position, rest, items)
        self._follow(way, ctype, last, rest, items)
        self._note_length(items.plan, way, last + 1)
        return self._next(ctype, last)

    def _range_copy(self, way: Way, ctype: Aggregate, position: int, rest: list[Any], items: _Items) -> None:
        """The value of ``[a ... b]`` for one of the elements before the last."""
        single = _Items([items.peek()], items.plan)
        items.plan.repeats += 1
        self._follow(way, ctype, position, rest, single)
        items.plan.repeats -= 1

    def _follow(self, way: Way, ctype: Aggregate, position: int, rest: list[Any], items: _Items) -> None:
        """Along the remaining designators to the part that takes the item, then on behind it."""
        way, part = (*way, self._step(ctype, position)), self._part_type(ctype, position)
        if rest and self._is_member_of_union(way[-1]):
            items.plan.enter_member_of_union(way)
        if not rest:
            self._part(way, part, items)
            return
        if not _is_aggregate(part):
            raise InputError(f"designator into {type_in_words(part)}", location_of(items.peek()))
        first, last, deeper = self._resolve(part, rest, location_of(items.peek()))
        for inner in range(first, last):
            self._range_copy(way, part, inner, deeper, items)
        self._follow(way, part, last, deeper, items)
        self._elided(way, part, items, self._next(part, last))

    def _resolve(self, ctype: Aggregate, designators: list[Any], at: Location) -> tuple[int, int, list[Any]]:
        """First and last position of the leading designator, and the designators behind it."""
        designator, rest = designators[0], designators[1:]
        if isinstance(designator, c_ast.ArrayDesignator):
            if not isinstance(ctype, ArrayType):
                raise InputError(f"array index in initializer of {type_in_words(ctype)}", at)
            return (*self._positions(ctype, designator.expr), rest)
        if not isinstance(ctype, StructType):
            raise InputError(f"member name '{designator.name}' in initializer of {type_in_words(ctype)}", at)
        require_complete(ctype, self._context.structs, at, "initializer for")
        way = find_record_member(ctype.key, designator.name, self._context.structs)
        if way is None:
            raise InputError(f"'{ctype}' has no member named '{designator.name}'", at)
        position = self._context.structs[ctype.key].members.index(way[0][1])
        # A member of an anonymous member is one designator that takes two steps.
        return position, position, rest if len(way) == 1 else [designator, *rest]

    def _positions(self, ctype: ArrayType, node: Any) -> tuple[int, int]:
        if isinstance(node, RangeNode):
            low = self._context.constant(node.low, "an array index in an initializer")
            high = self._context.constant(node.high, "an array index in an initializer")
        else:
            low = high = self._context.constant(node, "an array index in an initializer")
        if not 0 <= low <= high < self._count(ctype):
            raise InputError("array index in initializer exceeds the array", location_of(node))
        return low, high

    # -- parts of aggregates ---------------------------------------------------------------------------------

    def _count(self, ctype: Aggregate) -> int:
        if isinstance(ctype, ArrayType):
            return 2**62 if ctype.length is None else ctype.length
        if ctype.key not in self._context.structs:
            return 0
        return len(self._context.structs[ctype.key].members)

    def _next(self, ctype: Aggregate, position: int) -> int:
        """The position behind one; a union has room for one member only."""
        is_union = isinstance(ctype, StructType) and self._context.structs[ctype.key].is_union
        return self._count(ctype) if is_union else position + 1

    def _step(self, ctype: Aggregate, position: int) -> Step:
        if isinstance(ctype, ArrayType):
            return position
        return ctype.key, self._context.structs[ctype.key].members[position]

    def _part_type(self, ctype: Aggregate, position: int) -> CType:
        if isinstance(ctype, ArrayType):
            return ctype.element
        return self._context.structs[ctype.key].members[position].type

    @staticmethod
    def _note_length(plan: Plan, way: Way, length: int) -> None:
        if not way:
            plan.length = max(plan.length, length)
        elif _is_flexible_end(plan, way):
            plan.elements = max(plan.elements, length)


def _is_aggregate(ctype: CType) -> TypeGuard[Aggregate]:
    """True for what braces name the parts of."""
    return isinstance(ctype, ArrayType) or is_record_type(ctype)


def _is_flexible_end(plan: Plan, way: Way) -> bool:
    """True if a way leads to the flexible array member of a static structure, which may get a length (GNU)."""
    match way:
        case ((_, StructMember(type=ArrayType(length=None))),):
            return plan.is_static
        case _:
            return False


def _place(way: Way) -> _Place:
    return tuple([step if isinstance(step, int) else step[1].name for step in way])


def _has_effects_to_repeat(value: tree.Expression) -> bool:
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


def _is_string_for(value: tree.Expression, ctype: ArrayType) -> bool:
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
