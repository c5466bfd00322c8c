"""Operators of terms: their numbers, SMT-LIB names, and the semantics of those that Python defines otherwise."""

from __future__ import annotations

from typing import Final

CONST: Final = 0
VAR: Final = 1
NOT: Final = 2
AND: Final = 3
OR: Final = 4
EQ: Final = 5
ULT: Final = 6
SLT: Final = 7
ITE: Final = 8
ADD: Final = 9
SUB: Final = 10
MUL: Final = 11
UDIV: Final = 12
UREM: Final = 13
SDIV: Final = 14
SREM: Final = 15
BAND: Final = 16
BOR: Final = 17
BXOR: Final = 18
BNOT: Final = 19
NEG: Final = 20
SHL: Final = 21
LSHR: Final = 22
ASHR: Final = 23
CONCAT: Final = 24
EXTRACT: Final = 25
ZEXT: Final = 26
SEXT: Final = 27

PRODUCTS: Final = frozenset({MUL, UDIV, UREM, SDIV, SREM})
"""Operators with about as many gates as the square of their bits."""

OP_NAMES: Final = [
    "const",
    "var",
    "not",
    "and",
    "or",
    "=",
    "bvult",
    "bvslt",
    "ite",
    "bvadd",
    "bvsub",
    "bvmul",
    "bvudiv",
    "bvurem",
    "bvsdiv",
    "bvsrem",
    "bvand",
    "bvor",
    "bvxor",
    "bvnot",
    "bvneg",
    "bvshl",
    "bvlshr",
    "bvashr",
    "concat",
    "extract",
    "zero_extend",
    "sign_extend",
]
"""SMT-LIB names by operator number."""


def signed_operator_value(value: int, width: int) -> int:
    """The two's complement reading of a ``width``-bit ``value``."""
    return value - (1 << width) if value >> (width - 1) else value


def divide_operator_value(op: int, a: int, b: int, width: int) -> int:
    """Quotient or remainder of two ``width``-bit values, by SMT-LIB where ``b`` is 0."""
    if op in (SDIV, SREM):
        x, y = signed_operator_value(a, width), signed_operator_value(b, width)
        if y == 0:
            return x if op == SREM else (1 if x < 0 else -1)
        quotient = abs(x) // abs(y)
        if (x < 0) != (y < 0):
            quotient = -quotient
        return quotient if op == SDIV else x - y * quotient
    if b == 0:
        return a if op == UREM else -1
    return a // b if op == UDIV else a % b


def shift_operator_value(op: int, a: int, amount: int, width: int) -> int:
    """A shifted ``width``-bit value, not yet cut to the width."""
    if op == SHL:
        return a << amount if amount < width else 0
    if op == LSHR:
        return a >> amount if amount < width else 0
    return signed_operator_value(a, width) >> min(amount, width - 1)
