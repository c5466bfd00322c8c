"""Operators of terms: their numbers, SMT-LIB names, and their values, the reference semantics of the term language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

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

OP_NAMES: Final = (
    *("const", "var", "not", "and", "or", "=", "bvult", "bvslt", "ite"),
    *("bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem"),
    *("bvand", "bvor", "bvxor", "bvnot", "bvneg", "bvshl", "bvlshr", "bvashr"),
    *("concat", "extract", "zero_extend", "sign_extend"),
)
"""SMT-LIB names by operator number."""


def signed_operator_value(value: int, width: int) -> int:
    """The two's complement reading of a ``width``-bit ``value``."""
    return value - (1 << width) if value >> (width - 1) else value


def _quotient(x: int, y: int, width: int) -> int:
    """A signed quotient, rounded towards zero."""
    a, b = signed_operator_value(x, width), signed_operator_value(y, width)
    if b == 0:
        return 1 if a < 0 else -1
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _remainder(x: int, y: int, width: int) -> int:
    """A signed remainder, with the sign of the dividend."""
    a, b = signed_operator_value(x, width), signed_operator_value(y, width)
    return a if b == 0 else a - b * _quotient(x, y, width)


def _flipped(x: Any, width: int) -> Any:
    """A word with the sign bit flipped: signed order becomes unsigned order."""
    return x ^ (1 << (width - 1))


OPERATOR_VALUES: Final[Mapping[int, Callable[[Any, Any, int, int], Any]]] = {
    NOT: lambda x, _y, _width, _inner: x ^ 1,
    EQ: lambda x, y, _width, _inner: x == y,
    ULT: lambda x, y, _width, _inner: x < y,
    SLT: lambda x, y, _width, inner: _flipped(x, inner) < _flipped(y, inner),
    ADD: lambda x, y, _width, _inner: x + y,
    SUB: lambda x, y, _width, _inner: x - y,
    MUL: lambda x, y, _width, _inner: x * y,
    UDIV: lambda x, y, _width, _inner: x // y if y else -1,
    UREM: lambda x, y, _width, _inner: x % y if y else x,
    SDIV: lambda x, y, width, _inner: _quotient(x, y, width),
    SREM: lambda x, y, width, _inner: _remainder(x, y, width),
    BAND: lambda x, y, _width, _inner: x & y,
    BOR: lambda x, y, _width, _inner: x | y,
    BXOR: lambda x, y, _width, _inner: x ^ y,
    BNOT: lambda x, _y, _width, _inner: ~x,
    NEG: lambda x, _y, _width, _inner: ~x + 1,
    SHL: lambda x, y, width, _inner: x << y if y < width else 0,
    LSHR: lambda x, y, width, _inner: x >> y if y < width else 0,
    ASHR: lambda x, y, width, _inner: signed_operator_value(x, width) >> min(y, width - 1),
    CONCAT: lambda x, y, width, inner: x << (width - inner) | y,
    EXTRACT: lambda x, low, _width, _inner: x >> low,
    ZEXT: lambda x, _y, _width, _inner: x,
    SEXT: lambda x, _y, _width, inner: _flipped(x, inner) - (1 << (inner - 1)),
}
"""Value of each operator whose operands all count, of unsigned words, to be cut to the width.

It gets the operands (of ``EXTRACT`` the lowest bit), the width of the result and that of the first operand. Division
follows SMT-LIB where the divisor is 0. All but divisions and shifts may be given arrays of numpy.
"""


def operator_value(op: int, x: int, y: int | None, width: int, inner: int) -> int:
    """The unsigned value of an operator, cut to the ``width`` of its result (0 for a Boolean); see the table."""
    value: int = OPERATOR_VALUES[op](x, y, width, inner)
    return value & ((1 << width) - 1) if width else int(value)
