"""Binary floating-point formats: how many bits a value has and what they stand for (IEEE 754-2019, 3.4).

A value is its bits, as an unsigned integer: sign, biased exponent, fraction, from the top down. The 80-bit
format of the x87 keeps the leading bit of the significand (``explicit_bit``) between exponent and fraction.

    BINARY32.infinity(negative=True)   ->   0xff800000
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True)
class FloatFormat:
    """Binary floating-point format: ``exponent_bits``, and ``precision`` bits of significand with the leading one."""

    exponent_bits: int
    precision: int
    explicit_bit: bool = False

    @property
    def fraction_bits(self) -> int:
        """Bits of the significand below its leading one."""
        return self.precision - 1

    @property
    def stored_bits(self) -> int:
        """Bits of the significand as it is stored."""
        return self.precision if self.explicit_bit else self.precision - 1

    @property
    def width(self) -> int:
        """Bits of a value."""
        return 1 + self.exponent_bits + self.stored_bits

    @property
    def bias(self) -> int:
        """Exponent bias, added to the exponent where it is stored; also the largest exponent of a finite value."""
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def top_exponent(self) -> int:
        """The stored exponent of infinities and NaNs."""
        return (1 << self.exponent_bits) - 1

    @property
    def least_exponent(self) -> int:
        """The exponent of the last place of subnormal numbers: all values are multiples of two to it."""
        return 1 - self.bias - self.fraction_bits

    @property
    def sign_bit(self) -> int:
        """The sign alone: the bits of minus zero."""
        return 1 << (self.width - 1)

    @property
    def quiet_bit(self) -> int:
        """The top bit of the fraction, set in quiet NaNs."""
        return 1 << (self.fraction_bits - 1)

    def infinity(self, *, negative: bool) -> int:
        """The bits of an infinity."""
        return self.assemble(int(negative), self.top_exponent, 0)

    def default_nan(self) -> int:
        """The NaN that x86 makes where no operand is one: negative, quiet, nothing else set."""
        return self.assemble(1, self.top_exponent, self.quiet_bit)

    def largest(self, *, negative: bool) -> int:
        """The finite value of greatest magnitude."""
        return self.assemble(int(negative), self.top_exponent - 1, (1 << self.fraction_bits) - 1)

    def assemble(self, sign: int, exponent: int, fraction: int) -> int:
        """The bits of a value from its stored exponent and the fraction below the leading bit."""
        if self.explicit_bit and exponent:
            fraction |= 1 << self.fraction_bits
        return (((sign << self.exponent_bits) | exponent) << self.stored_bits) | fraction


BINARY32: Final = FloatFormat(8, 24)
BINARY64: Final = FloatFormat(11, 53)
X87: Final = FloatFormat(15, 64, explicit_bit=True)

FORMATS: Final[Mapping[int, FloatFormat]] = {32: BINARY32, 64: BINARY64, 80: X87}
"""The formats of C's types by the width of a value: float, double and long double."""
