"""``__builtin_add_overflow`` and its kin: the exact result in a wide type, stored cut, compared with what is left.

__builtin_mul_overflow(a, b, &r)    (int a, b, r)
-> ({ long a_ = a; long b_ = b; int *r_ = &r; long exact = a_ * b_; *r_ = (int)exact; exact != *r_; })
"""

from __future__ import annotations

import re
from typing import Any, Final
from typing import cast as typed

from pycparser import c_ast

from cfrontend.elaborate.context import Context
from cfrontend.elaborate.conversions import convert_for_assignment, implicit_conversion
from cfrontend.elaborate.held_values import behind_declarations, hold_value
from cfrontend.errors import InputError, Location
from cfrontend.syntax import tree
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    BOOL,
    INT,
    LLONG,
    UINT,
    ULLONG,
    CType,
    DataModelOfTypes,
    IntType,
    PointerType,
    exact_integer_type,
)

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
