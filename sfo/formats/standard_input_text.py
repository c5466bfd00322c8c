r"""Standard input as text: bytes from which a program reads given inputs.

    scanf("%d,%d", &n, &m) == 2; getchar()      2, 3, -4, 10  ->  b"3,-4\n"

These are proposals, because not all inputs that the models allow are those of some text (a number followed by a digit
that getchar reads). Who relies on one executes it and compares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cfrontend.errors import UsageError
from cfrontend.stdio.scanf import ScanfConversion, ScanfLiteral, ScanfSpace, scanf_directives
from cfrontend.units import NEXT_CHARACTER, SCANNED, SCANNED_CHARACTERS, SCANNED_WORD, InputReading, InputSite
from sfo.core.executions import Execution, ExecutionInputValue

SCAN_COUNT: Final = "__sfo_scanned"
"""Name of the library model whose input is how many conversions of a call of ``scanf`` succeed."""

READERS: Final = frozenset({NEXT_CHARACTER, SCAN_COUNT, SCANNED_WORD, SCANNED_CHARACTERS, SCANNED})
"""Library functions that read the standard input, as named in ``InputReading.function``."""

SCAN_SPACE: Final = b" \t\n\v\f\r"
"""White space of ``scanf``."""

SCAN_BASES: Final = {"d": 10, "u": 10, "i": 0, "x": 16, "X": 16, "o": 8}
"""Bases of the conversions of whole numbers; 0: the text says it."""

_REALS: Final = frozenset("eEfFgG")
"""Conversions of floating-point numbers."""

_NO_NUMBER: Final = b"x"
"""A text that no conversion of a number takes."""

_MISMATCHES: Final = (b"", b"~", b"-")
"""Texts tried where a conversion is to fail, if what is read next does not do it; of a lone sign nothing is left."""


def scan_set(letter: str) -> tuple[bool, frozenset[int]]:
    """Bytes that ``%s`` or a scan set takes: these, or all but these (True)."""
    if letter == "s":
        return True, frozenset(SCAN_SPACE)
    inside = letter[1:-1]
    inverted = inside.startswith("^")
    inside = inside[1:] if inverted else inside
    found: set[int] = set()
    n = 0
    while n < len(inside):
        if n + 2 < len(inside) and inside[n + 1] == "-":
            found |= set(range(ord(inside[n]), ord(inside[n + 2]) + 1))
            n += 3
        else:
            found.add(ord(inside[n]))
            n += 1
    return inverted, frozenset(found)


def input_beside_standard_input(value: InputSite | ExecutionInputValue) -> str:
    """Description of an input that comes from elsewhere than the standard input."""
    if value.memory is not None:
        return f"{value.name}, declared at {value.location}, is read before anything is written to it"
    return f"{value.name} at {value.location} is not read from the standard input"


def standard_inputs(inputs: Sequence[ExecutionInputValue]) -> tuple[bytes, ...]:
    """Texts from which ``inputs`` may be read, the likeliest first.

    Raises UsageError for an input that is not read from the standard input.
    """
    for value in inputs:
        if value.reading is None or value.reading.function not in READERS:
            raise UsageError(input_beside_standard_input(value))
    found: list[bytes] = []
    by_character = not inputs or _reading(inputs[-1]).function == NEXT_CHARACTER
    for mismatch in _MISMATCHES:
        text = _Writer(inputs, mismatch).text()
        lines = text if text.endswith(b"\n") else text + b"\n"
        found += (text, lines) if by_character else (lines, text)
    return tuple(dict.fromkeys(found))


def standard_input_to_type(execution: Execution) -> bytes | None:
    """The text to type for an execution, what only its reference reads included; None where that is not certain.

    It is where all inputs come from the standard input, and each conversion fits or finds the end. The last one may be
    one of a number that finds a letter, as nothing is read behind it.
    """
    inputs = (*execution.inputs, *execution.unread)
    if execution.text is not None or not inputs:
        return execution.text
    if any(value.reading is None or value.reading.function not in READERS for value in inputs):
        return None
    misfits = [
        value
        for value in inputs
        if _reading(value).function == SCAN_COUNT
        and value.value not in {-1, _stored_of(_reading(value).format)}
    ]
    if not misfits:
        return _Writer(inputs, b"").text()
    is_last = len(misfits) == 1 and misfits[0] is inputs[-1] and misfits[0].value == 0
    return _Writer(inputs, _NO_NUMBER).text() if is_last and _begins_with_number(misfits[0]) else None


def _begins_with_number(count: ExecutionInputValue) -> bool:
    """Whether a format asks for a number first."""
    first = next(
        (part for part in scanf_directives(_reading(count).format) if not isinstance(part, ScanfSpace)), None
    )
    return isinstance(first, ScanfConversion) and (first.letter in SCAN_BASES or first.letter in _REALS)


def _stored_of(template: str) -> int:
    """Number of conversions of a format that store something."""
    return sum(isinstance(part, ScanfConversion) and part.stored for part in scanf_directives(template))


def _reading(value: ExecutionInputValue) -> InputReading:
    assert value.reading is not None
    return value.reading


class _Writer:
    """Puts the text of inputs together."""

    def __init__(self, inputs: Sequence[ExecutionInputValue], mismatch: bytes) -> None:
        self._inputs = inputs
        self._mismatch = mismatch
        self._next = 0
        self._out = bytearray()
        self._after_token = False
        self._after_letter = False
        self._line = 0

    def text(self) -> bytes:
        """The text of all inputs."""
        while self._next < len(self._inputs):
            value = self._inputs[self._next]
            reading = _reading(value)
            if reading.function == NEXT_CHARACTER:
                self._next += 1
                if value.value != -1:
                    self._out.append(_byte(value))
                self._after_token = False
            elif reading.function == SCAN_COUNT:
                self._next += 1
                self._counted(reading.format, int(value.value))
            else:
                self._conversion(reading.format)
        return bytes(self._out)

    def _counted(self, template: str, count: int) -> None:
        """Write text for the ``count`` conversions that succeed, and something else behind it if not all do."""
        total = _stored_of(template)
        for _ in range(max(0, count)):
            if self._next < len(self._inputs):
                self._conversion(_reading(self._inputs[self._next]).format)
        if 0 <= count < total and (count == 0 or self._next < len(self._inputs)):
            if self._mismatch:
                self._separate()
            self._out += self._mismatch
            self._after_token = bool(self._mismatch)

    def _conversion(self, template: str) -> None:
        """Write text for the part of a format up to a conversion, with its value or values."""
        for part in scanf_directives(template):
            match part:
                case ScanfSpace():
                    if self._after_token:
                        self._separate()
                case ScanfLiteral():
                    self._out.append(ord(part.character))
                    self._after_token = False
                case ScanfConversion():
                    if part.skips and self._after_token:
                        self._separate()
                    elif part.skips and self._after_letter:
                        self._out += b" "
                    self._out += self._converted(part) if part.stored else _any_text(part)
                    self._after_token = part.letter != "c"
                    self._after_letter = part.letter == "c" and self._out[-1:].isalpha()

    def _converted(self, part: ScanfConversion) -> bytes:
        value = self._inputs[self._next]
        self._line = value.location.line
        if part.letter[0] in "s[" or (part.letter == "c" and part.width > 1):
            found = bytearray()
            while self._next < len(self._inputs) and not (part.width and len(found) == part.width):
                byte = _byte(self._inputs[self._next])
                self._next += 1
                if byte == 0 and part.letter != "c":
                    break
                found.append(byte)
            return bytes(found)
        self._next += 1
        if part.letter == "c":
            return bytes([_byte(value)])
        if isinstance(value.value, str):
            return value.value.encode("ascii")
        return {16: f"{value.value:x}", 8: f"{value.value:o}"}.get(
            SCAN_BASES.get(part.letter, 10), str(value.value)
        ).encode("ascii")

    def _separate(self) -> None:
        """White space, a new line where another line of the program reads."""
        line = self._inputs[self._next].location.line if self._next < len(self._inputs) else self._line
        self._out += b" " if line == self._line else b"\n"
        self._after_token = False


def _byte(value: ExecutionInputValue) -> int:
    assert isinstance(value.value, int)
    return value.value % 256


def _any_text(part: ScanfConversion) -> bytes:
    """Something for a conversion that is not stored."""
    inverted, taken = scan_set(part.letter) if part.letter[0] in "s[" else (True, frozenset())
    fit = next(byte for byte in b"0a" + bytes(range(256)) if (byte in taken) != inverted)
    return bytes([fit]) * (part.width or 1 if part.letter == "c" else 1)
