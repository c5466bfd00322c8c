"""Assumptions about the objects that an entry function is given, in words.

buf with 4 elements (--array-size buf:N); parameters that are not null (--nullable)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Final, final

from cfrontend.environment.pointer_use import MOST_ELEMENTS
from cfrontend.environment.surroundings import Surroundings
from cfrontend.syntax.names import first_names
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import CHAR, CType, PointerType

_LISTED: Final = 3
"""Maximum number of objects whose size is said by name; others are counted."""


@final
class AssumedObjects:
    """Collector of assumptions about objects.

    ``sized`` and ``extents`` say of pointers, by their text, how far they lead, ``inside`` which array others lead
    into; ``counts`` are the largest numbers of elements with those by default, ``pointees`` the types of what they
    lead to. ``null`` are the parts that nobody names, ``long`` the arrays with parts that are zero. ``streams`` are
    the standard files that are given, with the pointers to each. ``opaque`` are the incomplete types of objects, each
    with a variable that leads to one. ``constructed`` says by which calls pointers are made. ``ends_early``: there are
    structures at the largest depth. ``grows``: more elements would allow more inputs, ``structures``: more structures
    would. ``counts_members``: members say how many elements some objects have.
    """

    def __init__(self) -> None:
        self.sized: dict[str, str] = {}
        self.extents: dict[str, str] = {}
        self.inside: dict[str, str] = {}
        self.counts: dict[str, tuple[int, int]] = {}
        self.pointees: list[CType] = []
        self.null: list[str] = []
        self.long: list[str] = []
        self.streams: dict[str, list[str]] = {}
        self.opaque: dict[str, SyntaxSymbol] = {}
        self.ends_early = self.grows = self.structures = self.counts_members = False
        self.constructed: dict[str, str] = {}

    def sentences(self, environment: Surroundings, *, meets: bool) -> Iterator[str]:
        """The assumptions in words, with the options that change them."""
        for path, said in self.extents.items():
            yield f"{path} with {said} (--array-size {path}:N, --extent {path}:any)"
        for said in dict.fromkeys(self.sized.values()):
            paths = [path for path, other in self.sized.items() if other == said]
            option = f"--array-size {paths[0]}:N"
            yield f"{_listed(paths)} with {said} ({option})"
        yield from (
            f"{path} that leads into {array} or behind its end" for path, array in self.inside.items()
        )
        for path, said in self.constructed.items():
            yield f"{path} as {said} (--construct)"
        if self.ends_early:
            yield f"structures that stand up to {environment.depth} behind one another (--depth N)"
        if self.pointees and not environment.nullable:
            compared = bool(environment.use and environment.use.compared)
            unless = ", but where the code compares with null what it is given" if compared else ""
            yield f"parameters that are not null{unless} (--nullable)"
        yield from self._left_out()
        if any(one == two for one, two in itertools.combinations(self.pointees, 2)):
            yield (
                "pointers that meet in one object only as parameters of one type and value"
                if meets
                else "pointers that lead to different objects"
            )

    def _left_out(self) -> Iterator[str]:
        """The parts of objects that are no inputs."""
        for paths, said in (
            (self.null, "null or zero, as no code that is reached names it"),
            (self.long, f"zero behind its first {MOST_ELEMENTS} elements"),
        ):
            if paths:
                yield f"{_listed(paths)} {said}"
        for stream, paths in self.streams.items():
            yield f"{_listed(paths)} leading to {stream}"
        if self.opaque:
            yield f"objects of incomplete types ({', '.join(self.opaque)}) that nothing looks into"


def declared_sizes(parameters: Iterable[SyntaxSymbol]) -> dict[str, int]:
    """Number of elements of the objects behind ``parameters`` that are declared with one, by their names.

    Of a text it is the number of characters before its end.
    """
    return {
        one.name: length - (one.type.target == CHAR)
        for one in parameters
        if isinstance(one.type, PointerType) and 1 < (length := one.declared_length or 0) <= MOST_ELEMENTS
    }


def _listed(paths: list[str]) -> str:
    return first_names(paths, _LISTED)
