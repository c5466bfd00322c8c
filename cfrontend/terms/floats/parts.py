"""Parts of floating-point values as terms: fields, normalised significands, rounding and packing.

    fields(1.5)   ->   sign 0, exponent 1023, significand 1.1000...
    rounded(sign, exponent, a significand with more bits)   ->   the packed value, to nearest with ties to even

Values come and go as packed bits. Inside, the leading bit that the x87 stores is left out (``_enter`` and ``_leave``),
so that all formats are alike.
"""

from __future__ import annotations

from dataclasses import replace
from typing import final

from cfrontend.record import dataclass
from cfrontend.terms import Term, Terms
from cfrontend.terms.floats.format import FloatFormat


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
