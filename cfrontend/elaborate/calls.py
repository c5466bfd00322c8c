"""Calls: direct, through pointers, undeclared, and the few names that are part of the language.

Arguments arrive converted to the parameters' types, or promoted where no prototype tells them.

    printf("%d", c)      ->   Call(FunctionRef("printf"), (Decay("%d"), Cast(int, c)))
    assert(p)            ->   Call(FunctionRef("assert"), (Binary("!=", p, Cast(int *, 0)),))
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final
from typing import cast as typed

from pycparser import c_ast

from cfrontend.elaborate import builtins, operators, qualifiers, type_names, variable_length
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
from cfrontend.elaborate.held_values import behind_declarations, hold_value
from cfrontend.errors import InputError, Location
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import PreprocessedFile
from cfrontend.syntax import queries, tree
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    BOOL,
    INT,
    LLONG,
    UINT,
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
    StructTypeTable,
    VoidType,
    exact_integer_type,
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


# -- overflow builtins -------------------------------------------------------------------------------------------

# ``__builtin_add_overflow`` and its kin: the exact result in a wide type, stored cut, compared with what is left.
#
# __builtin_mul_overflow(a, b, &r)    (int a, b, r)
# -> ({ long a_ = a; long b_ = b; int *r_ = &r; long exact = a_ * b_; *r_ = (int)exact; exact != *r_; })

_NAME: Final = re.compile(r"__builtin_([su]?)(add|sub|mul)(ll|l|)_overflow(_p|)")


def _fixed_type(letters: str, model: DataModelOfTypes) -> IntType | None:
    """The type that the letters in a name ask for, if they do."""
    types = {"s": INT, "sl": model.long, "sll": LLONG, "u": UINT, "ul": model.ulong, "ull": ULLONG}
    return types.get(letters)


_OF_CPROVER: Final = {
    "__CPROVER_overflow_plus": ("add", "+"),
    "__CPROVER_overflow_minus": ("sub", "-"),
    "__CPROVER_overflow_mult": ("mul", "*"),
}
"""CBMC's names of these questions, which ask about the type of the operation itself."""

_OPERATORS: Final = {"add": "+", "sub": "-", "mul": "*"}


def overflow_builtin(context: Context, name: str, arguments: list[Any], at: Location) -> Expression | None:
    """The call of an overflow builtin; None for any other name.

    The third argument of the ``_p`` variants only tells a type.
    """
    found = _NAME.fullmatch(name)
    if found is None or len(arguments) != 3 or (found[3] and not found[1]):
        return None
    operands = [context.value(argument) for argument in arguments]
    fixed = _fixed_type(found[1] + found[3], context.model)
    if fixed is not None:
        operands[:2] = [
            convert_for_assignment(operand, fixed, f"an argument of '{name}'") for operand in operands[:2]
        ]
    result = _result_type(name, operands[2], stores=not found[4])
    widths = []
    for operand in operands[:2]:
        if not isinstance(operand.type, IntType):
            raise InputError(f"an argument of '{name}' has {type_in_words(operand.type)}", operand.location)
        widths.append(operand.type.width + 1)
    bits = max(sum(widths) if found[2] == "mul" else max(widths) + 1, result.width + 1)
    wide = exact_integer_type(bits)
    declared: list[tree.Statement] = []
    left = hold_value(context, "<left>", implicit_conversion(operands[0], wide), declared)
    right = hold_value(context, "<right>", implicit_conversion(operands[1], wide), declared)
    operator = typed("tree.BinaryOp", _OPERATORS[found[2]])
    pointer = None if found[4] else hold_value(context, "<result>", operands[2], declared)
    exact = hold_value(
        context, "<exact>", tree.Binary(type=wide, location=at, op=operator, left=left, right=right), declared
    )
    kept = tree.Cast(type=result, location=at, operand=exact, implicit=False)
    if pointer is not None:
        target = tree.Deref(type=result, location=at, pointer=pointer)
        stored = tree.Assign(type=result, location=at, target=target, value=kept)
        declared.append(tree.ExpressionStatement(location=at, expression=stored))
    differs = tree.Binary(type=INT, location=at, op="!=", left=exact, right=implicit_conversion(kept, wide))
    return behind_declarations(declared, implicit_conversion(differs, BOOL), at)


def cprover_overflow_builtin(
    context: Context, name: str, arguments: list[Any], at: Location
) -> Expression | None:
    """``__CPROVER_overflow_plus(a, b)``: whether ``a + b`` fits its own type; None for any other call."""
    if name not in _OF_CPROVER or len(arguments) != 2:
        return None
    word, operator = _OF_CPROVER[name]
    result = c_ast.BinaryOp(operator, *arguments, at)
    return overflow_builtin(context, f"__builtin_{word}_overflow_p", [*arguments, result], at)


def _result_type(name: str, operand: Expression, *, stores: bool) -> IntType:
    ctype: CType | None = operand.type
    if stores:
        ctype = operand.type.target if isinstance(operand.type, PointerType) else None
    if not isinstance(ctype, IntType):
        raise InputError(f"the last argument of '{name}' has {type_in_words(operand.type)}", operand.location)
    return ctype


# -- generic builtins --------------------------------------------------------------------------------------------

# Generic builtins as what they mean to a program with one thread: ``__sync_*``, ``__atomic_*``, ``__builtin_clzg``.
#
# Each is a statement expression in C, into which the arguments of the call are put. The memory orders behind them
# say nothing here. One that may have a default for zero stands there once for each number of arguments.
#
#     __sync_fetch_and_add(&n, 2)
#     -> ({ __auto_type p = &n; __typeof__(*p) v = 2; __typeof__(*p) o = *p; *p = o + v; o; })

_CHANGES: Final = {
    "add": "o + v",
    "sub": "o - v",
    "or": "o | v",
    "and": "o & v",
    "xor": "o ^ v",
    "nand": "~(o & v)",
}

_P: Final = "__auto_type p = A0; "
_V: Final = "__typeof__(*p) v = A1; "
_OLD: Final = "__typeof__(*p) o = *p; "

_LOCK_FREE: Final = "unsigned long n = A0; (void)(A1); (_Bool)(n == 1 || n == 2 || n == 4 || n == 8);"
"""Whether objects of this size are read and written at once; larger ones and odd ones are taken for locked."""

_N: Final = "__typeof__(A0) n = A0; "
_UNUSED_BITS: Final = "(64 - 8 * (int)sizeof n)"

_TEMPLATES: Final[Mapping[str, str]] = {
    "__builtin_clzg 1": f"{_N}__builtin_clzll(n) - {_UNUSED_BITS};",
    "__builtin_clzg 2": f"{_N}n ? __builtin_clzll(n) - {_UNUSED_BITS} : A1;",
    "__builtin_ctzg 1": f"{_N}__builtin_ctzll(n);",
    "__builtin_ctzg 2": f"{_N}n ? __builtin_ctzll(n) : A1;",
    "__builtin_clrsbg": f"{_N}__builtin_clrsbll(n) - {_UNUSED_BITS};",
    **{f"__builtin_{name}g": f"{_N}__builtin_{name}ll(n);" for name in ("ffs", "popcount", "parity")},
    "__sync_bool_compare_and_swap": f"{_P}{_V}__typeof__(*p) w = A2; {_OLD}o == v ? (*p = w) : o; (_Bool)(o == v);",
    "__sync_val_compare_and_swap": f"{_P}{_V}__typeof__(*p) w = A2; {_OLD}o == v ? (*p = w) : o; o;",
    "__sync_lock_test_and_set": f"{_P}{_V}{_OLD}*p = v; o;",
    "__sync_lock_release": f"{_P}*p = 0; (void)0;",
    "__sync_synchronize": "(void)0;",
    "__atomic_load_n": f"{_P}*p;",
    "__atomic_load": f"{_P}__auto_type q = A1; *q = *p; (void)0;",
    "__atomic_store_n": f"{_P}{_V}*p = v; (void)0;",
    "__atomic_store": f"{_P}__auto_type q = A1; *p = *q; (void)0;",
    "__atomic_exchange_n": f"{_P}{_V}{_OLD}*p = v; o;",
    "__atomic_exchange": f"{_P}__auto_type q = A1; __auto_type r = A2; {_OLD}*p = *q; *r = o; (void)0;",
    "__atomic_compare_exchange_n": (
        f"{_P}__auto_type q = A1; __typeof__(*p) w = A2; __typeof__(*p) v = *q; {_OLD}"
        "o == v ? (*p = w) : (*q = o); (_Bool)(o == v);"
    ),
    "__atomic_compare_exchange": (
        f"{_P}__auto_type q = A1; __auto_type r = A2; __typeof__(*p) v = *q; {_OLD}"
        "o == v ? (*p = *r) : (*q = o); (_Bool)(o == v);"
    ),
    "__atomic_test_and_set": "char *p = (char *)A0; char o = *p; *p = 1; (_Bool)o;",
    "__atomic_clear": "char *p = (char *)A0; *p = 0; (void)0;",
    "__atomic_is_lock_free": _LOCK_FREE,
    "__atomic_always_lock_free": _LOCK_FREE,
    "__atomic_thread_fence": "(void)0;",
    "__atomic_signal_fence": "(void)0;",
    **{f"__sync_fetch_and_{n}": f"{_P}{_V}{_OLD}*p = {change}; o;" for n, change in _CHANGES.items()},
    **{f"__sync_{n}_and_fetch": f"{_P}{_V}{_OLD}*p = {change}; *p;" for n, change in _CHANGES.items()},
    **{f"__atomic_fetch_{n}": f"{_P}{_V}{_OLD}*p = {change}; o;" for n, change in _CHANGES.items()},
    **{f"__atomic_{n}_fetch": f"{_P}{_V}{_OLD}*p = {change}; *p;" for n, change in _CHANGES.items()},
}

_ARGUMENT: Final = re.compile(r"A(\d)")

_CHANGES_POINTER: Final = re.compile("add|sub")

_OF_TYPES: Final[Mapping[type[CType], Sequence[tuple[str, str]]]] = {
    PointerType: (
        (_V, "long v = A1; "),
        ("*p = o + v;", "*p = (__typeof__(o))((char *)o + v);"),
        ("*p = o - v;", "*p = (__typeof__(o))((char *)o - v);"),
    ),
    StructType: (("o == v", "__builtin_memcmp(&o, &v, sizeof o) == 0"),),
}
"""Changes of a template for what the first argument points to: gcc adds bytes to pointers."""


def is_atomic_builtin(name: str) -> bool:
    """Whether a call of this name is given its meaning by ``atomic_builtin``."""
    return name in _TEMPLATES or f"{name} 1" in _TEMPLATES


def atomic_builtin(name: str, arguments: list[Any], ctype: CType, at: Location) -> Any:
    """Pycparser's tree of what a call of a generic builtin means; None for any other name or too few arguments.

    ``ctype`` is the type of the object that the first argument points to.
    """
    text = _TEMPLATES.get(name) or _TEMPLATES.get(f"{name} {len(arguments)}")
    if text is not None and not (isinstance(ctype, PointerType) and not _CHANGES_POINTER.search(name)):
        for old, new in _OF_TYPES.get(type(ctype), ()):
            text = text.replace(old, new)
    if text is None or len(arguments) < 1 + max((int(n) for n in _ARGUMENT.findall(text)), default=-1):
        return None
    return _filled(copy.deepcopy(_parsed(text)), arguments, at)


@cache
def _parsed(text: str) -> Any:
    parsed = parse_file(PreprocessedFile("<built-in>", f"void f(void) {{ ({{ {text} }}); }}", {}))
    return parsed.tree.ext[0].body.block_items[0]


def _filled(node: Any, arguments: list[Any], at: Location) -> Any:
    """The template with the arguments in place, everywhere at the place of the call.

    Its own names become such as no program can write, so that they hide nothing.
    """
    if isinstance(node, c_ast.ID) and (found := _ARGUMENT.fullmatch(node.name)):
        return arguments[int(found[1])]
    if isinstance(node, c_ast.Node):
        node.coord = at
        for slot in node.__slots__:
            value = getattr(node, slot, None)
            if slot in {"name", "declname"} and isinstance(value, str) and len(value) == 1:
                setattr(node, slot, f"<{value}>")
            elif isinstance(value, c_ast.Node):
                setattr(node, slot, _filled(value, arguments, at))
            elif isinstance(value, list) and slot not in {"names", "quals", "storage"}:
                setattr(node, slot, [_filled(part, arguments, at) for part in value])
    return node
