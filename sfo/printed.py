r"""What a recorded ``printf`` prints: C's integer, character and string conversions on evaluated arguments.

    render(b"%d of %5u\n", [Printed(value=2**32 - 1, width=32, signed=True), Printed(value=7, width=32, ...)])
    -> b"-1 of     7\n"

Floating point has no conversion here yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from cfrontend.errors import InternalError
from cfrontend.terms import Terms

_CONVERSION: Final = re.compile(
    rb"%(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?(?P<length>hh|h|ll|l|j|z|t)?(?P<kind>[diouxXcsp%])"
)
_LENGTH_BITS: Final = {b"hh": 8, b"h": 16, b"l": 64, b"ll": 64, b"j": 64, b"z": 64, b"t": 64}
_BASES: Final = {b"o": "o", b"x": "x", b"X": "X", b"p": "x"}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """An evaluated argument: an unsigned ``value`` of ``width`` bits; for ``%s`` its ``characters``."""

    value: int
    width: int
    signed: bool
    characters: bytes | None = None


def render(format_: bytes, arguments: Sequence[Printed]) -> bytes:
    """The bytes ``printf`` writes (C11 7.21.6.1 without floating point). Raises InternalError on others."""
    left = iter(arguments)
    pieces: list[bytes] = []
    end = 0
    for match in _CONVERSION.finditer(format_):
        pieces.extend((_literal(format_[end : match.start()]), _convert(match, left)))
        end = match.end()
    pieces.append(_literal(format_[end:]))
    return b"".join(pieces)


def _literal(text: bytes) -> bytes:
    if b"%" in text:
        raise InternalError(f"unknown printf conversion in {text!r}")
    return text


def _convert(match: re.Match[bytes], arguments: Iterator[Printed]) -> bytes:
    kind = match["kind"]
    if kind == b"%":
        return b"%"
    flags = match["flags"].decode()
    width = _count(match["width"], arguments) or 0
    precision = _count(match["precision"], arguments)
    if width < 0:
        flags, width = flags + "-", -width
    if precision is not None and precision < 0:
        precision = None
    argument = _next(arguments)
    if kind == b"s":
        body = (argument.characters or b"")[:precision]
    elif kind == b"c":
        body = bytes([argument.value & 0xFF])
    else:
        bits = _LENGTH_BITS.get(match["length"] or b"", 64 if kind == b"p" else 32)
        body = _integer(argument, kind, bits, flags=flags, precision=precision, width=width).encode()
    return body.ljust(width) if "-" in flags else body.rjust(width)


def _count(text: bytes | None, arguments: Iterator[Printed]) -> int | None:
    """A width or precision: digits, or ``*`` for the next argument."""
    if text is None:
        return None
    if text == b"*":
        argument = _next(arguments)
        return Terms.signed(argument.value & 0xFFFF_FFFF, 32)
    return int(text or b"0")


def _next(arguments: Iterator[Printed]) -> Printed:
    try:
        return next(arguments)
    except StopIteration:
        raise InternalError("printf has fewer arguments than conversions") from None


def _integer(
    argument: Printed, kind: bytes, bits: int, *, flags: str, precision: int | None, width: int
) -> str:
    value = Terms.signed(argument.value, argument.width) if argument.signed else argument.value
    value &= (1 << bits) - 1
    sign = ""
    if kind in b"di":
        value = Terms.signed(value, bits)
        sign = "-" if value < 0 else "+" if "+" in flags else " " if " " in flags else ""
    digits = format(abs(value), _BASES.get(kind, "d"))
    if precision == 0 and value == 0:
        digits = ""
    digits = digits.rjust(precision or 0, "0")
    prefix = _prefix(kind, flags, value, digits)
    if "0" in flags and "-" not in flags and precision is None:
        digits = digits.rjust(width - len(sign + prefix), "0")
    return sign + prefix + digits


def _prefix(kind: bytes, flags: str, value: int, digits: str) -> str:
    if kind == b"p":
        return "0x"
    if "#" not in flags:
        return ""
    if kind in b"xX" and value:
        return "0" + kind.decode()
    return "0" if kind == b"o" and not digits.startswith("0") else ""
