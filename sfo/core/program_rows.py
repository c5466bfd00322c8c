"""One row for each program of many: how it did, and why."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, final

from cfrontend.record import dataclass

RowStatus: TypeAlias = Literal[
    "fails",
    "does not end",
    "no failure",
    "no failure found",
    "examples pass",
    "reads unwritten memory",
    "undecided",
    "over the limit",
    "not supported",
    "unreadable",
    "error",
]

STATUSES: Final[dict[RowStatus, str]] = {
    "fails": "some execution fails",
    "does not end": "some execution does not end",
    "reads unwritten memory": "nothing else fails, but some execution reads memory that it never wrote",
    "no failure": "right: no execution fails within the bound of its row",
    "no failure found": "right as far as is known: none fails within the bound of its row, nor was one found beyond",
    "examples pass": "no example fails; nothing is known of other inputs",
    "undecided": "neither a failing execution nor a proof was found",
    "over the limit": "the time or the memory limit ended it",
    "not supported": "it has C that is not modelled",
    "unreadable": "it cannot be read as C",
    "error": "options do not fit it, or an error of sfo",
}
"""Meaning of each status; ``no failure``, ``no failure found`` and ``examples pass`` have no fault that is known."""


FAULTY: Final[frozenset[RowStatus]] = frozenset({"fails", "does not end", "reads unwritten memory"})
"""Statuses of programs of which a fault is known."""

RIGHT: Final[frozenset[RowStatus]] = frozenset({"no failure", "no failure found", "examples pass"})
"""Statuses of programs that are right as far as is known."""

Colour: TypeAlias = Literal["bad", "good", "open"]


def colour_of_row(status: RowStatus) -> Colour:
    """Whether a program is wrong, right, or nothing is known of it."""
    return "bad" if status in FAULTY else "good" if status in RIGHT else "open"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRow:
    """Row of a program: ``said`` is a sentence on its status, ``why`` on each suspect.

    ``suspects`` are places and texts of the first units of the ranking, ``edit`` the best edit on one line, ``kind``
    the edit template that made it, ``remark`` what is to be doubted in it. ``look`` is the place to look at: that
    of the edit, or of the first suspect where there is none. ``fault`` is what fails, without input; ``typed`` is the
    text to type for ``input``, spelled as in C, where that is known.
    ``left_out`` is what was not compared with the reference.
    """

    name: str
    files: tuple[str, ...]
    status: RowStatus
    said: str
    fault: str = ""
    property: str = ""
    place: str = ""
    input: str = ""
    typed: str = ""
    suspects: tuple[tuple[str, str, str], ...] = ()
    look: str = ""
    edit: str = ""
    kind: str = ""
    remark: str = ""
    bound: str = ""
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
