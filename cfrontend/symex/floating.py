"""Functions of math.h, by name: exactly computed as operations of ``FloatTerms``, all others by a case split.

fmin(x, y)   ->   FUNCTIONS["fmin"](floats, format, width of the result, x, y)
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final, TypeAlias, final

from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.paths import conjuncts
from cfrontend.terms import Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.evaluate import evaluate_terms_in_order
from cfrontend.terms.floats import FloatFormat, FloatTerms, Rounding, UnknownFloatTerm
from cfrontend.terms.substitute import substitute_values

Test: TypeAlias = Callable[..., Term]
"""Floating predicate: a function of (floats, format, operands …) that gives a Boolean."""

Function: TypeAlias = Callable[..., Term]
"""Floating function: a function of (floats, format, width of the result in bits, operands …) that gives a word."""


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
    "islessgreater": lambda x, f, a, b: x.t.or_(x.less(f, a, b), x.less(f, b, a)),
    "isunordered": lambda x, f, a, b: x.t.or_(x.is_nan(f, a), x.is_nan(f, b)),
}
"""Floating predicates of math.h, by name."""


def _to_long(rounding: Rounding) -> Function:
    """The functions ``lround`` and ``lrint``: rounding to an integer."""
    return lambda x, f, width, a: x.to_word(f, x.round_to_integral(f, a, rounding), width)


def _integral(rounding: Rounding) -> Function:
    return lambda x, f, width, a: x.round_to_integral(f, a, rounding)


def _logb(x: FloatTerms, f: FloatFormat, width: int, a: Term) -> Term:
    """The function ``logb``: the exponent as a floating value; minus infinity of zero, infinity of infinities."""
    t = x.t
    result = x.from_integer(f, x.exponent(f, a, 32), signed=True)
    result = t.ite(x.truth(f, a), result, t.const(f.infinity(negative=True), width))
    result = t.ite(x.is_infinite(f, a), t.const(f.infinity(negative=False), width), result)
    return t.ite(x.is_nan(f, a), x.quiet(f, a), result)


def _ilogb(x: FloatTerms, f: FloatFormat, width: int, a: Term) -> Term:
    """The function ``ilogb``: the exponent as an integer.

    It is the smallest integer of zero and NaNs, and the largest of infinities, as in glibc.
    """
    t = x.t
    least, most = t.const(1 << (width - 1), width), t.const((1 << (width - 1)) - 1, width)
    result = t.ite(x.truth(f, a), x.exponent(f, a, width), least)
    return t.ite(x.is_nan(f, a), least, t.ite(x.is_infinite(f, a), most, result))


def _mantissa(x: FloatTerms, f: FloatFormat, _: int, a: Term) -> Term:
    """The mantissa of ``frexp``: the value with the exponent that brings it into [0.5, 1)."""
    t = x.t
    plain = t.and_(x.is_finite(f, a), x.truth(f, a))
    kept = t.ite(x.is_nan(f, a), x.quiet(f, a), a)
    return t.ite(plain, x.mantissa(f, a), kept)


def _mantissa_exponent(x: FloatTerms, f: FloatFormat, width: int, a: Term) -> Term:
    """The exponent of ``frexp``: the power of two that is taken out; 0 of zeros, infinities and NaNs."""
    t = x.t
    plain = t.and_(x.is_finite(f, a), x.truth(f, a))
    return t.ite(plain, t.add(x.exponent(f, a, width), t.const(1, width)), t.const(0, width))


def _fraction(x: FloatTerms, f: FloatFormat, width: int, a: Term) -> Term:
    """The fraction of ``modf``: the part behind the point, with the sign of the operand."""
    t = x.t
    rest = x.subtract(f, a, x.round_to_integral(f, a, "zero"))
    rest = t.ite(x.is_infinite(f, a), t.const(0, width), rest)
    return t.ite(x.is_nan(f, a), x.quiet(f, a), x.copy_sign(f, rest, a))


FUNCTIONS: Final[Mapping[str, Function]] = {
    "sqrt": lambda x, f, width, a: x.square_root(f, a),
    "fabs": lambda x, f, width, a: x.absolute(f, a),
    "floor": _integral("down"),
    "ceil": _integral("up"),
    "trunc": _integral("zero"),
    "round": _integral("away"),
    "rint": _integral("even"),
    "nearbyint": _integral("even"),
    "roundeven": _integral("even"),
    "logb": _logb,
    "ilogb": _ilogb,
    "lround": _to_long("away"),
    "llround": _to_long("away"),
    "lrint": _to_long("even"),
    "llrint": _to_long("even"),
    "frexp": _mantissa,
    "frexp_exponent": _mantissa_exponent,
    "modf": _fraction,
    "fmod": lambda x, f, width, a, b: x.truncated_remainder(f, a, b),
    "remainder": lambda x, f, width, a, b: x.nearest_remainder(f, a, b),
    "copysign": lambda x, f, width, a, b: x.copy_sign(f, a, b),
    "nextafter": lambda x, f, width, a, b: x.next_towards(f, a, b),
    "fdim": lambda x, f, width, a, b: x.positive_difference(f, a, b),
    "fmax": lambda x, f, width, a, b: x.greatest(f, a, b),
    "fmin": lambda x, f, width, a, b: x.least(f, a, b),
    "fma": lambda x, f, width, a, b, c: x.fused(f, a, b, c),
    "ldexp": lambda x, f, width, a, n: x.scale(f, a, n),
    "scalbn": lambda x, f, width, a, n: x.scale(f, a, n),
    "scalbln": lambda x, f, width, a, n: x.scale(f, a, n),
    "printed_length": lambda x, f, width, a, *how: x.printed_length(f, a, *how),
    "printed_character": lambda x, f, width, a, *how: x.printed_character(f, a, *how),
}
"""Floating functions of math.h that give a number, by name."""


# -- case split ----------------------------------------------------------------------------------------------------

# A function that is evaluated on constants only is applied to symbolic operands value by value.
#
#   pow(n, 2) with 0 <= n <= 2   ->   n == 0 ? 0.0 : n == 1 ? 1.0 : 4.0
#   sin(x / 2)                   ->   x == 0.0 ? 0.0 : x == 1.0 ? 0.479… : …, and other x leave the bound
#
# An integer with few values is split into all of them. Of an integer with many values a window of small ones is
# followed. Of the inputs that a floating operand is computed from, round values are. Executions in which they have
# other values leave the bound.

_FIRST: Final = -32
"""Smallest integer of the window of followed values, unless the least possible value is larger."""

_WINDOWS: Final = (0, 128, 64, 16)
"""Number of values that are followed of each word, by how many words have many values."""

_FRACTIONS: Final = (0.5, 0.25, 0.75, 1.5, 2.5, 0.1)
_ROUND: Final = tuple(
    float(value)
    for value in dict.fromkeys(
        (
            *range(11),
            100,
            -1,
            *_FRACTIONS,
            *range(61),
            90,
            180,
            360,
            1000,
            *range(-2, -17, -1),
            *range(61, 101),
        )
    )
)
"""Floating values that are followed of an input, the likeliest first."""

_MOST: Final = 4096
"""Maximum number of combinations of operand values in one case split."""

_EFFORT: Final = 1_000_000
"""Approximate maximum number of terms that are evaluated to find the values of one operand."""

Values: TypeAlias = tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class _Operand:
    """An operand tabulated by the values of the ``words`` it is made of."""

    words: tuple[Term, ...]
    made: Mapping[Values, Term]


def case_split(
    m: SymbolicMachine, floats: FloatTerms, function: Function, given: Sequence[Term], where: Location
) -> Term:
    """``function`` applied to the operands ``given`` by a case split; at least one of them is not constant.

    Raises Unknown where one depends on what is no number, and for too many combinations.
    """
    path = _Path(m)
    given = [path.without_what_is_decided(floats, operand) for operand in given]
    words = dict.fromkeys(word for operand in given for word in _words(m, floats, operand))
    found = {word: path.values(word) for word in words}
    unbounded = [word for word, values in found.items() if values is None]
    if len(unbounded) >= len(_WINDOWS):
        raise UnknownFloatTerm
    many = min(_WINDOWS[len(unbounded)], _affordable(m, floats, given, len(unbounded)))
    followed: dict[Term, Values] = {}
    for word, known in found.items():
        followed[word] = known if known is not None else _window(m, path, floats, given, word)[:many]
    if prod(map(len, followed.values())) > _MOST:
        raise UnknownFloatTerm
    operands = [_operand(m, floats, operand, followed) for operand in given]
    t = m.t
    for word in unbounded:
        inside = t.any_of(t.eq(word, t.const(value, t.width[word])) for value in followed[word])
        m.cut_where(t.not_(inside), where)
    return _chosen(t, function, operands, list(followed.items()), {})


@final
class _Path:
    """Constraints of the current path condition that involve a single word."""

    def __init__(self, m: SymbolicMachine) -> None:
        self._m = m
        self._conditions: dict[Term, list[Term]] = {}
        for condition in conjuncts(m.t, [m.path.term]):
            variables = [term for term in m.t.cone((condition,)) if m.t.op[term] == T.VAR]
            if len(variables) == 1:
                self._conditions.setdefault(variables[0], []).append(condition)

    def those(self, word: Term, values: Iterable[int]) -> Values:
        """The ``values`` that the path condition leaves to a variable; all of them where it leaves none."""
        t = self._m.t
        conditions = self._conditions.get(word, [])
        order = t.cone(conditions)
        given = tuple(values)
        here = tuple(v for v in given if _hold(conditions, evaluate_terms_in_order(t, order, {word: v})))
        return here or given

    def values(self, word: Term) -> Values | None:
        """The value set of a word; None where it may be large."""
        known = self._m.values.of(word)
        return None if known is None else self.those(word, sorted(known))

    def without_what_is_decided(self, floats: FloatTerms, operand: Term) -> Term:
        """``operand`` with variables and conditions replaced that have one value on this path, as what scanf gave.

        An integer stays what it is unless it is constant then: its few values may be followed, those of its words not.
        """
        t = self._m.t
        decided: dict[Term, int] = {}
        for variable in self._conditions:
            values = self.values(variable)
            if values is not None and len(values) == 1:
                decided[variable] = values[0]
        for condition in (each for those in self._conditions.values() for each in those):
            is_negation = t.op[condition] == T.NOT
            decided[t.args[condition][0] if is_negation else condition] = not is_negation
        if not decided or t.value[operand] is not None:
            return operand
        simpler = substitute_values(t, operand, decided)
        is_lost = t.value[simpler] is None and operand in floats.integers and simpler not in floats.integers
        return operand if is_lost else simpler


def _hold(conditions: Sequence[Term], values: Mapping[Term, int]) -> bool:
    return all(values[condition] for condition in conditions)


def _words(m: SymbolicMachine, floats: FloatTerms, operand: Term) -> tuple[Term, ...]:
    """The words that an operand is computed from: an integer, or inputs."""
    t = m.t
    if t.value[operand] is not None:
        return ()
    if operand in floats.integers:
        return (floats.integers[operand][0],)
    return tuple(term for term in t.cone((operand,)) if t.op[term] == T.VAR)


def _affordable(m: SymbolicMachine, floats: FloatTerms, given: Sequence[Term], unbounded: int) -> int:
    """Maximum number of values of each of so many words, so that the operands are tabulated soon."""
    t = m.t
    largest = max((len(t.cone((a,))) for a in given if a not in floats.integers), default=1)
    return max(2, int((_EFFORT / largest) ** (1 / max(1, unbounded))))


def _operand(
    m: SymbolicMachine, floats: FloatTerms, operand: Term, followed: Mapping[Term, Values]
) -> _Operand:
    """An operand tabulated: its constant for each combination of values of its words."""
    t = m.t
    words = _words(m, floats, operand)
    combinations = list(product(*(followed[word] for word in words)))
    if not words:
        return _Operand((), {(): operand})
    if operand in floats.integers:
        integer, _, make = floats.integers[operand]
        return _Operand(words, {(v,): make(t.const(v, t.width[integer])) for (v,) in combinations})
    order = t.cone((operand,))
    made: dict[Values, Term] = {}
    for values in combinations:
        value = evaluate_terms_in_order(t, order, dict(zip(words, values, strict=True)))[operand]
        made[values] = t.const(value, t.width[operand])
    return _Operand(words, made)


def _window(m: SymbolicMachine, path: _Path, floats: FloatTerms, given: Sequence[Term], word: Term) -> Values:
    """The likeliest values of a word, as words."""
    t = m.t
    for operand in given:
        if operand in floats.integers and floats.integers[operand][0] == word:
            return _integers(path, t, word, signed=floats.integers[operand][1])
    site = m.source.site_of(m, word)
    if site is None or site.type == "long double":
        raise UnknownFloatTerm
    if not site.floating:
        return _integers(path, t, word, signed=site.signed)
    form, bits = ("<f", "<I") if t.width[word] == 32 else ("<d", "<Q")
    values = [struct.unpack(bits, struct.pack(form, value))[0] for value in _ROUND]
    return path.those(word, dict.fromkeys(values))


def _integers(path: _Path, t: Terms, integer: Term, *, signed: bool) -> Values:
    """Values of an integer that has many, as words, the nearest to zero first."""
    width = t.width[integer]
    least, largest = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    if integer in t.ranges and signed:
        least, largest = t.ranges[integer]
    first = max(least, _FIRST)
    values = range(first, min(largest + 1, first + _WINDOWS[1]))
    likely = sorted(values, key=abs)
    return path.those(integer, (value & ((1 << width) - 1) for value in likely))


def _chosen(
    t: Terms,
    function: Function,
    operands: Sequence[_Operand],
    open_words: list[tuple[Term, Values]],
    decided: Mapping[Term, int],
) -> Term:
    """The if-then-else tree of the function's values: ``decided`` words are constants, the next ones are chosen by."""
    if not open_words:
        return function(
            *(operand.made[tuple(decided[word] for word in operand.words)] for operand in operands)
        )
    (word, values), rest = open_words[0], open_words[1:]
    results = [_chosen(t, function, operands, rest, {**decided, word: value}) for value in values]
    found = results[-1]
    for value, result in zip(values[:-1], results[:-1], strict=True):
        found = t.ite(t.eq(word, t.const(value, t.width[word])), result, found)
    return found
