"""Command-line options that make the same surroundings of an entry function, to copy and change.

int sum(const int *a, size_t n)   ->   --extent a:n
                                       --array-size a:4
                                       --no-nullable
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from cfrontend.environment.assumed_objects import AssumedObjects
from cfrontend.environment.extents import ANY, ParameterExtent
from cfrontend.environment.surroundings import ARRAY_SIZE, DEPTH, Surroundings
from cfrontend.source.contract import ContractClause
from cfrontend.syntax.tree import Function

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
