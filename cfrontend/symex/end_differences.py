"""Differences between the ends of both versions on given inputs: what differs, here and in the reference, as text.

f(3)   reference: return 2   program: return 5   ->   EndDifference("the result", "5", "2")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from cfrontend.encoded_program import EndDifference
from cfrontend.source.contract import HARNESS_FILE, OBJECT_SUFFIX, RESULT
from cfrontend.symex.layout import SymexLayout, SymexLayoutCell
from cfrontend.symex.unwritten import written_bits_differ
from cfrontend.symex.value_text import value_text
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import CType
from cfrontend.terms import TRUE, Term

if TYPE_CHECKING:
    from cfrontend.symex.machine import SymbolicMachine

ABORTED: Final = 2
"""Kind of end by a call of ``abort``; 1 is that by a call of ``exit``, 0 the return of the entry function."""

_WAYS: Final = {0: "a return", 1: "a call of exit", ABORTED: "a call of abort"}


def end_difference(m: SymbolicMachine, what: str, ctype: CType, mine: Term, theirs: Term) -> EndDifference:
    """The difference of ``what``, a scalar of the type ``ctype``."""
    return EndDifference(what=what, value=value_text(m, ctype, mine), expected=value_text(m, ctype, theirs))


def end_place_name(symbol: SyntaxSymbol, layout: SymexLayout, number: int) -> str:
    """The name of a scalar of a static variable, or of the object that a parameter of the entry leads to."""
    cell = layout.cell_with_number(number).name
    if symbol.name == RESULT:
        return _result_name(cell)
    if symbol.location.file != HARNESS_FILE or not symbol.name.endswith(OBJECT_SUFFIX):
        return f"{symbol.name}{cell}"
    pointer = symbol.name.removesuffix(OBJECT_SUFFIX)
    if cell.startswith("."):
        return f"{pointer}->{cell[1:]}"
    return f"{pointer}{cell}" if cell else f"*{pointer}"


def differing_ends(
    m: SymbolicMachine,
    ways: tuple[Term, Term],
    status: tuple[Term, Term],
    results: Sequence[tuple[SymexLayoutCell, Term, Term]],
) -> Iterator[EndDifference]:
    """Differences of the way in which both versions end, of the status, and of the ``results`` (cell, here, there)."""
    here, there = (_WAYS.get(m.t.value[way] or 0, "") for way in ways)
    if here != there:
        yield EndDifference(what="the end", value=here, expected=there)
        return
    values = [m.t.value[one] for one in status]
    if values[0] != values[1]:
        yield EndDifference(what="the status", value=str(values[0]), expected=str(values[1]))
    for cell, mine, theirs in results:
        if cell.type is not None and written_bits_differ(m, theirs, mine) == TRUE:
            yield end_difference(m, _result_name(cell.name), cell.type, mine, theirs)


def _result_name(cell: str) -> str:
    """The name of a scalar of the result: ``the result``, ``result.x``."""
    return f"result{cell}" if cell else "the result"
