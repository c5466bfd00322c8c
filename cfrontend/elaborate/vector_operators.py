"""Operators on GNU vectors: the elements of the result are computed one by one, in the type of the elements.

    v + w      (v4si v, w)   ->   ({ v4si vector = {v[0] + w[0], v[1] + w[1], v[2] + w[2], v[3] + w[3]}; vector; })
    v < 3                    ->   ({ v4si truths = {-(v[0] < 3), ...}; truths; })
    v += w                   ->   v = v + w

An operand that is no variable is kept in one; a number that goes with a vector is converted to the type of its
elements. As in gcc, elements narrower than int are not promoted: what overflows in them is an overflow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Final, TypeAlias, final
from typing import cast as typed

from cfrontend.elaborate import operators
from cfrontend.elaborate.constants import constant_value, exact_constant_in_type
from cfrontend.elaborate.context import ElaborationContext
from cfrontend.elaborate.conversions import implicit_conversion
from cfrontend.elaborate.held_values import behind_declarations, hold_value, place_found_once
from cfrontend.elaborate.side_effects import has_side_effects
from cfrontend.elaborate.vector_truths import are_truths
from cfrontend.elaborate.vectors import vector_element
from cfrontend.errors import InputError, Location
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import printed_type_in_words
from cfrontend.syntax.types import (
    BOOL,
    INT,
    INT128,
    LLONG,
    SCHAR,
    SHORT,
    CType,
    DataModelOfTypes,
    FloatType,
    IntType,
    StructType,
    exact_integer_type,
)
from cfrontend.syntax.vectors import (
    TRUTHS,
    add_vector_type,
    elements_of_vector_type,
    is_vector_type,
    size_of_vector_type,
)

_VECTOR: Final = "<vector>"

_READ_LAST: Final = frozenset({"+", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="})
"""Operators whose left operand gcc reads behind the effects of the right one where it is a variable."""

Elements: TypeAlias = Callable[[int], tree.Expression]
"""The elements of an operand by their number; those of a number are all the same."""


@final
@dataclass(slots=True)
class VectorComputation:
    """The statements that compute a vector, and where."""

    context: ElaborationContext
    at: Location
    declared: list[tree.Statement] = field(default_factory=list)

    def held(self, value: tree.Expression, *, is_safe: bool) -> tree.Expression:
        """The value in a variable; itself where it is one, or a constant, and nothing changes it (``is_safe``)."""
        inner = queries.syntax_below_conversions(value)
        is_plain = isinstance(value, tree.VariableRef) and is_safe
        if is_plain or isinstance(inner, tree.IntConstant | tree.FloatConstant):
            return value
        return hold_value(self.context, "<operand>", value, self.declared)

    def elements(self, vector: tree.Expression, ctype: CType | None = None) -> Elements:
        """The elements of a vector, converted to ``ctype`` where that is one."""

        def element(number: int) -> tree.Expression:
            found = vector_element(vector, number, self.context.structs)
            return found if ctype is None else implicit_conversion(found, ctype)

        return element

    def vector(
        self,
        ctype: StructType,
        values: Sequence[tree.Expression | None],
        name: str = _VECTOR,
        operator: tree.Binary | None = None,
    ) -> tree.Expression:
        """A vector of these elements, None for what is left as it is."""
        symbol = self.context.new_local(name, ctype, self.at)
        result = tree.VariableRef(type=ctype, location=self.at, symbol=symbol)
        items = [
            tree.InitItem(target=vector_element(result, n, self.context.structs), value=value)
            for n, value in enumerate(values)
            if value is not None
        ]
        initializer = tree.Initializer(items=tuple(items), zero_fill=False, location=self.at)
        self.declared.append(tree.Declaration(location=self.at, symbol=symbol, initializer=initializer))
        return self.ended(result, operator)

    def ended(self, result: tree.Expression, operator: tree.Binary | None = None) -> tree.Expression:
        """The statements so far with ``result`` as their value."""
        return behind_declarations(self.declared, result, self.at, operator)


# -- binary operators ----------------------------------------------------------------------------------------


def elaborate_vector_operator(
    context: ElaborationContext,
    op: str,
    left: tree.Expression,
    right: tree.Expression,
    at: Location,
    *,
    is_written: bool = True,
) -> tree.Expression:
    """``left op right`` where one or both are vectors; the other is a vector like it or a number.

    ``is_written``: it stands in the program like this; in ``left op= right`` the left is read last.
    """
    structs = context.structs
    vector = left if is_vector_type(left.type) else right
    assert is_vector_type(vector.type)
    array = elements_of_vector_type(vector.type, structs)
    _require_operands(context, op, left, right, at)
    made = VectorComputation(context, at)
    is_safe = not (has_side_effects(left) or has_side_effects(right))
    common = _common_element(context, op, left, right)

    def elements(operand: tree.Expression, *, is_right: bool) -> Elements:
        is_distance = is_right and op in operators.SHIFTS
        fixed = is_safe or (is_read_last and not is_right)
        if is_vector_type(operand.type):
            return made.elements(made.held(operand, is_safe=fixed), None if is_distance else common)
        number = operand if is_distance else implicit_conversion(operand, array.element)
        return _repeated(made.held(number, is_safe=fixed))

    is_variable = isinstance(left, tree.VariableRef) and is_vector_type(left.type)
    is_read_last = not is_written or (op in _READ_LAST and is_variable)
    if is_read_last:
        two = elements(right, is_right=True)
        one = elements(left, is_right=False)
    else:
        one = elements(left, is_right=False)
        two = elements(right, is_right=True)
    count = range(array.length or 0)
    operator = typed("tree.BinaryOp", op)
    written = tree.Binary(type=vector.type, location=at, op=operator, left=left, right=right)
    if op in operators.COMPARISONS:
        truths = truths_type(vector.type, context)
        truth = elements_of_vector_type(truths, structs).element
        said = [_truth(op, one(n), two(n), truth, context, at) for n in count]
        return made.vector(truths, said, TRUTHS, written if is_written else None)
    values = [
        tree.Binary(type=array.element, location=at, op=operator, left=one(n), right=two(n)) for n in count
    ]
    name = TRUTHS if are_truths(vector) else _VECTOR
    return made.vector(vector.type, values, name, written if is_written else None)


def _repeated(number: tree.Expression) -> Elements:
    return lambda _: number


def _common_element(
    context: ElaborationContext, op: str, left: tree.Expression, right: tree.Expression
) -> CType | None:
    """The type in which elements are computed: that of the left vector, unsigned for a comparison if one is."""
    types = [
        elements_of_vector_type(operand.type, context.structs).element
        for operand in (left, right)
        if is_vector_type(operand.type)
    ]
    if op in operators.COMPARISONS:
        return next((t for t in types if isinstance(t, IntType) and not t.signed), types[0])
    return types[0]


def truths_type(ctype: StructType, context: ElaborationContext) -> StructType:
    """The type of a comparison of vectors: signed integers as wide as the elements."""
    element = elements_of_vector_type(ctype, context.structs).element
    assert isinstance(element, IntType | FloatType)
    return add_vector_type(_signed(element.width, context.model), size_of_vector_type(ctype), context.structs)


def _signed(width: int, model: DataModelOfTypes) -> IntType:
    return next(t for t in (INT, SCHAR, SHORT, model.long, LLONG, INT128) if t.width == width)


def _truth(
    op: str,
    left: tree.Expression,
    right: tree.Expression,
    ctype: CType,
    context: ElaborationContext,
    at: Location,
) -> tree.Expression:
    """-1 or 0. The sign is that of a wide number: nothing overflows."""
    holds = operators.elaborate_binary_operator(op, left, right, at, context.structs)
    wide = exact_integer_type(INT.width)
    negative = tree.Unary(type=wide, location=at, op="-", operand=implicit_conversion(holds, wide))
    return tree.Cast(type=ctype, location=at, operand=negative, implicit=False)


def _require_operands(
    context: ElaborationContext, op: str, left: tree.Expression, right: tree.Expression, at: Location
) -> None:
    """Raises InputError where gcc does."""
    structs = context.structs
    vectors = [operand.type for operand in (left, right) if is_vector_type(operand.type)]
    arrays = [elements_of_vector_type(ctype, structs) for ctype in vectors]
    elements = [array.element for array in arrays]
    fits = all(isinstance(element, IntType) for element in elements) or op not in operators.INTEGER_ONLY
    if len(arrays) == 2:
        fits &= arrays[0].length == arrays[1].length
        fits &= _same_but_for_sign(*elements) or (
            (are_truths(left) or are_truths(right)) and _same_kind(*elements)
        )
    else:
        number = right if is_vector_type(left.type) else left
        fits &= isinstance(number.type, IntType | FloatType) and number.type != BOOL
        fits &= isinstance(elements[0], FloatType) or isinstance(number.type, IntType)
        if fits and not (op in operators.SHIFTS and number is right):
            _require_fitting(context, number, elements[0], vectors[0])
    if not fits:
        raise InputError(
            f"invalid operands to '{op}': {printed_type_in_words(left.type)} and {printed_type_in_words(right.type)}",
            at,
        )


def _same_but_for_sign(one: CType, other: CType) -> bool:
    """Whether the elements of two vectors go together. ``char`` goes with both of its kin."""
    if isinstance(one, IntType) and isinstance(other, IntType):
        return (one.width, one.rank) == (other.width, other.rank)
    return one == other


def _same_kind(one: CType, other: CType) -> bool:
    if isinstance(one, IntType) and isinstance(other, IntType):
        return one.width == other.width
    return one == other


# -- numbers -------------------------------------------------------------------------------------------------


def _require_fitting(
    context: ElaborationContext, number: tree.Expression, element: CType, vector: StructType
) -> None:
    """Raises InputError where the conversion of a number to the type of a vector's elements may change it."""
    if not _fits(context, number, element):
        message = (
            f"conversion of a number of {printed_type_in_words(number.type)} to "
            f"{printed_type_in_words(vector)} may change it"
        )
        raise InputError(message, number.location)


def _fits(context: ElaborationContext, number: tree.Expression, element: CType) -> bool:
    source = number.type
    known = exact_constant_in_type(number, element, context.structs)
    if isinstance(source, IntType) and isinstance(element, IntType):
        value = constant_value(number, context.structs)
        if value is not None:
            return known is True or (source.signed != element.signed and (value < 0 or element.signed))
        while isinstance(number, tree.Cast) and isinstance(number.operand.type, IntType):
            if number.operand.type.width > source.width:
                break
            number = number.operand
            source = number.type
            assert isinstance(source, IntType)
        return source.width <= element.width
    if known is not None:
        return known
    if isinstance(source, IntType) and isinstance(element, FloatType):
        digits = {32: 24, 64: 53}[element.width]
        return source.width - source.signed <= digits
    return isinstance(source, FloatType) and isinstance(element, FloatType) and source.width <= element.width


# -- other operators -----------------------------------------------------------------------------------------


def elaborate_vector_sign(
    context: ElaborationContext, op: str, operand: tree.Expression, at: Location
) -> tree.Expression:
    """``+ - ~`` on a vector; ``!`` of one is C++."""
    assert is_vector_type(operand.type)
    array = elements_of_vector_type(operand.type, context.structs)
    if op == "!" or (op == "~" and not isinstance(array.element, IntType)):
        raise InputError(f"wrong type argument to unary '{op}': {printed_type_in_words(operand.type)}", at)
    if op == "+":
        return tree.Cast(type=operand.type, location=at, operand=operand, implicit=True)
    made = VectorComputation(context, at)
    element = made.elements(made.held(operand, is_safe=True))
    sign = "-" if op == "-" else "~"
    values = [
        tree.Unary(type=array.element, location=at, op=sign, operand=element(n))  # type: ignore[arg-type]
        for n in range(array.length or 0)
    ]
    return made.vector(operand.type, values, TRUTHS if are_truths(operand) else _VECTOR)


def elaborate_vector_compound(
    context: ElaborationContext, op: str, target: tree.Expression, value: tree.Expression, at: Location
) -> tree.Expression:
    """``target op= value`` as ``target = target op value``, the value first and the place of the target found once."""
    made = VectorComputation(context, at)
    if has_side_effects(target) and has_side_effects(value):
        value = hold_value(context, "<operand>", value, made.declared)
    place = _place_found_once(made, target)
    computed = elaborate_vector_operator(context, op, place, value, at, is_written=False)
    assigned = operators.elaborate_assignment_operator(place, computed, at, context.structs)
    return assigned if not made.declared else made.ended(assigned)


def elaborate_vector_increment(
    context: ElaborationContext, op: str, target: tree.Expression, at: Location, *, is_prefix: bool
) -> tree.Expression:
    """``++`` and ``--`` of all elements."""
    one = tree.IntConstant(type=INT, location=at, value=1)
    if is_prefix:
        return elaborate_vector_compound(context, op, target, one, at)
    made = VectorComputation(context, at)
    place = _place_found_once(made, target)
    before = hold_value(context, "<before>", place, made.declared)
    computed = elaborate_vector_operator(context, op, before, one, at, is_written=False)
    assigned = operators.elaborate_assignment_operator(place, computed, at, context.structs)
    made.declared.append(tree.ExpressionStatement(location=at, expression=assigned))
    return made.ended(before)


def _place_found_once(made: VectorComputation, target: tree.Expression) -> tree.Expression:
    """The target, which may be read and written; behind a pointer where finding it twice may find two."""
    if has_side_effects(target) and not operators.is_lvalue_of_operator(target):
        raise InputError("lvalue required as left operand of assignment", target.location)
    return place_found_once(made.context, "<place>", target, made.declared)
