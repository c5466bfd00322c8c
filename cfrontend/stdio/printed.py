r"""What a recorded ``printf`` prints: C's integer, character and string conversions on evaluated arguments.

    render(b"%d of %5u\n", [Printed(value=2**32 - 1, width=32, signed=True), Printed(value=7, width=32, ...)])
    -> b"-1 of     7\n"

Floating point has no conversion here yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, final

from cfrontend.errors import InternalError
from cfrontend.record import dataclass
from cfrontend.stdio.printf import REALS, Count, PrintfConversion, parse_printf_format
from cfrontend.terms import Terms
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.printing import print_float

_LENGTH_BITS: Final = {"hh": 8, "h": 16, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64, "q": 64}
_BASES: Final = {"o": "o", "x": "x", "X": "X", "p": "x"}


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedArgument:
    """An evaluated argument: an unsigned ``value`` of ``width`` bits; for ``%s`` its ``characters``."""

    value: int
    width: int
    signed: bool
    characters: bytes | None = None


def render_printed(format_: bytes, arguments: Sequence[PrintedArgument]) -> bytes:
    """The bytes that ``printf`` writes (C11 7.21.6.1). Raises InternalError for what is not modelled."""
    left = iter(arguments)
    try:
        pieces = parse_printf_format(format_)
    except ValueError as error:
        raise InternalError(f"unknown printf conversion: {error}") from error
    return b"".join(piece if isinstance(piece, bytes) else _convert(piece, left) for piece in pieces)


def _convert(conversion: PrintfConversion, arguments: Iterator[PrintedArgument]) -> bytes:
    kind, flags = conversion.kind, conversion.flags
    width = _count(conversion.width, arguments) or 0
    precision = _count(conversion.precision, arguments)
    if width < 0:
        flags, width = flags + "-", -width
    if precision is not None and precision < 0:
        precision = None
    argument = _next(arguments)
    if kind in REALS:
        f = FORMATS[argument.width]
        return print_float(f, argument.value, kind, flags=flags, width=width, precision=precision).encode()
    if kind == "s":
        body = (argument.characters or b"")[:precision]
    elif kind == "c":
        body = bytes([argument.value & 0xFF])
    elif kind == "p" and not argument.value:
        body = b"(nil)"
    else:
        bits = _LENGTH_BITS.get(conversion.length, 64 if kind == "p" else 32)
        body = _integer(argument, kind, bits, flags=flags, precision=precision, width=width).encode()
    return body.ljust(width) if "-" in flags else body.rjust(width)


def _count(count: Count, arguments: Iterator[PrintedArgument]) -> int | None:
    """A width or precision; ``*`` is the next argument."""
    if count == "*":
        return Terms.signed(_next(arguments).value & 0xFFFF_FFFF, 32)
    return count


def _next(arguments: Iterator[PrintedArgument]) -> PrintedArgument:
    try:
        return next(arguments)
    except StopIteration:
        raise InternalError("printf has fewer arguments than conversions") from None


def _integer(
    argument: PrintedArgument, kind: str, bits: int, *, flags: str, precision: int | None, width: int
) -> str:
    value = Terms.signed(argument.value, argument.width) if argument.signed else argument.value
    value &= (1 << bits) - 1
    sign = ""
    if kind in "di":
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


def _prefix(kind: str, flags: str, value: int, digits: str) -> str:
    if kind == "p":
        return "0x"
    if "#" not in flags:
        return ""
    if kind in "xX" and value:
        return "0" + kind
    return "0" if kind == "o" and not digits.startswith("0") else ""
