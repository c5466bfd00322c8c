"""Assumptions about the objects that an entry function is given, in words, and as options to copy and change.

int sum(const int *a, size_t n)   ->   a with n elements, 4 at most; parameters that are not null (--nullable)

                                       --extent a:n
                                       --array-size a:4
                                       --no-nullable
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias, final

from cfrontend.environment.extents import ANY, ParameterExtent
from cfrontend.environment.pointer_use import MOST_ELEMENTS
from cfrontend.environment.surroundings import ARRAY_SIZE, DEPTH, Surroundings
from cfrontend.source.contract import ContractClause
from cfrontend.syntax.names import first_names
from cfrontend.syntax.tree import Function, SyntaxSymbol
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


EnvironmentOption: TypeAlias = tuple[str, ...]
"""Words of one option: its name, and its value if it has one."""

_HEAD: Final = "/* Options of sfo that say the same as the lines below:"


def environment_options(
    function: Function,
    clauses: Sequence[ContractClause],
    environment: Surroundings,
    said: AssumedObjects,
    extents: Sequence[ParameterExtent],
    *,
    stands_in: bool = False,
) -> tuple[EnvironmentOption, ...]:
    """The options that say what is made, one for each thing that is so.

    Something ``stands_in`` for what has no definition. Conditions in comments of the program are none of them.
    """
    names = [parameter.name for parameter in function.parameters]
    undefined = [("--undefined", "nondet")] * stands_in
    given = [clause.text for clause in clauses if clause.is_option and clause.kind == "requires"]
    return (
        *_of_inputs(names, environment, said, extents),
        *undefined,
        *(("--requires", text) for text in given),
    )


def _of_inputs(
    parameters: Sequence[str],
    environment: Surroundings,
    said: AssumedObjects,
    extents: Sequence[ParameterExtent],
) -> Iterator[EnvironmentOption]:
    """The options about objects and global variables."""
    if not (environment.finds_extents and environment.finds_member_extents):
        yield ("--extent", "none")
    yield from (
        ("--extent", f"{name}:{ANY}") for name, length in environment.extents.items() if length == ANY
    )
    for extent in extents:
        numbers = extent.factors if extent.end is None else (extent.end,)
        length = "*".join(parameters[n] for n in numbers)
        yield ("--extent", f"{parameters[extent.pointer]}:{length}")
    yield from _sizes(environment, said)
    if said.ends_early or environment.depth != DEPTH:
        yield ("--depth", str(environment.depth))
    if environment.nullable or said.pointees:
        yield ("--nullable" if environment.nullable else "--no-nullable",)
    yield from (("--havoc", name) for name in (("all",) if environment.havoc is None else environment.havoc))


def _sizes(environment: Surroundings, said: AssumedObjects) -> Iterator[EnvironmentOption]:
    """The options about numbers of elements.

    An object far inside of others has none of its own unless it is of another size: it may go with another --depth.
    """
    far = [path for path in said.counts if path.count("->") > 1 or "[" in path]
    usual = {said.counts[path] for path in far if said.counts[path][0] == said.counts[path][1]}
    if environment.array_size != ARRAY_SIZE or usual - {(1, 1)}:
        yield ("--array-size", str(environment.array_size))
    for path, (count, default) in said.counts.items():
        is_inside = re.search(r"->|\.", path) is not None
        if count != default or not (path in far or (is_inside and count == 1)):
            yield ("--array-size", f"{path}:{count}")


def spelled_option(option: EnvironmentOption) -> str:
    """The words of an option as a shell takes them."""
    return shlex.join(option)


def comment_of_options(options: Sequence[EnvironmentOption]) -> Iterator[str]:
    """A comment in C with an option on each line; none without options."""
    if options:
        yield _HEAD
        # Two quoted words beside each other are one for a shell, and no end of the comment.
        yield from (
            f" *   {spelled_option(option)}".replace("*/", "*''/").replace("/*", "/''*") for option in options
        )
        yield " */"
