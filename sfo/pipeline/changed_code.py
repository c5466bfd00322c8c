"""What differs from the reference, and whether any execution comes to it: safe is no statement about other code.

older: if (n > 9) return 0;     newer: nothing     ->   unknown where no execution of the older one has n > 9
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from cfrontend.bound import Bound
from cfrontend.errors import SfoError
from cfrontend.program import encode_program
from cfrontend.units import Unit
from sfo.core.result import Result, result_of_unknown_verdict
from sfo.pipeline.session import AnalysisSession
from sfo.pipeline.unreachable_code import decide_unreachable_code

_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?![\w.])")
"""A decimal number in the text of a statement."""

_MOST_ELEMENTS: Final = 256
"""Largest number that is taken for one of elements."""


def result_with_changed_code(result: Result, session: AnalysisSession, bound: Bound) -> Result:
    """``result`` of one function; *unknown* where it is safe and no execution comes to what differs."""
    program, older = session.program, session.program.older
    if result.verdict != "safe" or older is None or program.reference is None or program.harness is None:
        return result
    if not session.options.needs_change:
        return result
    own, old = changed_units(program.units, older.units)
    if program.harness.grows and (why := _numbers_beyond(own, old, session)):
        return result_of_unknown_verdict(result, why, {program.reference.end})
    if not (own or old) or not frozenset(result.unreached or ()).issuperset(unit.id for unit in own):
        return result
    if old and not _is_unreached(session, bound, old):
        return result
    line = (own or old)[0].location
    why = f"no execution within these surroundings comes to what differs from the reference ({line})"
    return result_of_unknown_verdict(result, why, {program.reference.end})


def _numbers_beyond(own: Sequence[Unit], old: Sequence[Unit], session: AnalysisSession) -> str:
    """Why larger objects may show a difference: numbers that differ and are larger than these; empty for none."""
    beyond = changed_numbers_beyond(own, old, session.options.program.environment.array_size)
    if not beyond:
        return ""
    return (
        f"the versions differ in numbers that are larger than the objects here ({', '.join(map(str, beyond))}):"
        f" --array-size {beyond[-1] + 1} makes larger ones"
    )


def changed_numbers_beyond(own: Sequence[Unit], old: Sequence[Unit], size: int) -> list[int]:
    """Numbers of elements, more than ``size``, in which units of two versions differ; in order."""
    mine, theirs = (set(numbers_in_units(units)) for units in (own, old))
    return sorted(number for number in mine ^ theirs if size < number <= _MOST_ELEMENTS)


def numbers_in_units(units: Iterable[Unit]) -> Iterator[int]:
    """The decimal numbers in the text of some units."""
    return (int(word) for unit in units for word in _NUMBER.findall(unit.text))


def changed_units(units: Sequence[Unit], older: Sequence[Unit]) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """The units in which the functions of both versions differ, of the newer and of the older one."""
    mine: list[Unit] = []
    theirs: list[Unit] = []
    for function in dict.fromkeys(unit.function for unit in units):
        pair = [[unit for unit in one if unit.function == function] for one in (older, units)]
        if not all(pair):
            continue
        texts = [[unit.text for unit in one] for one in pair]
        for way, first, last, begin, end in SequenceMatcher(
            None, texts[0], texts[1], autojunk=False
        ).get_opcodes():
            if way != "equal":
                theirs += pair[0][first:last]
                mine += pair[1][begin:end]
    return tuple(mine), tuple(theirs)


def _is_unreached(session: AnalysisSession, bound: Bound, units: Sequence[Unit]) -> bool:
    """Whether it is proved that no execution of the older version reaches any of ``units``."""
    older = session.program.older
    assert older is not None
    terms, loop = session.another_loop()
    try:
        encoded = encode_program(older, bound, terms=terms, deadline=session.loop.deadline)
    except (SfoError, KeyboardInterrupt):
        return False
    wanted = frozenset(unit.id for unit in units)
    return decide_unreachable_code(encoded, loop, wanted).unreached == wanted
