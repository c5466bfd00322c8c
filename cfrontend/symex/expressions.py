"""Pure expressions compiled to closures from machines to terms.

Each node becomes one closure over the closures of its operands, made once per program; what is constant is
decided at compile time. Conditions have closures of their own that give Booleans, so that ``a < b`` under an
``if`` never becomes 0 or 1 and back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cfrontend import goto
from cfrontend.errors import InternalError, UnsupportedError
from cfrontend.settings import VARIANT
from cfrontend.symex import addresses, floating, memory, unwritten
from cfrontend.symex.access import (
    AccessPath,
    BitField,
    Value,
    Values,
    bits_loader,
    bits_storer,
    copied_cells,
    copier,
    loader_of,
    slot_reader,
    slot_writer,
    storer_of,
)
from cfrontend.symex.floating import case_split
from cfrontend.symex.functions import FunctionVariables
from cfrontend.symex.layout import Layout
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.pointers import pointer_difference
from cfrontend.symex.state import Slot
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    BOOL,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    VoidType,
    is_bit_field_type,
    size_of_type,
    value_bytes_of_type,
)
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.floats import FORMATS, FloatFormat, UnknownFloatTerm, text

ARITHMETIC: Final = {
    "+": ("add", "add", "add"),
    "-": ("sub", "sub", "subtract"),
    "*": ("mul", "mul", "multiply"),
    "/": ("sdiv", "udiv", "divide"),
    "%": ("srem", "urem", ""),
    "&": ("band", "band", ""),
    "|": ("bor", "bor", ""),
    "^": ("bxor", "bxor", ""),
    "<<": ("shl", "shl", ""),
    ">>": ("ashr", "lshr", ""),
}
"""Constructors of each operator's terms: for signed and unsigned words of ``Terms``, and of ``FloatTerms``."""

COMPARISONS: Final = {
    "==": ("eq", "eq", "equal"),
    "!=": ("eq", "eq", "equal"),
    "<": ("slt", "ult", "less"),
    "<=": ("sle", "ule", "less_equal"),
}
"""The same for comparisons; ``!=`` is the negation of its own."""

_TURNED: Final = {">": "<", ">=": "<="}
"""Comparisons that are others with their operands exchanged."""


class ExpressionCompiler:
    """Compiles the expressions of one function."""

    def __init__(self, variables: FunctionVariables) -> None:
        world = variables.world
        self.t = world.terms
        self.floats = world.floats
        self.layouts = world.layouts
        self.structs = world.layouts.structs
        self.word = self.structs.model.word
        self.variables = variables

    def width(self, ctype: CType) -> int:
        """Bits of a scalar as it is stored (``_Bool`` takes 8)."""
        return 8 * value_bytes_of_type(ctype, self.structs)

    # -- values ----------------------------------------------------------------------------------------------

    def value(self, e: Expression) -> Value:
        """The closure that gives a scalar's value."""
        match e:
            case tree.IntConstant():
                constant = self.t.const(e.value, self.width(e.type))
                return lambda m: constant
            case tree.FloatConstant():
                spelled = self.float_constant(e)
                return lambda m: spelled
            case tree.MathFunctionCall():
                return self.intrinsic(e)
            case (
                tree.VariableRef() | tree.MemberAccess() | tree.Index() | tree.Deref() | tree.StringLiteral()
            ):
                return self.load(e)
            case tree.Unary():
                return self.unary(e)
            case tree.Binary() if isinstance(e.left.type, PointerType) and e.op in ("+", "-"):
                return self.pointer_arithmetic(e)
            case tree.Binary() if e.op in ARITHMETIC:
                return self.arithmetic(e)
            case tree.Binary() | tree.Logical():
                return self.truth(self.condition(e), e.type)
            case tree.Conditional():
                return self.conditional(e)
            case tree.Cast():
                return self.cast(e)
            case tree.AddressOf(operand=tree.FunctionRef() as function):
                return self.variables.world.function_address(function.name)
            case tree.FunctionRef():
                return self.variables.world.function_address(e.name)
            case tree.AddressOf() | tree.Decay():
                return self.address(e.operand)
            case _:
                raise InternalError(f"not a pure expression: {type(e).__name__}", e.location)

    def truth(self, condition: Value, ctype: CType) -> Value:
        """The closure that turns a Boolean into the word 0 or 1."""
        width = self.width(ctype)
        one, zero = self.t.const(1, width), self.t.const(0, width)
        ite = self.t.ite
        return lambda m: ite(condition(m), one, zero)

    def unary(self, e: tree.Unary) -> Value:
        """The unary operators ``-``, ``~`` and ``!``."""
        if e.op == "!":
            return self.truth(self.condition(e), e.type)
        operand = self.value(e.operand)
        if isinstance(e.type, FloatType):
            negate, f = self.floats.negate, _format(e.type)
            return lambda m: negate(f, operand(m))
        apply = self.t.neg if e.op == "-" else self.t.bnot
        return lambda m: apply(operand(m))

    def arithmetic(self, e: tree.Binary) -> Value:
        """The closure of a binary operator on two words of one width; a shift distance is converted to it."""
        left, right = self.value(e.left), self.value(e.right)
        if isinstance(e.left.type, FloatType):
            f, computed = FORMATS[e.left.type.width], getattr(self.floats, ARITHMETIC[e.op][2])
            return lambda m: computed(f, left(m), right(m))
        signed = isinstance(e.left.type, IntType) and e.left.type.signed
        apply = getattr(self.t, ARITHMETIC[e.op][0 if signed else 1])
        if e.op in ("<<", ">>"):
            right = self.distance(e, right)
        if self.variables.is_placed and (e.op in ("+", "-", "^", "&") or (e.op == "%" and not signed)):

            def simpler(m: SymbolicMachine) -> Term:
                one, other = left(m), right(m)
                return addresses.simpler_number(m, e.op, one, other, apply(one, other))

            return simpler
        if isinstance(e.right, tree.IntConstant):
            constant = self.t.const(e.right.value, self.width(e.left.type))
            return lambda m: apply(left(m), constant)
        return lambda m: apply(left(m), right(m))

    def distance(self, e: tree.Binary, right: Value) -> Value:
        """The shift distance as x86 takes it: modulo 32 or 64, where it is not checked to be in range."""
        width = self.width(e.left.type)
        own = self.width(e.right.type)
        t = self.t
        mask = t.const(width - 1, width)

        def masked(m: SymbolicMachine) -> Term:
            amount = right(m)
            amount = t.extract(amount, width - 1, 0) if own > width else t.zext(amount, width)
            return t.band(amount, mask)

        return masked

    def pointer_arithmetic(self, e: tree.Binary) -> Value:
        """Pointer arithmetic and pointer difference, in elements."""
        t = self.t
        assert isinstance(e.left.type, PointerType)
        target = e.left.type.target
        size = (
            1
            if isinstance(target, FunctionType) or str(target) == "void"
            else size_of_type(target, self.structs)
        )
        unit = t.const(size, self.word)
        left, right = self.value(e.left), self.value(e.right)
        if isinstance(e.right.type, PointerType):
            return lambda m: pointer_difference(m, *addresses.pointer_order(m, left(m), right(m)), size)
        if e.op == "-":
            return lambda m: t.sub(left(m), t.mul(right(m), unit))
        return lambda m: t.add(left(m), t.mul(right(m), unit))

    def conditional(self, e: tree.Conditional) -> Value:
        """The conditional operator ``?:`` on scalars."""
        condition, then, otherwise = self.condition(e.condition), self.value(e.then), self.value(e.otherwise)
        ite, not_ = self.t.ite, self.t.not_

        def choose(m: SymbolicMachine) -> Term:
            c = condition(m)
            if c == TRUE:
                return then(m)
            if c == FALSE:
                return otherwise(m)
            return ite(c, m.under((c, None), then, m), m.under((not_(c), None), otherwise, m))

        return choose

    def cast(self, e: tree.Cast) -> Value:
        """A cast between integers, pointers and ``_Bool``."""
        source, target = e.operand.type, e.type
        if target == BOOL and source != BOOL:
            return self.truth(self.condition(e.operand), BOOL)
        operand = self.value(e.operand)
        if isinstance(source, PointerType) and isinstance(target, PointerType):
            return self.pointer_cast(operand, source.target, target.target)
        if isinstance(source, FloatType) or isinstance(target, FloatType):
            return self.float_conversion(operand, source, target)
        have, want = self.width(source), self.width(target)
        t = self.t
        if isinstance(source, PointerType):
            pointer = operand
            operand = lambda m: addresses.number_of_pointer(m, pointer(m))  # noqa: E731 - one of a family of closures
        resized = operand
        if want < have:
            resized = lambda m: t.extract(operand(m), want - 1, 0)  # noqa: E731
        elif want > have:
            extend = t.zext if isinstance(source, IntType) and not source.signed else t.sext
            resized = lambda m: extend(operand(m), want)  # noqa: E731
        if isinstance(target, IntType) and is_bit_field_type(target):
            bits, back = target.width, t.sext if target.signed else t.zext
            return lambda m: back(t.extract(resized(m), bits - 1, 0), want)
        if isinstance(target, PointerType) and self.variables.is_placed:
            return lambda m: addresses.pointer_of_number(m, resized(m))
        return resized

    def pointer_cast(self, operand: Value, source: CType, target: CType) -> Value:
        """A cast of a pointer to ``source``: that of ``void *`` says what stands in memory that nobody has used.

        struct node *p = xmalloc(n);      ->   an array of struct node, if n bytes have room for one
        """
        if not isinstance(source, VoidType) or isinstance(target, VoidType | FunctionType):
            return operand
        element = self.layouts.of(target)
        if element.size < 2:
            return operand

        def typed(m: SymbolicMachine) -> Term:
            pointer = operand(m)
            _give_elements(m, pointer, element)
            return pointer

        return typed

    # -- conditions ------------------------------------------------------------------------------------------

    def condition(self, e: goto.Condition) -> Value:
        """The closure that gives the truth of a scalar as a Boolean."""
        t = self.t
        match e:
            case goto.ValidPointerCondition():
                pointer, size, write = self.value(e.pointer), t.const(e.size, self.word), e.write
                return lambda m: memory.is_valid_range(m, pointer(m), size, write=write)
            case goto.ValidRangeCondition():
                start, count, written = self.value(e.pointer), self.value(e.size), e.write
                return lambda m: memory.is_valid_range(m, start(m), count(m), write=written)
            case goto.ValidStringCondition():
                return self.string_condition(e)
            case goto.FreeableCondition():
                freed = self.value(e.pointer)
                return lambda m: memory.is_freeable(m, freed(m))
            case goto.FitsCondition():
                return self.fits(e.expression)
            case goto.InitialisedCondition():
                read = self.value(e.place)
                return lambda m: unwritten.is_written(m, read)
            case goto.AllFreedCondition():
                outermost = e.outermost
                return lambda m: (
                    TRUE if outermost and m.frame is not None and m.frame.outer else m.all_freed()
                )
            case tree.IntConstant():
                truth = t.bool_const(e.value != 0)
                return lambda m: truth
            case tree.Unary(op="!"):
                operand = self.condition(e.operand)
                return lambda m: t.not_(operand(m))
            case tree.Logical():
                return self.logical(e)
            case tree.Binary() if e.op in COMPARISONS or e.op in _TURNED:
                selector, compared = variant_selector_of_test(e), self.comparison(e)
                return (
                    compared if selector is None else once_for_each_variant(t, self.value(selector), compared)
                )
            case tree.Cast() if isinstance(e.type, IntType) and self.keeps_truth(e):
                return self.condition(e.operand)
            case tree.MathFunctionCall() if e.name in floating.TESTS or e.name in memory.POINTER_TESTS:
                return self.test(e)
            case _ if isinstance(e.type, FloatType):
                real, f = self.value(e), _format(e.type)
                return lambda m: self.floats.truth(f, real(m))
            case _:
                value = self.value(e)
                zero = t.const(0, self.width(e.type))
                if self.variables.is_placed:
                    return lambda m: t.not_(self.placed_comparison(m, t.eq, "==", value(m), zero))
                return lambda m: t.not_(t.eq(value(m), zero))

    def string_condition(self, e: goto.ValidStringCondition) -> Value:
        """The closure that checks a string."""
        first, most = self.value(e.pointer), self.value(e.most) if e.most is not None else None
        width, or_null = e.width, e.or_null
        return lambda m: memory.is_valid_string(
            m, first(m), None if most is None else most(m), width=width, or_null=or_null
        )

    def keeps_truth(self, e: tree.Cast) -> bool:
        """Whether a conversion is zero exactly when its operand is."""
        if isinstance(e.type, IntType) and is_bit_field_type(e.type):
            return False
        if e.type == BOOL:
            return True
        is_word = isinstance(e.operand.type, IntType | PointerType)
        return is_word and self.width(e.type) >= self.width(e.operand.type)

    def logical(self, e: tree.Logical) -> Value:
        """The logical operators ``&&`` and ``||`` on operands without side effects."""
        left, right = self.condition(e.left), self.condition(e.right)
        t = self.t
        if e.op == "&&":

            def both(m: SymbolicMachine) -> Term:
                first = left(m)
                return FALSE if first == FALSE else t.and_(first, m.under((first, None), right, m))

            return both

        def either(m: SymbolicMachine) -> Term:
            first = left(m)
            return TRUE if first == TRUE else t.or_(first, m.under((t.not_(first), None), right, m))

        return either

    def comparison(self, e: tree.Binary) -> Value:
        """The comparisons ``== != < <= > >=`` of two operands of one type; with a NaN only ``!=`` holds."""
        left, right = self.value(e.left), self.value(e.right)
        operator = _TURNED.get(e.op, e.op)
        if operator != e.op:
            left, right = right, left
        compared = self._comparison(e.left.type, operator, left, right)
        not_ = self.t.not_
        return compared if e.op != "!=" else lambda m: not_(compared(m))

    def _comparison(self, ctype: CType, operator: str, left: Value, right: Value) -> Value:
        """The comparison ``<``, ``<=``, or else ``==``, of operands of a type."""
        signed, unsigned, of_floats = COMPARISONS[operator]
        if isinstance(ctype, FloatType):
            f, floating_compared = FORMATS[ctype.width], getattr(self.floats, of_floats)
            return lambda m: floating_compared(f, left(m), right(m))
        apply = getattr(self.t, signed if isinstance(ctype, IntType) and ctype.signed else unsigned)
        if isinstance(ctype, PointerType):
            if apply == self.t.eq:
                return lambda m: addresses.are_equal_pointers(m, left(m), right(m))
            return lambda m: apply(*addresses.pointer_order(m, left(m), right(m)))
        if self.variables.is_placed:
            return lambda m: self.placed_comparison(m, apply, operator, left(m), right(m))
        return lambda m: apply(left(m), right(m))

    def placed_comparison(
        self, m: SymbolicMachine, apply: Callable[[Term, Term], Term], operator: str, one: Term, other: Term
    ) -> Term:
        """A comparison of numbers, which may be the addresses of objects."""
        known = addresses.compared_numbers(m, operator, one, other)
        return apply(one, other) if known is None else known

    def fits(self, e: tree.Binary | tree.Unary | tree.Cast) -> Value:
        """Overflow check: whether the mathematical result, computed in twice the width, is in the range of the type."""
        t = self.t
        assert isinstance(e.type, IntType)
        width = self.width(e.type)
        extend = t.sext if e.type.signed else t.zext
        if isinstance(e, tree.Cast):
            return self.cast_fits(e)
        if isinstance(e, tree.Unary):
            operand = self.value(e.operand)
            bad = t.const(1 << (width - 1), width) if e.type.signed else None
            zero = t.const(0, width)
            if bad is None:
                return lambda m: t.eq(operand(m), zero)
            return lambda m: t.not_(t.eq(operand(m), bad))
        if e.op == "/":
            return lambda m: TRUE
        apply = getattr(t, ARITHMETIC[e.op][0])
        left, right = self.value(e.left), self.value(e.right)
        if e.op == "<<":
            right = self.distance(e, right)
            extend_right: Callable[[Term, int], Term] = t.zext
        else:
            extend_right = extend

        def in_range(m: SymbolicMachine) -> Term:
            wide = apply(extend(left(m), 2 * width), extend_right(right(m), 2 * width))
            return t.eq(extend(t.extract(wide, width - 1, 0), 2 * width), wide)

        return in_range

    def cast_fits(self, e: tree.Cast) -> Value:
        """Conversion check: whether an integer conversion keeps the value."""
        t = self.t
        source, target = e.operand.type, e.type
        if isinstance(source, FloatType):
            return self.float_fits(e, source)
        assert isinstance(source, IntType)
        assert isinstance(target, IntType)
        operand = self.value(e.operand)
        wide = max(self.width(source), self.width(target)) + 1
        converted = self.cast(e)
        out = t.sext if source.signed else t.zext
        back = t.sext if target.signed else t.zext
        return lambda m: t.eq(out(operand(m), wide), back(converted(m), wide))

    # -- floating point --------------------------------------------------------------------------------------

    def float_constant(self, e: tree.FloatConstant) -> Term:
        """The bit pattern of a floating constant."""
        f = _format(e.type)
        bits = text.parse_float_text(f, e.value)
        if bits is None:
            raise InternalError(f"not a number: {e.value}", e.location)
        return self.t.const(bits, f.width)

    def float_conversion(self, operand: Value, source: CType, target: CType) -> Value:
        """A conversion from or to a floating type."""
        floats = self.floats
        if isinstance(source, FloatType) and isinstance(target, FloatType):
            have, want = _format(source), _format(target)
            return lambda m: floats.convert(have, want, operand(m))
        if isinstance(source, FloatType):
            assert isinstance(target, IntType)
            f, width, signed, i386 = _format(source), self.width(target), target.signed, self.word == 32
            return lambda m: floats.to_integer(f, operand(m), width, signed=signed, i386=i386)
        assert isinstance(source, IntType)
        to, of_signed = _format(target), source.signed
        return lambda m: floats.from_integer(to, operand(m), signed=of_signed)

    def float_fits(self, e: tree.Cast, source: FloatType) -> Value:
        """Conversion check: whether the integral part of a floating value is in the range of an integer type."""
        assert isinstance(e.type, IntType)
        f, width, signed = _format(source), e.type.width, e.type.signed
        operand, floats = self.value(e.operand), self.floats
        return lambda m: floats.fits_integer(f, operand(m), width, signed=signed)

    def test(self, e: tree.MathFunctionCall) -> Value:
        """A predicate on floating operands, or on pointers."""
        operands = [self.value(a) for a in e.arguments]
        if (question := memory.POINTER_TESTS.get(e.name)) is not None:
            return lambda m: question(m, *(operand(m) for operand in operands))
        f = _format(e.arguments[0].type)
        apply = floating.TESTS[e.name]
        return lambda m: apply(self.floats, f, *(operand(m) for operand in operands))

    def intrinsic(self, e: tree.MathFunctionCall) -> Value:
        """A built-in function of scalars that yields a number."""
        if e.name in floating.TESTS or e.name in memory.POINTER_TESTS:
            return self.truth(self.test(e), e.type)
        if (question := memory.POINTER_WORDS.get(e.name)) is not None:
            pointers = [self.value(a) for a in e.arguments]
            return lambda m: question(m, *(pointer(m) for pointer in pointers))
        f, width = _format(e.arguments[0].type), self.width(e.type)
        floats = self.floats
        operands = [self.value(a) for a in e.arguments]
        apply = floating.FUNCTIONS.get(e.name)

        def function(*given: Term) -> Term:
            if apply is None:
                return floats.library(f, e.name, *given)
            return apply(floats, f, width, *given)

        def evaluate(m: SymbolicMachine) -> Term:
            given = [operand(m) for operand in operands]
            try:
                try:
                    return function(*given)
                except UnknownFloatTerm:
                    return case_split(m, floats, function, given, e.location)
            except UnknownFloatTerm:
                what = "printing" if e.name.startswith("printed_") else f"{e.name} of"
                name = f"{what} {e.arguments[0].type}"
                depends = any(m.t.value[operand] is None for operand in given)
                where = " where an argument depends on inputs" if depends else ""
                message = f"{name}{where} is not supported yet"
                raise UnsupportedError(message, m.place_of(e.location)) from None

        return evaluate

    # -- places ----------------------------------------------------------------------------------------------

    def access(self, e: Expression) -> Slot | AccessPath:
        """The access path of an lvalue."""
        match e:
            case tree.VariableRef():
                found = self.variables.find(e.symbol)
                return found if isinstance(found, Slot) else AccessPath(found, False, 0)
            case tree.StringLiteral():
                return AccessPath(self.variables.world.literal(e.data, e.type), False, 0)
            case tree.MemberAccess():
                members = self.structs[e.struct_key].members
                offset = next(m.offset for m in members if m.name == e.member)
                return self.object_access(e.base, "a structure").further(offset)
            case tree.Index():
                return self.indexed(e)
            case tree.Deref():
                return AccessPath(self.value(e.pointer), True, 0)
            case _:
                raise InternalError(f"not an lvalue: {type(e).__name__}", e.location)

    def indexed(self, e: tree.Index) -> Slot | AccessPath:
        """The access path of an array element, or of ``p[i]``."""
        size = size_of_type(e.type, self.structs)
        length = None
        if isinstance(e.base.type, ArrayType):
            base = self.object_access(e.base, "an array")
            if not queries.is_flexible_array_syntax(e.base, self.structs):
                length = e.base.type.length or None
        else:
            base = AccessPath(self.value(e.base), True, 0)
        if isinstance(e.index, tree.IntConstant):
            return base.further(e.index.value * size)
        return base.further(0, ((self.index(e.index), size, length),))

    def index(self, e: Expression) -> Value:
        """An array index as a word, truncated where it is wider, as in gcc's addresses.

        A check has looked at all of it before.
        """
        value, word, t = self.value(e), self.word, self.t
        if self.width(e.type) == word:
            return value
        return lambda m: t.extract(value(m), word - 1, 0)

    def address(self, e: Expression) -> Value:
        """The address of an lvalue, as a pointer value."""
        t, access = self.t, self.object_access(e, "the address of a scalar")
        base, start = access.base, access.offset

        def address(m: SymbolicMachine) -> Term:
            begin = base(m) if access.is_pointer else m.pointer_to(base(m))
            return t.add(begin, memory.flat_offset(m, start, access.indices(m)))

        return address

    def load(self, e: Expression) -> Value:
        """The closure that loads a scalar lvalue."""
        bits = self.bit_field(e)
        if bits is not None:
            signed = isinstance(e.type, IntType) and e.type.signed
            place = self.object_access(e, "a bit-field")
            return bits_loader(place, bits, self.width(e.type), signed=signed)
        access = self.access(e)
        if isinstance(access, Slot):
            return slot_reader(access, is_followed=self.variables.followed)
        loader = loader_of(access, 0, value_bytes_of_type(e.type, self.structs))
        if self.width(e.type) != self.word or (
            isinstance(e.type, PointerType) and not self.variables.is_placed
        ):
            return loader
        return lambda m: addresses.as_type(m, loader(m), e.type)

    def store(self, e: Expression) -> Callable[[SymbolicMachine, Term], None]:
        """The closure that stores to a scalar lvalue."""
        bits = self.bit_field(e)
        if bits is not None:
            return bits_storer(self.object_access(e, "a bit-field"), bits)
        access = self.access(e)
        if isinstance(access, Slot):
            return slot_writer(access, is_followed=self.variables.followed)
        return storer_of(access, 0)

    # -- bit-fields ------------------------------------------------------------------------------------------

    def bit_field(self, e: Expression) -> BitField | None:
        """The access path of a bit-field."""
        if not isinstance(e, tree.MemberAccess):
            return None
        member = next(m for m in self.structs[e.struct_key].members if m.name == e.member)
        if member.bit_width is None:
            return None
        return BitField(member.bit_offset // 8, member.bit_offset % 8, member.bit_width)

    def object_access(self, e: Expression, what: str) -> AccessPath:
        """The access path of an lvalue that is no plain scalar; ``what`` says what it is."""
        access = self.access(e)
        if isinstance(access, Slot):
            raise InternalError(f"{what} without an object", e.location)
        return access

    # -- structures ------------------------------------------------------------------------------------------

    def structure(self, e: Expression) -> Values:
        """The scalars of a structure value, in address order; copying does not count as reading them."""
        cells = [(c.offset, c.size) for c in self.layouts.of(e.type).scalars()]
        access = self.object_access(e, "a structure")
        if not access.is_pointer and not access.steps:
            obj, start = access.base, access.offset
            return lambda m: copied_cells(m, obj(m), start, cells)
        loaders = [copier(access, offset, size) for offset, size in cells]
        return lambda m: [load(m) for load in loaders]

    def store_structure(self, e: Expression) -> Callable[[SymbolicMachine, list[Term]], None]:
        """The closure that writes the scalars of a structure."""
        access = self.object_access(e, "a structure")
        storers = [storer_of(access, c.offset) for c in self.layouts.of(e.type).scalars()]

        def store_all(m: SymbolicMachine, values: list[Term]) -> None:
            for store, value in zip(storers, values, strict=True):
                store(m, value)

        return store_all


def _format(ctype: CType) -> FloatFormat:
    """The IEEE 754 format of a floating type."""
    assert isinstance(ctype, FloatType)
    return FORMATS[ctype.width]


def _give_elements(m: SymbolicMachine, pointer: Term, element: Layout) -> None:
    """Give an object of unknown type, at whose start ``pointer`` points, as many elements as it has room for.

    Looked at are constant pointers, and those that are one of two constants: an allocation that may fail.
    """
    t = m.t
    for leaf in t.args[pointer][1:] if t.op[pointer] == T.ITE else (pointer,):
        found = None if t.value[leaf] is None else m.objects.at(t.value[leaf] or 0)
        if found is None or not found[0].untyped or found[1] != 0:
            continue
        layout = m.layouts.elements(element, found[0].layout.size)
        if layout is not None:
            found[0].layout, found[0].untyped = layout, False


# -- tests of the variant selector: __sfo_variant == 3, to which a meta-program comes at every edited place ------


def variant_selector_of_test(e: object) -> tree.VariableRef | None:
    """The variant selector where ``e`` compares it, and nothing else, with constants."""
    if not isinstance(e, tree.Binary):
        return None
    found: tree.VariableRef | None = None
    stack: list[object] = [e.left, e.right]
    while stack:
        match stack.pop():
            case tree.IntConstant():
                continue
            case tree.VariableRef(symbol=symbol) as variable if symbol.key == VARIANT:
                found = variable
            case tree.Cast(operand=operand):
                stack.append(operand)
            case tree.Binary(op="-", left=left, right=right):
                stack += [left, right]
            case _:
                return None
    return found


def once_for_each_variant(t: Terms, selector: Value, test: Value) -> Value:
    """``test``, whose value is kept as long as that of the ``selector`` is the same constant."""
    known: dict[Term, Term] = {}

    def value(m: SymbolicMachine) -> Term:
        chosen = selector(m)
        found = known.get(chosen)
        if found is None:
            found = test(m)
            if t.value[chosen] is not None:
                known.clear()
                known[chosen] = found
        return found

    return value
