"""Calls of math.h and of gcc's floating built-ins as pure functions that symbolic execution computes.

y = floorf(x)        ->   y = floor(x)              the format is that of the argument
m = frexp(x, &n)     ->   n = frexp_exponent(x);  m = frexp(x)
isnan(x)             ->   isnan(x)                  whatever floating type x has
"""

from __future__ import annotations

import re
from typing import Final

from cfrontend.elaborate.conversions import common_type
from cfrontend.lower import checks, evaluation_order, pure
from cfrontend.lower.context import Lowering
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import DOUBLE, FLOAT, INT, LONG_DOUBLE, FloatType, IntType, PointerType

_SUFFIXES: Final = {"f": FLOAT, "l": LONG_DOUBLE}

EXACT: Final = {
    name: count
    for count, names in (
        (1, "sqrt fabs floor ceil trunc round rint nearbyint roundeven logb"),
        (2, "fmod remainder copysign nextafter fdim fmax fmin ldexp scalbn scalbln"),
        (3, "fma"),
    )
    for name in names.split()
}
"""Functions whose value is exact or rounded once, with the number of their arguments; the result has their type."""

TO_INTEGER: Final = frozenset({"lround", "llround", "lrint", "llrint", "ilogb"})
"""Functions of one floating argument with an integer result."""

INEXACT: Final = {
    name: count
    for count, names in (
        (
            1,
            "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p",
        ),
        (1, "cbrt erf erfc lgamma tgamma j0 j1 y0 y1"),
        (2, "pow atan2 hypot"),
    )
    for name in names.split()
}
"""Functions that C and IEEE 754 leave the last bits of to the library."""

PRINTING: Final = {
    "__sfo_real_length": "printed_length",
    "__sfo_real_length_long": "printed_length",
    "__sfo_real_character": "printed_character",
    "__sfo_real_character_long": "printed_character",
}
"""Questions about the printed text of a number, by the name that the model of ``sprintf`` uses."""

_PARTS: Final = {"frexp": ("frexp_exponent", INT), "modf": ("trunc", None)}
"""Functions that store a second result: the function that gives it, and its type where it is not the argument's."""

_TESTS: Final = frozenset({"isnan", "isinf", "isfinite", "finite", "isnormal", "signbit", "isinf_sign"})
CLASSES: Final = frozenset({"isnan", "isinf", "isfinite", "isnormal"})
"""Questions, as they are lowered, that infinities and NaNs answer otherwise than finite numbers."""

_COMPARISONS: Final = frozenset(
    {"isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered"}
)
_GLIBC_CLASSES: Final = (0, 1, 4, 3, 2)
"""``FP_NAN``, ``FP_INFINITE``, ``FP_NORMAL``, ``FP_SUBNORMAL`` and ``FP_ZERO`` of glibc."""

_CONSTANTS: Final = {"inf": "inf", "huge_val": "inf", "nan": "nan", "nans": "nans"}


def _readings(name: str) -> list[tuple[str, FloatType]]:
    """The functions for double that a name can mean, with the type it then works on."""
    stem = name.removeprefix("__builtin_").removeprefix("__")
    found = [(stem, DOUBLE)]
    if stem[-1:] in ("f", "l"):
        found.append((stem[:-1], _SUFFIXES[stem[-1]]))
    return found


def is_floating_function(name: str) -> bool:
    """True if this module lowers calls of a function of this name, which only computes."""
    known = (
        EXACT.keys()
        | INEXACT.keys()
        | TO_INTEGER
        | _TESTS
        | _COMPARISONS
        | _CONSTANTS.keys()
        | {"fpclassify"}
    )
    return any(word in known for word, _ in _readings(name))


def math_call(x: Lowering, e: tree.Call, name: str) -> Expression | None:
    """The value of a call of a mathematical function, or None where ``name`` is none (or of another type)."""
    if name in PRINTING:
        return pure.computed(e, PRINTING[name], e.type, evaluation_order.pure_arguments(x, e.arguments))
    for word, ctype in _readings(name):
        found = _call(x, e, word, ctype, builtin=name.startswith("__builtin_"))
        if found is not None:
            return found
    return None


def _call(x: Lowering, e: tree.Call, word: str, ctype: FloatType, *, builtin: bool) -> Expression | None:
    given = e.arguments
    if word in _CONSTANTS and (builtin or word == "nan") and e.type == ctype:
        return _constant(x, e, word, ctype)
    if word in _TESTS and len(given) == 1 and isinstance(e.type, IntType):
        return _test(x, e, word)
    if word in _COMPARISONS and len(given) == 2:
        return _comparison(x, e, word)
    if word == "fpclassify" and len(given) == 6:
        return _classified(x, e, e.arguments[:5], _real(e.arguments[5]))
    if word == "fpclassify" and len(given) == 1 and given[0].type == ctype:
        numbers = (pure.constant(n, INT, e.location) for n in _GLIBC_CLASSES)
        return _classified(x, e, tuple(numbers), e.arguments[0])
    if not given or given[0].type != ctype:
        return None
    if len(given) in (EXACT.get(word), INEXACT.get(word)) and e.type == ctype:
        result = pure.computed(e, word, e.type, evaluation_order.pure_arguments(x, given))
        checks.floating_operation(x, result, e)
        return result
    if word in TO_INTEGER and len(given) == 1 and isinstance(e.type, IntType):
        return pure.computed(e, word, e.type, evaluation_order.pure_arguments(x, given))
    if word in _PARTS and len(given) == 2:
        return _parts(x, e, word)
    return None


def _constant(x: Lowering, e: tree.Call, word: str, ctype: FloatType) -> Expression | None:
    """``inf``, or a NaN with the payload that its argument spells."""
    spelled = _CONSTANTS[word]
    if e.arguments:
        tag = pure.literal_text(e.arguments[0])
        if tag is None or not re.fullmatch(r"|0[xX][0-9a-fA-F]+|[0-9]+", tag):
            x.emit.refuse(f"{word} of this text is not supported yet", e.location)
            return pure.placeholder(e)
        quiet = 1 << ({32: 24, 64: 53, 80: 64}[ctype.width] - 2)
        payload = (
            int(tag, 16 if tag.lower().startswith("0x") else 8 if tag.startswith("0") else 10) if tag else 0
        )
        payload &= quiet - 1
        fraction = quiet | payload if word == "nan" else payload or quiet >> 1
        spelled = f"nan({fraction:#x})"
    return tree.FloatConstant(type=ctype, location=e.location, value=spelled)


def _real(e: Expression) -> Expression:
    """The argument of a type-generic function: integers are doubles, and a float is no double yet."""
    if isinstance(e, tree.Cast) and e.implicit and e.operand.type == FLOAT:
        return e.operand
    if isinstance(e.type, FloatType):
        return e
    return tree.Cast(type=DOUBLE, location=e.location, operand=e, implicit=True)


def _test(x: Lowering, e: tree.Call, word: str) -> Expression:
    """A class of one value; ``isinf_sign`` is -1 of minus infinity."""
    value = x.value(_real(e.arguments[0]))
    if word != "isinf_sign":
        return pure.computed(e, "isfinite" if word == "finite" else word, INT, [value])
    value = x.emit.saved(value)
    one, minus, zero = (pure.constant(n, INT, e.location) for n in (1, -1, 0))
    sign = _choose(e, pure.computed(e, "signbit", INT, [value]), minus, one)
    return _choose(e, pure.computed(e, "isinf", INT, [value]), sign, zero)


def _choose(e: Expression, condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    return tree.Conditional(
        type=then.type, location=e.location, condition=condition, then=then, otherwise=otherwise
    )


def _comparison(x: Lowering, e: tree.Call, word: str) -> Expression | None:
    """A comparison in the common type of its arguments."""
    reals = [_real(a) for a in e.arguments]
    ctype = common_type(reals[0].type, reals[1].type)
    if ctype is None:
        return None
    given = [
        a if a.type == ctype else tree.Cast(type=ctype, location=a.location, operand=a, implicit=True)
        for a in reals
    ]
    return pure.computed(e, word, INT, evaluation_order.pure_arguments(x, given))


def _classified(x: Lowering, e: tree.Call, classes: tuple[Expression, ...], real: Expression) -> Expression:
    """``__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)``."""
    nan, infinite, normal, subnormal, zero = (x.value(a) for a in classes)
    value = x.emit.saved(x.value(real))
    result = _choose(e, value, subnormal, zero)
    for name, answer in (("isnormal", normal), ("isinf", infinite), ("isnan", nan)):
        result = _choose(e, pure.computed(e, name, INT, [value]), answer, result)
    return result


def _parts(x: Lowering, e: tree.Call, word: str) -> Expression | None:
    """The second result goes where the last argument points."""
    second, stored = _PARTS[word]
    value, pointer = evaluation_order.pure_arguments(x, e.arguments)
    target = stored or value.type
    if not isinstance(pointer.type, PointerType) or pointer.type.target != target:
        return None
    value = x.emit.saved(value)
    place = tree.Deref(type=target, location=e.location, pointer=pointer)
    checks.access(x, place, write=True)
    x.emit.assign(place, pure.computed(e, second, target, [value]))
    return pure.computed(e, word, e.type, [value])
