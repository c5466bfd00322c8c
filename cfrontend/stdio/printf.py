r"""``printf`` formats taken apart (C11 7.21.6.1): for whoever checks the arguments and whoever prints them.

parse(b"x=%-5.2f\n")   ->   (b"x=", Conversion(flags="-", width=5, precision=2, length="", kind="f"), b"\n")
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias, final

from cfrontend.record import dataclass

CONVERSION: Final = re.compile(rb"%([-+ #0'I]*)(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z%])")
"""Flags (``I`` is one of glibc, so ``%I64d`` has the width 64), width, precision, length and letter."""

_OF_LOCALES: Final = str.maketrans("", "", "'I")
"""Flags that ask for what the locale "C" does not have: groups of digits, digits of its own."""

INTEGERS: Final = "diouxX"
REALS: Final = "aAeEfFgG"

_NO_CONVERSION: Final = re.compile(rb"%(?=[\x01-\x7f])(?![-+ #0'I\d*.hlLqjztwaAbBcCdeEfFgGimnopsSuxXZ%])")
"""A percent sign in front of what begins no conversion of glibc, which prints both then, as of ``100%\\n``."""

_LENGTHS: Final = (
    dict.fromkeys(INTEGERS, ("", "hh", "h", "l", "ll", "j", "z", "t", "q"))
    | dict.fromkeys(REALS, ("", "l", "L"))
    | dict.fromkeys("cs", ("", "l"))
)

Count: TypeAlias = int | Literal["*"] | None
"""A width or precision: a number, ``*`` for the next argument, or None where there is none."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PrintfConversion:
    """One conversion specification other than ``%%``; ``flags`` that mean something, ``text`` as it is spelled."""

    flags: str
    width: Count
    precision: Count
    length: str
    kind: str
    text: str

    @property
    def is_wide(self) -> bool:
        """Whether it prints wide characters."""
        return self.kind in "cs" and self.length == "l"

    def arguments(self) -> str:
        """The kinds of the arguments it takes, in order: ``d`` for each ``*``, then its own."""
        return "d" * (self.width, self.precision).count("*") + self.kind


Piece: TypeAlias = bytes | PrintfConversion


def parse_printf_format(template: bytes) -> tuple[Piece, ...]:
    """Text and conversions in order. Raises ValueError, saying what, for what is not modelled."""
    pieces: list[Piece] = []
    end = 0
    for match in CONVERSION.finditer(template):
        pieces.append(_text(template[end : match.start()]))
        pieces.append(_conversion(match))
        end = match.end()
    pieces.append(_text(template[end:]))
    return tuple(piece for piece in pieces if piece)


def is_printf_format_parsed(template: bytes) -> bool:
    """Whether a format prints only characters of a byte, by conversions that ``parse_printf_format`` knows.

    It does not know ``%n`` and numbered arguments.
    """
    try:
        return not any(conversion.is_wide for conversion in printf_conversions(template))
    except ValueError:
        return False


def printf_conversions(template: bytes) -> tuple[PrintfConversion, ...]:
    """The conversions of a format in order; raises ValueError as ``parse`` does."""
    return tuple(piece for piece in parse_printf_format(template) if isinstance(piece, PrintfConversion))


def _text(text: bytes) -> bytes:
    if re.search(rb"%\d+\$", text):
        raise ValueError("numbered arguments")
    if b"%" in _NO_CONVERSION.sub(b"", text):
        raise ValueError("a malformed conversion")
    return text


def _conversion(match: re.Match[bytes]) -> Piece:
    spelled = match[0].decode()
    flags, length, kind = match[1].decode(), (match[4] or b"").decode(), match[5].decode()
    if kind == "%":
        return b"%"
    if _NO_CONVERSION.match(match[0]):
        return match[0]
    if length not in _LENGTHS.get(kind, ("",)) or kind not in INTEGERS + REALS + "csp":
        raise ValueError(f"'{spelled}'")
    return PrintfConversion(
        flags=flags.translate(_OF_LOCALES),
        width=_count(match[2]),
        precision=_count(match[3]),
        length=length,
        kind=kind,
        text=spelled,
    )


def _count(digits: bytes | None) -> Count:
    if digits is None:
        return None
    return "*" if digits == b"*" else int(digits or b"0")
