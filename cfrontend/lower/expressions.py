"""Expressions with side effects become instructions; what is left is a pure expression.

    a[i++] = f(x)   ->   $t1 = i;  i = i + 1;  CALL $t2 = f(x);  ASSERT $t1 < 10;  a[$t1] = $t2

What C leaves open is done in gcc's order. Operands go left to right, but a plain variable left of a commutative
operator or a comparison is read last, and one that is in a register left of any operator. What stands before a comma
in an operand goes before both. Arguments go right to left, but those that are nothing but a local variable, or
a structure, are read by the call. The value of an assignment comes before its place when it has effects, but of a
call that is all there is to the value of ``=`` only the arguments do. Of the orders that come out of
gcc's algebra those of sums are followed (``-g + f()`` is computed as ``f() - g``), not those of shifts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import final

from cfrontend import goto
from cfrontend.elaborate.constants import wrap_constant
from cfrontend.elaborate.variable_length import LENGTH
from cfrontend.lower import calls, checks, evaluation_order, pure
from cfrontend.lower.context import Lowering
from cfrontend.lower.emitter import has_effects, require_value
from cfrontend.lower.evaluation_order import PLACES
from cfrontend.lower.intrinsics import memory
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    BOOL,
    INT,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    VoidType,
)

_READ_LAST = frozenset({"+", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="})
_NARROWED = frozenset({"+", "-", "*", "&", "|", "^"})


@final
class ExpressionLowering(Lowering):
    """Lowers the expressions of one function into an emitter."""

    def evaluate(self, e: Expression, *, wanted: bool) -> Expression | None:
        """The pure value of ``e``, or None where it has none (or none is wanted)."""
        unit = self.units.of(e)
        if unit is not None and unit != self.emit.unit:
            self.emit.cover(unit)
        match e:
            case tree.IntConstant() | tree.FloatConstant() | tree.FunctionRef():
                return e
            case tree.Deref() if isinstance(e.type, VoidType):
                self.effect(e.pointer)
                return None
            case (
                tree.VariableRef()
                | tree.MemberAccess()
                | tree.Index()
                | tree.Deref()
                | tree.StringLiteral()
                | tree.CompoundLiteral()
            ):
                return self.load(e)
            case tree.Unary():
                return self.unary(e)
            case tree.Binary():
                return self.binary(e)
            case tree.Logical():
                return self.logical(e)
            case tree.Conditional():
                return self.conditional(e, wanted=wanted)
            case tree.Assign():
                return self.assign(e, wanted=wanted)
            case tree.CompoundAssign():
                return self.compound_assign(e, wanted=wanted)
            case tree.IncDec():
                return self.increment(e, wanted=wanted)
            case tree.Comma():
                self.effect(e.left)
                return self.evaluate(e.right, wanted=wanted)
            case tree.Call():
                return calls.lower(self, e, wanted=wanted)
            case tree.MathFunctionCall():
                return replace(e, arguments=tuple(evaluation_order.pure_arguments(self, e.arguments)))
            case tree.Cast():
                return self.cast(e, wanted=wanted)
            case tree.AddressOf():
                return self.address(e)
            case tree.Decay():
                return replace(e, operand=self.place(e.operand))
            case tree.StatementExpression():
                return self.statement_expression(e, wanted=wanted)
            case tree.RefusedSyntax():
                self.emit.refuse(e.message, e.location)
                return calls.unreached_value(self, e)

    def refused(self, e: Expression, what: str) -> Expression:
        """Refuse ``e`` where an execution meets it; a placeholder stands for its value."""
        self.emit.refuse(f"{what} is not supported yet", e.location)
        return pure.placeholder(e)

    def unary(self, e: tree.Unary, *, negated: bool = False) -> Expression:
        """``-``, ``~`` or ``!``."""
        operand = self.value(e.operand) if e.op == "!" else self.operand(e.operand, (), negated=not negated)
        result = replace(e, operand=operand)
        if e.op == "-":
            checks.arithmetic(self, result, e)
        return result

    def binary(
        self, e: tree.Binary, widths: tuple[int | None, ...] = (), *, negated: bool = False
    ) -> Expression:
        """Arithmetic, comparison or pointer arithmetic, with the checks it needs.

        ``widths`` are those in which gcc may compute ``e`` when its upper bits are thrown away.
        """
        if e.op not in _NARROWED or not widths:
            widths = (pure.integer_width(e.left.type),)
        effects, e = evaluation_order.hoisted_commas(e)
        for effect in effects:
            self.effect(effect)
        wraps = "overflow" not in self.emit.checks
        order = evaluation_order.of_operator(e, wraps=wraps, negated=negated)
        first, second = (e.right, e.left) if order.right_first else (e.left, e.right)
        one = self.operand(first, widths, negated=order.right_first and order.negates_right)
        with self.emit.captured() as code:
            other = self.operand(second, widths, negated=not order.right_first and order.negates_right)
        if has_effects(code):
            is_narrow = pure.integer_width(first.type) not in (None, widths[0])
            read = None if is_narrow else evaluation_order.register(first, self.escaping)
            is_last = order.op in _READ_LAST and any(
                evaluation_order.is_plain(order.left, width) for width in widths
            )
            one = one if is_last and read is None else read or self.emit.saved(one)
        self.emit.code += code
        left, right = (other, one) if order.right_first else (one, other)
        result = replace(e, left=left, right=right)
        checks.arithmetic(self, result, e)
        return result

    def operand(self, e: Expression, widths: tuple[int | None, ...], *, negated: bool = False) -> Expression:
        """The value of an operand that is computed in one of ``widths``, for gcc ``negated`` or not."""
        match e:
            case tree.Binary():
                return self.binary(e, widths, negated=negated)
            case tree.Unary():
                return self.unary(e, negated=negated)
            case _:
                return self.value(e)

    def logical(self, e: tree.Logical) -> Expression:
        """A pure operand pair stays an expression; otherwise control flow decides a temporary."""
        left = self.value(e.left)
        with self.emit.captured() as code:
            right = self.value(e.right)
        if not code:
            return replace(e, left=left, right=right)
        result = self.emit.variable(INT, e.location)
        end = self.emit.label()
        self.emit.assign(result, pure.truth(left), is_operand=True)
        self.emit.branch(result, end, when=e.op == "||")
        self.emit.code += code
        self.emit.assign(result, pure.truth(right), is_operand=True)
        self.emit.place(end)
        return result

    def conditional(self, e: tree.Conditional, *, wanted: bool) -> Expression | None:
        """``?:`` as an expression where both parts are pure, else as control flow."""
        condition = self.value(e.condition)
        wanted = wanted and not isinstance(e.type, VoidType)
        with self.emit.captured() as then_code:
            then = self.evaluate(e.then, wanted=wanted)
        with self.emit.captured() as else_code:
            otherwise = self.evaluate(e.otherwise, wanted=wanted)
        if not wanted or then is None or otherwise is None:
            then, otherwise = None, None
        elif not then_code and not else_code and not isinstance(e.type, StructType):
            return replace(e, condition=condition, then=then, otherwise=otherwise)
        result = None
        if wanted:
            result = self.emit.variable(e.type, e.location)
        other, end = self.emit.label(), self.emit.label()
        self.emit.branch(condition, other, when=False, chooses=True)
        self.emit.code += then_code
        if result is not None:
            self.emit.assign(result, require_value(then))
        self.emit.jump(end)
        self.emit.place(other)
        self.emit.code += else_code
        if result is not None:
            self.emit.assign(result, require_value(otherwise))
        self.emit.place(end)
        return result

    def cast(self, e: tree.Cast, *, wanted: bool) -> Expression | None:
        """A conversion; to void it throws the value away."""
        if isinstance(e.type, VoidType):
            self.effect(e.operand)
            return None
        if isinstance(e.type, StructType):  # a structure is only ever cast to its own type
            return self.evaluate(e.operand, wanted=wanted)
        known = None if "conversion" in self.emit.checks else pure.converted_constant(e, self.structs)
        if known is not None:
            return known
        operand = self.allocated(e)
        if operand is None:
            operand = self.narrowed(e) if wanted else self.evaluate(e.operand, wanted=False)
        if operand is None:
            return None
        if (
            isinstance(operand, tree.IntConstant)
            and isinstance(e.type, IntType)
            and "conversion" not in self.emit.checks
        ):
            return replace(operand, type=e.type, value=wrap_constant(operand.value, e.type))
        result = replace(e, operand=operand)
        if "conversion" in self.emit.checks and pure.may_lose(e):
            text = f"value lost by conversion to {e.type} in {self.text(e)}"
            self.emit.check("conversion", goto.FitsCondition(expression=result), text, e.location)
        if isinstance(e.type, FloatType) and isinstance(e.operand.type, FloatType):
            checks.floating_operation(self, result, e)
        return result

    def narrowed(self, e: tree.Cast) -> Expression | None:
        """The operand of a conversion: gcc computes no more bits than it keeps (an implicit one: maybe)."""
        have, want = pure.integer_width(e.operand.type), pure.integer_width(e.type)
        if isinstance(e.operand, tree.Binary) and e.type != BOOL and have and want and want < have:
            return self.binary(e.operand, (want, have) if e.implicit else (want,))
        return self.evaluate(e.operand, wanted=True)

    def allocated(self, e: tree.Cast) -> Expression | None:
        """The operand of a cast that says what a new object is used as."""
        if not isinstance(e.type, PointerType) or isinstance(e.type.target, VoidType | FunctionType):
            return None
        found = memory.allocation(self, e.operand)
        return None if found is None else memory.allocate(self, *found, e.type.target)

    def statement_expression(self, e: tree.StatementExpression, *, wanted: bool) -> Expression | None:
        """GNU ``({ … })``: the statements, then the value kept in a temporary."""
        if self.statements is None:
            return self.refused(e, "a statement expression here")
        result = None
        if wanted and e.result is not None and not isinstance(e.type, VoidType):
            result = self.emit.variable(e.type, e.location)
        self.statements.block(e.body, e.result, result, is_written=e.is_written)
        return result

    # -- places ----------------------------------------------------------------------------------------------

    def place(self, e: Expression) -> Expression:
        """Emit the effects inside an lvalue and return it pure; nothing is read from the place itself."""
        match e:
            case tree.VariableRef() | tree.StringLiteral():
                return e
            case tree.MemberAccess():
                return replace(e, base=self.place(e.base))
            case tree.Index() | tree.Deref() if (element := self.element(e)) is not None:
                return element
            case tree.Index():
                base = self.place(e.base) if isinstance(e.base.type, ArrayType) else self.value(e.base)
                with self.emit.captured() as code:
                    index = self.value(e.index)
                if has_effects(code):
                    base = self.frozen(base)
                self.emit.code += code
                return replace(e, base=base, index=index)
            case tree.Deref():
                return replace(e, pointer=self.value(e.pointer))
            case tree.CompoundLiteral():
                if self.statements is not None:
                    self.statements.literal(e.symbol)
                self.declare(e.symbol, e.initializer)
                return tree.VariableRef(type=e.type, location=e.location, symbol=e.symbol)
            case _:
                value = self.saved_object(self.value(e))
                if isinstance(value, PLACES):
                    return value
                return self.refused(e, "this lvalue")

    def element(self, e: tree.Index | tree.Deref) -> Expression | None:
        """The pure place of ``*(a + i)`` or ``(a + i)[j]``, which are ``a[i]`` and ``a[i + j]`` by definition.

        None where no array is named, or where the pointer is to another type.
        """
        found = queries.element_of_array(e, self.structs)
        if found is None or not isinstance(found.part.type, ArrayType) or found.part.type.element != e.type:
            return None
        base, indices = self.place(found.part), list[Expression]()
        for _, step, _ in found.steps:
            with self.emit.captured() as code:
                index = self.value(step)
            if has_effects(code):
                base, indices = self.frozen(base), [self.emit.saved(before) for before in indices]
            self.emit.code += code
            indices.append(index)
        steps = [(op, index) for (op, _, _), index in zip(found.steps, indices, strict=True)]
        total = checks.sum_of_indices(self, steps, e.location)
        return tree.Index(type=e.type, location=e.location, base=base, index=total)

    def saved_object(self, value: Expression) -> Expression:
        """Save the value of what is no lvalue; a structure with an array is an object until the full expression ends.

        Its array leads a pointer to it (C11 6.2.4p8).
        """
        saved = self.emit.saved(value)
        if (
            self.statements is not None
            and not self.emit.is_trying
            and isinstance(saved, tree.VariableRef)
            and queries.has_array_member(value.type, self.structs)
        ):
            self.statements.temporary(saved.symbol)
            begin = goto.DeclareInstruction(
                location=self.emit.location, unit=self.emit.unit, symbol=saved.symbol, initialised=True
            )
            self.emit.code.insert(len(self.emit.code) - 1, begin)
        return saved

    def load(self, e: Expression) -> Expression:
        """The value of an lvalue: its place, checked for access."""
        place = self.place(e)
        if isinstance(place, tree.IntConstant):
            return place
        if isinstance(e.type, FunctionType):
            return place.pointer if isinstance(place, tree.Deref) else place
        checks.access(self, place)
        checks.read(self, place, e)
        return place

    def address(self, e: tree.AddressOf) -> Expression:
        """``&``; ``&*p`` is ``p`` and ``&p[i]`` is ``p + i``, neither accesses anything."""
        if isinstance(e.operand, tree.FunctionRef):
            return e
        return replace(e, operand=self.place(e.operand))

    # -- assignments -----------------------------------------------------------------------------------------

    def assign(self, e: tree.Assign, *, wanted: bool) -> Expression | None:
        """The place and the value, then the write; all of a chain ``a = b = 0`` gets what the unit yields."""
        inner = evaluation_order.innermost_assignment(e) if self.is_unit(e) else None
        self.chained = inner or self.chained
        place, value = self.place_and_value(e.target, e.value)
        if wanted:
            value = self.emit.saved(pure.kept_bits(place, value, self.structs), yields=e is self.chained)
        checks.access(self, place, write=True)
        self.emit.assign(place, value, yields=inner is None and self.is_unit(e))
        return value if wanted else None

    def place_and_value(self, target: Expression, source: Expression) -> tuple[Expression, Expression]:
        """The pure place of ``target`` and the pure value of ``source``: a value with effects first, but for a call.

        Of a call the arguments come before the place, too.
        """
        while isinstance(source, tree.Comma):
            self.effect(source.left)
            source = source.right
        with self.emit.captured() as place_code:
            place = self.place(target)
        with self.emit.captured() as code:
            value = calls.named_input(self, source, calls.place_name(target)) or self.value(source)
        if (
            has_effects(code)
            and not evaluation_order.is_call(source)
            and not evaluation_order.is_fixed(place)
        ):
            self.emit.code += code
            value = self.emit.saved(value) if has_effects(place_code) else value
            self.emit.code += place_code
        elif has_effects(code):
            call = evaluation_order.place_of_call(code, value)
            self.emit.code += code[:call]
            rest = code[call:]
            if has_effects(place_code):
                rest = evaluation_order.arguments_before_place(self, source, rest)
            self.emit.code += place_code
            place = self.frozen(place)
            self.emit.code += rest
        elif evaluation_order.may_change(place_code, value):
            self.emit.code += code
            value = self.settled(value)
            self.emit.code += place_code
        else:
            self.emit.code += place_code + code
        return place, value

    def settled(self, value: Expression) -> Expression:
        """A pure value before effects in the place it goes to: operands are read now, but for local variables."""
        match value:
            case tree.VariableRef():
                return value
            case tree.MemberAccess():
                return replace(value, base=self.settled(value.base))
            case tree.Index():
                if isinstance(value.base.type, ArrayType):
                    return replace(value, base=self.settled(value.base), index=self.operand_kept(value.index))
                return replace(value, base=self.emit.saved(value.base), index=self.emit.saved(value.index))
            case tree.Deref():
                return replace(value, pointer=self.operand_kept(value.pointer))
            case tree.Unary() | tree.Cast():
                return replace(value, operand=self.operand_kept(value.operand))
            case tree.Binary():
                left = self.operand_kept(value.left)
                return replace(value, left=left, right=self.operand_kept(value.right))
            case _:
                return self.emit.saved(value)

    def operand_kept(self, e: Expression) -> Expression:
        """The value of an operand now; but gcc reads a local variable where the operator is computed."""
        return e if evaluation_order.is_local(queries.syntax_below_conversions(e)) else self.emit.saved(e)

    def compound_assign(self, e: tree.CompoundAssign, *, wanted: bool) -> Expression | None:
        """``op=``: place, value, then read, compute, convert back and write; a value with effects comes first."""
        with self.emit.captured() as place_code:
            place = self.place(e.target)
        with self.emit.captured() as code:
            value = self.value(e.value)
        if has_effects(code):
            self.emit.code += code
            value = self.emit.saved(value)
            self.emit.code += place_code
        else:
            self.emit.code += place_code + code
        checks.access(self, place, write=True)
        checks.read(self, place, e.target)
        result = self.computed(e, place, value, e.op, e.operation_type)
        return self.stored(place, result, e, wanted=wanted)

    def increment(self, e: tree.IncDec, *, wanted: bool) -> Expression | None:
        """``++`` and ``--``."""
        place = self.place(e.target)
        checks.access(self, place, write=True)
        checks.read(self, place, e.target)
        old = self.emit.saved(place) if wanted and not e.is_prefix else None
        operation: CType = e.type
        if isinstance(e.type, IntType) and e.type.rank < INT.rank:
            operation = INT
        one_type = self.structs.model.long if isinstance(e.type, PointerType) else operation
        one = pure.constant(1, one_type, e.location)
        result = self.computed(e, place, one, e.op, operation)
        stored = self.stored(place, result, e, wanted=wanted and e.is_prefix)
        return old if old is not None else stored

    def computed(
        self, e: Expression, place: Expression, value: Expression, op: tree.BinaryOp, operation: CType
    ) -> Expression:
        """``(type of place)((operation)place op value)`` with its checks."""
        current = place
        if current.type != operation:
            current = tree.Cast(type=operation, location=e.location, operand=place, implicit=True)
        result = tree.Binary(type=operation, location=e.location, op=op, left=current, right=value)
        checks.arithmetic(self, result, e)
        if operation == place.type:
            return result
        converted = tree.Cast(type=place.type, location=e.location, operand=result, implicit=True)
        if "conversion" in self.emit.checks and pure.may_lose(converted):
            text = f"value lost by conversion to {place.type} in {self.text(e)}"
            self.emit.check("conversion", goto.FitsCondition(expression=converted), text, e.location)
        if isinstance(operation, FloatType) and isinstance(place.type, FloatType):
            checks.floating_operation(self, converted, e)
        return converted

    def stored(
        self, place: Expression, value: Expression, e: Expression, *, wanted: bool
    ) -> Expression | None:
        """Write a value to a place whose access is already checked."""
        if wanted:
            value = self.emit.saved(pure.kept_bits(place, value, self.structs))
        self.emit.assign(place, value, yields=self.is_unit(e))
        return value if wanted else None

    # -- declarations ----------------------------------------------------------------------------------------

    def declare(
        self, symbol: tree.SyntaxSymbol, initializer: tree.Initializer | None, *, yields: bool = False
    ) -> None:
        """A variable comes to life and gets its initial values."""
        zero = initializer is not None and initializer.zero_fill
        scalar = not isinstance(symbol.type, ArrayType | StructType)
        self.emit.add(
            goto.DeclareInstruction(
                location=self.emit.location,
                symbol=symbol,
                zero=zero,
                initialised=scalar
                and initializer is not None
                and not evaluation_order.reads_itself(initializer, symbol),
            )
        )
        for item in initializer.items if initializer is not None else ():
            place, value = self.place_and_value(item.target, item.value)
            self.emit.assign(place, value, yields=yields)
            if symbol.name == LENGTH:
                word = self.structs.model.long
                zero_length = tree.IntConstant(type=word, location=item.value.location, value=0)
                signed = tree.Cast(type=word, location=item.value.location, operand=place, implicit=True)
                text = f"the length {self.text(item.value)} of an array is not positive"
                self.emit.check(
                    "bounds", pure.comparison(">", signed, zero_length), text, item.value.location
                )

    # -- conditions ------------------------------------------------------------------------------------------

    def branch(self, e: Expression, target: int, *, when: bool, split: bool, inverted: bool = False) -> None:
        """Jump to label ``target`` when ``e`` is ``when``, else fall through.

        ``split``: operands of ``&& ||`` always become branches of their own (loops count on a test they can
        decide); otherwise only where the right operand does something. ``inverted``: ``e`` stands behind ``!``.
        """
        if isinstance(e, tree.Unary) and e.op == "!":
            self.branch(e.operand, target, when=not when, split=split, inverted=not inverted)
            return
        if isinstance(e, tree.Logical) and (split or self.has_code(e.right)):
            self.short_circuit(e, target, when=when, split=split)
            return
        self.emit.branch(self.value(e), target, when=when, yields=True, inverted=inverted)

    def has_code(self, e: Expression) -> bool:
        """True if lowering ``e`` emits anything: tried out and thrown away."""
        with self.emit.tried() as code:
            self.value(e)
        return bool(code)

    def short_circuit(self, e: tree.Logical, target: int, *, when: bool, split: bool) -> None:
        """``&&`` and ``||`` as two branches."""
        decided_by_left = e.op == "||"
        if decided_by_left == when:
            self.branch(e.left, target, when=when, split=split)
            self.branch(e.right, target, when=when, split=split)
            return
        over = self.emit.label()
        self.branch(e.left, over, when=not when, split=split)
        self.branch(e.right, target, when=when, split=split)
        self.emit.place(over)
