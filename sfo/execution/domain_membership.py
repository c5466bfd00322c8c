"""Membership of a text in an input domain: whether what the reference reads of it is like the examples.

The domain of "3 1 2 40" and "2 5 17" has "1 30", and neither "1 70" nor "2 30", which ends too early.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, final

from cfrontend.environment.program_options import ProgramOptions
from cfrontend.program import Program
from cfrontend.syntax.input_domain import InputDomain, PlaceKey, place_key
from sfo.execution.learnt_domain import (
    DIGITS_IN_A_ROW,
    PADDED,
    ReferenceRead,
    is_letter_read,
    is_number_read,
    lines_of_reads,
    load_reference_alone,
    pairs_of_text,
    reads_of_text,
    scan_results,
)
from sfo.execution.standard_input import StandardInput


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
    inner = list(pairs_of_text(text))[:-1]
    padded = domain.text.padded or PADDED.search(text) is None
    return (
        padded
        and _are_short(DIGITS_IN_A_ROW.findall(text), domain.text.digits)
        and _are_short(text.split(), domain.text.longest_word)
        and domain.text.characters.issuperset(text)
        and all(pair in domain.text.pairs for pair in inner if pair != ("digit", "digit"))
    )


def _are_short(rows: Iterable[bytes], longest: int | None) -> bool:
    return longest is None or all(len(row) <= longest for row in rows)


def _are_read_so(domain: InputDomain, reads: Sequence[ReferenceRead]) -> bool:
    """Whether inputs of the reference, in order, are those of the domain at their places."""
    if not _are_short(lines_of_reads(reads), domain.text.longest_line):
        return False
    stored = {place_key(one.place): one.stored for one in domain.scans}
    for read, later in scan_results(reads, stored):
        limits = domain.of_scan(read.site.location)
        may_end = limits.breaks_off if later else limits.ends
        if not limits.misfits and (read.value == 0 or (read.value == -1 and not may_end)):
            return False
    last: dict[PlaceKey, int] = {}
    for read in reads:
        place = read.site.location
        if is_letter_read(read):
            letters = domain.of_character(place)
            if letters is not None and int(read.value) not in letters.characters:
                return False
            last[place_key(place)] = int(read.value)
        elif is_number_read(read):
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
