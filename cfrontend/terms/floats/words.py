"""Floating-point operations as word-level terms, rounded to nearest with ties to even.

Each operation becomes integer operations on exponent and significand (after Brain, Schanda and Sun 2019, whose SymFPU
does the same): every solver sees words only. ``FloatParts`` takes values apart and rounds them.

    add   ->   align the smaller operand, add, bring the leading one to the top, round
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never, final

from cfrontend.record import dataclass
from cfrontend.terms import FALSE, Term, Terms
from cfrontend.terms.floats.exact import Rounding, decode_exact_float
from cfrontend.terms.floats.format import FloatFormat

# -- parts of packed values --------------------------------------------------------------------------------------

# Parts of floating-point values as terms: fields, normalised significands, rounding and packing.
#
#     fields(1.5)   ->   sign 0, exponent 1023, significand 1.1000...
#     rounded(sign, exponent, a significand with more bits)   ->   the packed value, to nearest with ties to even
#
# Values come and go as packed bits. Inside, the leading bit that the x87 stores is left out (``_enter`` and
# ``_leave``), so that all formats are alike.


@final
@dataclass(frozen=True, slots=True)
class FloatPartFields:
    """A packed value taken apart: Booleans ``nan``, ``infinite``, ``zero``; words for the rest.

    ``significand`` has the leading bit, which is 0 for subnormal numbers; their ``exponent`` (biased, unsigned)
    is 1. ``magnitude`` is the stored exponent above the fraction.
    """

    sign: Term
    exponent: Term
    significand: Term
    magnitude: Term
    nan: Term
    infinite: Term
    zero: Term


@final
@dataclass(frozen=True, slots=True)
class ScaledFloatParts:
    """A finite value other than zero: the leading bit of ``significand`` is set, ``exponent`` is biased, signed."""

    sign: Term
    exponent: Term
    significand: Term


class FloatParts:
    """Builder of terms that take values of one format apart, and that round and pack them."""

    def __init__(self, terms: Terms, f: FloatFormat) -> None:
        self.t = terms
        self.f = f
        self.compact = replace(f, explicit_bit=False)
        self.p = f.precision
        self.wide = max(f.exponent_bits, self.p.bit_length() + 1) + 2
        """Bits of a signed exponent, with room for the steps of one operation."""

    # -- words -----------------------------------------------------------------------------------------------

    def bit(self, a: Term, n: int) -> Term:
        """Whether bit ``n`` is set."""
        return self.t.eq(self.t.extract(a, n, n), self.t.const(1, 1))

    def word(self, a: Term) -> Term:
        """A Boolean as one bit."""
        return self.t.ite(a, self.t.const(1, 1), self.t.const(0, 1))

    def is_zero(self, a: Term) -> Term:
        """Whether a word is zero."""
        return self.t.eq(a, self.t.const(0, self.t.width[a]))

    def below(self, a: Term, bits: int) -> Term:
        """``a`` with ``bits`` zeros below it."""
        return self.t.concat(a, self.t.const(0, bits)) if bits else a

    def signed(self, value: int) -> Term:
        """A constant exponent."""
        return self.t.const(value, self.wide)

    def widened(self, exponent: Term) -> Term:
        """An unsigned exponent as a signed one."""
        return self.t.zext(exponent, self.wide)

    def normalised(self, a: Term) -> tuple[Term, Term]:
        """``a`` shifted left until its top bit is set, and by how much; any word where ``a`` is zero."""
        t = self.t
        width = t.width[a]
        bits: list[Term] = []
        for n in reversed(range((width - 1).bit_length())):
            step = 1 << n
            empty = self.is_zero(t.extract(a, width - 1, width - step))
            a = t.ite(empty, self.below(t.extract(a, width - step - 1, 0), step), a)
            bits.append(self.word(empty))
        count = bits[0]
        for bit in bits[1:]:
            count = t.concat(count, bit)
        return a, count

    def shifted_right(self, a: Term, amount: Term) -> Term:
        """``a >> amount``, the last bit set when any bit was lost."""
        t = self.t
        width = t.width[a]
        stages = width.bit_length()
        if t.width[amount] > stages:
            most = t.const(width, t.width[amount])
            amount = t.ite(t.ult(amount, most), amount, most)
        for n in range(min(stages, t.width[amount])):
            step = min(1 << n, width)
            lost = t.not_(self.is_zero(t.extract(a, step - 1, 0)))
            moved = t.zext(t.extract(a, width - 1, step), width) if step < width else t.const(0, width)
            low = t.bor(t.extract(moved, 0, 0), self.word(lost))
            moved = t.concat(t.extract(moved, width - 1, 1), low)
            a = t.ite(self.bit(amount, n), moved, a)
        return a

    # -- packed values ---------------------------------------------------------------------------------------

    def _enter(self, a: Term) -> Term:
        """A value without the leading bit that the x87 stores; what it rejects becomes the default NaN."""
        f, t = self.f, self.t
        if not f.explicit_bit:
            return a
        sign = t.extract(a, f.width - 1, f.width - 1)
        exponent = t.extract(a, f.width - 2, f.stored_bits)
        leading = t.extract(a, f.fraction_bits, f.fraction_bits)
        fraction = t.extract(a, f.fraction_bits - 1, 0)
        subnormal = self.is_zero(exponent)
        exponent = t.ite(subnormal, t.zext(leading, f.exponent_bits), exponent)
        accepted = t.or_(subnormal, t.eq(leading, t.const(1, 1)))
        compact = t.concat(sign, t.concat(exponent, fraction))
        return t.ite(accepted, compact, t.const(self.compact.default_nan(), self.compact.width))

    def _leave(self, a: Term) -> Term:
        """The packed value of what ``_enter`` gives."""
        f, t = self.f, self.t
        if not f.explicit_bit:
            return a
        exponent = t.extract(a, self.compact.width - 2, f.fraction_bits)
        leading = self.word(t.not_(self.is_zero(exponent)))
        sign = t.extract(a, self.compact.width - 1, self.compact.width - 1)
        fraction = t.extract(a, f.fraction_bits - 1, 0)
        return t.concat(sign, t.concat(exponent, t.concat(leading, fraction)))

    def fields(self, a: Term) -> FloatPartFields:
        """A packed value taken apart."""
        f, t = self.compact, self.t
        a = self._enter(a)
        stored = t.extract(a, f.width - 2, f.fraction_bits)
        fraction = t.extract(a, f.fraction_bits - 1, 0)
        subnormal = self.is_zero(stored)
        no_fraction = self.is_zero(fraction)
        top = t.eq(stored, t.const(f.top_exponent, f.exponent_bits))
        one = t.const(1, f.exponent_bits)
        return FloatPartFields(
            sign=t.extract(a, f.width - 1, f.width - 1),
            exponent=t.ite(subnormal, one, stored),
            significand=t.concat(self.word(t.not_(subnormal)), fraction),
            magnitude=t.extract(a, f.width - 2, 0),
            nan=t.and_(top, t.not_(no_fraction)),
            infinite=t.and_(top, no_fraction),
            zero=t.and_(subnormal, no_fraction),
        )

    def scaled(self, x: FloatPartFields) -> ScaledFloatParts:
        """A finite value with its leading one at the top, subnormal numbers too."""
        t = self.t
        significand, count = self.normalised(x.significand)
        exponent = t.sub(self.widened(x.exponent), t.zext(count, self.wide))
        return ScaledFloatParts(x.sign, exponent, significand)

    def packed(self, sign: Term, magnitude: Term) -> Term:
        """A value from its sign and magnitude."""
        return self._leave(self.t.concat(sign, magnitude))

    def constant(self, bits: int) -> Term:
        """A constant value."""
        return self.t.const(bits, self.f.width)

    def infinity(self, sign: Term) -> Term:
        """An infinity."""
        return self.t.concat(sign, self.t.const(self.f.infinity(negative=False), self.f.width - 1))

    def zero(self, sign: Term) -> Term:
        """A zero."""
        return self.t.concat(sign, self.t.const(0, self.f.width - 1))

    def quiet(self, a: Term) -> Term:
        """A NaN made quiet; the default one for what the x87 rejects."""
        f, t = self.f, self.t
        quiet = t.bor(a, self.constant(f.quiet_bit))
        if not f.explicit_bit:
            return quiet
        return t.ite(self.bit(a, f.fraction_bits), quiet, self.constant(f.default_nan()))

    def chosen_nan(self, a: Term, x: FloatPartFields, b: Term, y: FloatPartFields) -> Term:
        """The NaN that an operation on ``a`` and ``b``, of which at least one is a NaN, gives."""
        f, t = self.f, self.t
        quiet_a, quiet_b = self.quiet(a), self.quiet(b)
        if not f.explicit_bit:
            return t.ite(x.nan, quiet_a, quiet_b)
        leading = t.and_(self.bit(a, f.fraction_bits), self.bit(b, f.fraction_bits))
        is_quiet_a, is_quiet_b = self.bit(a, f.fraction_bits - 1), self.bit(b, f.fraction_bits - 1)
        top = f.width - 2
        larger = t.ult(t.extract(b, top, 0), t.extract(a, top, 0))
        smaller = t.ult(t.extract(a, top, 0), t.extract(b, top, 0))
        of_one_kind = t.ite(larger, quiet_a, t.ite(smaller, quiet_b, t.band(quiet_a, quiet_b)))
        by_kind = t.ite(is_quiet_a, a, b)
        both = t.ite(t.eq(is_quiet_a, is_quiet_b), of_one_kind, by_kind)
        both = t.ite(leading, both, self.constant(f.default_nan()))
        return t.ite(x.nan, t.ite(y.nan, both, quiet_a), quiet_b)

    def rounded(self, value: ScaledFloatParts) -> Term:
        """A value rounded to the format and packed; its significand may be wider than the precision.

        The lowest bit may stand for anything lost below it, if the significand has at least two spare bits.
        """
        t, f, p = self.t, self.f, self.p
        significand = value.significand
        spare = t.width[significand] - p
        if spare < 2:
            significand = self.below(significand, 2 - spare)
        elif spare > 2:
            lost = t.not_(self.is_zero(t.extract(significand, spare - 2, 0)))
            significand = t.concat(t.extract(significand, spare + p - 1, spare - 1), self.word(lost))
        wide = t.width[value.exponent]
        one = t.const(1, wide)
        subnormal = t.slt(value.exponent, one)
        amount = t.ite(subnormal, t.sub(one, value.exponent), t.const(0, wide))
        significand = self.shifted_right(significand, amount)
        odd, half, rest = (self.bit(significand, n) for n in (2, 1, 0))
        up = t.and_(half, t.or_(rest, odd))
        stored = t.ite(subnormal, t.const(0, wide), value.exponent)
        top = t.const(f.top_exponent, wide)
        stored = t.extract(stored, f.exponent_bits - 1, 0)
        # The fraction overflows into the exponent where rounding reaches the next power of two.
        magnitude = t.concat(stored, t.extract(significand, p, 2))
        magnitude = t.add(magnitude, t.zext(self.word(up), t.width[magnitude]))
        infinite = t.const(self.compact.infinity(negative=False), t.width[magnitude])
        magnitude = t.ite(t.slt(value.exponent, top), magnitude, infinite)
        return self.packed(value.sign, magnitude)


_ODD_BITS: Final = 24
"""Maximum bits of the numbers that a remainder by a constant multiplies."""


@final
class FloatWords(FloatParts):
    """Builder of the bit-level operations of one format."""

    # -- arithmetic ------------------------------------------------------------------------------------------

    def add(self, a: Term, b: Term) -> Term:
        """``a + b``."""
        x, y = self.fields(a), self.fields(b)
        nan = self.chosen_nan(b, y, a, x)
        # But for NaNs the order does not matter: x + y and y + x share all they can.
        return self._sum(x, y, nan) if a <= b else self._sum(y, x, nan)

    def subtract(self, a: Term, b: Term) -> Term:
        """``a - b``."""
        x, y = self.fields(a), self.fields(b)
        return self._sum(x, replace(y, sign=self.t.bnot(y.sign)), self.chosen_nan(a, x, b, y))

    def _sum(self, x: FloatPartFields, y: FloatPartFields, nan: Term) -> Term:
        t = self.t
        larger = t.ult(x.magnitude, y.magnitude)
        big = ScaledFloatParts(
            t.ite(larger, y.sign, x.sign),
            self.widened(t.ite(larger, y.exponent, x.exponent)),
            t.ite(larger, y.significand, x.significand),
        )
        small = ScaledFloatParts(
            t.ite(larger, x.sign, y.sign),
            self.widened(t.ite(larger, x.exponent, y.exponent)),
            t.ite(larger, x.significand, y.significand),
        )
        result = self._aligned_sum(big, small)
        differ = t.not_(t.eq(x.sign, y.sign))
        invalid = t.and_(t.and_(x.infinite, y.infinite), differ)
        infinite = t.or_(x.infinite, y.infinite)
        result = t.ite(infinite, self.infinity(big.sign), result)
        result = t.ite(invalid, self.constant(self.f.default_nan()), result)
        return t.ite(t.or_(x.nan, y.nan), nan, result)

    def _aligned_sum(self, big: ScaledFloatParts, small: ScaledFloatParts) -> Term:
        """The rounded sum of two values, the first not smaller in magnitude nor in exponent.

        Three bits below the precision are enough: a difference loses its top bits only when the exponents differ
        by at most one, and then nothing is shifted out.
        """
        t = self.t
        distance = t.sub(big.exponent, small.exponent)
        one = t.zext(self.below(big.significand, 3), t.width[big.significand] + 4)
        two = self.shifted_right(self.below(small.significand, 3), distance)
        two = t.zext(two, t.width[one])
        opposite = t.not_(t.eq(big.sign, small.sign))
        total = t.ite(opposite, t.sub(one, two), t.add(one, two))
        significand, count = self.normalised(total)
        wide = t.width[big.exponent]
        exponent = t.add(t.sub(big.exponent, t.zext(count, wide)), t.const(1, wide))
        result = self.rounded(ScaledFloatParts(big.sign, exponent, significand))
        # An exact zero is negative only when both operands are.
        return t.ite(self.is_zero(total), self.zero(t.band(big.sign, small.sign)), result)

    def multiply(self, a: Term, b: Term) -> Term:
        """``a * b``."""
        t = self.t
        x, y = self.fields(a), self.fields(b)
        nan = self.chosen_nan(b, y, a, x)
        if a > b:
            x, y = y, x
        result = self.rounded(self._product(x, y))
        sign = t.bxor(x.sign, y.sign)
        result = t.ite(t.or_(x.zero, y.zero), self.zero(sign), result)
        result = t.ite(t.or_(x.infinite, y.infinite), self.infinity(sign), result)
        invalid = t.or_(t.and_(x.infinite, y.zero), t.and_(x.zero, y.infinite))
        result = t.ite(invalid, self.constant(self.f.default_nan()), result)
        return t.ite(t.or_(x.nan, y.nan), nan, result)

    def _product(self, x: FloatPartFields, y: FloatPartFields) -> ScaledFloatParts:
        """The exact product of two finite values other than zero."""
        t, p = self.t, self.p
        one, two = self.scaled(x), self.scaled(y)
        product = t.mul(t.zext(one.significand, 2 * p), t.zext(two.significand, 2 * p))
        exponent = t.add(t.add(one.exponent, two.exponent), self.signed(1 - self.f.bias))
        high = self.bit(product, 2 * p - 1)
        product = t.ite(high, product, self.below(t.extract(product, 2 * p - 2, 0), 1))
        exponent = t.ite(high, exponent, t.add(exponent, self.signed(-1)))
        return ScaledFloatParts(t.bxor(x.sign, y.sign), exponent, product)

    def divide(self, a: Term, b: Term) -> Term:
        """``a / b``."""
        t, p = self.t, self.p
        x, y = self.fields(a), self.fields(b)
        one, two = self.scaled(x), self.scaled(y)
        quotient = self._quotient(one.significand, two.significand)
        exponent = t.add(t.sub(one.exponent, two.exponent), self.signed(self.f.bias))
        high = self.bit(quotient, p + 2)
        quotient = t.ite(high, quotient, self.below(t.extract(quotient, p + 1, 0), 1))
        exponent = t.ite(high, exponent, t.add(exponent, self.signed(-1)))
        sign = t.bxor(x.sign, y.sign)
        result = self.rounded(ScaledFloatParts(sign, exponent, quotient))
        result = t.ite(t.or_(x.zero, y.infinite), self.zero(sign), result)
        result = t.ite(t.or_(x.infinite, y.zero), self.infinity(sign), result)
        invalid = t.or_(t.and_(x.infinite, y.infinite), t.and_(x.zero, y.zero))
        result = t.ite(invalid, self.constant(self.f.default_nan()), result)
        return t.ite(t.or_(x.nan, y.nan), self.chosen_nan(a, x, b, y), result)

    def _quotient(self, a: Term, b: Term) -> Term:
        """``a * 2**(p+1) / b``, p+2 bits, and a last bit for the remainder, by long division."""
        t, p = self.t, self.p
        divisor = t.zext(b, p + 2)
        rest = t.zext(a, p + 2)
        digits: Term | None = None
        for _ in range(p + 2):
            difference = t.sub(rest, divisor)
            digit = t.bnot(t.extract(difference, p + 1, p + 1))
            rest = t.ite(t.eq(digit, t.const(1, 1)), difference, rest)
            rest = self.below(t.extract(rest, p, 0), 1)
            digits = digit if digits is None else t.concat(digits, digit)
        assert digits is not None
        return t.concat(digits, self.word(t.not_(self.is_zero(rest))))

    def square_root(self, a: Term) -> Term:
        """The square root, digit by digit."""
        t, p = self.t, self.p
        x = self.fields(a)
        one = self.scaled(x)
        exponent = t.add(one.exponent, self.signed(-self.f.bias))
        odd = self.bit(exponent, 0)
        # The radicand is in [1, 4), so that half the exponent is whole.
        even_radicand = t.zext(self.below(one.significand, p + 3), 2 * p + 4)
        radicand = t.ite(odd, self.below(t.extract(even_radicand, 2 * p + 2, 0), 1), even_radicand)
        root = self._root(radicand, p + 2)
        half = t.add(t.ashr(exponent, self.signed(1)), self.signed(self.f.bias))
        result = self.rounded(ScaledFloatParts(t.const(0, 1), half, root))
        negative = t.eq(x.sign, t.const(1, 1))
        result = t.ite(x.infinite, self.infinity(t.const(0, 1)), result)
        result = t.ite(negative, self.constant(self.f.default_nan()), result)
        result = t.ite(x.zero, a, result)
        return t.ite(x.nan, self.quiet(a), result)

    def _root(self, radicand: Term, digits: int) -> Term:
        """The square root of a word of ``2 * digits`` bits, and a last bit for the remainder."""
        t = self.t
        wide = digits + 3
        rest, root = t.const(0, wide), t.const(0, wide)
        for n in reversed(range(digits)):
            pair = t.extract(radicand, 2 * n + 1, 2 * n)
            rest = t.concat(t.extract(rest, wide - 3, 0), pair)
            trial = t.concat(t.extract(root, wide - 3, 0), t.const(1, 2))
            difference = t.sub(rest, trial)
            digit = t.bnot(t.extract(difference, wide - 1, wide - 1))
            rest = t.ite(t.eq(digit, t.const(1, 1)), difference, rest)
            root = t.concat(t.extract(root, wide - 2, 0), digit)
        return t.concat(t.extract(root, digits - 1, 0), self.word(t.not_(self.is_zero(rest))))

    def remainder_by(self, a: Term, divisor: int) -> Term | None:
        """``fmod`` by a constant, exactly; None where its significand has more than ``_ODD_BITS`` bits.

        Divided by ``o * 2**k`` with o odd, ``m * 2**e`` leaves ``(m * 2**(e-k) % o) * 2**k``, and where e < k, what
        ``m >> (k-e)`` leaves above the bits that were shifted out.
        """
        t, f, p = self.t, self.f, self.p
        x, y = self.fields(a), decode_exact_float(f, divisor)
        if y.kind == "nan":
            return self.chosen_nan(a, x, self.constant(divisor), self.fields(self.constant(divisor)))
        invalid = t.ite(x.nan, self.quiet(a), self.constant(f.default_nan()))
        if y.kind == "finite" and not y.significand:
            return invalid
        if y.kind == "infinite":
            return t.ite(t.or_(x.nan, x.infinite), invalid, a)
        twos = (y.significand & -y.significand).bit_length() - 1
        odd, power = y.significand >> twos, y.exponent + twos
        if odd.bit_length() > _ODD_BITS:
            return None
        wide = self.wide + 2
        exponent = t.add(t.zext(x.exponent, wide), t.const(1 - f.bias - p, wide))
        distance = t.sub(exponent, t.const(power, wide))
        above = t.not_(t.slt(distance, t.const(0, wide)))
        down = t.ite(above, t.const(0, wide), t.neg(distance))
        mask = t.const((1 << p) - 1, p)
        far = t.not_(t.ult(down, t.const(p, wide)))
        shift = t.extract(down, p.bit_length() - 1, 0)
        shift = t.zext(shift, p)
        quotient = t.lshr(x.significand, shift)
        low = t.band(x.significand, t.bnot(t.shl(mask, shift)))
        rest = self._times_power(
            t.urem(quotient, t.const(odd, p)), t.ite(above, distance, t.const(0, wide)), odd
        )
        whole = t.bor(t.shl(rest, shift), low)
        significand, count = self.normalised(t.ite(far, x.significand, whole))
        base = t.ite(above, t.const(power, wide), exponent)
        top = t.add(base, t.sub(t.const(f.bias + p - 1, wide), t.zext(count, wide)))
        result = self.rounded(ScaledFloatParts(x.sign, top, significand))
        result = t.ite(self.is_zero(t.ite(far, x.significand, whole)), self.zero(x.sign), result)
        return t.ite(t.or_(x.nan, x.infinite), invalid, result)

    def _times_power(self, rest: Term, power: Term, odd: int) -> Term:
        """``rest * 2**power % odd`` for a rest below ``odd``."""
        t = self.t
        width = t.width[rest]
        bits = 2 * odd.bit_length()
        rest = t.extract(rest, bits - 1, 0) if bits <= width else t.zext(rest, bits)
        for n in range(t.width[power] - 1):
            moved = t.urem(t.mul(rest, t.const(pow(2, 1 << n, odd), bits)), t.const(odd, bits))
            rest = t.ite(self.bit(power, n), moved, rest)
        return t.zext(rest, width) if bits <= width else t.extract(rest, width - 1, 0)

    # -- comparison ------------------------------------------------------------------------------------------

    def equal(self, a: Term, b: Term) -> Term:
        """``a == b``."""
        t = self.t
        if t.value[a] is not None:
            a, b = b, a
        x, y = self.fields(a), self.fields(b)
        if a == b:
            return t.not_(x.nan)
        same = t.and_(t.eq(x.sign, y.sign), t.eq(x.magnitude, y.magnitude))
        same = t.or_(same, t.and_(x.zero, y.zero))
        return t.and_(same, t.not_(t.or_(x.nan, y.nan)))

    def less(self, a: Term, b: Term) -> Term:
        """``a < b``."""
        t = self.t
        x, y = self.fields(a), self.fields(b)
        if a == b:
            return FALSE
        zeros = t.and_(x.zero, y.zero)
        return t.and_(self._below(x, y, t.not_(zeros)), t.not_(t.or_(x.nan, y.nan)))

    def less_equal(self, a: Term, b: Term) -> Term:
        """``a <= b``."""
        t = self.t
        x, y = self.fields(a), self.fields(b)
        if a == b:
            return t.not_(x.nan)
        zeros = t.and_(x.zero, y.zero)
        above = self._below(y, x, t.not_(zeros))
        return t.and_(t.not_(above), t.not_(t.or_(x.nan, y.nan)))

    def _below(self, x: FloatPartFields, y: FloatPartFields, apart: Term) -> Term:
        """Whether x is below y, neither being a NaN; ``apart``: they are not both zero."""
        t = self.t
        negative_x, negative_y = t.eq(x.sign, t.const(1, 1)), t.eq(y.sign, t.const(1, 1))
        return t.ite(
            negative_x,
            t.ite(negative_y, t.ult(y.magnitude, x.magnitude), apart),
            t.and_(t.not_(negative_y), t.ult(x.magnitude, y.magnitude)),
        )

    # -- conversion ------------------------------------------------------------------------------------------

    def from_integer(self, a: Term, *, signed: bool) -> Term:
        """An integer, rounded where it has more bits than the precision."""
        t, f = self.t, self.f
        width = t.width[a]
        sign, magnitude = t.const(0, 1), a
        if signed:
            sign = t.extract(a, width - 1, width - 1)
            magnitude = t.ite(t.eq(sign, t.const(1, 1)), t.neg(a), a)
        significand, count = self.normalised(magnitude) if width > 1 else (magnitude, t.const(0, 1))
        wide = max(self.wide, width.bit_length() + 2)
        exponent = t.sub(t.const(f.bias + width - 1, wide), t.zext(count, wide))
        if width <= self.p and f.bias >= width:
            fraction = t.extract(self.below(significand, self.p - width), self.p - 2, 0)
            result = self.packed(sign, t.concat(t.extract(exponent, f.exponent_bits - 1, 0), fraction))
        else:
            result = self.rounded(ScaledFloatParts(sign, exponent, significand))
        return t.ite(self.is_zero(a), self.constant(0), result)

    def to_format(self, a: Term, target: FloatWords) -> Term:
        """A value in another format."""
        t, f, g = self.t, self.f, target.f
        x = self.fields(a)
        if g.precision >= f.precision and f.least_exponent >= 1 - g.bias and g.bias > f.bias:
            result = self._widened(x, target)
        else:
            one = self.scaled(x)
            wide = max(self.wide, target.wide) + 1
            exponent = t.add(t.sext(one.exponent, wide), t.const(g.bias - f.bias, wide))
            result = target.rounded(ScaledFloatParts(one.sign, exponent, one.significand))
        result = t.ite(x.zero, target.zero(x.sign), result)
        result = t.ite(x.infinite, target.infinity(x.sign), result)
        quiet = self.quiet(a)
        sign = t.extract(quiet, f.width - 1, f.width - 1)
        fraction = t.extract(quiet, f.fraction_bits - 1, 0)
        moved = g.fraction_bits - f.fraction_bits
        fraction = (
            self.below(fraction, moved) if moved >= 0 else t.extract(fraction, f.fraction_bits - 1, -moved)
        )
        nan = target.packed(sign, t.concat(t.const(g.top_exponent, g.exponent_bits), fraction))
        return t.ite(x.nan, nan, result)

    def _widened(self, x: FloatPartFields, target: FloatWords) -> Term:
        """A finite value other than zero in a format that has all values of this one: nothing is rounded."""
        t, f, g = self.t, self.f, target.f
        one = self.scaled(x)
        wide = max(self.wide, target.wide)
        exponent = t.add(t.sext(one.exponent, wide), t.const(g.bias - f.bias, wide))
        fraction = t.extract(self.below(one.significand, g.precision - f.precision), g.precision - 2, 0)
        return target.packed(one.sign, t.concat(t.extract(exponent, g.exponent_bits - 1, 0), fraction))

    def to_integer(self, a: Term, width: int) -> Term:
        """The integral part as a signed word; x86's "integer indefinite" where it does not fit."""
        t = self.t
        negative, magnitude, large = self._integral(a, width)
        limit = t.const(1 << (width - 1), width)
        lowest = t.and_(negative, t.eq(magnitude, limit))
        fits = t.and_(t.not_(large), t.or_(t.ult(magnitude, limit), lowest))
        return t.ite(fits, t.ite(negative, t.neg(magnitude), magnitude), limit)

    def fits_integer(self, a: Term, width: int, *, signed: bool) -> Term:
        """Whether the integral part is in the range of an integer type."""
        t = self.t
        negative, magnitude, large = self._integral(a, width)
        if signed:
            limit = t.const(1 << (width - 1), width)
            inside = t.or_(t.ult(magnitude, limit), t.and_(negative, t.eq(magnitude, limit)))
        else:
            inside = t.or_(t.not_(negative), self.is_zero(magnitude))
        return t.and_(t.not_(large), inside)

    def _integral(self, a: Term, width: int) -> tuple[Term, Term, Term]:
        """Sign (Boolean) and magnitude of the integral part, and whether it needs more than ``width`` bits."""
        t, f, p = self.t, self.f, self.p
        x = self.fields(a)
        wide = max(f.exponent_bits, (width + 1).bit_length()) + 1
        stored = t.zext(x.exponent, wide)
        small = t.ult(stored, t.const(f.bias, wide))
        large = t.or_(t.or_(x.nan, x.infinite), t.not_(t.ult(stored, t.const(f.bias + width, wide))))
        amount = t.sub(stored, t.const(f.bias, wide))
        bits = max(1, (width - 1).bit_length())
        amount = t.extract(amount, bits - 1, 0)
        # The point stands below the leading bit: shifted left by the exponent, the whole part is above it.
        word = t.zext(x.significand, p - 1 + width)
        word = t.shl(word, t.zext(amount, p - 1 + width))
        magnitude = t.ite(small, t.const(0, width), t.extract(word, p - 2 + width, p - 1))
        return t.eq(x.sign, t.const(1, 1)), magnitude, large

    # -- rounding to integers --------------------------------------------------------------------------------

    def round_to_integral(self, a: Term, rounding: Rounding) -> Term:
        """``rint``, ``round``, ``trunc``, ``floor`` or ``ceil``, on the packed magnitude."""
        t, f, p = self.t, self.compact, self.p
        x = self.fields(a)
        width = t.width[x.magnitude]
        negative = t.eq(x.sign, t.const(1, 1))
        stored = t.extract(x.magnitude, width - 1, p - 1)
        bias = t.const(f.bias, f.exponent_bits)
        below_one = t.ult(stored, bias)
        whole = t.not_(t.ult(stored, t.const(min(f.bias + p - 1, f.top_exponent), f.exponent_bits)))
        amount = t.sub(t.const(f.bias + p - 1, f.exponent_bits), stored)
        # A mask of the bits below the point.
        shift = t.zext(amount, width) if width >= f.exponent_bits else amount
        ones = t.const((1 << width) - 1, width)
        mask = t.bnot(t.shl(ones, shift))
        fraction = t.band(x.magnitude, mask)
        cut = t.band(x.magnitude, t.bnot(mask))
        unit = t.add(mask, t.const(1, width))
        half = t.lshr(unit, t.const(1, width))
        inexact = t.not_(self.is_zero(fraction))
        one = t.const(f.bias << (p - 1), width)
        nought = t.const(0, width)
        half_magnitude = t.const((f.bias - 1) << (p - 1), width)
        match rounding:
            case "even":
                odd = t.not_(self.is_zero(t.band(x.magnitude, unit)))
                up = t.or_(t.ult(half, fraction), t.and_(t.eq(half, fraction), odd))
                small_up = t.ult(half_magnitude, x.magnitude)
            case "away":
                up = t.not_(t.ult(fraction, half))
                small_up = t.not_(t.ult(x.magnitude, half_magnitude))
            case "down":
                up = t.and_(negative, inexact)
                small_up = t.and_(negative, t.not_(x.zero))
            case "up":
                up = t.and_(t.not_(negative), inexact)
                small_up = t.and_(t.not_(negative), t.not_(x.zero))
            case "zero":
                up = small_up = FALSE
            case _:
                assert_never(rounding)
        large = t.add(cut, t.ite(up, unit, nought))
        result = t.ite(below_one, t.ite(small_up, one, nought), large)
        rounded = self.packed(x.sign, t.ite(whole, x.magnitude, result))
        return t.ite(x.nan, self.quiet(a), rounded)

    # -- parts -----------------------------------------------------------------------------------------------

    def scale(self, a: Term, power: Term) -> Term:
        """``ldexp``: ``a * 2**power`` (a signed word), rounded where it becomes subnormal."""
        t, f = self.t, self.f
        x = self.fields(a)
        one = self.scaled(x)
        limit = 1 << (self.wide - 1)
        width = max(t.width[power], self.wide + 2)
        power = t.sext(power, width)
        low, high = t.const(-limit, width), t.const(limit, width)
        power = t.ite(t.slt(power, low), low, t.ite(t.slt(high, power), high, power))
        wide = self.wide + 2
        exponent = t.add(t.sext(one.exponent, wide), t.extract(power, wide - 1, 0))
        result = self.rounded(replace(one, exponent=exponent))
        result = t.ite(t.or_(x.zero, x.infinite), a, result)
        if f.explicit_bit:
            # A subnormal number with its leading bit set is another spelling of a normal one.
            result = t.ite(x.zero, self.zero(x.sign), result)
        return t.ite(x.nan, self.quiet(a), result)

    def exponent_of(self, a: Term, width: int) -> Term:
        """The exponent e of a finite value other than zero, its magnitude in [2**e, 2**(e+1)), as a signed word."""
        t = self.t
        one = self.scaled(self.fields(a))
        unbiased = t.add(one.exponent, self.signed(-self.f.bias))
        return t.sext(unbiased, width) if width >= self.wide else t.extract(unbiased, width - 1, 0)

    def mantissa(self, a: Term) -> Term:
        """A finite value other than zero divided by the power of two that brings it into [0.5, 1)."""
        t, f = self.t, self.f
        one = self.scaled(self.fields(a))
        exponent = t.const(f.bias - 1, f.exponent_bits)
        return self.packed(one.sign, t.concat(exponent, t.extract(one.significand, self.p - 2, 0)))
