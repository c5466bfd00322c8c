"""``scanf`` formats taken apart (C11 7.21.6.2): for whoever lowers a call, compares two, or reads a text by one.

directives("%5d, %*s")   ->   Conversion("d", width=5), Literal(","), Space(), Conversion("s", stored=False)
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, TypeAlias, final

from cfrontend.record import dataclass

_DIRECTIVE: Final = re.compile(
    r"%([*'I]*)(\d*)(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%]|\[\^?\]?[^\]]*\])|(\s+)|(.)", re.DOTALL
)
"""Star and flags of glibc, width, length and letter (or set) of a conversion; white space; another character.

``'`` and ``I`` mean nothing in the locale "C", so ``%I64d`` is an int of at most 64 characters.
"""


@final
@dataclass(frozen=True, slots=True)
class ScanfSpace:
    """White space: any amount of it, none too."""

    text: str

    @property
    def skips(self) -> bool:
        """Whether white space before it is skipped, which is all that it means."""
        return True


@final
@dataclass(frozen=True, slots=True)
class ScanfLiteral:
    """A character that has to be there; ``skips``: behind white space (``%%``)."""

    character: str
    text: str
    skips: bool = False

    @property
    def is_malformed(self) -> bool:
        """Whether this is a ``%`` that begins no conversion."""
        return self.text == "%"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ScanfConversion:
    """A conversion other than ``%%``; ``stored`` is false for one with a star, ``width`` 0 for any."""

    letter: str
    length: str
    width: int
    stored: bool
    text: str

    @property
    def skips(self) -> bool:
        """Whether white space before it is skipped."""
        return self.letter[0] not in "c["


Directive: TypeAlias = ScanfSpace | ScanfLiteral | ScanfConversion


@cache
def scanf_directives(template: str) -> tuple[Directive, ...]:
    """The directives of a format in order; their texts together are the format."""
    return tuple(_directive(match) for match in _DIRECTIVE.finditer(template))


def _directive(match: re.Match[str]) -> Directive:
    flags, width, length, letter, space, literal = match.groups(default="")
    if space:
        return ScanfSpace(match[0])
    if literal:
        return ScanfLiteral(literal, match[0])
    if letter == "%":
        return ScanfLiteral("%", match[0], skips=True)
    return ScanfConversion(
        letter=letter, length=length, width=int(width or 0), stored="*" not in flags, text=match[0]
    )
