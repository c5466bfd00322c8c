"""Functions that gcc computes of constant arguments when it compiles, so that their calls are constants.

enum { SHIFT = __builtin_ctz(64) };   static double pi = acos(-1.0);   static int n = strlen("abc");
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from cfrontend.syntax import tree
from cfrontend.syntax.types import DataModelOfTypes

_KNOWN: Final = re.compile(
    r"(?:__builtin_)?(?:(?:(?:a?(?:sin|cos|tan)h?|atan2|exp|exp2|expm1|log|log2|log10|log1p|pow|sqrt|cbrt|hypot|fmod"
    r"|fabs|ceil|floor|trunc|round|fmin|fmax|fdim|copysign)[fl]?)|l?l?abs|strlen|strcmp)"
    r"|__builtin_(?:(?:inf|huge_val|nans?)[fl]?|(?:clz|ctz|ffs|clrsb|popcount|parity)l?l?|bswap(?:16|32|64)|expect"
    r"|is(?:nan|inf|finite|normal)|signbit)"
)
"""Names of functions whose calls are constants of static initialisers."""

_BITS: Final = re.compile(r"__builtin_(clz|ctz|ffs|clrsb|popcount|parity)(l?l?)")
_SWAPS: Final = re.compile(r"__builtin_bswap(16|32|64)")


def is_folded_function(name: str) -> bool:
    """Whether gcc knows the value of a call with constant arguments."""
    return _KNOWN.fullmatch(name) is not None


def folded_call(
    call: tree.Call, value: Callable[[tree.Expression], int | None], model: DataModelOfTypes
) -> int | None:
    """The value of a call in a constant expression of integer type; None where it is not constant."""
    name = call.callee.name if isinstance(call.callee, tree.FunctionRef) else ""
    values = [value(argument) for argument in call.arguments]
    known = [one for one in values if one is not None]
    return _folded(name, known, model) if known and len(known) == len(values) else None


def _folded(name: str, values: Sequence[int], model: DataModelOfTypes) -> int | None:
    if found := _SWAPS.fullmatch(name):
        size = int(found[1]) // 8
        return int.from_bytes(values[0].to_bytes(size, "little"), "big")
    if found := _BITS.fullmatch(name):
        width = {"": 32, "l": model.word, "ll": 64}[found[2]]
        return _of_bits(found[1], values[0], values[0] & ((1 << width) - 1), width)
    return values[0] if name == "__builtin_expect" else None


def _of_bits(what: str, value: int, bits: int, width: int) -> int | None:
    match what:
        case "popcount":
            return bits.bit_count()
        case "parity":
            return bits.bit_count() & 1
        case "clrsb":
            return width - 1 - (value if value >= 0 else ~value).bit_length()
        case "ffs":
            return (bits & -bits).bit_length()
        case "clz" if bits:
            return width - bits.bit_length()
        case "ctz" if bits:
            return (bits & -bits).bit_length() - 1
        case _:
            return None
