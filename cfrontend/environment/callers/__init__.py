"""Calling contexts of an entry function: what holds of its arguments at every call site in the given files.

int main(void) { return f(a, 3) + f(b, 1); }     ->   --requires 'n == 1 || n == 3' --extent a:n
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, final

from cfrontend.elaborate import elaborate_files
from cfrontend.environment.callers.call_sites import CallSites, find_call_sites, find_callers
from cfrontend.environment.callers.value_sets import (
    Integers,
    Pointer,
    ValueSet,
    all_integers_of,
    is_within,
    joined_values,
)
from cfrontend.environment.extents import find_parameter_extents
from cfrontend.environment.program_options import ProgramOptions
from cfrontend.environment.surroundings import Surroundings
from cfrontend.errors import InputError, UnsupportedError, UsageError
from cfrontend.record import dataclass
from cfrontend.source.parse import parse_file, parsed_file_defines
from cfrontend.source.preprocess import PreprocessOptions, preprocess
from cfrontend.syntax import queries, tree
from cfrontend.syntax.names import first_names, joined_names
from cfrontend.syntax.tree import Function
from cfrontend.syntax.types import (
    BOOL,
    CType,
    IntType,
    PointerType,
    StructTypeTable,
    VoidType,
    is_complete_object_type,
    size_of_type,
)

OPTION: Final = "--from-callers"

_MOST_FILES: Final = 32
"""Maximum number of files of a project that are read for their calls."""

_LISTED: Final = 3
"""Files that a note lists."""


@final
@dataclass(frozen=True, slots=True)
class ProjectOfCallers:
    """The files of a build, in which callers may be.

    ``naming`` gives those that have one of some names in their texts, ``options_of`` how one is preprocessed.
    """

    naming: Callable[[Collection[str]], Sequence[str]]
    options_of: Callable[[str], PreprocessOptions]


def options_from_callers(
    paths: Sequence[str], options: ProgramOptions, project: ProjectOfCallers | None = None
) -> ProgramOptions:
    """``options`` with what all callers of the entry in the files ``paths`` give it, behind what the user says.

    Those in the other files of ``project`` are callers, too. Raises UsageError where there is no call, or no such
    entry; what reading the files raises.
    """
    entry = options.entry
    if entry == "main":
        raise UsageError(f"{OPTION} is about a function other than main: choose it with --entry")
    if not paths:
        raise UsageError(f"{OPTION} needs the files of the callers")
    unit = _whole_unit(paths, options.preprocess, {entry})
    function = unit.functions.get(entry)
    if function is None or function.body is None:
        return options  # Loading says what is wrong.
    others = _Others(project)
    unread = others.read({entry})
    callers = find_callers(entry, (unit, *others.units)) - {entry, "main"}
    unseen = callers if others.read(callers) else frozenset[str]()
    sites = find_call_sites(function, unit, others.units, unseen)
    where = "the given files" if project is None else "the files of the project"
    if unread:
        said = f"{first_names(unread, _LISTED)} may call {entry} and cannot be read: {OPTION} knows nothing"
        return replace(options, from_callers=(said,))
    if not sites.calls:
        seen = f", whose address is taken ({sites.taken[0]})" if sites.taken else ""
        where = "the files that are given" if project is None else where
        raise UsageError(f"{OPTION}: nothing in {where} calls '{entry}'{seen}")
    facts = facts_of_call_sites(function, sites, options.environment, unit.structs)
    environment = replace(
        options.environment,
        sizes={**facts.sizes, **options.environment.sizes},
        extents={**facts.extents, **options.environment.extents},
    )
    return replace(
        options,
        environment=environment,
        requires=(*options.requires, *facts.requires),
        from_callers=_notes(entry, sites, facts, where),
    )


@final
class _Others:
    """The other files of a project that have been read, each as a unit by itself; None: there is no project."""

    def __init__(self, project: ProjectOfCallers | None) -> None:
        self._project = project
        self._units: dict[str, tree.TranslationUnit | None] = {}

    @property
    def units(self) -> tuple[tree.TranslationUnit, ...]:
        """The translation units of the files that have been read."""
        return tuple(unit for unit in self._units.values() if unit is not None)

    def read(self, names: Collection[str]) -> tuple[str, ...]:
        """Read the files whose texts have one of ``names``; returns those that cannot be read, or are too many."""
        if self._project is None or not names:
            return ()
        unread: list[str] = []
        for path in self._project.naming(names):
            if path not in self._units:
                self._units[path] = self._unit(path, names) if len(self._units) < _MOST_FILES else None
            if self._units[path] is None:
                unread.append(path)
        return tuple(unread)

    def _unit(self, path: str, names: Collection[str]) -> tree.TranslationUnit | None:
        assert self._project is not None
        try:
            return _whole_unit([path], self._project.options_of(path), names)
        except (InputError, UnsupportedError, UsageError):
            return None


def _whole_unit(
    paths: Sequence[str], options: PreprocessOptions, names: Collection[str]
) -> tree.TranslationUnit:
    """The typed tree of all of the files, by the headers of the machine where a name is missing in ours."""
    try:
        return _read(paths, names, options)
    except InputError:
        if options.headers != "machine":
            with suppress(InputError):
                return _read(paths, names, replace(options, headers="machine"))
        raise


def _read(paths: Sequence[str], names: Collection[str], options: PreprocessOptions) -> tree.TranslationUnit:
    """The typed tree of files; raises UnsupportedError where what is refused may hide a call of one of ``names``."""
    files = [parse_file(preprocess(path, options)) for path in paths]
    for name in sorted(names):
        homes = [path for path, file in zip(paths, files, strict=True) if parsed_file_defines(file, name)]
        if len(homes) > 1:
            raise UsageError(f"{OPTION}: several files define '{name}': {', '.join(homes)}")
    unit = elaborate_files(files, options.model)
    for name, error in unit.refused.items():
        if any(parsed_file_defines(file, name) for file in files):
            raise error
    for function in unit.functions.values():
        for node in queries.syntax_nodes_within(function.body):
            if isinstance(node, tree.RefusedSyntax) and any(_may_hide(name, node, unit) for name in names):
                raise UnsupportedError(node.message, node.location)
    return unit


def _may_hide(entry: str, node: tree.RefusedSyntax, unit: tree.TranslationUnit) -> bool:
    """Whether what is refused may be, or hold, a call of the entry."""
    place = node.location
    lines = unit.files.get(place.file, ())[place.line - 1 : max(place.line, place.end_line or 0)]
    return not lines or any(entry in line for line in lines)


def _notes(entry: str, sites: CallSites, facts: CallerFacts, where: str) -> tuple[str, ...]:
    """Notes on preconditions from call sites: how many calls there are, what they give, what was not seen."""
    count = len(sites.calls)
    calls = "the only call" if count == 1 else f"all {count} calls"
    said = " ".join(facts.options) or "nothing that restricts its inputs"
    through = f", and those of {joined_names(sites.through)}" if sites.through else ""
    notes = [f"{calls} of {entry} in {where}{through}: {said}"]
    if sites.taken:
        notes.append(
            f"the address of {entry} is taken ({sites.taken[0]}): calls through pointers are not seen by {OPTION}"
        )
    return tuple(notes)


_MOST_ELEMENTS: Final = 64
"""Largest array of a caller that an object has the size of."""

_MOST_OF_SEVERAL: Final = 16
"""Largest of several lengths that an object has room for, unless all are larger."""


@final
@dataclass(frozen=True, slots=True)
class CallerFacts:
    """Conditions in C, and how far pointers lead, that hold at every call site."""

    requires: tuple[str, ...]
    extents: Mapping[str, str]
    sizes: Mapping[str, int]

    @property
    def options(self) -> tuple[str, ...]:
        """The facts as options of the command line."""
        given = [
            *(f"--extent {pointer}:{length}" for pointer, length in self.extents.items()),
            *(["--array-size " + ",".join(f"{p}:{n}" for p, n in self.sizes.items())] if self.sizes else []),
        ]
        return (*(f"--requires '{each}'" for each in self.requires), *given)


def facts_of_call_sites(
    function: Function, sites: CallSites, environment: Surroundings, structs: StructTypeTable
) -> CallerFacts:
    """Preconditions that hold at all of the call sites, one at least; none on sizes that the user has given."""
    joined = [functools.reduce(joined_values, values) for values in zip(*sites.calls, strict=True)]
    requires = [
        said
        for parameter, known in zip(function.parameters, joined, strict=True)
        if parameter.name.isidentifier()
        for said in _conditions(parameter.name, parameter.type, known)
    ]
    extents = dict(_extents(function, sites, environment, structs))
    sizes = dict(_sizes(function, joined, extents, environment, structs))
    return CallerFacts(tuple(requires), extents, sizes)


# -- conditions --------------------------------------------------------------------------------------------------


def _conditions(name: str, ctype: CType, known: ValueSet) -> Iterator[str]:
    if isinstance(known, Pointer) and isinstance(ctype, PointerType) and known.is_never_null:
        yield f"{name} != 0"
    if not isinstance(known, Integers) or not isinstance(ctype, IntType):
        return
    every = all_integers_of(ctype)
    if not is_within(known, every) or (known.low, known.high) == (every.low, every.high):
        return
    if known.low == known.high:
        yield f"{name} == {_constant(known.low, ctype)}"
    elif known.values is not None and len(known.values) <= known.high - known.low:
        yield " || ".join(f"{name} == {_constant(value, ctype)}" for value in sorted(known.values))
    else:
        low = [f"{name} >= {_constant(known.low, ctype)}"] if known.low > every.low else []
        high = [f"{name} <= {_constant(known.high, ctype)}"] if known.high < every.high else []
        yield " && ".join([*low, *high])


def _constant(value: int, ctype: IntType) -> str:
    """A constant of C that has the value in the type or, of small types, in int."""
    suffix = ("" if ctype.signed or ctype.width < 32 else "u") + ("ll" if ctype.width > 32 else "")
    if abs(value) < 1 << 31:
        suffix = "u" if "u" in suffix and value >= 1 << 31 else ""
    if value < 0 and value == -(1 << (ctype.width - 1)):
        return f"({value + 1}{suffix} - 1)"
    return f"{value}{suffix}"


# -- objects -----------------------------------------------------------------------------------------------------


def _elements(known: ValueSet, ctype: CType, structs: StructTypeTable) -> int | None:
    """The number of elements behind a pointer of a type, if that is known."""
    if not isinstance(known, Pointer) or known.room is None or not isinstance(ctype, PointerType):
        return None
    if isinstance(ctype.target, VoidType):
        return known.room
    if not is_complete_object_type(ctype.target, structs):
        return None
    size = size_of_type(ctype.target, structs)
    return known.room // size if size else None


def _extents(
    function: Function, sites: CallSites, environment: Surroundings, structs: StructTypeTable
) -> Iterator[tuple[str, str]]:
    """The pointers to which every call gives as many elements as the number beside it says."""
    parameters = function.parameters
    for number, parameter in enumerate(parameters):
        if not isinstance(parameter.type, PointerType) or parameter.name in environment.extents:
            continue
        elements = [_elements(call[number], parameter.type, structs) for call in sites.calls]
        if None in elements or not parameter.name.isidentifier():
            continue
        lengths = [
            (abs(other - number), length.name)
            for other, length in enumerate(parameters)
            if isinstance(length.type, IntType)
            and length.type.width >= 16
            and length.type != BOOL
            and length.name.isidentifier()
            and [_only(call[other]) for call in sites.calls] == elements
        ]
        if lengths:
            name = min(lengths)[1]
            given = find_parameter_extents(function, {parameter.name: name}, recognised=False)
            if not any(extent.ends_in_zero for extent in given):
                yield parameter.name, name


def _only(known: ValueSet) -> int | None:
    return known.low if isinstance(known, Integers) and known.low == known.high else None


def _sizes(
    function: Function,
    joined: list[ValueSet],
    extents: Mapping[str, str],
    environment: Surroundings,
    structs: StructTypeTable,
) -> Iterator[tuple[str, int]]:
    """Array sizes of objects: as many elements as each call gives, or as the least length that there can be."""
    given = {**extents, **environment.extents}
    found = find_parameter_extents(function, given, recognised=environment.finds_extents)
    measured = {extent.pointer: extent.factors for extent in found}
    for number, parameter in enumerate(function.parameters):
        name = parameter.name
        if (
            not isinstance(parameter.type, PointerType)
            or name in environment.sizes
            or not name.isidentifier()
        ):
            continue
        if number in measured:
            least = _least_product([joined[factor] for factor in measured[number]])
            if least is not None and least > environment.array_size:
                yield name, least
            continue
        elements = _elements(joined[number], parameter.type, structs)
        is_object = parameter.type.target != VoidType() and not re.search(
            r"\bchar\b", str(parameter.type.target)
        )
        if elements is not None and is_object and 0 < elements <= _MOST_ELEMENTS:
            yield name, elements


def _least_product(factors: list[ValueSet]) -> int | None:
    """The least number of elements that an object needs room for, or of several a larger one that is not large."""
    if len(factors) == 1 and isinstance(factors[0], Integers) and factors[0].values is not None:
        few = [value for value in factors[0].values if value <= _MOST_OF_SEVERAL]
        return max(few, default=factors[0].low)
    product = 1
    for factor in factors:
        if not isinstance(factor, Integers):
            return None
        product *= max(factor.low, 0)
    return product if factors else None
