"""The term constructors of the operators of C."""

from __future__ import annotations

from typing import Final

ARITHMETIC: Final = {
    "+": ("add", "add"),
    "-": ("sub", "sub"),
    "*": ("mul", "mul"),
    "/": ("sdiv", "udiv"),
    "%": ("srem", "urem"),
    "&": ("band", "band"),
    "|": ("bor", "bor"),
    "^": ("bxor", "bxor"),
    "<<": ("shl", "shl"),
    ">>": ("ashr", "lshr"),
}
"""Names of the term constructors of each operator, for signed and for unsigned operands."""

COMPARISONS: Final = {
    "==": ("eq", "eq"),
    "!=": ("eq", "eq"),
    "<": ("slt", "ult"),
    "<=": ("sle", "ule"),
    ">": ("slt", "ult"),
    ">=": ("sle", "ule"),
}
