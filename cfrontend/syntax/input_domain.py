"""Domain of the standard input: the texts that are like given examples, as constraints on what a reference reads.

examples "3 1 2 40" and "2 5 17"   ->   n from 1 to 9, x from 1 to 40; digits and blanks; all that is read fits

Only executions inside the domain count. A program alone has no domain.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Final, final

from cfrontend.errors import Location
from cfrontend.record import dataclass

DIGITS: Final = frozenset(range(ord("0"), ord("9") + 1))
"""Codes of the digits."""

LOWER: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz")
"""Codes of the small letters."""

UPPER: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""Codes of the capital letters."""

SPACES: Final = frozenset(b" \t\n\v\f\r")
"""Codes of white space."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NumberDomain:
    """Numbers that a conversion reads: those from ``least`` to ``greatest``, which are whole unless it is ``real``.

    ``name`` is what they are read into, ``place`` where; of several places with one name it is the first.
    """

    name: str
    place: Location
    least: int
    greatest: int
    real: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ScanDomain:
    """Results of a call of ``scanf``: ``ends``: -1, too; ``misfits``: any. Otherwise all conversions fit."""

    place: Location
    ends: bool = False
    misfits: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TextDomain:
    """Characters of a text: ``characters`` are the codes of those that may stand in it, ``digits`` how many in a row.

    ``indented``: it may begin with white space; ``spaced``: white space may follow white space; ``padded``: a number
    may begin with a needless zero; ``dashed``: a minus need not stand before a digit or a point.
    """

    characters: frozenset[int]
    digits: int
    indented: bool = False
    spaced: bool = False
    padded: bool = False
    dashed: bool = False

    @property
    def is_decimal(self) -> bool:
        """Whether whole numbers are written so that they can be nothing but decimals."""
        return not (self.padded or self.characters & frozenset(b"xX"))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InputDomain:
    """Domain of the standard input: what the reference reads at its places, and the text that it is.

    ``numbers`` is empty where the reference itself says which numbers count. ``others`` is what holds for conversions
    that no example comes to.
    """

    text: TextDomain
    numbers: tuple[NumberDomain, ...] = ()
    scans: tuple[ScanDomain, ...] = ()
    others: ScanDomain = field(default_factory=lambda: ScanDomain(place=Location("", 0)))

    @property
    def misfits(self) -> bool:
        """Whether there is any place where something may not fit its format."""
        return any(one.misfits for one in (*self.scans, self.others))

    @property
    def of_text(self) -> InputDomain:
        """What holds for a program beside the reference: it reads the same text, but not at the same places."""
        return InputDomain(text=self.text, others=replace(self.others, misfits=True))

    def of_scan(self, place: Location) -> ScanDomain:
        """The results of the call of ``scanf`` at a place of the reference."""
        return next((one for one in self.scans if _is_at(one.place, place)), self.others)

    def of_number(self, place: Location) -> NumberDomain | None:
        """The numbers that are read at a place of the reference; None: any."""
        return next((one for one in self.numbers if _is_at(one.place, place)), None)


def _is_at(one: Location, other: Location) -> bool:
    return (one.file, one.line, one.column) == (other.file, other.line, other.column)
