"""The functions of math.h that are exact, by name, as operations of ``Floats``.

fmin(x, y)   ->   FUNCTIONS["fmin"](floats, format, width of the result, x, y)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from cfrontend.floats import Floats, Format
from cfrontend.terms import Term

Test: TypeAlias = Callable[..., Term]
"""(floats, format, operands …) to a Boolean."""

Function: TypeAlias = Callable[..., Term]
"""(floats, format, width of the result in bits, operands …) to a word."""


def _unordered(x: Floats, f: Format, a: Term, b: Term) -> Term:
    return x.t.or_(x.is_nan(f, a), x.is_nan(f, b))


def _less_or_greater(x: Floats, f: Format, a: Term, b: Term) -> Term:
    return x.t.or_(x.less(f, a, b), x.less(f, b, a))


TESTS: Final[Mapping[str, Test]] = {
    "isnan": lambda x, f, a: x.is_nan(f, a),
    "isinf": lambda x, f, a: x.is_infinite(f, a),
    "isfinite": lambda x, f, a: x.is_finite(f, a),
    "isnormal": lambda x, f, a: x.is_normal(f, a),
    "signbit": lambda x, f, a: x.is_negative(f, a),
    "isless": lambda x, f, a, b: x.less(f, a, b),
    "islessequal": lambda x, f, a, b: x.less_equal(f, a, b),
    "isgreater": lambda x, f, a, b: x.less(f, b, a),
    "isgreaterequal": lambda x, f, a, b: x.less_equal(f, b, a),
    "islessgreater": _less_or_greater,
    "isunordered": _unordered,
}
"""Functions that are true or false."""


FUNCTIONS: Final[Mapping[str, Function]] = {}
"""Functions that give a number."""
