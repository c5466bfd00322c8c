"""Calls: direct, through pointers, undeclared, and the few names that are part of the language.

Arguments arrive converted to the parameters' types, or promoted where no prototype tells them.

    printf("%d", c)      ->   Call(FunctionRef("printf"), (Decay("%d"), Cast(int, c)))
    assert(p)            ->   Call(FunctionRef("assert"), (Binary("!=", p, Cast(int *, 0)),))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from pycparser import c_ast

from cfrontend.elaborate import builtins, operators, qualifiers, type_names, variable_length
from cfrontend.elaborate.atomics import atomic_builtin, is_atomic_builtin
from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.context import Context, location_of
from cfrontend.elaborate.conversions import (
    composite_type,
    convert_for_assignment,
    decayed,
    default_promoted,
    implicit_conversion,
    require_complete,
)
from cfrontend.elaborate.overflow import cprover_overflow_builtin, overflow_builtin
from cfrontend.errors import InputError, Location
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    INT,
    VOID,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    StructTypeTable,
    VoidType,
    is_complete_object_type,
    size_of_type,
)

_NEWER: Final = {"unreachable": "__builtin_unreachable"}
"""Builtins behind macros of C23, by what is called where a program declares nothing of the name."""

CONDITION_FUNCTIONS: Final = frozenset(
    {
        *("assert", "__VERIFIER_assert", "__VERIFIER_assume", "__CPROVER_assert", "__CPROVER_assume"),
        *("__CPROVER_precondition", "__CPROVER_postcondition", "__ESBMC_assert", "__ESBMC_assume"),
    }
)
"""Their first argument is a condition of any scalar type, unless the program defines them or says which type."""


def call(context: Context, node: Any) -> Expression:
    """A call, or one of the operators that are spelled like one."""
    special = _special(context, node)
    if special is not None:
        return special
    callee = _callee(context, node.name)
    ctype = _called_type(callee, location_of(node))
    if not isinstance(ctype.result, VoidType):
        what = "call of a function that returns"
        require_complete(ctype.result, context.structs, location_of(node), what)
    arguments = _arguments(context, node, callee, ctype)
    return tree.Call(type=ctype.result, location=location_of(node), callee=callee, arguments=arguments)


def _callee(context: Context, node: Any) -> Expression:
    if isinstance(node, c_ast.ID) and context.scopes.find(node.name) is None:
        if node.name in _NEWER and node.name not in context.program.defined:
            return _callee(context, c_ast.ID(_NEWER[node.name], node.coord))
        builtins.declare_implicitly(context, node.name, location_of(node))
    callee = context.designator(node)
    if isinstance(callee, tree.FunctionRef):
        return callee
    callee = decayed(callee)
    is_address = isinstance(callee, tree.AddressOf) and isinstance(callee.operand, tree.FunctionRef)
    return callee.operand if is_address and isinstance(callee, tree.AddressOf) else callee


# -- arguments -------------------------------------------------------------------------------------------


def _arguments(
    context: Context, node: Any, callee: Expression, ctype: FunctionType
) -> tuple[Expression, ...]:
    nodes = [] if node.args is None else node.args.exprs
    values = [context.value(argument) for argument in nodes]
    name = callee.name if isinstance(callee, tree.FunctionRef) else ""
    described_name = f"'{name}'" if name else "the called function"
    if ctype.prototyped:
        _check_count(described_name, len(values), ctype, location_of(node))
    expected: Sequence[CType] = ctype.parameters if ctype.prototyped else ()
    return tuple(
        [
            operators.condition_operand(value)
            if index == 0 and _takes_condition(context, name, value, expected)
            else convert_for_assignment(value, expected[index], f"argument {index + 1} of {described_name}")
            if index < len(expected)
            else default_promoted(value, context.structs)
            for index, value in enumerate(values)
        ]
    )


def _takes_condition(context: Context, name: str, value: Expression, expected: Sequence[CType]) -> bool:
    """True if ``value`` is only tested: a declared ``__VERIFIER_assume(int)`` gets an integer converted."""
    if name not in CONDITION_FUNCTIONS or name in context.program.defined:
        return False
    return name == "assert" or not expected or not isinstance(value.type, IntType)


# -- operators spelled like calls ------------------------------------------------------------------------


def _special(context: Context, node: Any) -> Expression | None:
    if not isinstance(node.name, c_ast.ID):
        return None
    at = location_of(node)
    arguments = [] if node.args is None else node.args.exprs
    if not node.name.name.startswith(builtins.COMPILER_PREFIXES):
        return cprover_overflow_builtin(context, node.name.name, arguments, at)
    match node.name.name, arguments:
        case "__builtin_va_arg", [argument_list, type_name]:
            return _va_arg(context, argument_list, type_name, node)
        case "__builtin_types_compatible_p", [first, second]:
            same = composite_type(type_names.of(context, first), type_names.of(context, second)) is not None
            # Types here keep neither the qualifiers of targets nor enumerations: the names tell, where they can.
            find = context.scopes.written
            same &= not qualifiers.differ(qualifiers.of_type(first, find), qualifiers.of_type(second, find))
            enumerations = [type_names.enumeration(context, each) for each in (first, second)]
            same &= None in enumerations or enumerations[0] == enumerations[1]
            return tree.IntConstant(type=INT, location=at, value=int(same))
        case "__builtin_choose_expr", [condition, then, otherwise]:
            chosen = context.constant(condition, "the first argument of '__builtin_choose_expr'")
            return context.designator(then if chosen else otherwise)
        case "__builtin_constant_p", [argument]:
            value = constant_value(context.value(argument), context.structs)
            return tree.IntConstant(type=INT, location=at, value=int(value is not None))
        case "__builtin_classify_type", [argument]:
            known = _type_class(context.value(argument).type, context.structs)
            return tree.IntConstant(type=INT, location=at, value=known)
        case "__builtin_expect_with_probability", [argument, _, _]:
            return context.value(argument)
        case "__builtin_prefetch", [argument, *_]:
            return implicit_conversion(context.value(argument), VOID)
        case "__builtin_assume_aligned", [argument, *_]:
            return convert_for_assignment(context.value(argument), PointerType(VOID), "argument 1")
        case "__builtin_object_size" | "__builtin_dynamic_object_size", [argument, kind]:
            return _object_size(context, argument, kind, at)
        case name, _:
            return _generic(context, name, arguments, at)


def _generic(context: Context, name: str, arguments: list[Any], at: Location) -> Expression | None:
    """The builtins that take arguments of any integer type."""
    ctype = VOID if not is_atomic_builtin(name) or not arguments else _target_type(context, arguments[0])
    if (statements := atomic_builtin(name, arguments, ctype, at)) is not None:
        value = context.value(statements)
        return replace(value, is_written=False) if isinstance(value, tree.StatementExpression) else value
    return overflow_builtin(context, name, arguments, at)


def _target_type(context: Context, argument: Any) -> CType:
    """The type that the value of an argument points to; void where it is no pointer."""
    ctype = context.value(argument).type
    return ctype.target if isinstance(ctype, PointerType) else VOID


def _object_size(context: Context, argument: Any, kind_node: Any, at: Location) -> Expression:
    """Value of ``__builtin_object_size`` of what a variable or a string literal has behind constant steps.

    Kinds 1 and 3 are about the closest part that is named. Anything else is -1 (0 for a lower limit).
    """
    kind = context.constant(kind_node, "the second argument of '__builtin_object_size'")
    known = _rest_of_object(context, context.value(argument), is_of_part=bool(kind & 1))
    size = (0 if kind & 2 else -1) if known is None else known
    size %= 1 << context.model.size.width
    return tree.IntConstant(type=context.model.size, location=at, value=size)


def _rest_of_object(context: Context, pointer: Expression, *, is_of_part: bool) -> int | None:
    """The bytes from where a pointer leads to the end of the object, or of the part that it names."""
    structs = context.structs
    found = queries.pointed_part(pointer, structs)
    if found is not None and isinstance(found.part, tree.Index) and not found.steps:
        row = tree.AddressOf(type=pointer.type, location=pointer.location, operand=found.part)
        found = queries.pointed_part(row, structs)  # gcc goes on behind a row as in &rows[i]
    if found is None:
        return None
    part, offset, rest = found.part, 0, None
    for op, index, size in found.steps:
        known = constant_value(index, structs)
        if known is None:
            return None
        offset += known * size if op == "+" else -known * size
    if is_of_part:
        rest = _rest(context, part, offset)
    while not isinstance(part, tree.VariableRef | tree.StringLiteral):
        match part:
            case tree.MemberAccess(base=part, struct_key=key, member=name):
                offset += next(m.offset for m in structs[key].members if m.name == name)
            case tree.Index(base=part, index=index) as element if isinstance(part.type, ArrayType):
                known = constant_value(index, structs)
                if known is None:
                    return None
                offset += known * size_of_type(element.type, structs)
            case _:
                return None
    return _rest(context, part, offset) if rest is None else rest


def _rest(context: Context, part: Expression, offset: int) -> int | None:
    """The bytes of a part behind an offset, which is not in front of it."""
    structs = context.structs
    is_known = (
        offset >= 0
        and is_complete_object_type(part.type, structs)
        and not variable_length.is_variable(part.type)
    )
    return max(0, size_of_type(part.type, structs) - offset) if is_known else None


def _va_arg(context: Context, argument_list: Any, type_name: Any, node: Any) -> Expression:
    """``va_arg(list, T)`` as a call with the result type T."""
    ctype = type_names.of(context, type_name)
    value = context.value(argument_list)
    function = FunctionType(ctype, (value.type,))
    callee = tree.FunctionRef(type=function, location=location_of(node.name), name="__builtin_va_arg")
    return tree.Call(type=ctype, location=location_of(node), callee=callee, arguments=(value,))


def _called_type(callee: Expression, at: Location) -> FunctionType:
    match callee.type:
        case FunctionType() as ctype:
            return ctype
        case PointerType(target=FunctionType() as ctype):
            return ctype
        case _:
            raise InputError(
                f"the called object has {type_in_words(callee.type)}, which is not a function", at
            )


def _check_count(name: str, count: int, ctype: FunctionType, at: Location) -> None:
    wanted = len(ctype.parameters)
    if count < wanted:
        raise InputError(f"too few arguments to {name}: {count} instead of {wanted}", at)
    if count > wanted and not ctype.variadic:
        raise InputError(f"too many arguments to {name}: {count} instead of {wanted}", at)


def _type_class(ctype: CType, structs: StructTypeTable) -> int:
    """Type class of a type, as ``__builtin_classify_type`` yields it (gcc's ``typeclass.h``)."""
    match ctype:
        case IntType():
            return 1
        case PointerType():
            return 5
        case FloatType():
            return 8
        case StructType(key=key):
            return 13 if structs[key].is_union else 12
        case _:
            return -1
