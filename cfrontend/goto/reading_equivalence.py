r"""Ways of reading: what two versions of a program take of the same text, told from their formats.

    scanf("%d %d", ...), scanf("%d%d", ...)    the same: a number skips the white space before it
    scanf("%d,%d", ...), scanf("%d%d", ...)    not the same: of ``1 2``, the first one stores one number
    scanf("%c", ...), getchar()                the same; scanf(" %c", ...) is not

A way is what stands before a conversion since the one before it, the conversion, and what stands behind the last one
of a format. Two equal ways that begin at one place of a text take the same of it, whether they succeed or fail, so two
versions whose k-th ways are equal for all k stand at one place for all k. This is why one value for each conversion is
enough then, and why nothing is known where two ways differ.

White space in a format takes any amount of white space, none too, and cannot fail. Directives for numbers, ``%s`` and
``%%`` take it themselves, so it means nothing before these, nor beside other white space. At the end of a format it
means something only to what reads next, and nothing where everything that reads skips white space itself; but it may
meet the end of the input, which ``feof`` tells. The length of an integer (``%hd``) says what is stored, and not what is
taken, and ``%u`` takes what ``%d`` does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Final, final

from cfrontend import goto
from cfrontend.goto import GotoProgram
from cfrontend.record import dataclass
from cfrontend.stdio import scanf
from cfrontend.stdio.printf import REALS
from cfrontend.units import NEXT_CHARACTER, InputReading

_SPACE: Final = " "
_SAME_LETTERS: Final = {"u": "d", "X": "x", "D": "d"} | dict.fromkeys(REALS, "f")
_NUMBERS: Final = frozenset({"d", "f"})
_DECIMAL: Final = {"%i": "%d"}
_TELLS_THE_END: Final = "feof"


@final
@dataclass(frozen=True, slots=True)
class ReadingWay:
    """The directives ``before`` a conversion, the ``conversion`` (empty: there is none), and those ``behind`` it."""

    before: tuple[str, ...]
    conversion: str
    behind: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The part of a format that reads so."""
        return f'"{"".join((*self.before, self.conversion, *self.behind))}"'

    @property
    def keeps_space(self) -> bool:
        """Whether white space is not simply skipped where this begins to read."""
        first = next((part for part in (*self.before, self.conversion, *self.behind) if part), _SPACE)
        return first != _SPACE and not _skips(first)

    def without_last_space(self) -> ReadingWay:
        """The way for programs that skip white space wherever they read."""
        ends = self.behind[-1:] == (_SPACE,)
        return ReadingWay(self.before, self.conversion, self.behind[:-1]) if ends else self

    def in_decimal(self) -> ReadingWay:
        """The way for texts whose whole numbers are written in plain decimals."""
        return ReadingWay(self.before, _DECIMAL.get(self.conversion, self.conversion), self.behind)


_FREE: Final = frozenset({ReadingWay((), "%d"), ReadingWay((), "%f"), ReadingWay((), "%s")})
"""Ways that nothing but a missing number or the end of the input makes fail."""

CHARACTER: Final = ReadingWay((), "%c")
"""The way of ``getchar`` and its kin, which read one character after the other."""


def reading_way_of(reading: InputReading | None) -> ReadingWay | None:
    """The way in which an input is read; None where it does not come from a text by a format or by character."""
    if reading is None:
        return None
    if reading.function == NEXT_CHARACTER:
        return CHARACTER
    return _way(reading.format) if reading.format else None


@cache
def _way(template: str) -> ReadingWay:
    """The way of a part of a format with one conversion, or with none."""
    found = list(_directives(template))
    stored = next((n for n, (_, is_stored) in enumerate(found) if is_stored), None)
    plain = [text for text, _ in found]
    if stored is None:
        return ReadingWay((), "", _normal(plain))
    before = _normal([*plain[:stored], plain[stored]])
    return ReadingWay(before[:-1], before[-1], _normal(plain[stored + 1 :]))


def _directives(template: str) -> Iterator[tuple[str, bool]]:
    """Each directive in its normal form, and whether it is a conversion that stores something."""
    for part in scanf.scanf_directives(template):
        match part:
            case scanf.ScanfSpace():
                yield _SPACE, False
            case scanf.ScanfLiteral():
                yield part.text, False
            case scanf.ScanfConversion(letter=letter, width=width):
                star = "" if part.stored else "*"
                number = "" if (letter, width) == ("c", 1) else str(width or "")
                yield f"%{star}{number}{_SAME_LETTERS.get(letter, letter)}", part.stored


def _normal(directives: Sequence[str]) -> tuple[str, ...]:
    """Directives without white space that means nothing beside the next one."""
    behind = (*directives[1:], "")
    return tuple(
        text
        for text, following in zip(directives, behind, strict=False)
        if text != _SPACE or not (following == _SPACE or _skips(following))
    )


def _skips(directive: str) -> bool:
    """Whether a directive takes the white space before it."""
    if not directive.startswith("%") or len(directive) == 1:
        return False
    return directive[-1] not in "c]"


def is_same_reading(
    one: ReadingWay | None,
    two: ReadingWay | None,
    *,
    with_spaces: bool,
    is_decimal: bool = False,
) -> bool:
    """Whether two ways take the same of every text; ``with_spaces``: also of white space at the end of a format.

    ``is_decimal``: whole numbers are written so that ``%i`` takes what ``%d`` does. Of an integer and a number with a
    point, that is said of texts that are integers.
    """
    if one is None or two is None:
        return True
    if not with_spaces:
        one, two = one.without_last_space(), two.without_last_space()
    if is_decimal:
        one, two = one.in_decimal(), two.in_decimal()
    if (one.before, one.behind) != (two.before, two.behind):
        return False
    return one.conversion == two.conversion or {one.conversion[1:], two.conversion[1:]} == _NUMBERS


# -- of whole programs -------------------------------------------------------------------------------------------


def _reading_ways_of(program: GotoProgram) -> frozenset[ReadingWay]:
    """All ways in which a program reads, by any of its functions."""
    found = {way for reading in _readings(program) if (way := reading_way_of(reading)) is not None}
    return frozenset(found | ({CHARACTER} if NEXT_CHARACTER in program.functions else set()))


def _readings(program: GotoProgram) -> Iterator[InputReading]:
    return filter(None, map(_reading_at, program.instructions()))


def _reading_at(i: goto.Instruction) -> InputReading | None:
    """How an instruction reads by a part of a format, if it does."""
    if isinstance(i, goto.InputInstruction):
        return i.site.reading
    return (
        InputReading(function="", format=i.format)
        if isinstance(i, goto.CallInstruction) and i.format
        else None
    )


def spaces_in_reading_equivalence(*programs: GotoProgram) -> bool:
    """Whether white space at the end of a format means something to one of these versions."""
    if any(_TELLS_THE_END in program.functions for program in programs):
        return True
    return any(way.keeps_space for program in programs for way in _reading_ways_of(program))


def reading_equivalence_may_fail(one: GotoProgram, two: GotoProgram, *, is_decimal: bool) -> bool:
    """Whether two versions have other ways of reading, or the same in another order, so that they may part in a text.

    ``is_decimal`` is as of ``is_same_reading``. Nothing is known by that of versions that have the same: their
    executions are compared read by read.
    """
    with_spaces = spaces_in_reading_equivalence(one, two)

    def plain(way: ReadingWay) -> ReadingWay:
        way = way.in_decimal() if is_decimal else way
        return _as_number(way if with_spaces else way.without_last_space())

    mine, theirs = ({plain(way) for way in _reading_ways_of(program)} for program in (one, two))
    if not mine or not theirs:
        return False  # where only one of them reads, nothing can be held against it
    in_order = ([plain(way) for way in _in_order(program)] for program in (one, two))
    first, second = ([way for way, _ in groupby(ways)] for ways in in_order)
    return mine != theirs or first != second


def reading_equivalence_may_stop(
    one: Collection[tuple[str, ...] | None], two: Collection[tuple[str, ...] | None]
) -> bool:
    """Whether a conversion that fails ends other calls of one version than of the other: their formats, in parts.

        scanf("%d,%d", ...)    beside    scanf("%d", ...); scanf(",%d", ...)

    Calls that read nothing but numbers and words, with white space between them, may be taken apart: where one of
    these fails and nobody looks, the input is taken not to fit, as in a program alone.
    """

    def demanding(calls: Collection[tuple[str, ...] | None]) -> set[tuple[ReadingWay, ...]]:
        ways = {tuple(_way(part).without_last_space() for part in call) for call in calls if call is not None}
        return {call for call in ways if not all(way in _FREE for way in call)}

    return demanding(one) != demanding(two)


def _in_order(program: GotoProgram) -> Iterator[ReadingWay]:
    """The ways of reading by a format, as they stand in the functions of the program."""
    for function in sorted(
        program.own_functions(), key=lambda function: (function.location.file, function.location.line)
    ):
        for i in function.instructions:
            if (way := reading_way_of(_reading_at(i))) is not None:
                yield way


def _as_number(way: ReadingWay) -> ReadingWay:
    """The same way for integers and numbers with a point, of which only integers are followed."""
    return ReadingWay(way.before, "%d", way.behind) if way.conversion[1:] in _NUMBERS else way
