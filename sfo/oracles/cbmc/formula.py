"""The formula CBMC writes for a text that leaves every question open: its clauses, and which literals are what.

    p cnf 4311 11131            clauses, one a line, each ended by 0
    1 -2 0
    c sfo_may_7#2 50 FALSE ...  a symbol after its last assignment, literals from the least significant bit on
    c symex::nondet12 81        the 13th value that was drawn

Numbers grow in the order of execution. A draw has two: that of a single bit, which is forced to be true exactly
where the execution comes to it, and the next one, that of the value. No other symbol has a single bit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from cfrontend.cbmc.instrumentation import END, instrumentation_guess
from cfrontend.units import UnitId
from sfo.oracles.cbmc.process import CbmcProcessFailedError
from sfo.solvers.gates import Literal

Bits = tuple[Literal | bool, ...]
"""A word, least significant bit first; constants where a bit is fixed."""

_SYMBOL: Final = re.compile(rb"^c (sfo_end#2|sfo_may_\d+#2|symex::nondet\d+) (.*)$", re.MULTILINE)
_NONDET: Final = "symex::nondet"
_CONSTANTS: Final[Mapping[bytes, bool]] = {b"TRUE": True, b"FALSE": False}


@final
@dataclass(frozen=True, slots=True)
class CbmcFormulaDrawnValue:
    """One drawn value. ``forced``: for each clause that could force its bit, the other literals of the clause."""

    value: Bits
    forced: tuple[tuple[Literal, ...], ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CbmcFormula:
    """``clauses`` as CBMC wrote them; ``end`` is the guessed end, ``may_cover`` the guess for each unit.

    A unit that no execution within the bound reaches may have no literal. ``draws`` are in the order of execution.
    """

    clauses: list[list[Literal]]
    variables: int
    end: Bits
    may_cover: Mapping[UnitId, Literal]
    draws: tuple[CbmcFormulaDrawnValue, ...]


def read_cbmc_formula(text: bytes, units: Sequence[UnitId]) -> CbmcFormula:
    """The formula in a DIMACS file of CBMC. Raises CbmcFailedError for one that is cut off or of another shape."""
    header, _, body = text.partition(b"\n")
    words = header.split()
    if words[:2] != [b"p", b"cnf"] or len(words) != 4:
        raise CbmcProcessFailedError("CBMC's formula does not begin as DIMACS does")
    variables, count = int(words[2]), int(words[3])
    start = 0 if body.startswith(b"c ") else body.find(b"\nc ") + 1
    flat = np.array(body[:start].split(), dtype=np.int64)
    ends = np.flatnonzero(flat == 0)
    if not start or len(ends) != count:
        raise CbmcProcessFailedError(f"CBMC's formula is cut off: {len(ends)} of {count} clauses")
    symbols = {found[1].decode(): _bits(found[2]) for found in _SYMBOL.finditer(body, start)}
    if f"{END}#2" not in symbols:
        raise CbmcProcessFailedError(f"CBMC's formula does not name {END}")
    may = {unit: symbols.get(f"{instrumentation_guess(unit)}#2") for unit in units}
    return CbmcFormula(
        clauses=_clauses(flat, ends),
        variables=variables,
        end=symbols[f"{END}#2"],
        may_cover={unit: _variable(bits) for unit, bits in may.items() if bits is not None},
        draws=tuple(_draws(symbols, flat, ends)),
    )


def _bits(text: bytes) -> Bits:
    """Literals and constants; ``?``, a symbol without a value, is any value."""
    return tuple(
        _CONSTANTS.get(word, False) if word.isalpha() or word == b"?" else int(word) for word in text.split()
    )


def _variable(bits: Bits) -> Literal:
    literal = bits[0]
    if isinstance(literal, bool):
        raise CbmcProcessFailedError("CBMC's formula fixes what should be a guess")
    return literal


def _clauses(flat: np.ndarray[tuple[int], np.dtype[np.int64]], ends: np.ndarray) -> list[list[Literal]]:
    literals = flat.tolist()
    clauses, begin = [], 0
    for end in ends.tolist():
        clauses.append(literals[begin:end])
        begin = end + 1
    return clauses


def _draws(
    symbols: Mapping[str, Bits], flat: np.ndarray[tuple[int], np.dtype[np.int64]], ends: np.ndarray
) -> Iterator[CbmcFormulaDrawnValue]:
    """Draws whose place can be reached, in order."""
    numbers = sorted(int(name[len(_NONDET) :]) for name in symbols if name.startswith(_NONDET))
    bits = {n: _variable(symbols[f"{_NONDET}{n}"]) for n in numbers if len(symbols[f"{_NONDET}{n}"]) == 1}
    forced = _forcing(flat, ends, list(bits.values()))
    for n, bit in bits.items():
        yield CbmcFormulaDrawnValue(symbols.get(f"{_NONDET}{n + 1}", ()), tuple(forced[bit]))


def _forcing(
    flat: np.ndarray[tuple[int], np.dtype[np.int64]], ends: np.ndarray, wanted: Sequence[Literal]
) -> dict[Literal, list[tuple[Literal, ...]]]:
    """By literal: the rest of each clause that it stands in."""
    found: dict[Literal, list[tuple[Literal, ...]]] = {literal: [] for literal in wanted}
    places = np.flatnonzero(np.isin(flat, np.array(wanted, dtype=np.int64)))
    clauses = np.searchsorted(ends, places)
    for place, clause in zip(places.tolist(), clauses.tolist(), strict=True):
        begin = int(ends[clause - 1]) + 1 if clause else 0
        rest = flat[begin : int(ends[clause])].tolist()
        literal = int(flat[place])
        found[literal].append(tuple(other for other in rest if other != literal))
    return found
