"""Calling contexts of an entry function: what holds of its arguments at every call site in the given files.

int main(void) { return f(a, 3) + f(b, 1); }     ->   --requires 'n == 1 || n == 3' --extent a:n
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cfrontend.elaborate import elaborate_files
from cfrontend.environment.callers.call_sites import CallSites, find_call_sites
from cfrontend.environment.callers.caller_facts import CallerFacts, facts_of_call_sites
from cfrontend.environment.program_options import ProgramOptions
from cfrontend.errors import InputError, UnsupportedError, UsageError
from cfrontend.source.parse import parse_file, parsed_file_defines
from cfrontend.source.preprocess import PreprocessOptions, preprocess
from cfrontend.syntax import queries, tree
from cfrontend.syntax.names import joined_names

OPTION: Final = "--from-callers"


def options_from_callers(paths: Sequence[str], options: ProgramOptions) -> ProgramOptions:
    """``options`` with what all callers of the entry in the files ``paths`` give it, behind what the user says.

    Raises UsageError where there is no call, or no such entry; what reading the files raises.
    """
    entry = options.entry
    if entry == "main":
        raise UsageError(f"{OPTION} is about a function other than main: choose it with --entry")
    if not paths:
        raise UsageError(f"{OPTION} needs the files of the callers")
    unit = _whole_unit(paths, options)
    function = unit.functions.get(entry)
    if function is None or function.body is None:
        return options  # Loading says what is wrong.
    sites = find_call_sites(function, unit)
    if not sites.calls:
        seen = f", whose address is taken ({sites.taken[0]})" if sites.taken else ""
        raise UsageError(f"{OPTION}: nothing in the files that are given calls '{entry}'{seen}")
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
        from_callers=_notes(entry, sites, facts),
    )


def _whole_unit(paths: Sequence[str], options: ProgramOptions) -> tree.TranslationUnit:
    """The typed tree of all of the files, by the headers of the machine where a name is missing in ours."""
    try:
        return _read(paths, options.entry, options.preprocess)
    except InputError:
        if options.preprocess.headers == "machine":
            raise
        try:
            return _read(paths, options.entry, replace(options.preprocess, headers="machine"))
        except InputError:
            pass
        raise


def _read(paths: Sequence[str], entry: str, options: PreprocessOptions) -> tree.TranslationUnit:
    files = [parse_file(preprocess(path, options)) for path in paths]
    homes = [path for path, file in zip(paths, files, strict=True) if parsed_file_defines(file, entry)]
    if len(homes) > 1:
        raise UsageError(f"{OPTION}: several files define '{entry}': {', '.join(homes)}")
    unit = elaborate_files(files, options.model)
    for name, error in unit.refused.items():
        if any(parsed_file_defines(file, name) for file in files):
            raise error
    for function in unit.functions.values():
        for node in queries.syntax_nodes_within(function.body):
            if isinstance(node, tree.RefusedSyntax) and _may_hide(entry, node, unit):
                raise UnsupportedError(node.message, node.location)
    return unit


def _may_hide(entry: str, node: tree.RefusedSyntax, unit: tree.TranslationUnit) -> bool:
    """Whether what is refused may be, or hold, a call of the entry."""
    place = node.location
    lines = unit.files.get(place.file, ())[place.line - 1 : max(place.line, place.end_line or 0)]
    return not lines or any(entry in line for line in lines)


def _notes(entry: str, sites: CallSites, facts: CallerFacts) -> tuple[str, ...]:
    """Notes on preconditions from call sites: how many calls there are, what they give, what was not seen."""
    count = len(sites.calls)
    calls = "the only call" if count == 1 else f"all {count} calls"
    said = " ".join(facts.options) or "nothing that restricts its inputs"
    through = f", and those of {joined_names(sites.through)}" if sites.through else ""
    notes = [f"{calls} of {entry} in the given files{through}: {said}"]
    if sites.taken:
        notes.append(
            f"the address of {entry} is taken ({sites.taken[0]}): calls through pointers are not seen by {OPTION}"
        )
    return tuple(notes)
