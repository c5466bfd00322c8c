"""Records learnt from examples: what the numbers are like behind each letter that is a command.

records "P 3 40", "M 3 5", "M 5 1" ...   ->   behind M the second number is at most 10 and never the first one
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, final

from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.syntax.input_domain import PlaceKey, RecordDomain, place_key

_LEAST_EQUALS: Final = 1.0
"""Equal pairs that are to be expected of two independent numbers, if none is to say that they always differ."""


@final
@dataclass(frozen=True, slots=True)
class ReadValue:
    """A letter or an integer that was read at ``place``."""

    place: Location
    value: int
    is_letter: bool


@final
@dataclass(frozen=True, slots=True)
class _Kind:
    """Numbers at one place of the records that begin with one letter."""

    place: Location
    letter: Location
    code: int


_Seen = dict[PlaceKey, ReadValue]
"""The numbers of a record so far, by their places."""


def learnt_record_domains(
    texts: Iterable[Sequence[ReadValue]],
    *,
    is_command: Callable[[int], bool],
    around: Callable[[Sequence[int]], tuple[int, int]],
    least_records: int,
) -> Iterator[RecordDomain]:
    """What holds for the numbers behind each command that stands in ``least_records`` records.

    ``texts`` are what was read of each example; ``around`` is the range of the domain of some numbers.
    """
    found: dict[_Kind, list[tuple[int, _Seen]]] = {}
    for text in texts:
        for kind, value, before in _numbers_in_records(text):
            found.setdefault(kind, []).append((value, before))
    for kind, numbers in found.items():
        is_one_each = all(place_key(kind.place) not in before for _, before in numbers)
        if is_command(kind.code) and is_one_each and len(numbers) >= least_records:
            least, greatest = around([value for value, _ in numbers])
            yield RecordDomain(
                place=kind.place,
                letter=kind.letter,
                code=kind.code,
                least=least,
                greatest=greatest,
                unlike=_unlike(numbers),
            )


def _numbers_in_records(text: Sequence[ReadValue]) -> Iterator[tuple[_Kind, int, _Seen]]:
    """Each number behind a letter, with the numbers between them."""
    letter: ReadValue | None = None
    seen: _Seen = {}
    for read in text:
        if read.is_letter:
            letter, seen = read, {}
        elif letter is not None:
            yield _Kind(read.place, letter.place, letter.value), read.value, dict(seen)
            seen[place_key(read.place)] = read


def _unlike(numbers: Sequence[tuple[int, _Seen]]) -> Location | None:
    """The place of another number of each record that is never equal, though one would expect it."""
    in_each = set(numbers[0][1]).intersection(*[before for _, before in numbers])
    for key, other in numbers[0][1].items():
        if key not in in_each:
            continue
        pairs = [(value, before[key].value) for value, before in numbers]
        mine, theirs = (Counter(one) for one in zip(*pairs, strict=True))
        expected = sum(count * theirs[value] for value, count in mine.items()) / len(pairs)
        if expected >= _LEAST_EQUALS and all(one != two for one, two in pairs):
            return other.place
    return None
