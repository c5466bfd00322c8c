"""Calling contexts of an entry function: what holds of its arguments at every call site in the given files.

int main(void) { return f(a, 3) + f(b, 1); }     ->   --requires 'n == 1 || n == 3' --extent a:n
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, final

from cfrontend.elaborate import elaborate_files
from cfrontend.environment.callers.call_sites import CallSites, find_call_sites, find_callers
from cfrontend.environment.callers.caller_facts import CallerFacts, facts_of_call_sites
from cfrontend.environment.program_options import ProgramOptions
from cfrontend.errors import InputError, UnsupportedError, UsageError
from cfrontend.record import dataclass
from cfrontend.source.parse import parse_file, parsed_file_defines
from cfrontend.source.preprocess import PreprocessOptions, preprocess
from cfrontend.syntax import queries, tree
from cfrontend.syntax.names import first_names, joined_names

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
