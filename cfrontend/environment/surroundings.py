"""Surroundings of a function under test: how large what it is given is, and what the C text made for it may name.

Surroundings(array_size=9, extents={"buf": "len"}, nullable=True)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, final

from cfrontend.environment.pointer_use import PointerUse
from cfrontend.record import dataclass
from cfrontend.source.parse import ParsedFileConstants
from cfrontend.syntax.types import StructTypeTable

ARRAY_SIZE: Final = 4
"""Default number of elements of a fresh object, and of characters of a fresh string."""

DEPTH: Final = 3
"""Maximum depth of structures behind one another: a list has up to three nodes."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What surrounds a function under test, as options, contracts, callers and constructors have it.

    ``array_size`` counts the elements of a fresh object, ``structures`` those of one of structures, ``sizes`` has other
    numbers for single pointers, by their text (``a``, ``list->items``). ``depth`` is how many structures stand behind
    one another. ``nullable``: every pointer may be null. ``havoc`` are global variables that begin as inputs, None for
    all of them. ``extents`` say how far parameters lead, by name, as the user has it; ``finds_extents``: others are
    told from names, types and use.
    ``constructs``: structures are made by their constructors.
    Those of members of structures are told where it ``finds_member_extents``, too. ``use`` is what the code does with
    pointers, None where nobody has looked.
    """

    array_size: int = ARRAY_SIZE
    structures: int = 1
    sizes: Mapping[str, int] = field(default_factory=dict)
    depth: int = DEPTH
    nullable: bool = False
    constructs: bool = False
    havoc: tuple[str, ...] | None = ()
    extents: Mapping[str, str] = field(default_factory=dict)
    finds_extents: bool = True
    finds_member_extents: bool = True
    use: PointerUse | None = None


@final
@dataclass(frozen=True, slots=True)
class SurroundedFile:
    """What generated C text can name: the types of the file, what is ``const`` there, and names that are ``taken``."""

    structs: StructTypeTable
    constants: ParsedFileConstants
    taken: frozenset[str]
