"""``sfo localize --git OLD..NEW`` without files: the functions that changed, each tried as the entry.

sfo localize --git HEAD~1..HEAD   ->   as with src/parse.c --entry parse_number, the first that fails
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cfrontend.errors import InputError, UsageError
from cfrontend.program import ProgramOptions, load_c_program_tree
from cfrontend.source.preprocess import PreprocessOptions, preprocess
from sfo.cli.output import complain_on_error_output
from sfo.cli.revisions import options_between_revisions
from sfo.core.result import Result
from sfo.library.localization import library_localization
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import Progress

if TYPE_CHECKING:
    from cfrontend.syntax.tree import TranslationUnit
    from sfo.pipeline.localize import Heard


def localize_changed_functions(
    revisions: str,
    files: Sequence[str],
    options_of: Callable[[str], PipelineOptions],
    progress: Progress,
    heard: Heard | None,
) -> Result:
    """The localisation with the first changed function as entry that fails; else that of the last one that was tried.

    Functions come in the order of ``files`` and of their text; ``options_of`` gives the options of a file. What cannot
    be tried is named on standard error. Raises UsageError where nothing changed, InputError where nothing
    could be tried.
    """
    last: Result | None = None
    tried = changed = 0
    for file in files:
        with options_between_revisions(revisions, [file], options_of(file)) as (paths, options):
            try:
                names = functions_changed_beside_reference(paths[0], options.program)
            except InputError as error:
                complain_on_error_output(f"{file} is passed over: {error}")
                changed += 1
                continue
            for name in names:
                changed += 1
                chosen = replace(options, program=replace(options.program, entry=name))
                try:
                    result = library_localization(paths, chosen, (), progress, heard)
                except InputError as error:
                    complain_on_error_output(f"{name} of {file} is passed over: {error}")
                    continue
                complain_on_error_output(f"{name} of {file}: {result.verdict}")
                if result.verdict == "violated" or result.stopped is not None:
                    return result
                last, tried = result, tried + 1
    if last is not None:
        if tried < changed:
            complain_on_error_output(f"{changed - tried} of {changed} changes could not be tried")
        return last
    if changed:
        raise InputError(f"--git {revisions}: none of the functions that changed can be tried as the entry")
    raise UsageError(f"--git {revisions}: no function that both revisions define has changed in a C file")


def functions_changed_beside_reference(path: str, options: ProgramOptions) -> tuple[str, ...]:
    """The functions of ``path`` with another body, but the same type, in the reference of ``options``, in text order.

    Comments and layout make no difference; what macros and constants become does. Raises InputError for what is not C.
    """
    new = _tree(path, options, options.preprocess)
    (older,) = options.reference
    old = _tree(older, options, options.reference_preprocess or options.preprocess)
    found = [
        function
        for name, function in new.functions.items()
        if function.body is not None
        and name in old.functions
        and old.functions[name].body not in (None, function.body)
        and old.functions[name].type == function.type
    ]
    return tuple(f.name for f in sorted(found, key=lambda f: (f.location.line, f.name)))


def _tree(path: str, options: ProgramOptions, how: PreprocessOptions) -> TranslationUnit:
    """The typed tree of one file alone, with the headers of the machine where ours do not do."""
    alone = replace(options, reference=(), reference_preprocess=None, preprocess=how)
    try:
        return load_c_program_tree([path], alone, [preprocess(path, how)])
    except (InputError, UsageError):
        machine = replace(how, headers="machine")
        return load_c_program_tree([path], replace(alone, preprocess=machine), [preprocess(path, machine)])
