r"""Standard input as bytes: what a program reads of them, as glibc's scanf does with a literal format.

scanf("%d,%d", &n, &m) == 2; getchar()      b"3,-4\n"  ->  2, 3, -4, 10
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.stdio.scanf import ScanfConversion, ScanfLiteral, scanf_directives
from cfrontend.units import (
    NEXT_CHARACTER,
    InputNumber,
    InputSite,
)
from sfo.formats.standard_input_text import (
    READERS,
    SCAN_BASES,
    SCAN_COUNT,
    SCAN_SPACE,
    input_beside_standard_input,
    scan_set,
)

_SURROUNDINGS: Final = frozenset({"later", "below_second", "getenv", "system"})
"""Inputs about the surroundings, of which no text says anything: no time passes, no variable is set, commands
succeed."""

_WRITING: Final = "any_refusal"
"""Input that decides whether a file can be written, which it can."""

_REAL: Final = re.compile(
    rb"[-+]?(?:0x(?=\.?[0-9a-f])[0-9a-f]*\.?[0-9a-f]*(?:p[-+]?\d*)?|(?=\.?\d)(?!0x)\d*\.?\d*(?:e[-+]?\d*)?)",
    re.IGNORECASE,
)
_INFINITY: Final = b"infinity"
_REAL_WORDS: Final = (b"nan", b"inf")


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
    not be read. Raises UsageError, with ``name`` in it, for an input that is not read from the standard input, and
    MisfitError for text that does not fit a format whose result the program ignores (but see
    ``ProgramOptions.scans_fail``).
    """

    def __init__(self, data: bytes, name: str, long_bits: int = 64) -> None:
        self.asked_around = False
        self.surroundings = 0
        self.memory: int | None = None
        self.unwritten: InputSite | None = None
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
        if reading.function == SCAN_COUNT:
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

    @property
    def is_read_whole(self) -> bool:
        """Whether nothing but white space is left."""
        return not self._data[self._at :].strip(SCAN_SPACE)

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
        while self._at < len(self._data) and self._data[self._at] in SCAN_SPACE:
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
        if part.letter in SCAN_BASES:
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
        inverted, listed = scan_set(part.letter)
        length = next((n for n, byte in enumerate(field) if (byte in listed) == inverted), len(field))
        if length == 0:
            raise _FailureError(at_end=False)
        values: list[InputNumber] = list(self._taken(length))
        return values if length == part.width else [*values, 0]

    def _integer(self, letter: str, field: bytes) -> int:
        """A whole number as strtol and strtoul read it; what is too large for a long is its largest."""
        base = SCAN_BASES[letter]
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


def _filled(site: InputSite, byte: int) -> int:
    """Value that ``site`` reads where each byte of the memory is ``byte``."""
    bits = int.from_bytes(bytes([byte]) * (site.width // 8 + 1), "little") % (1 << site.width)
    return bits - (1 << site.width) if site.signed and bits >> (site.width - 1) else bits
