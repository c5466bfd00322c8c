"""Input domain learnt from examples: what the reference reads of them, and a little beyond.

examples "3 1 2 40" and "2 5 17" of a program that reads n and then each x   ->   n from 1 to 9, x from 1 to 40

The numbers at one place of the reference go from 1, 0 or minus the greatest magnitude, as their least one has it, to
the next round number: 9, 90, 400. A negative number that ends each example is no other number: from 0 to 90, or -1.
Characters are those of the examples, where one letter or digit stands for its kind, but for letters that always stand
alone and are a few of them again and again.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, TypeAlias, final

from cfrontend.encode_options import EncodeSuppliedValues
from cfrontend.environment.program_options import ProgramOptions
from cfrontend.errors import InputError, Location, ResourceError, UsageError
from cfrontend.program import Program, load_c_program
from cfrontend.record import dataclass
from cfrontend.syntax.input_domain import (
    DIGITS,
    LOWER,
    UPPER,
    CharacterDomain,
    InputDomain,
    NumberDomain,
    PlaceKey,
    RecordDomain,
    ScanDomain,
    TextDomain,
    kind_of_character,
    place_key,
)
from cfrontend.units import NEXT_CHARACTER, SCANNED, SCANNED_CHARACTERS, SCANNED_WORD, InputNumber, InputSite
from sfo.core.interpret import interpret
from sfo.core.policy import policy
from sfo.execution.examples import Example
from sfo.execution.standard_input import StandardInput

_PADDED: Final = re.compile(rb"(?<![\d.])0\d")
_LINE_END: Final = re.compile(rb"[\n\v\f\r]")
_DIGITS_IN_A_ROW: Final = re.compile(rb"\d+")
_LAST_OF_CLOCK: Final = frozenset({23, 59})
_STORING: Final = frozenset({SCANNED, SCANNED_WORD, SCANNED_CHARACTERS})


@final
@dataclass(frozen=True, slots=True)
class ReferenceRead:
    """An input that the reference has read of an example, by its name: its site and its value."""

    site: InputSite
    value: InputNumber
    example: str


def learnt_input_domain(options: ProgramOptions, examples: Sequence[Example]) -> InputDomain | None:
    """The domain of a reference's inputs that are like ``examples``; None where these say nothing.

    The reference is executed on each example; one that it does not read to its end, or that does not fit it, says
    nothing. Raises what ``load_c_program`` raises.
    """
    program = load_reference_alone(options)
    reads: list[ReferenceRead] = []
    texts: list[bytes] = []
    read_whole = True
    for example in examples:
        given = StandardInput(example.data, example.name, program.options.preprocess.model.long.width)
        read = reads_of_text(program, given, example.name)
        if read is not None:
            reads += read
            texts.append(example.data)
            read_whole = read_whole and given.is_read_whole
    if not texts:
        return None
    scans = tuple(_scans(reads))
    others = ScanDomain(
        place=Location("", 0),
        ends=any(one.ends for one in scans),
        breaks_off=any(one.breaks_off for one in scans),
        misfits=any(one.misfits for one in scans),
    )
    numbers = tuple(_numbers(reads))
    text = _text_domain(texts, max((len(str(one.greatest)) for one in numbers), default=0))
    text = _with_lengths(text, texts, reads)
    return InputDomain(
        text=text,
        read_whole=read_whole,
        numbers=() if program.assumes else numbers,
        letters=() if program.assumes else tuple(_letters(reads, text)),
        records=() if program.assumes else tuple(_records(reads, text, numbers)),
        scans=scans,
        others=others,
    )


def load_reference_alone(options: ProgramOptions) -> Program:
    """The reference as a program of its own, of which any result of ``scanf`` is an input."""
    alone = replace(
        options, reference=(), scans_fail=True, counts_each=True, labels=False, reads_text=False, domain=None,
        preprocess=options.reference_preprocess or options.preprocess,
    )  # fmt: skip
    return load_c_program(options.reference, alone)


def reads_of_text(program: Program, text: StandardInput, example: str) -> list[ReferenceRead] | None:
    """What the program reads of the text of an example; None where it cannot be executed on it."""
    found: list[ReferenceRead] = []

    def supply(site: InputSite) -> InputNumber:
        value = text(site)
        found.append(ReferenceRead(site, value, example))
        return value

    iterations = policy().given_tests.iterations
    try:
        encoded = interpret(program, EncodeSuppliedValues(supply), iterations, unwind=iterations)
    except (InputError, ResourceError, UsageError):
        return None
    return found if encoded.concrete.missing_input is None else None


def _scans(reads: Sequence[ReferenceRead]) -> Iterator[ScanDomain]:
    """The results of each call of ``scanf`` that was executed."""
    stored = _stored_places(reads)
    found: dict[Location, set[tuple[int, bool]]] = {}
    for read, later in _scan_results(reads, stored):
        found.setdefault(read.site.location, set()).add((int(read.value), later))
    for place, results in found.items():
        yield ScanDomain(
            place=place,
            ends=(-1, False) in results,
            breaks_off=(-1, True) in results,
            misfits=any(value == 0 for value, _ in results),
            stored=tuple(stored.get(place_key(place), ())),
        )


def _stored_places(reads: Iterable[ReferenceRead]) -> dict[PlaceKey, list[Location]]:
    """Where the values go that each call of ``scanf`` stores, in order; some call has to store all."""
    stored: dict[PlaceKey, list[Location]] = {}
    call: PlaceKey | None = None
    for read in reads:
        place = read.site.location
        if _is_scan_result(read):
            call = place_key(place)
        elif call is not None and _is_stored(read) and place not in stored.setdefault(call, []):
            stored[call].append(place)
    return stored


def _scan_results(
    reads: Sequence[ReferenceRead], stored: Mapping[PlaceKey, Sequence[Location]]
) -> Iterator[tuple[ReferenceRead, bool]]:
    """Results of ``scanf``, each of one conversion; True where others of the same call have succeeded before it.

    ``stored`` are the places of what each call stores.
    """
    for before, read in zip((None, *reads), reads, strict=False):
        if _is_scan_result(read):
            inner = stored.get(place_key(read.site.location), ())[:-1]
            is_same_text = before is not None and before.example == read.example
            yield read, is_same_text and before is not None and before.site.location in inner


def _is_stored(read: ReferenceRead) -> bool:
    reading = read.site.reading
    return reading is not None and reading.function in _STORING


def _is_scan_result(read: ReferenceRead) -> bool:
    """Whether a read is the result of a call of ``scanf``."""
    return read.site.name == f"{SCANNED}()"


def _numbers(reads: Iterable[ReferenceRead]) -> Iterator[NumberDomain]:
    """The numbers at each place that reads some, but for places that read infinity or what is no number."""
    for place, here in _by_place(filter(_is_number_read, reads)).items():
        sentinel = _sentinel(here)
        values = [one.value if isinstance(one.value, int) else float(one.value) for one in here]
        values = [value for value in values if value != sentinel]
        if all(map(math.isfinite, values)):
            least, greatest = _domain_around(values)
            site = here[0].site
            yield NumberDomain(
                name=site.name,
                place=place,
                least=least,
                greatest=greatest,
                real=site.floating,
                sentinel=sentinel,
            )


def _letters(reads: Iterable[ReferenceRead], text: TextDomain) -> Iterator[CharacterDomain]:
    """The characters at each place of a ``%c``: those of the text that are of a kind with one that is read there."""
    for place, here in _by_place(filter(_is_letter_read, reads)).items():
        kinds = {kind_of_character(int(one.value)) for one in here}
        same = frozenset(code for code in text.characters if kind_of_character(code) in kinds)
        yield CharacterDomain(place=place, characters=same)


def _records(
    reads: Sequence[ReferenceRead], text: TextDomain, numbers: Sequence[NumberDomain]
) -> Iterator[RecordDomain]:
    """What numbers are like behind a command, a letter of a kind that not all may stand there, and not elsewhere."""
    commands = frozenset(
        code for kind in (LOWER, UPPER) if not kind <= text.characters for code in kind & text.characters
    )
    texts = [list(example) for _, example in itertools.groupby(reads, key=lambda one: one.example)]
    anywhere = {(place_key(one.place), one.least, one.greatest) for one in numbers}
    for record in learnt_record_domains(texts, commands, policy().given_tests.records):
        if record.unlike or (place_key(record.place), record.least, record.greatest) not in anywhere:
            yield record


def _sentinel(here: Sequence[ReferenceRead]) -> int | None:
    """The negative number with which each of several examples ends at a place that reads no other negative one."""
    last = {one.example: one.value for one in here}
    negative = [one.value for one in here if isinstance(one.value, int) and one.value < 0]
    is_end = len(last) > 1 and len(negative) == len(last) < len(here) and set(negative) == set(last.values())
    return negative[0] if is_end and len(set(negative)) == 1 else None


def _is_number_read(read: ReferenceRead) -> bool:
    """Whether a conversion of ``scanf`` has read a number."""
    reading = read.site.reading
    return reading is not None and reading.function == SCANNED and not reading.is_character


def _is_letter_read(read: ReferenceRead) -> bool:
    """Whether ``%c`` has read a character."""
    reading = read.site.reading
    return reading is not None and reading.function == SCANNED and reading.is_character


def _by_place(reads: Iterable[ReferenceRead]) -> dict[Location, list[ReferenceRead]]:
    found: dict[Location, list[ReferenceRead]] = {}
    for read in reads:
        found.setdefault(read.site.location, []).append(read)
    return found


def _domain_around(values: Sequence[float | int]) -> tuple[int, int]:
    """The least and the greatest number of the domain of these values."""
    magnitude = max(map(abs, values))
    greatest = int(magnitude) if magnitude in _LAST_OF_CLOCK else _round(magnitude)
    least = min(values)
    return (-greatest if least < 0 else 1 if least >= 1 else 0), greatest


def _round(magnitude: float) -> int:
    """The next round number: 9, or a digit and zeros."""
    whole = math.ceil(magnitude)
    if whole < 10:
        return 9
    unit: int = 10 ** (len(str(whole)) - 1)
    return -(-whole // unit) * unit


def _text_domain(texts: Sequence[bytes], digits: int) -> TextDomain:
    """The domain of texts like these, with at least so many ``digits`` in a row."""
    characters: frozenset[int] = frozenset().union(*texts)
    for kind in (LOWER, UPPER, DIGITS):
        if characters & kind and not (kind is not DIGITS and _are_codes(texts, kind)):
            characters |= kind
    return TextDomain(
        characters=characters,
        digits=max([digits, *(len(row) for text in texts for row in _DIGITS_IN_A_ROW.findall(text))]),
        pairs=frozenset(pair for text in texts for pair in _pairs_of_text(text)),
        padded=any(_PADDED.search(text) for text in texts),
    )


def _with_lengths(text: TextDomain, texts: Sequence[bytes], reads: Sequence[ReferenceRead]) -> TextDomain:
    """The domain with the lengths of words and lines, where the reference reads words and characters."""
    words, lines = [row for text in texts for row in text.split()], _lines_of_reads(reads)
    has_words = any(map(_is_character_of_word, reads))
    return replace(
        text,
        longest_word=_longest(words) if has_words or any(lines) else None,
        longest_line=_longest(lines) if any(lines) else None,
    )


def _longest(rows: Iterable[bytes]) -> int:
    """The round number of characters up to which a word or a line goes that is like these."""
    return _round(max(map(len, rows), default=0))


def _lines_of_reads(reads: Iterable[ReferenceRead]) -> list[bytes]:
    """The lines, or parts of them, that are read as characters; what numbers and words are between is none."""
    found = bytearray()
    for read in reads:
        reading = read.site.reading
        is_in_line = reading is not None and (
            reading.function == NEXT_CHARACTER or (_is_character_of_word(read) and "[" in reading.format)
        )
        code = int(read.value) if is_in_line else 0
        found.append(code if 0 < code < 256 else ord("\n"))
    return _LINE_END.split(bytes(found))


def _is_character_of_word(read: ReferenceRead) -> bool:
    return read.site.reading is not None and read.site.reading.function == SCANNED_WORD


def _are_codes(texts: Sequence[bytes], letters: frozenset[int]) -> bool:
    """Whether these letters stand alone, and are a few of them again and again: commands, and there are no others."""
    found = [code for text in texts for code in text if code in letters]
    alone = re.compile(b"[A-Za-z]{2}")
    most, times = policy().given_tests.codes
    return (
        not any(alone.search(text) for text in texts)
        and len(set(found)) <= most
        and len(found) >= times * len(set(found))
    )


def _pairs_of_text(text: bytes) -> Iterator[tuple[str, str]]:
    """The kinds of the characters that stand side by side in a text; numbers may have more digits than one."""
    kinds = ["", *map(kind_of_character, text), ""]
    yield from itertools.pairwise(kinds)
    yield "digit", "digit"


# -- records ---------------------------------------------------------------------------------------------------


_LEAST_EQUALS: Final = 1.0
"""Equal pairs that are to be expected of two independent numbers, if none is to say that they always differ."""


_Kind: TypeAlias = tuple[Location, Location, int]
"""Place of some numbers, and the place and the code of the letter with which their records begin."""

_Seen: TypeAlias = dict[PlaceKey, ReferenceRead]
"""The numbers of a record so far, by their places."""


def learnt_record_domains(
    texts: Iterable[Sequence[ReferenceRead]], commands: Collection[int], least_records: int
) -> Iterator[RecordDomain]:
    """What holds for the numbers behind each of the letters ``commands`` that stands in ``least_records`` records.

    ``texts`` are what was read of each example. Records "P 3 40", "M 3 5", "M 5 1" ...: behind M the second number is
    at most 10 and never the first one.
    """
    found: dict[_Kind, list[tuple[int, _Seen]]] = {}
    for text in texts:
        for kind, value, before in _numbers_in_records(text):
            found.setdefault(kind, []).append((value, before))
    for (place, letter, code), numbers in found.items():
        is_one_each = all(place_key(place) not in before for _, before in numbers)
        if code in commands and is_one_each and len(numbers) >= least_records:
            least, greatest = _domain_around([value for value, _ in numbers])
            yield RecordDomain(
                place=place, letter=letter, code=code, least=least, greatest=greatest, unlike=_unlike(numbers)
            )


def _numbers_in_records(text: Sequence[ReferenceRead]) -> Iterator[tuple[_Kind, int, _Seen]]:
    """Each whole number behind a letter, with the numbers between them."""
    letter: tuple[Location, int] | None = None
    seen: _Seen = {}
    for read in text:
        place = read.site.location
        if not isinstance(read.value, int):
            continue
        if _is_letter_read(read):
            letter, seen = (place, read.value), {}
        elif letter is not None and _is_number_read(read):
            yield (place, *letter), read.value, dict(seen)
            seen[place_key(place)] = read


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
            return other.site.location
    return None


# -- membership ------------------------------------------------------------------------------------------------


@final
class DomainMembership:
    """Says which texts are in the domain of ``options``, by executing the reference of ``options`` alone."""

    def __init__(self, options: ProgramOptions, domain: InputDomain) -> None:
        self._options: Final = options
        self._domain: Final = domain

    @cached_property
    def _program(self) -> Program:
        """The reference, which is loaded for the first text that is spelled like the examples."""
        return load_reference_alone(self._options)

    def __contains__(self, text: object) -> bool:
        """Whether a text is in the domain. Raises what ``load_c_program`` raises."""
        if not isinstance(text, bytes) or not _is_spelled_so(self._domain, text):
            return False
        given = StandardInput(text, "text", self._program.options.preprocess.model.long.width)
        reads = reads_of_text(self._program, given, "text")
        if reads is None or (self._domain.read_whole and not given.is_read_whole):
            return False
        return _are_read_so(self._domain, reads)


def _is_spelled_so(domain: InputDomain, text: bytes) -> bool:
    """Whether a text has only characters of the domain, and side by side only such kinds of them."""
    inner = list(_pairs_of_text(text))[:-1]
    padded = domain.text.padded or _PADDED.search(text) is None
    return (
        padded
        and _are_short(_DIGITS_IN_A_ROW.findall(text), domain.text.digits)
        and _are_short(text.split(), domain.text.longest_word)
        and domain.text.characters.issuperset(text)
        and all(pair in domain.text.pairs for pair in inner if pair != ("digit", "digit"))
    )


def _are_short(rows: Iterable[bytes], longest: int | None) -> bool:
    return longest is None or all(len(row) <= longest for row in rows)


def _are_read_so(domain: InputDomain, reads: Sequence[ReferenceRead]) -> bool:
    """Whether inputs of the reference, in order, are those of the domain at their places."""
    if not _are_short(_lines_of_reads(reads), domain.text.longest_line):
        return False
    stored = {place_key(one.place): one.stored for one in domain.scans}
    for read, later in _scan_results(reads, stored):
        limits = domain.of_scan(read.site.location)
        may_end = limits.breaks_off if later else limits.ends
        if not limits.misfits and (read.value == 0 or (read.value == -1 and not may_end)):
            return False
    last: dict[PlaceKey, int] = {}
    for read in reads:
        place = read.site.location
        if _is_letter_read(read):
            letters = domain.of_character(place)
            if letters is not None and int(read.value) not in letters.characters:
                return False
            last[place_key(place)] = int(read.value)
        elif _is_number_read(read):
            if not _is_number_so(domain, read, last):
                return False
            if isinstance(read.value, int):
                last[place_key(place)] = read.value
    return True


def _is_number_so(domain: InputDomain, read: ReferenceRead, last: dict[PlaceKey, int]) -> bool:
    """Whether a number is one of the domain at its place, in a record of what was read ``last``."""
    place, value = read.site.location, read.value
    number = float(value)
    limits = domain.of_number(place)
    if limits is not None and value != limits.sentinel and not limits.least <= number <= limits.greatest:
        return False
    for record in domain.records_at(place):
        if last.get(place_key(record.letter)) != record.code:
            continue
        if not record.least <= number <= record.greatest:
            return False
        if record.unlike is not None and last.get(place_key(record.unlike)) == value:
            return False
    return True
