"""Domain of the standard input: the texts that are like given examples, as constraints on what a reference reads.

examples "3 1 2 40" and "2 5 17"   ->   n from 1 to 9, x from 1 to 40; digits and blanks; all that is read fits

Only executions inside the domain count. A program alone has no domain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache
from typing import Final, TypeAlias, final

from cfrontend.errors import Location
from cfrontend.record import dataclass

PlaceKey: TypeAlias = tuple[str, int, int | None]
"""Key of a place: file, line and column of a location, whatever its end is."""

DIGITS: Final = frozenset(range(ord("0"), ord("9") + 1))
"""Codes of the digits."""

LOWER: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz")
"""Codes of the small letters."""

UPPER: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""Codes of the capital letters."""

SPACES: Final = frozenset(b" \t\n\v\f\r")
"""Codes of white space."""

_KINDS: Final = {
    "letter": LOWER,
    "capital": UPPER,
    "digit": DIGITS,
    "blank": frozenset(b" \t"),
    "line end": frozenset(b"\n\v\f\r"),
}


def kind_of_character(code: int) -> str:
    """The kind of a character: small letters, capitals, digits, blanks, line ends; any other one is of its own kind."""
    for kind, codes in _KINDS.items():
        if code in codes:
            return kind
    return chr(code)


@cache
def intervals_of_codes(codes: frozenset[int]) -> tuple[tuple[int, int], ...]:
    """The least and the greatest code of each row of neighbours."""
    found: list[tuple[int, int]] = []
    for code in sorted(codes):
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return tuple(found)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class NumberDomain:
    """Numbers that a conversion reads: those from ``least`` to ``greatest``, which are whole unless it is ``real``.

    ``name`` is what they are read into, ``place`` where; of several places with one name it is the first. ``sentinel``
    is a number besides, with which all that is read there ends.
    """

    name: str
    place: Location
    least: int
    greatest: int
    real: bool = False
    sentinel: int | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterDomain:
    """Characters that a ``%c`` at ``place`` reads, as codes from 0 to 255."""

    place: Location
    characters: frozenset[int]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDomain:
    """Numbers at ``place`` in records that begin with the letter ``code``, which is read at ``letter``.

    They go from ``least`` to ``greatest``, and none is the number of its record that is read at ``unlike``.
    """

    place: Location
    letter: Location
    code: int
    least: int
    greatest: int
    unlike: Location | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ScanDomain:
    """Results of a call of ``scanf``: ``ends``: -1, too; ``misfits``: any. Otherwise all conversions fit.

    ``breaks_off``: the input may also end before a later conversion of the call. ``stored`` is where its values go.
    """

    place: Location
    ends: bool = False
    breaks_off: bool = False
    misfits: bool = False
    stored: tuple[Location, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TextDomain:
    """Characters of a text: ``characters`` are the codes of those that may stand in it, ``digits`` how many in a row.

    ``pairs`` are the kinds (``kind_of_character``) that may stand side by side; an empty kind is before the first
    character and behind the last one. ``padded``: a number may begin with a needless zero. ``longest_word`` and
    ``longest_line`` are how many characters a word and a line have at most, None for any number.
    """

    characters: frozenset[int]
    digits: int
    pairs: frozenset[tuple[str, str]]
    padded: bool = False
    longest_word: int | None = None
    longest_line: int | None = None

    @cache  # noqa: B019 - the domain of a text is frozen, and there is one for each program
    def kinds(self) -> Mapping[str, frozenset[int]]:
        """The characters by their kinds."""
        found: dict[str, set[int]] = {}
        for code in sorted(self.characters):
            found.setdefault(kind_of_character(code), set()).add(code)
        return {kind: frozenset(codes) for kind, codes in found.items()}

    @cache  # noqa: B019
    def after(self, kind: str) -> frozenset[int]:
        """The characters that may stand behind one of a kind."""
        allowed = {second for first, second in self.pairs if first == kind}
        return frozenset(code for code in self.characters if kind_of_character(code) in allowed)

    @property
    def is_decimal(self) -> bool:
        """Whether whole numbers are written so that they can be nothing but decimals."""
        return not (self.padded or self.characters & frozenset(b"xX"))


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InputDomain:
    """Domain of the standard input: what the reference reads at its places, and the text that it is.

    ``numbers`` is empty where the reference itself says which numbers count. ``others`` is what holds for conversions
    that no example comes to. ``read_whole``: nothing but white space stands behind what the reference reads.
    ``letters`` are the characters at each ``%c``, where they are read as single values.
    """

    text: TextDomain
    read_whole: bool = False
    numbers: tuple[NumberDomain, ...] = ()
    letters: tuple[CharacterDomain, ...] = ()
    records: tuple[RecordDomain, ...] = ()
    scans: tuple[ScanDomain, ...] = ()
    others: ScanDomain = field(default_factory=lambda: ScanDomain(place=Location("", 0)))

    @property
    def misfits(self) -> bool:
        """Whether there is any place where something may not fit its format."""
        return any(one.misfits for one in (*self.scans, self.others))

    @property
    def of_text(self) -> InputDomain:
        """What holds for a program beside the reference: it reads the same text, but not at the same places."""
        return InputDomain(
            text=self.text, read_whole=self.read_whole, others=replace(self.others, misfits=True)
        )

    def of_scan(self, place: Location) -> ScanDomain:
        """The results of the call of ``scanf`` at a place of the reference."""
        return next((one for one in self.scans if _is_at(one.place, place)), self.others)

    def of_number(self, place: Location) -> NumberDomain | None:
        """The numbers that are read at a place of the reference; None: any."""
        return next((one for one in self.numbers if _is_at(one.place, place)), None)

    @property
    def looked_back_to(self) -> tuple[Location, ...]:
        """The places of reads that the records look back to."""
        places = [one for record in self.records for one in (record.letter, record.unlike) if one is not None]
        return tuple(dict.fromkeys(places))

    def records_at(self, place: Location) -> tuple[RecordDomain, ...]:
        """What holds for a number at a place of the reference in each kind of record."""
        return tuple(one for one in self.records if _is_at(one.place, place))

    def of_character(self, place: Location) -> CharacterDomain | None:
        """The characters that ``%c`` reads at a place of the reference; None: any."""
        return next((one for one in self.letters if _is_at(one.place, place)), None)


def place_key(place: Location) -> PlaceKey:
    """What two locations of one place have in common."""
    return place.file, place.line, place.column


def _is_at(one: Location, other: Location) -> bool:
    return place_key(one) == place_key(other)
