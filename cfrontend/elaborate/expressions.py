"""pycparser's expressions into typed ones.

Three ways to look at an expression: ``designator`` keeps arrays and functions as they are (for ``&``, ``sizeof``,
``.``), ``value`` lets them decay, ``condition`` also asks for a scalar.

    p->next[1]   ->   Index(MemberAccess(Deref(p), "struct s", "next"), 1L)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from io import StringIO
from typing import Any, Final

from pycparser import c_ast

from cfrontend.elaborate import (
    attributes,
    builtins,
    calls,
    initializers,
    literals,
    operators,
    qualifiers,
    scope,
    type_names,
    variable_length,
)
from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.context import Context, location_of
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
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.tree import Expression
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


def condition(context: Context, node: Any) -> Expression:
    """The expression as what ``if`` and its like test."""
    return require_scalar(context.value(node), "the condition")


def designator(context: Context, node: Any) -> Expression:
    """The expression as it stands, with arrays and functions as such."""
    if isinstance(node, RefusedNode):
        raise UnsupportedError(node.message, location_of(node))
    if isinstance(node, c_ast.InitList):
        raise InputError("braces stand where an expression is expected", location_of(node))
    if (rule := _RULES.get(type(node))) is None:
        raise UnsupportedError(f"{type(node).__name__} is not supported yet", location_of(node))
    return rule(context, node)


# -- names and constants ---------------------------------------------------------------------------------


def _constant(context: Context, node: Any) -> Expression:
    at, encoding = location_of(node), context.encoding
    if node.type in {"int", "float"}:
        literals.refuse_imaginary(node.value, at)
    match node.type:
        case "int":
            return literals.integer(node.value, at, context.model)
        case "float":
            return literals.floating(node.value, at)
        case "char":
            return literals.character(node.value, at, encoding, context.model)
        case _:
            return literals.string(node.value, at, encoding, context.model)


def _name(context: Context, node: Any) -> Expression:
    at = location_of(node)
    match context.scopes.find(node.name):
        case scope.LocalVariable(symbol=symbol):
            return symbol.reference(at)
        case scope.VariableArray(pointer=pointer, type=ctype):
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
            declared = builtins.declare_builtin(context, node.name, at)
            if declared is None:
                raise InputError(f"'{node.name}' undeclared", at)
            context.program.used.add(declared.key)
            function = context.program.functions[declared.key]
            return tree.FunctionRef(type=function.seen_from(context.path), location=at, name=declared.key)


# -- operators -------------------------------------------------------------------------------------------


def _binary(context: Context, node: Any) -> Expression:
    left = context.value(node.left)
    at = location_of(node)
    if node.op in {"&&", "||"}:
        return operators.logical(node.op, left, _maybe(context, node.right), at)
    return operators.binary(node.op, left, context.value(node.right), at, context.structs)


def _maybe(context: Context, node: Any) -> Expression:
    """Elaborate an operand that is not always evaluated.

    If it is unsupported, only executions that reach it are refused.
    """
    try:
        return behind_own_lengths(context, lambda: context.value(node))
    except UnsupportedError as error:
        return tree.RefusedSyntax(
            type=INT, location=error.location or location_of(node), message=error.message
        )


def _assignment(context: Context, node: Any) -> Expression:
    structs, at = context.structs, location_of(node)
    target, value = designator(context, node.lvalue), context.value(node.rvalue)
    if node.op == "=":
        return operators.assignment(target, value, at, structs)
    return operators.compound(node.op[:-1], target, value, at, structs)


def _unary(context: Context, node: Any) -> Expression:
    structs, at = context.structs, location_of(node)
    match node.op:
        case "sizeof":
            return behind_own_lengths(context, lambda: _size(context, node.expr, at))
        case "_Alignof":
            return _size_constant(context, _alignment(context, node.expr, at), at)
        case "&":
            return _address(context, node)
        case "*":
            return _dereference(context.value(node.expr), at)
        case "++" | "--" | "p++" | "p--":
            target, is_prefix, op = designator(context, node.expr), node.op[0] != "p", node.op[-1]
            return operators.increment(op, is_prefix=is_prefix, target=target, at=at, structs=structs)
        case "+" | "-" | "~" | "!":
            return operators.unary(node.op, context.value(node.expr), at, structs)
        case "__real__" | "__imag__":
            raise UnsupportedError(literals.COMPLEX, at)
        case _:
            raise UnsupportedError(f"operator {node.op} is not supported yet", at)


def _address(context: Context, node: Any) -> Expression:
    operand, at = designator(context, node.expr), location_of(node)
    if not operators.is_lvalue(operand) and not isinstance(operand.type, FunctionType):
        raise InputError("'&' needs an lvalue", at)
    if isinstance(operand, tree.MemberAccess) and bit_field_width(operand, context.structs) is not None:
        raise InputError(f"cannot take the address of bit-field '{operand.member}'", at)
    if isinstance(operand, tree.Deref) and isinstance(operand.type, FunctionType):
        return operand.pointer
    return tree.AddressOf(type=PointerType(operand.type), location=at, operand=operand)


def _dereference(pointer: Expression, at: Location) -> Expression:
    if not isinstance(pointer.type, PointerType):
        raise InputError(f"'*' needs a pointer, not {type_in_words(pointer.type)}", at)
    if isinstance(pointer, tree.AddressOf) and isinstance(pointer.operand, tree.FunctionRef):
        return pointer.operand
    return tree.Deref(type=pointer.type.target, location=at, pointer=pointer)


def _cast(context: Context, node: Any) -> Expression:
    ctype = type_names.of(context, node.to_type)
    value = context.value(node.expr)
    if isinstance(ctype, StructType) and ctype != value.type:
        member = _member_like(context, ctype, value.type)
        if member is not None:
            named = c_ast.NamedInitializer([c_ast.ID(member, node.coord)], node.expr, node.coord)
            items = c_ast.InitList([named], node.coord)
            literal = c_ast.CompoundLiteral(node.to_type, items, [], node.coord)
            return initializers.compound_literal(context, literal)
    return explicit_cast(value, ctype, location_of(node))


def _member_like(context: Context, ctype: StructType, wanted: CType) -> str | None:
    """The member of a union that a cast to it gives its value to (GNU)."""
    layout = context.structs.get(ctype.key)
    if layout is None or not layout.is_union:
        return None
    return next((member.name for member in layout.members if member.type == wanted), None)


def _conditional(context: Context, node: Any) -> Expression:
    structs, at = context.structs, location_of(node)
    condition = context.value(node.cond)
    if node.iftrue is None:
        return _elvis(context, condition, context.value(node.iffalse), at)
    values = [partial(context.value, value) for value in (node.iftrue, node.iffalse)]
    then, otherwise = (behind_own_lengths(context, value) for value in values)
    return operators.conditional(condition, then, otherwise, at, structs)


def _elvis(context: Context, condition: Expression, otherwise: Expression, at: Location) -> Expression:
    """GNU ``condition ?: otherwise``, which evaluates the condition once."""
    structs = context.structs
    if not queries.has_side_effects(condition):
        return operators.conditional(condition, condition, otherwise, at, structs)
    declared: list[tree.Statement] = []
    held = hold_value(context, "<condition>", condition, declared)
    result = operators.conditional(held, held, otherwise, at, structs)
    return behind_declarations(declared, result, at)


def _comma(context: Context, node: Any) -> Expression:
    result = context.value(node.exprs[0])
    for operand in node.exprs[1:]:
        right = context.value(operand)
        result = tree.Comma(type=right.type, location=location_of(node), left=result, right=right)
    return result


# -- places ----------------------------------------------------------------------------------------------


def _member(context: Context, node: Any) -> Expression:
    at, name = location_of(node), node.field.name
    if node.type == "->":
        pointer = context.value(node.name)
        if not isinstance(pointer.type, PointerType):
            raise InputError(f"'->' needs a pointer, not {type_in_words(pointer.type)}", at)
        base: Expression = tree.Deref(
            type=pointer.type.target, location=location_of(node.name), pointer=pointer
        )
    else:
        base = designator(context, node.name)
    return _member_of(context, base, name, at)


def _member_of(context: Context, base: Expression, name: str, at: Location) -> Expression:
    """``base.name``, through anonymous members if need be."""
    if isinstance(base.type, PointerType):
        raise InputError(f"request for member '{name}' in a pointer: use '->'", at)
    if not isinstance(base.type, StructType):
        raise InputError(f"request for member '{name}' in something not a structure or union", at)
    if base.type.key not in context.structs:
        raise InputError(f"'{base.type}' is incomplete: its members are not known", at)
    way = find_record_member(base.type.key, name, context.structs)
    if way is None:
        raise InputError(f"'{base.type}' has no member named '{name}'", at)
    for key, member in way:
        base = tree.MemberAccess(type=member.type, location=at, base=base, struct_key=key, member=member.name)
    return base


def _index(context: Context, node: Any) -> Expression:
    at = location_of(node)
    base, index = designator(context, node.name), designator(context, node.subscript)
    if isinstance(index.type, ArrayType | PointerType):
        base, index = index, base
    return _element_of(context, base, index, at)


def _element_of(context: Context, base: Expression, index: Expression, at: Location) -> Expression:
    """``base[index]``."""
    match base.type:
        case ArrayType(element=element) | PointerType(target=element):
            pass
        case _:
            raise InputError("the subscripted value is neither an array nor a pointer", at)
    if not isinstance(index.type, IntType):
        raise InputError(f"an array index has {type_in_words(index.type)}", at)
    if not isinstance(element, VoidType):
        require_complete(element, context.structs, at, "subscript of a pointer to")
    if variable_length.is_variable(element) or isinstance(element, VoidType):
        moved = operators.binary("+", decayed(base), index, at, context.structs)
        return tree.Deref(type=element, location=at, pointer=moved)
    wide = _index_type(index.type, context.model)
    return tree.Index(type=element, location=at, base=base, index=implicit_conversion(index, wide))


# -- sizes -----------------------------------------------------------------------------------------------


def _size(context: Context, node: Any, at: Location) -> Expression:
    ctype, structs = _operand_type(context, node), context.structs
    if variable_length.is_variable(ctype):
        size = implicit_conversion(variable_length.size_of(ctype, structs, at), structs.model.size)
        operand = None if isinstance(node, c_ast.Typename) else context.value(node)
        if operand is None or not queries.has_side_effects(operand):
            return size
        return tree.Comma(type=size.type, location=at, left=operand, right=size)
    return _size_constant(context, _size_in_bytes(ctype, at, context), at)


def _operand_type(context: Context, node: Any) -> CType:
    if isinstance(node, c_ast.Typename):
        return type_names.of(context, node)
    return measured_type(_measured(context, node), context.structs)


def _measured(context: Context, node: Any) -> Expression:
    """The object whose size or alignment is asked for."""
    operand = designator(context, node)
    if isinstance(operand, tree.MemberAccess) and bit_field_width(operand, context.structs) is not None:
        raise InputError("'sizeof' of a bit-field", operand.location)
    return operand


def _alignment(context: Context, node: Any, at: Location) -> int:
    own: int | None
    if isinstance(node, c_ast.Typename):
        ctype, own = type_names.of(context, node), attributes.own_alignment(context, node)
    else:
        operand = _measured(context, node)
        ctype, own = measured_type(operand, context.structs), _declared_alignment(context, operand)
    if isinstance(ctype, FunctionType):
        raise UnsupportedError("the alignment of a function is not supported yet", at)
    if isinstance(ctype, VoidType):
        return 1
    ctype = variable_length.fixed_part(ctype)
    _size_in_bytes(ctype, at, context)
    if own is not None:
        return own
    align = alignment_of_type(ctype, context.structs)
    while isinstance(ctype, ArrayType):
        ctype = ctype.element
    if isinstance(ctype, IntType | FloatType) and ctype.width == 64 and align < 8:
        raise UnsupportedError(
            f"the alignment of {ctype}, 4 in structures and 8 outside, is not supported yet", at
        )
    return align


def _declared_alignment(context: Context, operand: Expression) -> int | None:
    """The alignment that a variable or member was declared with, where it is not that of its type."""
    match operand:
        case tree.VariableRef(symbol=symbol):
            return context.alignments.get(symbol.key)
        case tree.Deref(pointer=tree.AddressOf(operand=inner)):
            return _declared_alignment(context, inner)
        case tree.MemberAccess(struct_key=key, member=member):
            return context.alignments.get((key, member))
        case _:
            return None


def _size_constant(context: Context, value: int, at: Location) -> Expression:
    return tree.IntConstant(type=context.model.size, location=at, value=value)


def _call(context: Context, node: Any) -> Expression:
    match node:
        case c_ast.FuncCall(
            name=c_ast.ID(name="__builtin_offsetof"), args=c_ast.ExprList(exprs=[named, part])
        ):
            return _offset_of(context, named, part, location_of(node))
        case _:
            return calls.call(context, node)


def _offset_of(context: Context, type_node: Any, designator: Any, at: Location) -> Expression:
    """``__builtin_offsetof(type, designator)``."""
    ctype = type_names.of(context, type_node)
    null = tree.IntConstant(type=context.model.ulong, location=at, value=0)
    base = tree.Deref(type=ctype, location=at, pointer=implicit_conversion(null, PointerType(ctype)))
    member = _designated(context, base, designator)
    address = tree.AddressOf(type=PointerType(member.type), location=at, operand=member)
    value = constant_value(implicit_conversion(address, context.model.ulong), context.structs)
    if value is None:
        raise UnsupportedError("offsetof with a variable index is not supported yet", at)
    return _size_constant(context, value, at)


def _designated(context: Context, base: Expression, node: Any) -> Expression:
    match node:
        case c_ast.ID():
            return _member_of(context, base, node.name, location_of(node))
        case c_ast.StructRef():
            return _member_of(
                context, _designated(context, base, node.name), node.field.name, location_of(node)
            )
        case _:
            return _element_of(
                context,
                _designated(context, base, node.name),
                context.value(node.subscript),
                location_of(node),
            )


# -- the rest --------------------------------------------------------------------------------------------


def _generic(context: Context, node: Any) -> Expression:
    value = context.value(node.expr)
    controlling, width = value.type, bit_field_width(value, context.structs)
    is_part = isinstance(controlling, IntType) and width not in {None, controlling.width}
    qualified = qualifiers.of_value(node.expr, partial(_declaration, context))
    default = None
    chosen: list[Any] = []
    for association in node.associations:
        if association.type is None:
            default = association.expr
        elif is_part:  # no type that has a name is that of so many bits
            continue
        elif composite_type(type_names.of(context, association.type), controlling) is not None:
            # Types here do not keep qualifiers: the text tells, where it can. No value is qualified itself.
            named = qualifiers.of_type(association.type, partial(_declaration, context))
            if not (named and named[0]) and not qualifiers.differ(named, qualified):
                chosen.append(association.expr)
    if not chosen and default is None:
        raise InputError(f"_Generic has no association for {type_in_words(controlling)}", location_of(node))
    if len({_shown(expression) for expression in chosen}) > 1:
        message = "_Generic with types that differ in 'const' or 'volatile' only is not supported yet"
        raise UnsupportedError(message, location_of(node))
    return designator(context, chosen[0] if chosen else default)


def _declaration(context: Context, named: Any) -> Any:
    """The declaration of a name, or of the member that an expression names."""
    if isinstance(named, str):
        return context.scopes.written(named)
    member = designator(context, named)
    record = context.records.get(getattr(member, "struct_key", ""))
    declared = () if record is None else record.decls
    return next((one for one in declared if getattr(one, "name", None) == named.field.name), None)


def _nothing(ctype: CType, at: Location) -> Expression:
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


def _size_in_bytes(ctype: CType, at: Location, context: Context) -> int:
    """``sizeof``: that of ``void`` and of functions is 1 (GNU)."""
    if ctype == VOID or isinstance(ctype, FunctionType):
        return 1
    require_complete(ctype, context.structs, at, "'sizeof' of")
    return size_of_type(ctype, context.structs)


_RULES: Final[Mapping[type[Any], Callable[[Context, Any], Expression]]] = {
    c_ast.Constant: _constant,
    c_ast.ID: _name,
    c_ast.BinaryOp: _binary,
    c_ast.UnaryOp: _unary,
    c_ast.Assignment: _assignment,
    c_ast.FuncCall: _call,
    c_ast.StructRef: _member,
    c_ast.ArrayRef: _index,
    c_ast.Cast: _cast,
    c_ast.TernaryOp: _conditional,
    c_ast.ExprList: _comma,
    c_ast.CompoundLiteral: initializers.compound_literal,
    c_ast.GenericSelection: _generic,
    StatementExpressionNode: lambda context, node: context.rules.statement_expression(context, node.body),
    LabelAddressNode: label_address,
}
"""The rule of each kind of expression."""
