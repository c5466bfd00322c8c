"""Floating-point arithmetic (IEEE 754) on terms, whether its operands are known or symbolic.

``FloatTerms`` builds the term of an operation. Constants are computed exactly (``exact``), what depends on inputs
becomes word-level terms (``words``), and an operation on one of a few constants is done on each of them.

    floats.add(BINARY64, bits of 0.5, bits of 0.25)   ->   the constant bits of 0.75
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, final

from cfrontend.terms import TRUE, Term, Terms
from cfrontend.terms.floats import exact, printing
from cfrontend.terms.floats.exact import Rounding
from cfrontend.terms.floats.format import BINARY32, BINARY64, FORMATS, FloatFormat
from cfrontend.terms.floats.words import FloatWords

if TYPE_CHECKING:
    import ctypes


__all__ = ["FORMATS", "FloatFormat", "FloatTerms", "Rounding", "UnknownFloatTerm"]

_HARD: Final = 100
"""Terms of an operation from which on solvers are first asked without its circuit."""

_CHOICES: Final = 16
"""Maximum number of constants that an operand may be one of, to be split constant by constant."""

_PACKING: Final = {
    BINARY32: (struct.Struct("<I"), struct.Struct("<f")),
    BINARY64: (struct.Struct("<Q"), struct.Struct("<d")),
}
"""Binary layouts by which Python's numbers become bits and back."""


class UnknownFloatTerm(Exception):  # noqa: N818 - a signal to whoever knows the place in the source
    """Unmodelled operation: it is defined on constants only, and has a symbolic operand."""


_LETTERS: Final = frozenset(b"aefgAEFG")
"""The conversions of floating numbers."""

_WIDEST: Final = 1 << 16
"""Largest width or precision in which a number is printed."""


def _printed(f: FloatFormat, bits: int, letter: int, flags: int, width: int, precision: int) -> bytes:
    """The text of a number; raises Unknown for what no conversion of ours asks for."""
    if letter not in _LETTERS or width > _WIDEST or (precision > _WIDEST and not precision >> 31):
        raise UnknownFloatTerm
    return printing.print_float_words(f, bits, letter, flags, width, precision)


@final
class FloatTerms:
    """Builder of floating-point terms in one store. Values are words of ``FloatFormat.width`` bits."""

    def __init__(self, terms: Terms) -> None:
        self.t = terms
        self._words: dict[FloatFormat, FloatWords] = {}
        self._known: dict[tuple[object, ...], Term] = {}
        self.integers: dict[Term, tuple[Term, bool, Callable[[Term], Term]]] = {}
        """Origins of values made of integers: the integer, whether it is signed, and what makes such a value."""

    def words(self, f: FloatFormat) -> FloatWords:
        """The builder of one format."""
        found = self._words.get(f)
        if found is None:
            found = self._words[f] = FloatWords(self.t, f)
        return found

    def _apply(
        self,
        key: tuple[object, ...],
        width: int,
        known: Callable[..., int],
        unknown: Callable[..., Term],
        *operands: Term,
    ) -> Term:
        """An operation on constants, on one of a few constants, or on any words; ``width`` 0: a Boolean."""
        t = self.t
        value = t.value
        open_operands = [n for n, a in enumerate(operands) if value[a] is None]
        if not open_operands:
            return t.const(known(*(value[a] for a in operands)), width)
        name = (*key, *operands)
        found = self._known.get(name)
        if found is None:
            if len(open_operands) == 1 and 1 < t.choices(operands[open_operands[0]]) <= _CHOICES:
                at = open_operands[0]
                before, after = operands[:at], operands[at + 1 :]
                found = t.map_choices(
                    operands[at],
                    lambda leaf: self._apply(key, width, known, unknown, *before, leaf, *after),
                )
            else:
                count = len(t)
                found = unknown(*operands)
                if width and len(t) - count > _HARD:
                    t.note_application(found, key, operands)
            self._known[name] = found
        return found

    # -- arithmetic ------------------------------------------------------------------------------------------

    def add(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``a + b``."""
        return self._apply(("+", f), f.width, lambda x, y: _add(f, x, y), self.words(f).add, a, b)

    def subtract(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``a - b``."""
        return self._apply(("-", f), f.width, lambda x, y: _subtract(f, x, y), self.words(f).subtract, a, b)

    def multiply(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``a * b``."""
        return self._apply(("*", f), f.width, lambda x, y: _multiply(f, x, y), self.words(f).multiply, a, b)

    def divide(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``a / b``; by a power of two it is a multiplication."""
        divisor = self.t.value[b]
        inverse = None if divisor is None else exact.exact_inverse(f, divisor)
        if inverse is not None and self.t.value[a] is None:
            return self.multiply(f, a, self.t.const(inverse, f.width))
        return self._apply(("/", f), f.width, lambda x, y: _divide(f, x, y), self.words(f).divide, a, b)

    def fused(self, f: FloatFormat, a: Term, b: Term, c: Term) -> Term:
        """``a * b + c``, rounded once; raises Unknown as ``nearest_remainder``."""
        known = lambda x, y, z: exact.exact_fused_multiply_add(f, x, y, z)  # noqa: E731 - one line an operation
        return self._apply(("fma", f), f.width, known, self._unknown, a, b, c)

    def square_root(self, f: FloatFormat, a: Term) -> Term:
        """The square root."""
        known = lambda x: exact.exact_square_root(f, x)  # noqa: E731
        return self._apply(("sqrt", f), f.width, known, self.words(f).square_root, a)

    def truncated_remainder(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``fmod``. Raises Unknown where the divisor depends on inputs or has too many bits."""
        known = lambda x, y: exact.exact_truncated_remainder(f, x, y)  # noqa: E731

        def unknown(x: Term, y: Term) -> Term:
            divisor = self.t.value[y]
            found = None if divisor is None else self.words(f).remainder_by(x, divisor)
            if found is None:
                raise UnknownFloatTerm
            return found

        return self._apply(("fmod", f), f.width, known, unknown, a, b)

    def nearest_remainder(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``remainder``. Raises Unknown where an operand depends on inputs in another way than by a choice."""
        known = lambda x, y: exact.exact_nearest_remainder(f, x, y)  # noqa: E731
        return self._apply(("remainder", f), f.width, known, self._unknown, a, b)

    def library(self, f: FloatFormat, function: str, *operands: Term) -> Term:
        """What libm computes for a function without an exact definition; raises Unknown as above."""

        def known(*values: int) -> int:
            result = call_libm(f, function, values)
            if result is None:
                raise UnknownFloatTerm
            return result

        return self._apply((function, f), f.width, known, self._unknown, *operands)

    def printed_length(self, f: FloatFormat, a: Term, *how: Term) -> Term:
        """How many characters ``printing.print_float_words`` gives, as a word of 32 bits; raises Unknown as above."""
        known = lambda x, *how: len(_printed(f, x, *how))  # noqa: E731
        return self._apply(("printed length", f), 32, known, self._unknown, a, *how)

    def printed_character(self, f: FloatFormat, a: Term, *how: Term) -> Term:
        """One of those characters, whose position is the last operand; zero beyond the end."""

        def known(x: int, *how: int) -> int:
            text = _printed(f, x, *how[:-1])
            return text[how[-1]] if how[-1] < len(text) else 0

        return self._apply(("printed character", f), 32, known, self._unknown, a, *how)

    def _unknown(self, *_: Term) -> Term:
        raise UnknownFloatTerm

    def quiet(self, f: FloatFormat, a: Term) -> Term:
        """A NaN made quiet."""
        return self._apply(
            ("quiet", f), f.width, lambda x: exact.exact_quiet_nan(f, x), self.words(f).quiet, a
        )

    def negate(self, f: FloatFormat, a: Term) -> Term:
        """The sign flipped, of NaNs too."""
        return self.t.bxor(a, self.t.const(f.sign_bit, f.width))

    def absolute(self, f: FloatFormat, a: Term) -> Term:
        """The sign cleared, of NaNs too."""
        return self.t.band(a, self.t.const(f.sign_bit - 1, f.width))

    def copy_sign(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``a`` with the sign of ``b``."""
        top = f.width - 1
        return self.t.concat(self.t.extract(b, top, top), self.t.extract(a, top - 1, 0))

    def round_to_integral(self, f: FloatFormat, a: Term, rounding: Rounding) -> Term:
        """``rint``, ``round``, ``trunc``, ``floor`` or ``ceil``."""
        return self._apply(
            ("integral", f, rounding),
            f.width,
            lambda x: exact.exact_round_to_integral(f, x, rounding),
            lambda x: self.words(f).round_to_integral(x, rounding),
            a,
        )

    def scale(self, f: FloatFormat, a: Term, power: Term) -> Term:
        """``ldexp``: ``a * 2**power``, a signed word."""
        bits = self.t.width[power]
        known = lambda x, n: exact.exact_scale(f, x, Terms.signed(n, bits))  # noqa: E731
        return self._apply(("scale", f), f.width, known, self.words(f).scale, a, power)

    def next_towards(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``nextafter``; raises Unknown as ``nearest_remainder``."""
        known = lambda x, y: exact.exact_next_towards(f, x, y)  # noqa: E731
        return self._apply(("next", f), f.width, known, self._unknown, a, b)

    # -- comparison ------------------------------------------------------------------------------------------

    def equal(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``a == b``, a Boolean; no NaN is equal to anything."""
        return self._apply(("=", f), 0, lambda x, y: exact.exact_equal(f, x, y), self.words(f).equal, a, b)

    def less(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``a < b``, a Boolean; false of NaNs."""
        return self._apply(("<", f), 0, lambda x, y: exact.exact_less(f, x, y), self.words(f).less, a, b)

    def less_equal(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``a <= b``, a Boolean; false of NaNs."""
        known = lambda x, y: exact.exact_less_equal(f, x, y)  # noqa: E731
        return self._apply(("<=", f), 0, known, self.words(f).less_equal, a, b)

    def truth(self, f: FloatFormat, a: Term) -> Term:
        """``a != 0``, a Boolean; true of NaNs."""
        t = self.t
        return t.not_(t.eq(t.extract(a, f.width - 2, 0), t.const(0, f.width - 1)))

    def least(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``fmin``: the other operand where one is a NaN; of two zeros the first, for the x87 the second (glibc)."""
        first = self.less(f, a, b) if f.explicit_bit else self.less_equal(f, a, b)
        return self._better(f, a, b, first)

    def greatest(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``fmax``: the other operand where one is a NaN; of two zeros the first."""
        return self._better(f, a, b, self.less_equal(f, b, a))

    def _better(self, f: FloatFormat, a: Term, b: Term, first: Term) -> Term:
        t = self.t
        nan_a, nan_b = self.is_nan(f, a), self.is_nan(f, b)
        neither = t.ite(first, a, b)
        either = t.ite(t.and_(nan_a, nan_b), self.add(f, a, b), t.ite(nan_a, b, a))
        return t.ite(t.or_(nan_a, nan_b), either, neither)

    def positive_difference(self, f: FloatFormat, a: Term, b: Term) -> Term:
        """``fdim``: ``a - b``, or zero where ``a <= b``."""
        return self.t.ite(self.less_equal(f, a, b), self.t.const(0, f.width), self.subtract(f, a, b))

    # -- classes ---------------------------------------------------------------------------------------------

    def is_nan(self, f: FloatFormat, a: Term) -> Term:
        """Whether it is a NaN (or an encoding the x87 rejects)."""
        return self._apply(
            ("nan", f), 0, lambda x: exact.is_exact_nan(f, x), lambda x: self.words(f).fields(x).nan, a
        )

    def is_infinite(self, f: FloatFormat, a: Term) -> Term:
        """Whether it is an infinity."""
        t = self.t
        return t.eq(self.absolute(f, a), t.const(f.infinity(negative=False), f.width))

    def is_finite(self, f: FloatFormat, a: Term) -> Term:
        """Whether it is neither an infinity nor a NaN."""
        t = self.t
        if f.explicit_bit:
            return t.not_(t.or_(self.is_nan(f, a), self.is_infinite(f, a)))
        return t.not_(t.eq(self._stored_exponent(f, a), t.const(f.top_exponent, f.exponent_bits)))

    def is_normal(self, f: FloatFormat, a: Term) -> Term:
        """Whether it is finite, not zero and not subnormal."""
        t = self.t
        return t.and_(
            self.is_finite(f, a), t.not_(t.eq(self._stored_exponent(f, a), t.const(0, f.exponent_bits)))
        )

    def is_negative(self, f: FloatFormat, a: Term) -> Term:
        """``signbit``: of zeros and NaNs too."""
        t = self.t
        return t.eq(t.extract(a, f.width - 1, f.width - 1), t.const(1, 1))

    def _stored_exponent(self, f: FloatFormat, a: Term) -> Term:
        return self.t.extract(a, f.width - 2, f.stored_bits)

    def accepted(self, f: FloatFormat, a: Term) -> Term:
        """Whether the bits are an encoding the x87 makes itself: the leading bit is set if the exponent is not 0."""
        if not f.explicit_bit:
            return TRUE
        t = self.t
        subnormal = t.eq(self._stored_exponent(f, a), t.const(0, f.exponent_bits))
        return t.eq(self._leading(f, a), t.ite(subnormal, t.const(0, 1), t.const(1, 1)))

    def spelled(self, f: FloatFormat, a: Term) -> Term:
        """The bits with the leading bit that the x87 would store."""
        if not f.explicit_bit:
            return a
        t = self.t
        subnormal = t.eq(self._stored_exponent(f, a), t.const(0, f.exponent_bits))
        leading = t.ite(subnormal, t.const(0, 1), t.const(1, 1))
        upper = t.extract(a, f.width - 1, f.stored_bits)
        return t.concat(upper, t.concat(leading, t.extract(a, f.fraction_bits - 1, 0)))

    def _leading(self, f: FloatFormat, a: Term) -> Term:
        return self.t.extract(a, f.fraction_bits, f.fraction_bits)

    # -- conversion ------------------------------------------------------------------------------------------

    def from_integer(self, f: FloatFormat, a: Term, *, signed: bool) -> Term:
        """An integer as a floating value, rounded."""
        width = self.t.width[a]
        known = lambda x: exact.exact_from_integer(f, Terms.signed(x, width) if signed else x)  # noqa: E731
        words = self.words(f)

        def make(x: Term) -> Term:
            unknown = lambda y: words.from_integer(y, signed=signed)  # noqa: E731
            return self._apply(("from", f, signed), f.width, known, unknown, x)

        return self._note(make(a), a, signed, make)

    def _note(self, made: Term, integer: Term, signed: bool, make: Callable[[Term], Term]) -> Term:
        """Record that ``made`` is what ``make`` makes of ``integer``."""
        if self.t.value[made] is None:
            self.integers.setdefault(made, (integer, signed, make))
        return made

    def convert(self, f: FloatFormat, target: FloatFormat, a: Term) -> Term:
        """A value in another format, rounded."""
        if f == target:
            return a
        known = lambda x: exact.exact_conversion(f, target, x)  # noqa: E731

        def convert(x: Term) -> Term:
            unknown = lambda y: self.words(f).to_format(y, self.words(target))  # noqa: E731
            return self._apply(("to", f, target), target.width, known, unknown, x)

        if a not in self.integers:
            return convert(a)
        integer, signed, make = self.integers[a]
        return self._note(convert(a), integer, signed, lambda x: convert(make(x)))

    def to_word(self, f: FloatFormat, a: Term, width: int) -> Term:
        """The integral part as a signed word; x86's "integer indefinite" where it does not fit."""
        known = lambda x: exact.exact_to_integer(f, x, width)  # noqa: E731
        unknown = lambda x: self.words(f).to_integer(x, width)  # noqa: E731
        return self._apply(("word", f, width), width, known, unknown, a)

    def to_integer(self, f: FloatFormat, a: Term, width: int, *, signed: bool, i386: bool = False) -> Term:
        """A value converted to an integer type as gcc does it on x86-64 (or ``i386``), also where it does not fit.

        Types below 32 bits are cut from a signed word of 32 bits (16 for the x87), unsigned int from one of 64;
        unsigned long takes off half its range first, and on i386 so does unsigned int, but from the x87.
        """
        t = self.t
        if width > 64:
            return self._to_large(f, a, width, signed=signed)
        if not signed and (width == 64 or (i386 and width == 32 and not f.explicit_bit)):
            top = 1 << (width - 1)
            half = t.const(exact.exact_from_integer(f, top), f.width)
            low = self.to_word(f, a, width)
            high = t.bxor(self.to_word(f, self.subtract(f, a, half), width), t.const(top, width))
            return t.ite(self.less_equal(f, half, a), high, low)
        if signed:
            through = width if f.explicit_bit and width == 16 else max(32, width)
            through = 16 if f.explicit_bit and width < 32 else through
        else:
            through = 64 if width == 32 else 16 if f.explicit_bit and width < 16 else 32
        return t.extract(self.to_word(f, a, through), width - 1, 0)

    def _to_large(self, f: FloatFormat, a: Term, width: int, *, signed: bool) -> Term:
        """A conversion beyond 64 bits (libgcc); what does not fit is not told apart from what just fits."""
        word = self.to_word(f, a, width + (0 if signed else 1))
        return self.t.extract(word, width - 1, 0)

    def fits_integer(self, f: FloatFormat, a: Term, width: int, *, signed: bool) -> Term:
        """Whether the integral part is in the range of an integer type."""
        known = lambda x: exact.exact_fits_integer(f, x, width, signed=signed)  # noqa: E731
        unknown = lambda x: self.words(f).fits_integer(x, width, signed=signed)  # noqa: E731
        return self._apply(("fits", f, width, signed), 0, known, unknown, a)

    # -- parts -----------------------------------------------------------------------------------------------

    def mantissa(self, f: FloatFormat, a: Term) -> Term:
        """A finite value other than zero divided by the power of two that brings it into [0.5, 1)."""
        known = lambda x: (  # noqa: E731
            exact.exact_scale(f, x, -1 - exact.exact_exponent(f, x)) if exact.is_exact_number(f, x) else x
        )
        return self._apply(("mantissa", f), f.width, known, self.words(f).mantissa, a)

    def exponent(self, f: FloatFormat, a: Term, width: int) -> Term:
        """The exponent e of a finite value other than zero, in [2**e, 2**(e+1)): a signed word."""
        known = lambda x: exact.exact_exponent(f, x) if exact.is_exact_number(f, x) else 0  # noqa: E731
        unknown = lambda x: self.words(f).exponent_of(x, width)  # noqa: E731
        return self._apply(("exponent", f, width), width, known, unknown, a)


# -- constants -----------------------------------------------------------------------------------------------


def _native(f: FloatFormat, operation: Callable[[float, float], float], a: int, b: int) -> int | None:
    """The machine's own result, where Python promises it: for numbers that are no NaNs.

    float is computed in double, which has more than twice the bits and two more: rounding twice is no matter.
    """
    packing = _PACKING.get(f)
    if packing is None:
        return None
    word, real = packing
    try:
        result = operation(real.unpack(word.pack(a))[0], real.unpack(word.pack(b))[0])
        return None if result != result else int(word.unpack(real.pack(result))[0])  # noqa: PLR0124 - a NaN
    except (ZeroDivisionError, OverflowError):
        return None


def _add(f: FloatFormat, a: int, b: int) -> int:
    result = _native(f, operator.add, a, b)
    return exact.exact_sum(f, a, b) if result is None else result


def _subtract(f: FloatFormat, a: int, b: int) -> int:
    result = _native(f, operator.sub, a, b)
    return exact.exact_difference(f, a, b) if result is None else result


def _multiply(f: FloatFormat, a: int, b: int) -> int:
    result = _native(f, operator.mul, a, b)
    return exact.exact_product(f, a, b) if result is None else result


def _divide(f: FloatFormat, a: int, b: int) -> int:
    result = _native(f, operator.truediv, a, b)
    return exact.exact_quotient(f, a, b) if result is None else result


# -- libm --------------------------------------------------------------------------------------------------------

# Library functions without an exact definition: the C library of this machine computes them.
#
#     call(BINARY64, "sin", (bits of 1.0,))   ->   bits of what sin(1.0) gives in a native execution here
#
# Only float and double: no long double passes through Python unharmed.


@cache
def _library() -> ctypes.CDLL | None:
    """The libm of glibc; None on a machine without it."""
    import ctypes

    try:
        return ctypes.CDLL("libm.so.6")
    except OSError:
        return None


@cache
def _function(f: FloatFormat, name: str, arguments: int) -> Callable[..., float] | None:
    import ctypes

    library = _library()
    if library is None or f not in (BINARY32, BINARY64):
        return None
    try:
        function = library[name + "f" if f == BINARY32 else name]
    except AttributeError:
        return None
    ctype = ctypes.c_float if f == BINARY32 else ctypes.c_double
    function.restype = ctype
    function.argtypes = [ctype] * arguments
    return function


def call_libm(f: FloatFormat, name: str, operands: Sequence[int]) -> int | None:
    """The bits of a function's value, named as for double; None where this cannot be known here."""
    function = _function(f, name, len(operands))
    if function is None:
        return None
    code = "<f" if f == BINARY32 else "<d"
    size = f.width // 8
    given = [struct.unpack(code, operand.to_bytes(size, "little"))[0] for operand in operands]
    return int.from_bytes(struct.pack(code, function(*given)), "little")
