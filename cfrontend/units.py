"""Units under test, properties, coverage goals and input sites: the names by which an encoded program is talked about.

A unit is one per expression statement, initialiser of an automatic variable, ``return e``, condition of
``if while do for switch`` and start and step of a ``for``. Assertions, assumptions and declarations without
initialiser are not units.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final, Literal, TypeAlias, final

from cfrontend.errors import Location
from cfrontend.record import dataclass

UnitKind: TypeAlias = Literal[
    "assignment",
    "call",
    "expression",
    "initialiser",
    "return",
    "condition",
    "definition",
    "branch",
    "guard",
    "block",
    "line",
    "function",
]
"""Kind of a unit. A ``definition`` is no unit of a program: it joins them where a repair edits it. From ``branch`` on
they are units of another granularity."""

Granularity: TypeAlias = Literal[
    "auto", "statement", "condition", "branch", "guard", "block", "line", "function", "labelled"
]
"""What counts as a unit where executions are made and ranked (``sfo.core.granularity``)."""

UnitId: TypeAlias = int
"""Number of a unit, from 1 in source order."""


InputNumber: TypeAlias = int | str
"""The value of an input: an integer, or the spelling of a floating-point number (``floats.text``)."""

FLOATING_TYPES: Mapping[str, int] = {"float": 32, "double": 64, "long double": 80}
"""Bits of the values of each floating type, by its name."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Unit under test; ``text`` is its source text on one line, ``label`` the ``C4`` of ``/* C4 */``."""

    id: UnitId
    kind: UnitKind
    function: str
    location: Location = field(compare=False)
    text: str
    label: str | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """Property to be checked: ``id`` is ``function.class.n``, ``kind`` a name of ``--check``."""

    id: str
    kind: str
    function: str
    location: Location = field(compare=False)
    description: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPlace:
    """Memory place of an input: ``size`` bytes from ``offset`` in memory that nobody wrote.

    ``object`` is the key of a variable or the name of the function that made the object; of the objects with
    this name it is number ``ordinal``, from 0, in the order in which the execution makes them. Only an execution on
    fixed inputs makes them in such an order; else the ordinal is None.
    """

    object: str
    ordinal: int | None
    offset: int
    size: int

    def is_like(self, other: MemoryPlace) -> bool:
        """Whether both places are the same part of an object with the same name."""
        return (self.object, self.offset, self.size) == (other.object, other.offset, other.size)


CHARACTER_TYPES: Final = frozenset({"char", "signed char", "unsigned char"})
"""Names of the character types."""

NEXT_CHARACTER: Final = "next_character"
"""Name of the library model that reads for ``getchar`` and its kin."""

SCANNED_WORD: Final = "__sfo_scan_word"
SCANNED_CHARACTERS: Final = "__sfo_scan_characters"
"""Name of the library model that, as ``SCANNED_WORD``, reads a text for ``scanf`` one character after the other."""

SAY_THE_END: Final = frozenset({NEXT_CHARACTER, "next_in_file", "__sfo_scanned", "__sfo_scanned_in"})
"""Names of the library models through which all standard input and files are read: -1 is their end."""

SCANNED: Final = "scanf"
"""Name of the function that reads a conversion of a number or a character."""

SCANS: Final = "__sfo_scan"
"""Name prefix of the library models that read for ``scanf``."""

_OF_CHARACTERS: Final = frozenset({NEXT_CHARACTER, SCANNED_WORD, SCANNED_CHARACTERS})

_CHARACTER: Final = re.compile(r"%1?c")
"""Pattern of the conversion of a single character."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InputReading:
    """Library read of an input: ``function`` is the one of the library that asks for it.

    It is ``scanf`` for a conversion of a number or a character; ``format`` is then, and where a model reads for
    ``scanf``, the part of the format up to the conversion, with what stands between it and the one before (and,
    for the last one, what follows).
    """

    function: str
    format: str = ""

    @property
    def is_character(self) -> bool:
        """Whether it reads a character: for ``getchar``, -1 where the input has ended, of a text, or for ``%c``."""
        if self.function == SCANNED:
            return _CHARACTER.search(self.format) is not None
        return self.function in _OF_CHARACTERS


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InputSite:
    """Input site, as the user sees it: a nondet call, an uninitialised variable, a parameter of the entry.

    ``memory`` says where an input stands that was read from memory nobody wrote; None for calls and parameters.
    ``function`` is the function of the dialect that a call asks for it, empty where it comes another way.
    ``reading`` says how the library reads it, None where the program itself asks.
    """

    name: str
    type: str
    width: int
    signed: bool
    location: Location = field(compare=False)
    memory: MemoryPlace | None = field(default=None, compare=False)
    function: str = field(default="", compare=False)
    reading: InputReading | None = field(default=None, compare=False)

    @property
    def floating(self) -> bool:
        """Whether the values are floating-point numbers, as bits where they are words."""
        return self.type in FLOATING_TYPES

    @property
    def is_of_text(self) -> bool:
        """Whether the input is a floating-point number that the library reads from a text."""
        return self.floating and self.reading is not None

    @property
    def at_end(self) -> int:
        """The value behind the last input: that the input has ended, where the library can say so, else 0."""
        return -1 if self.reading is not None and self.reading.function in SAY_THE_END else 0


Supply: TypeAlias = Callable[[InputSite], InputNumber | None]
"""Supplier of inputs to an execution, one after the other when they are read; None when there is no further one."""

GoalKind: TypeAlias = Literal["units", "branches", "conditions", "mcdc", "boundaries", "mutants"]
"""Kind of coverage goals: what has to be reached so that a suite is complete."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Coverage goal number ``id`` of a program: ``text`` of ``unit`` has the ``outcome`` in some execution.

    The outcome is ``true`` or ``false``, a label of a ``switch``, the distance of two operands, ``evaluated``, or the
    edit of a mutant that is killed.
    ``parted``: several branches evaluate the condition, so that no single one shows what decides it.
    """

    id: int
    kind: GoalKind
    unit: UnitId
    function: str
    location: Location = field(compare=False)
    text: str
    outcome: str
    parted: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionGoals:
    """Goals that one instruction decides: by the two ways of a branch, and by the conditions that it evaluates.

    ``taken`` and ``fallen`` are ids of goals; ``conditions`` has for each condition of the instruction the goals of its
    operands, from left to right, by outcome.
    """

    taken: int | None = None
    fallen: int | None = None
    conditions: tuple[tuple[Mapping[str, int], ...], ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageGoals:
    """All goals of one kind in a program; ``at`` says which of them the instructions of each function decide."""

    kind: GoalKind
    goals: tuple[Goal, ...]
    at: Mapping[str, Mapping[int, InstructionGoals]]
