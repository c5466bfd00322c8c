r"""Standard input as bytes: what a program reads of them, and bytes from which it reads given inputs.

    scanf("%d,%d", &n, &m) == 2; getchar()      b"3,-4\n"  ->  2, 3, -4, 10
                                                2, 3, -4, 10  ->  b"3,-4\n"

The first direction does what glibc's scanf does with a literal format; the second one makes proposals, because not
all inputs that the models allow are those of some text (a number followed by a digit that getchar reads). Who uses
it executes the proposal and compares.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.stdio.scanf import ScanfConversion, ScanfLiteral, ScanfSpace, scanf_directives
from cfrontend.units import (
    NEXT_CHARACTER,
    SCANNED,
    SCANNED_CHARACTERS,
    SCANNED_WORD,
    InputNumber,
    InputReading,
    InputSite,
)
from sfo.core.executions import ExecutionInputValue

_COUNT: Final = "__sfo_scanned"

READERS: Final = frozenset({NEXT_CHARACTER, _COUNT, SCANNED_WORD, SCANNED_CHARACTERS, SCANNED})
"""Library functions that read the standard input, as named in ``InputReading.function``."""

_SURROUNDINGS: Final = frozenset({"later", "below_second", "getenv", "system"})
"""Inputs about the surroundings, of which no text says anything: no time passes, no variable is set, commands
succeed."""

_WRITING: Final = "any_refusal"
"""Input that decides whether a file can be written, which it can."""

LONGEST_WORD: Final = 63
"""Characters of a word without a width, in the model of ``scanf``."""

_SPACE: Final = b" \t\n\v\f\r"
_BASES: Final = {"d": 10, "u": 10, "i": 0, "x": 16, "X": 16, "o": 8}
_REAL: Final = re.compile(
    rb"[-+]?(?:0x(?=\.?[0-9a-f])[0-9a-f]*\.?[0-9a-f]*(?:p[-+]?\d*)?|(?=\.?\d)(?!0x)\d*\.?\d*(?:e[-+]?\d*)?)",
    re.IGNORECASE,
)
_INFINITY: Final = b"infinity"
_REAL_WORDS: Final = (b"nan", b"inf")
_MISMATCHES: Final = (b"", b"~", b"-")
"""Texts tried where a conversion is to fail, if what is read next does not do it; of a lone sign nothing is left."""


class _FailureError(Exception):
    """A format does not fit; ``at_end``: there is no more input."""

    def __init__(self, *, at_end: bool) -> None:
        super().__init__()
        self.at_end = at_end


class StandardInputMisfitError(UsageError):
    """The text does not fit a format whose result the program ignores, and was not to be asked whether it does."""


# -- reading -----------------------------------------------------------------------------------------------------


@final
class StandardInput:
    """The inputs of an execution whose standard input is ``data``, a ``Supply`` for ``encode``.

    ``long_bits`` are those of the machine's ``long``; ``surroundings`` answers what no text says (``asked_around``: it
    was asked): with 0, the clock stands at 0, the environment is empty, and what ``system`` is given succeeds.
    ``memory`` is each byte that nobody has written (``unwritten``: the first such value that was read), None if it may
    not be read. With ``cuts_words`` the beginning of a word is read that is too long, and ``cut_word`` says so. Raises
    UsageError, with ``name`` in it, for an input that is not read from the standard input, and MisfitError for text
    that does not fit a format whose result the program ignores (but see ``ProgramOptions.scans_fail``).
    """

    def __init__(self, data: bytes, name: str, long_bits: int = 64) -> None:
        self.asked_around = False
        self.surroundings = 0
        self.memory: int | None = None
        self.unwritten: InputSite | None = None
        self.cuts_words = False
        self.cut_word: str | None = None
        self._data = data
        self._name = name
        self._long_bits = long_bits
        self._at = 0
        self._pending: deque[InputNumber] = deque()

    def __call__(self, site: InputSite) -> InputNumber:
        """The value of the next input."""
        reading = site.reading
        if reading is not None and reading.function == _WRITING:
            return 0
        if reading is not None and reading.function in _SURROUNDINGS:
            self.asked_around = True
            return self.surroundings
        if site.memory is not None and self.memory is not None:
            self.unwritten = self.unwritten or site
            return _filled(site, self.memory)
        if reading is None or reading.function not in READERS:
            raise UsageError(f"{self._name}: {input_beside_standard_input(site)}")
        if reading.function == NEXT_CHARACTER:
            return self._character()
        if reading.function == _COUNT:
            return self._count(reading.format)
        if not self._pending:
            try:
                for _ in self._scanned(reading.format):
                    pass
            except _FailureError:
                pass
            if not self._pending:
                raise StandardInputMisfitError(
                    f"{self._name}: the input does not fit the format {reading.format!r} of {site.name} at {site.location}"
                )
        return self._pending.popleft()

    def _character(self) -> int:
        if self._at >= len(self._data):
            return -1
        self._at += 1
        return self._data[self._at - 1]

    def _count(self, template: str) -> int:
        """The result of a call; what it stores is read next."""
        done = 0
        try:
            for _ in self._scanned(template):
                done += 1
        except _FailureError as failure:
            if failure.at_end and done == 0:
                return -1
        return done

    def _scanned(self, template: str) -> Iterator[None]:
        """Takes the parts of a format.

        Yields once for each conversion that is stored, whose values are then pending.
        """
        for part in scanf_directives(template):
            if part.skips:
                self._skip_space()
            if isinstance(part, ScanfLiteral):
                if self._at >= len(self._data):
                    raise _FailureError(at_end=True)
                if self._data[self._at] != ord(part.character):
                    raise _FailureError(at_end=False)
                self._at += 1
            elif isinstance(part, ScanfConversion):
                values = self._converted(part)
                if part.stored:
                    self._pending.extend(values)
                    yield

    def _skip_space(self) -> None:
        while self._at < len(self._data) and self._data[self._at] in _SPACE:
            self._at += 1

    def _converted(self, part: ScanfConversion) -> list[InputNumber]:
        if self._at >= len(self._data):
            raise _FailureError(at_end=True)
        rest = self._data[self._at :]
        field = rest[: part.width] if part.width else rest
        if part.letter == "c":
            if len(field) < (part.width or 1):
                raise UsageError(
                    f"{self._name}: {len(field)} characters for %{part.width}c, which is not modelled"
                )
            return list(self._taken(part.width or 1))
        if part.letter[0] in "s[":
            return self._word(part, field)
        if part.letter in _BASES:
            return [self._integer(part.letter, field)]
        return [self._real(field)]

    def _real(self, field: bytes) -> str:
        """A number with a point; an exponent without digits is taken and means nothing."""
        signs = int(field[:1] in {b"-", b"+"})
        rest = field[signs:].lower()
        word = next((word for word in _REAL_WORDS if word[:1] == rest[:1]), None)
        if word is not None:
            return self._real_word(signs, rest, _INFINITY if rest.startswith(b"infi") else word)
        match = _REAL.match(field)
        if match is None:
            # A point and the 0x of no number are lost, as a sign is.
            taken = next((start for start in (b"0x.", b"0x", b".") if rest.startswith(start)), b"")
            self._taken(signs + len(taken))
            if taken == b"0x.":
                return "0"
            raise _FailureError(at_end=False)
        return re.sub(r"[ep][-+]?$", "", self._taken(match.end()).decode("ascii").lower())

    def _real_word(self, signs: int, rest: bytes, word: bytes) -> str:
        """An infinity or NaN; where the word is another one, the first character that differs is lost, too."""
        same = next((n for n, byte in enumerate(word) if rest[n : n + 1] != bytes([byte])), len(word))
        if same < len(word):
            self._taken(signs + min(same + 1, len(rest)))
            raise _FailureError(at_end=False)
        return self._taken(signs + same).decode("ascii").lower()

    def _taken(self, count: int) -> bytes:
        self._at += count
        return self._data[self._at - count : self._at]

    def _word(self, part: ScanfConversion, field: bytes) -> list[InputNumber]:
        """The characters of a word, and the zero behind it where there is room."""
        inverted, listed = _set(part.letter)
        length = next((n for n, byte in enumerate(field) if (byte in listed) == inverted), len(field))
        if length == 0:
            raise _FailureError(at_end=False)
        limit = part.width or LONGEST_WORD
        if length > limit:
            self.cut_word = (
                f"{self._name}: a word of {length} characters is longer than {limit}, which is modelled"
            )
            if not self.cuts_words:
                raise UsageError(self.cut_word)
            self._at += length - limit
            return list(field[:limit])
        values: list[InputNumber] = list(self._taken(length))
        return values if length == limit else [*values, 0]

    def _integer(self, letter: str, field: bytes) -> int:
        """A whole number as strtol and strtoul read it; what is too large for a long is its largest."""
        base = _BASES[letter]
        digits = {16: rb"0x([0-9a-f]*)|([0-9a-f]+)", 10: rb"(\d+)", 8: rb"([0-7]+)"}
        digits[0] = rb"0x([0-9a-f]*)|(0[0-7]*)|([1-9]\d*)"
        match = re.match(rb"([-+]?)(?:" + digits[base] + rb")", field, re.IGNORECASE)
        if match is None:
            self._at += field[:1] in {b"-", b"+"}  # a sign is lost
            raise _FailureError(at_end=False)
        groups = match.groups()[1:]
        which = next(n for n, group in enumerate(groups) if group is not None)
        if base == 0:
            base = (16, 8, 10)[which]
        magnitude = int(groups[which] or b"0", base)
        self._at += match.end()
        negative = match[1] == b"-"
        if letter in "di":
            most = (1 << self._long_bits) // 2
            return max(-most, -magnitude) if negative else min(most - 1, magnitude)
        most = 1 << self._long_bits
        if magnitude >= most:
            return most - 1
        return -magnitude if negative else magnitude


def _set(letter: str) -> tuple[bool, frozenset[int]]:
    """Bytes that ``%s`` or a scan set takes: these, or all but these (True)."""
    if letter == "s":
        return True, frozenset(_SPACE)
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


def _filled(site: InputSite, byte: int) -> int:
    """Value that ``site`` reads where each byte of the memory is ``byte``."""
    bits = int.from_bytes(bytes([byte]) * (site.width // 8 + 1), "little") % (1 << site.width)
    return bits - (1 << site.width) if site.signed and bits >> (site.width - 1) else bits


def input_beside_standard_input(value: InputSite | ExecutionInputValue) -> str:
    """Description of an input that comes from elsewhere than the standard input."""
    if value.memory is not None:
        return f"{value.name}, declared at {value.location}, is read before anything is written to it"
    return f"{value.name} at {value.location} is not read from the standard input"


# -- writing -----------------------------------------------------------------------------------------------------


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
            elif reading.function == _COUNT:
                self._next += 1
                self._counted(reading.format, int(value.value))
            else:
                self._conversion(reading.format)
        return bytes(self._out)

    def _counted(self, template: str, count: int) -> None:
        """Write text for the ``count`` conversions that succeed, and something else behind it if not all do."""
        parts = scanf_directives(template)
        total = sum(isinstance(part, ScanfConversion) and part.stored for part in parts)
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
                    self._out += self._converted(part) if part.stored else _any_text(part)
                    self._after_token = part.letter != "c"

    def _converted(self, part: ScanfConversion) -> bytes:
        value = self._inputs[self._next]
        self._line = value.location.line
        if part.letter[0] in "s[" or (part.letter == "c" and part.width > 1):
            limit = part.width or LONGEST_WORD
            found = bytearray()
            while self._next < len(self._inputs) and len(found) < limit:
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
            _BASES.get(part.letter, 10), str(value.value)
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
    inverted, taken = _set(part.letter) if part.letter[0] in "s[" else (True, frozenset())
    fit = next(byte for byte in b"0a" + bytes(range(256)) if (byte in taken) != inverted)
    return bytes([fit]) * (part.width or 1 if part.letter == "c" else 1)
