"""pycparser's expressions into typed ones.

Three ways to look at an expression: ``designator`` keeps arrays and functions as they are (for ``&``, ``sizeof``,
``.``), ``value`` lets them decay, ``condition`` also asks for a scalar.

    p->next[1]   ->   Index(MemberAccess(Deref(p), "struct s", "next"), 1L)
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from io import StringIO
from typing import Any, Final, final

from pycparser import c_ast

from cfrontend.elaborate import (
    calls,
    literals,
    nested_functions,
    operators,
    qualifiers,
    scope,
    variable_length,
)
from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.context import ElaborationContext, location_of
from cfrontend.elaborate.conversions import (
    bit_field_width,
    composite_type,
    decayed,
    explicit_cast,
    implicit_conversion,
    measured_type,
    require_complete,
    require_scalar,
)
from cfrontend.elaborate.held_values import behind_declarations, behind_own_lengths, hold_value
from cfrontend.elaborate.label_addresses import label_address
from cfrontend.elaborate.records import find_record_member, record_as_declared
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.source.parse import LabelAddressNode, RefusedNode, StatementExpressionNode
from cfrontend.syntax import queries, tree
from cfrontend.syntax.complex_types import is_record_type
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.types import (
    CHAR,
    INT,
    LLONG,
    ULLONG,
    VOID,
    ArrayType,
    CType,
    DataModelOfTypes,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    VoidType,
    alignment_of_type,
    size_of_type,
)

_OWN_NAME: Final = frozenset({"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"})


@final
class ExpressionElaborator:
    """Elaborates the expressions of one file."""

    def __init__(self, context: ElaborationContext) -> None:
        self._context = context

    def value(self, node: Any) -> tree.Expression:
        """The expression as an operand: arrays and functions are pointers, and what is ``constexpr`` is its value."""
        if isinstance(node, c_ast.ID) and (constant := self._context.scopes.constant(node.name)) is not None:
            return replace(constant, location=location_of(node))
        found = self.designator(node)
        if isinstance(found.type, StructType) and found.type.key not in self._context.structs:
            raise InputError(f"a value of incomplete type '{found.type}'", found.location)
        return decayed(found)

    def condition(self, node: Any) -> tree.Expression:
        """The expression as what ``if`` and its like test."""
        value = self._context.complex_numbers.truth(self.value(node))
        return require_scalar(value, "the condition")

    def designator(self, node: Any) -> tree.Expression:
        """The expression as it stands, with arrays and functions as such."""
        match node:
            case c_ast.Constant():
                return self._constant(node)
            case c_ast.ID():
                return self._name(node)
            case c_ast.BinaryOp():
                return self._binary(node)
            case c_ast.UnaryOp():
                return self._unary(node)
            case c_ast.Assignment():
                return self._assignment(node)
            case c_ast.FuncCall():
                return calls.call(self._context, node)
            case c_ast.StructRef():
                return self._member(node)
            case c_ast.ArrayRef():
                return self._index(node)
            case c_ast.Cast():
                return self._cast(node)
            case c_ast.TernaryOp():
                return self._conditional(node)
            case c_ast.ExprList():
                return self._comma(node)
            case _:
                return self._rare(node)

    def _rare(self, node: Any) -> tree.Expression:
        match node:
            case c_ast.CompoundLiteral():
                return self._context.initializers.compound_literal(node)
            case StatementExpressionNode():
                return self._context.statements.statement_expression(node.body)
            case c_ast.GenericSelection():
                return self._generic(node)
            case LabelAddressNode():
                return label_address(self._context, node)
            case RefusedNode():
                raise UnsupportedError(node.message, location_of(node))
            case c_ast.InitList():
                raise InputError("braces stand where an expression is expected", location_of(node))
            case _:
                raise UnsupportedError(f"{type(node).__name__} is not supported yet", location_of(node))

    # -- names and constants ---------------------------------------------------------------------------------

    def _constant(self, node: Any) -> tree.Expression:
        at, encoding = location_of(node), self._context.encoding
        if (imaginary := literals.imaginary(node.type, node.value)) is not None:
            part = self._constant(c_ast.Constant(node.type, imaginary, node.coord))
            return self._context.complex_numbers.imaginary(part)
        match node.type:
            case "int":
                return literals.integer(node.value, at, self._context.model)
            case "float":
                return literals.floating(node.value, at)
            case "char":
                return literals.character(node.value, at, encoding, self._context.model)
            case _:
                return literals.string(node.value, at, encoding, self._context.model)

    def _name(self, node: Any) -> tree.Expression:
        context, at = self._context, location_of(node)
        match context.scopes.find(node.name):
            case scope.LocalVariable(symbol=symbol):
                if (captured := nested_functions.captured(context, symbol, at)) is not None:
                    return captured
                return symbol.reference(at)
            case scope.VariableArray(pointer=pointer, type=ctype):
                nested_functions.refuse_array_around(context, pointer, at)
                return variable_length.array_behind(pointer, ctype, at)
            case scope.LinkedVariable(key=key) if key in context.program.absent:
                return _nothing(context.program.variables[key].symbol.type, at)
            case scope.Function(key=key) if key in context.program.absent:
                return _nothing(context.program.functions[key].seen_from(context.path), at)
            case scope.LinkedVariable(key=key):
                context.program.used.add(key)
                symbol = context.program.variables[key].symbol
                reference = symbol.reference(at)
                return record_as_declared(reference, context.program.declared)
            case scope.Function(key=key):
                context.program.used.add(key)
                ctype = context.program.functions[key].seen_from(context.path)
                return tree.FunctionRef(type=ctype, location=at, name=key)
            case scope.Enumerator(value=value, type=ctype):
                return tree.IntConstant(type=ctype, location=at, value=value)
            case scope.RefusedName(error=error):
                raise error
            case scope.Typedef():
                raise InputError(f"'{node.name}' is a type, not a value", at)
            case None if node.name in _OWN_NAME and context.function is not None:
                data = context.function.name.encode() + b"\0"
                return tree.StringLiteral(type=ArrayType(CHAR, len(data)), location=at, data=data)
            case None if (constant := literals.predefined(node.name, at)) is not None:
                return constant
            case None:
                declared = context.declarations.builtin(node.name, at)
                if declared is None:
                    raise InputError(f"'{node.name}' undeclared", at)
                context.program.used.add(declared.key)
                function = context.program.functions[declared.key]
                return tree.FunctionRef(type=function.seen_from(context.path), location=at, name=declared.key)

    # -- operators -------------------------------------------------------------------------------------------

    def _binary(self, node: Any) -> tree.Expression:
        left = self.value(node.left)
        numbers, at = self._context.complex_numbers, location_of(node)
        if node.op in {"&&", "||"}:
            right = numbers.truth(self._maybe(node.right))
            return operators.logical(node.op, numbers.truth(left), right, at)
        right = self.value(node.right)
        return numbers.binary(node.op, left, right, at) or operators.binary(
            node.op, left, right, at, self._context.structs
        )

    def _maybe(self, node: Any) -> tree.Expression:
        """Elaborate an operand that is not always evaluated.

        If it is unsupported, only executions that reach it are refused.
        """
        try:
            return behind_own_lengths(self._context, lambda: self.value(node))
        except UnsupportedError as error:
            return tree.RefusedSyntax(
                type=INT, location=error.location or location_of(node), message=error.message
            )

    def _assignment(self, node: Any) -> tree.Expression:
        structs, at = self._context.structs, location_of(node)
        target, value = self.designator(node.lvalue), self.value(node.rvalue)
        numbers = self._context.complex_numbers
        if node.op == "=":
            value = numbers.converted(value, target.type)
            return operators.assignment(target, value, at, structs)
        op = node.op[:-1]
        return numbers.compound(op, target, value, at) or operators.compound(op, target, value, at, structs)

    def _unary(self, node: Any) -> tree.Expression:
        structs, at = self._context.structs, location_of(node)
        numbers = self._context.complex_numbers
        match node.op:
            case "sizeof":
                return behind_own_lengths(self._context, lambda: self._size(node.expr, at))
            case "_Alignof":
                return self._size_constant(self._alignment(node.expr, at), at)
            case "&":
                return self._address(node)
            case "*":
                return self._dereference(self.value(node.expr), at)
            case "++" | "--" | "p++" | "p--":
                target, is_prefix, op = self.designator(node.expr), node.op[0] != "p", node.op[-1]
                return numbers.increment(
                    op, is_prefix=is_prefix, target=target, at=at
                ) or operators.increment(op, is_prefix=is_prefix, target=target, at=at, structs=structs)
            case "+" | "-" | "~" | "!":
                operand = self.value(node.expr)
                return numbers.unary(node.op, operand, at) or operators.unary(node.op, operand, at, structs)
            case "__real__" | "__imag__":
                return numbers.part_of(self.designator(node.expr), node.op, at)
            case _:
                raise UnsupportedError(f"operator {node.op} is not supported yet", at)

    def _address(self, node: Any) -> tree.Expression:
        operand, at = self.designator(node.expr), location_of(node)
        if not operators.is_lvalue(operand) and not isinstance(operand.type, FunctionType):
            raise InputError("'&' needs an lvalue", at)
        if (
            isinstance(operand, tree.MemberAccess)
            and bit_field_width(operand, self._context.structs) is not None
        ):
            raise InputError(f"cannot take the address of bit-field '{operand.member}'", at)
        if isinstance(operand, tree.Deref) and isinstance(operand.type, FunctionType):
            return operand.pointer
        return tree.AddressOf(type=PointerType(operand.type), location=at, operand=operand)

    def _dereference(self, pointer: tree.Expression, at: Location) -> tree.Expression:
        if not isinstance(pointer.type, PointerType):
            raise InputError(f"'*' needs a pointer, not {type_in_words(pointer.type)}", at)
        if isinstance(pointer, tree.AddressOf) and isinstance(pointer.operand, tree.FunctionRef):
            return pointer.operand
        return tree.Deref(type=pointer.type.target, location=at, pointer=pointer)

    def _cast(self, node: Any) -> tree.Expression:
        ctype = self._context.types.of(node.to_type)
        value = self._context.complex_numbers.converted(self.value(node.expr), ctype)
        if isinstance(ctype, StructType) and ctype != value.type:
            member = self._member_like(ctype, value.type)
            if member is not None:
                named = c_ast.NamedInitializer([c_ast.ID(member, node.coord)], node.expr, node.coord)
                items = c_ast.InitList([named], node.coord)
                literal = c_ast.CompoundLiteral(node.to_type, items, [], node.coord)
                return self._context.initializers.compound_literal(literal)
        return explicit_cast(value, ctype, location_of(node))

    def _member_like(self, ctype: StructType, wanted: CType) -> str | None:
        """The member of a union that a cast to it gives its value to (GNU)."""
        layout = self._context.structs.get(ctype.key)
        if layout is None or not layout.is_union:
            return None
        return next((member.name for member in layout.members if member.type == wanted), None)

    def _conditional(self, node: Any) -> tree.Expression:
        structs, at = self._context.structs, location_of(node)
        condition = self.value(node.cond)
        if node.iftrue is None:
            return self._elvis(condition, self.value(node.iffalse), at)
        numbers = self._context.complex_numbers
        values = [partial(self.value, value) for value in (node.iftrue, node.iffalse)]
        then, otherwise = numbers.branches(*[behind_own_lengths(self._context, value) for value in values])
        return operators.conditional(numbers.truth(condition), then, otherwise, at, structs)

    def _elvis(self, condition: tree.Expression, otherwise: tree.Expression, at: Location) -> tree.Expression:
        """GNU ``condition ?: otherwise``, which evaluates the condition once."""
        structs, numbers = self._context.structs, self._context.complex_numbers
        if not queries.has_side_effects(condition):
            then, otherwise = numbers.branches(condition, otherwise)
            condition = numbers.truth(condition)
            return operators.conditional(condition, then, otherwise, at, structs)
        declared: list[tree.Statement] = []
        held = hold_value(self._context, "<condition>", condition, declared)
        then, otherwise = numbers.branches(held, otherwise)
        result = operators.conditional(numbers.truth(held), then, otherwise, at, structs)
        return behind_declarations(declared, result, at)

    def _comma(self, node: Any) -> tree.Expression:
        result = self.value(node.exprs[0])
        for operand in node.exprs[1:]:
            right = self.value(operand)
            result = tree.Comma(type=right.type, location=location_of(node), left=result, right=right)
        return result

    # -- places ----------------------------------------------------------------------------------------------

    def _member(self, node: Any) -> tree.Expression:
        at, name = location_of(node), node.field.name
        if node.type == "->":
            pointer = self.value(node.name)
            if not isinstance(pointer.type, PointerType):
                raise InputError(f"'->' needs a pointer, not {type_in_words(pointer.type)}", at)
            base: tree.Expression = tree.Deref(
                type=pointer.type.target, location=location_of(node.name), pointer=pointer
            )
        else:
            base = self.designator(node.name)
        return self.member(base, name, at)

    def member(self, base: tree.Expression, name: str, at: Location) -> tree.Expression:
        """``base.name``, through anonymous members if need be."""
        if isinstance(base.type, PointerType):
            raise InputError(f"request for member '{name}' in a pointer: use '->'", at)
        if not is_record_type(base.type):
            raise InputError(f"request for member '{name}' in something not a structure or union", at)
        if base.type.key not in self._context.structs:
            raise InputError(f"'{base.type}' is incomplete: its members are not known", at)
        way = find_record_member(base.type.key, name, self._context.structs)
        if way is None:
            raise InputError(f"'{base.type}' has no member named '{name}'", at)
        for key, member in way:
            base = tree.MemberAccess(
                type=member.type, location=at, base=base, struct_key=key, member=member.name
            )
        return base

    def _index(self, node: Any) -> tree.Expression:
        at = location_of(node)
        base, index = self.designator(node.name), self.designator(node.subscript)
        if isinstance(index.type, ArrayType | PointerType):
            base, index = index, base
        return self.index(base, index, at)

    def index(self, base: tree.Expression, index: tree.Expression, at: Location) -> tree.Expression:
        """``base[index]``."""
        match base.type:
            case ArrayType(element=element) | PointerType(target=element):
                pass
            case _:
                raise InputError("the subscripted value is neither an array nor a pointer", at)
        if not isinstance(index.type, IntType):
            raise InputError(f"an array index has {type_in_words(index.type)}", at)
        if not isinstance(element, VoidType):
            require_complete(element, self._context.structs, at, "subscript of a pointer to")
        if variable_length.is_variable(element) or isinstance(element, VoidType):
            moved = operators.binary("+", decayed(base), index, at, self._context.structs)
            return tree.Deref(type=element, location=at, pointer=moved)
        wide = _index_type(index.type, self._context.model)
        return tree.Index(type=element, location=at, base=base, index=implicit_conversion(index, wide))

    # -- sizes -----------------------------------------------------------------------------------------------

    def _size(self, node: Any, at: Location) -> tree.Expression:
        ctype, structs = self._operand_type(node), self._context.structs
        if variable_length.is_variable(ctype):
            size = implicit_conversion(variable_length.size_of(ctype, structs, at), structs.model.size)
            operand = None if isinstance(node, c_ast.Typename) else self.value(node)
            if operand is None or not queries.has_side_effects(operand):
                return size
            return tree.Comma(type=size.type, location=at, left=operand, right=size)
        return self._size_constant(_size_in_bytes(ctype, at, self._context), at)

    def _operand_type(self, node: Any) -> CType:
        if isinstance(node, c_ast.Typename):
            return self._context.types.of(node)
        return measured_type(self._measured(node), self._context.structs)

    def _measured(self, node: Any) -> tree.Expression:
        """The object whose size or alignment is asked for."""
        operand = self.designator(node)
        if (
            isinstance(operand, tree.MemberAccess)
            and bit_field_width(operand, self._context.structs) is not None
        ):
            raise InputError("'sizeof' of a bit-field", operand.location)
        return operand

    def _alignment(self, node: Any, at: Location) -> int:
        own: int | None
        if isinstance(node, c_ast.Typename):
            ctype, own = self._context.types.of(node), self._context.types.own_alignment(node)
        else:
            operand = self._measured(node)
            ctype, own = measured_type(operand, self._context.structs), self._declared_alignment(operand)
        if isinstance(ctype, FunctionType):
            raise UnsupportedError("the alignment of a function is not supported yet", at)
        if isinstance(ctype, VoidType):
            return 1
        ctype = variable_length.fixed_part(ctype)
        _size_in_bytes(ctype, at, self._context)
        if own is not None:
            return own
        align = alignment_of_type(ctype, self._context.structs)
        while isinstance(ctype, ArrayType):
            ctype = ctype.element
        if isinstance(ctype, IntType | FloatType) and ctype.width == 64 and align < 8:
            raise UnsupportedError(
                f"the alignment of {ctype}, 4 in structures and 8 outside, is not supported yet", at
            )
        return align

    def _declared_alignment(self, operand: tree.Expression) -> int | None:
        """The alignment that a variable or member was declared with, where it is not that of its type."""
        match operand:
            case tree.VariableRef(symbol=symbol):
                return self._context.alignments.get(symbol.key)
            case tree.Deref(pointer=tree.AddressOf(operand=inner)):
                return self._declared_alignment(inner)
            case tree.MemberAccess(struct_key=key, member=member):
                return self._context.alignments.get((key, member))
            case _:
                return None

    def _size_constant(self, value: int, at: Location) -> tree.Expression:
        return tree.IntConstant(type=self._context.model.size, location=at, value=value)

    def offset_of(self, type_node: Any, designator: Any, at: Location) -> tree.Expression:
        """``__builtin_offsetof(type, designator)``."""
        ctype = self._context.types.of(type_node)
        null = tree.IntConstant(type=self._context.model.ulong, location=at, value=0)
        base = tree.Deref(type=ctype, location=at, pointer=implicit_conversion(null, PointerType(ctype)))
        member = self._designated(base, designator)
        address = tree.AddressOf(type=PointerType(member.type), location=at, operand=member)
        value = constant_value(implicit_conversion(address, self._context.model.ulong), self._context.structs)
        if value is None:
            raise UnsupportedError("offsetof with a variable index is not supported yet", at)
        return self._size_constant(value, at)

    def _designated(self, base: tree.Expression, node: Any) -> tree.Expression:
        match node:
            case c_ast.ID():
                return self.member(base, node.name, location_of(node))
            case c_ast.StructRef():
                return self.member(self._designated(base, node.name), node.field.name, location_of(node))
            case _:
                return self.index(
                    self._designated(base, node.name), self.value(node.subscript), location_of(node)
                )

    # -- the rest --------------------------------------------------------------------------------------------

    def _generic(self, node: Any) -> tree.Expression:
        value = self.value(node.expr)
        controlling, width = value.type, bit_field_width(value, self._context.structs)
        is_part = isinstance(controlling, IntType) and width not in {None, controlling.width}
        qualified = qualifiers.of_value(node.expr, self._declaration)
        default = None
        chosen: list[Any] = []
        for association in node.associations:
            if association.type is None:
                default = association.expr
            elif is_part:  # no type that has a name is that of so many bits
                continue
            elif composite_type(self._context.types.of(association.type), controlling) is not None:
                # Types here do not keep qualifiers: the text tells, where it can. No value is qualified itself.
                named = qualifiers.of_type(association.type, self._declaration)
                if not (named and named[0]) and not qualifiers.differ(named, qualified):
                    chosen.append(association.expr)
        if not chosen and default is None:
            raise InputError(
                f"_Generic has no association for {type_in_words(controlling)}", location_of(node)
            )
        if len({_shown(expression) for expression in chosen}) > 1:
            message = "_Generic with types that differ in 'const' or 'volatile' only is not supported yet"
            raise UnsupportedError(message, location_of(node))
        return self.designator(chosen[0] if chosen else default)

    def _declaration(self, named: Any) -> Any:
        """The declaration of a name, or of the member that an expression names."""
        if isinstance(named, str):
            return self._context.scopes.written(named)
        member = self.designator(named)
        record = self._context.records.get(getattr(member, "struct_key", ""))
        declared = () if record is None else record.decls
        return next((one for one in declared if getattr(one, "name", None) == named.field.name), None)


def _nothing(ctype: CType, at: Location) -> tree.Expression:
    """Undefined weak symbol: null in place of a name that nobody defines."""
    pointer = PointerType(ctype)
    zero = tree.IntConstant(type=INT, location=at, value=0)
    null = tree.Cast(type=pointer, location=at, operand=zero, implicit=True)
    return tree.Deref(type=ctype, location=at, pointer=null)


def _shown(node: Any) -> str:
    """A text that two syntax trees share only if they mean the same at one place."""
    shown = StringIO()
    node.show(buf=shown, attrnames=True)
    return shown.getvalue()


def _index_type(ctype: IntType, model: DataModelOfTypes) -> IntType:
    """Type that an index is converted to: as wide as a pointer, or a long long where that is wider."""
    if ctype.width > model.word and ctype in {LLONG, ULLONG}:
        return ctype
    is_wide = not ctype.signed and ctype.width >= model.word and ctype.width <= ULLONG.width
    return model.ulong if is_wide else model.long


def _size_in_bytes(ctype: CType, at: Location, context: ElaborationContext) -> int:
    """``sizeof``: that of ``void`` and of functions is 1 (GNU)."""
    if ctype == VOID or isinstance(ctype, FunctionType):
        return 1
    require_complete(ctype, context.structs, at, "'sizeof' of")
    return size_of_type(ctype, context.structs)
